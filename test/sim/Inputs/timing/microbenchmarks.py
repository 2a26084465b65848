#!/usr/bin/env python3
"""Assembles microbenchmarks, times them with the timing model of the simulated
device, and compares the cycles of one instruction with published figures.

usage: microbenchmarks.py OUTPUT-FOLDER AIRCC..."""

import json
import os
import subprocess
import sys

folder, aircc = sys.argv[1], sys.argv[2:]
TOLERANCE = 0.10

HEAD = """.amdgcn_target "amdgcn-amd-amdhsa--{chip}"
.text
.globl k
.p2align 8
.type k,@function
k:
  {load_pointer} s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 4, v0
  v_mov_b32 v2, 0
  v_mov_b32 v3, 0
  v_lshlrev_b32 v4, 2, v0
  ds_write_b32 v2, v2
  {wait_scalar}
"""
TAIL = """
  s_endpgm
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 128
  {accumulators}
  .amdhsa_next_free_sgpr 40
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  {wave32}
  .amdhsa_group_segment_fixed_size 32768
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--{chip}
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 32768
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: {wave}
    .sgpr_count: 40
    .vgpr_count: 128
    .max_flat_workgroup_size: 1024
    .args:
      - .name: p
        .size: 8
        .offset: 0
        .value_kind: global_buffer
        .address_space: global
.end_amdgpu_metadata
"""


def is_rdna(chip):
    return not chip.startswith("gfx9")


def assemble(chip, name, body):
    if chip == "gfx90a":  # Older names of the same instructions.
        for old in ("16x16x16", "32x32x8", "16x16x4"):
            body = body.replace(old + "_f", old + "f")
    wave = 32 if is_rdna(chip) else 64
    scalar = {"gfx11": "s_load_b64", "gfx12": "s_load_b64"}.get(chip[:5], "s_load_dwordx2")
    wait = "s_wait_kmcnt 0x0" if chip.startswith("gfx12") else "s_waitcnt lgkmcnt(0)"
    source = HEAD.format(chip=chip, load_pointer=scalar, wait_scalar=wait) + body
    source += TAIL.format(
        chip=chip,
        wave=wave,
        wave32=".amdhsa_wavefront_size32 1" if wave == 32 else "",
        accumulators="" if is_rdna(chip) else ".amdhsa_accum_offset 128",
    )
    path = os.path.join(folder, f"{chip}-{name}")
    with open(path + ".s", "w") as f:
        f.write(source)
    features = ["-mattr=+wavefrontsize32"] if wave == 32 else []
    tools = "/usr/lib/llvm-22/bin/"
    subprocess.run(
        [tools + "llvm-mc", "-triple=amdgcn-amd-amdhsa", f"-mcpu={chip}", *features]
        + ["-filetype=obj", path + ".s", "-o", path + ".o"],
        check=True,
    )
    subprocess.run([tools + "ld.lld", "-shared", path + ".o", "-o", path + ".hsaco"], check=True)
    return path


def time(path, block=64, grid=1):
    report = path + ".json"
    subprocess.run(
        [*aircc, "sim", path + ".hsaco", f"--timing={report}", "--grid", str(grid), "--block", str(block)]
        + ["--arg", f"i32:{max(65536, grid * block * 8)}:0"],
        check=True,
    )
    with open(report) as f:
        return json.load(f)["launches"][0]


def cycles(chip, name, line, count, block=64):
    """The cycles of one repetition, from the difference of two lengths. `line` may
    contain {i}, the number of the repetition."""
    times = []
    for repetitions in (count, 2 * count):
        body = "\n".join(line.replace("{i}", str(i)) for i in range(repetitions))
        times.append(time(assemble(chip, f"{name}-{repetitions}", body), block)["cycles"])
    return (times[1] - times[0]) / count


# name, chips with the cycles of a repetition, the repetition, repetitions, lanes
VECTOR = {"gfx90a": 4, "gfx942": 4, "gfx950": 4}
RDNA = {"gfx1100": 5, "gfx1201": 5}
MFMA16 = "v_mfma_f32_16x16x16_f16 v[{d}:{e}], v[4:5], v[6:7], v[{d}:{e}]"
CHASE = "ds_read_b32 v2, v2\ns_waitcnt lgkmcnt(0)"
LOAD = "global_load_dword v3, v2, s[4:5]\ns_waitcnt vmcnt(0)\nv_add_u32 v2, v3, v2"


def mfma(first):
    return MFMA16.replace("{d}", str(first)).replace("{e}", str(first + 3))


CASES = [
    ("dependent-add", {**VECTOR, **RDNA}, "v_add_f32 v2, v2, v2", 256, 64),
    ("independent-add", {**VECTOR, "gfx1100": 1}, "v_add_f32 v2, v3, v4\nv_add_f32 v5, v3, v4", 256, 64),
    ("exp", {"gfx942": 16}, "v_exp_f32 v2, v3", 256, 64),
    ("scalar-chain", {"gfx942": 4, "gfx1100": 2}, "s_add_u32 s6, s6, s6", 256, 64),
    ("mfma-chain", {"gfx90a": 32, "gfx942": 16, "gfx950": 16}, mfma(8), 128, 64),
    ("mfma-streams", {"gfx90a": 64, "gfx942": 32, "gfx950": 32}, mfma(8) + "\n" + mfma(12), 128, 64),
    (
        "mfma-32x32",
        {"gfx90a": 64, "gfx942": 32},
        "v_mfma_f32_32x32x8_f16 v[8:23], v[4:5], v[6:7], v[8:23]",
        64,
        64,
    ),
    (
        "mfma-k32",
        {"gfx950": 16},
        "v_mfma_f32_16x16x32_bf16 v[8:11], v[24:27], v[28:31], v[8:11]",
        64,
        64,
    ),
    (
        "f8f6f4-fp8",
        {"gfx950": 32},
        "v_mfma_f32_16x16x128_f8f6f4 v[8:11], v[24:31], v[32:39], v[8:11]",
        64,
        64,
    ),
    (
        "f8f6f4-fp4",
        {"gfx950": 16},
        "v_mfma_f32_16x16x128_f8f6f4 v[8:11], v[24:27], v[32:35], v[8:11] cbsz:4 blgp:4",
        64,
        64,
    ),
    (
        "f64",
        {"gfx90a": 32, "gfx942": 32, "gfx950": 64},
        "v_mfma_f64_16x16x4_f64 v[8:15], v[4:5], v[6:7], v[8:15]",
        64,
        64,
    ),
    # Three vector instructions are hidden behind a matrix instruction of 16 cycles; f64 hides none.
    ("co-issue", {"gfx942": 16}, mfma(8) + "\nv_add_f32 v2, v3, v3" * 3, 128, 64),
    (
        "f64-alone",
        {"gfx942": 36},
        "v_mfma_f64_16x16x4_f64 v[8:15], v[4:5], v[6:7], v[8:15]\nv_add_f32 v2, v3, v3",
        64,
        64,
    ),
    ("wmma", {"gfx1100": 32}, "v_wmma_f32_16x16x16_f16 v[8:15], v[24:31], v[32:39], v[8:15]", 64, 32),
    ("wmma-gfx12", {"gfx1201": 16}, "v_wmma_f32_16x16x16_f16 v[8:15], v[24:27], v[32:35], v[8:15]", 64, 32),
    ("lds-chase", {"gfx90a": 50, "gfx942": 51, "gfx950": 64}, CHASE, 64, 64),
    # Four waves share two ports of 64 bytes in a cycle (gfx950: 128).
    ("lds-read-128", {"gfx942": 32, "gfx950": 16}, "ds_read_b128 v[8:11], v1", 128, 256),
    ("lds-write-32", {"gfx942": 16}, "ds_write_b32 v4, v3", 128, 256),
    ("lds-write-128", {"gfx942": 40}, "ds_write_b128 v1, v[8:11]", 128, 256),
    ("vector-cache", {"gfx90a": 129, "gfx942": 120}, LOAD, 64, 64),
    ("vmem-issue", {"gfx942": 16}, "global_load_dwordx4 v[8:11], v1, s[4:5]", 64, 64),
]


def check(chip, name, expected, found):
    isRight = abs(found - expected) <= TOLERANCE * expected
    if not isRight:
        print(f"{chip} {name}: {found:.1f} instead of {expected}")
    return isRight


def stride(count, step, passes):
    """Loads from `count` lines, several times; all lanes load from the same one."""
    lines = [f"v_mov_b32 v2, {step * i}\nglobal_load_dword v3, v2, s[4:5]\ns_waitcnt vmcnt(0)" for i in range(count)]
    return "\n".join(lines * passes)


def caches(chip):
    """Latencies of the L2 cache and of memory: the second and the first pass over 512 lines."""
    times = [time(assemble(chip, f"lines-{n}", stride(512, 128, n)))["cycles"] for n in (1, 2)]
    return {"memory": times[0] / 512, "l2": (times[1] - times[0]) / 512}


def main():
    right = total = 0
    for name, chips, line, count, lanes in CASES:
        for chip, expected in chips.items():
            scale = line.count("v_add_f32") if name == "independent-add" else 1
            total += 1
            right += check(chip, name, expected, cycles(chip, name, line, count, lanes) / scale)
    for chip, l2, memory in (("gfx942", 288, 900), ("gfx90a", 240, 741)):
        found = caches(chip)
        right += check(chip, "l2", l2, found["l2"]) + check(chip, "memory", memory, found["memory"])
        total += 2
    # Streams: 16 bytes per lane are read and written.
    copy = "global_load_dwordx4 v[8:11], v1, s[4:5]\ns_waitcnt vmcnt(0)\nglobal_store_dwordx4 v1, v[8:11], s[4:5]"
    address = "s_lshl_b32 s3, s2, 12\ns_add_u32 s4, s4, s3\ns_addc_u32 s5, s5, 0\n"
    groups = 16384
    result = time(assemble("gfx942", "copy", address + copy), 256, groups)
    rate = groups * 256 * 32 / (result["nanoseconds"] - result["launch_nanoseconds"])
    right += check("gfx942", "copy in GB/s", 4100, rate)
    # Two million empty workgroups.
    result = time(assemble("gfx942", "empty", ""), 64, 1 << 18)
    right += check("gfx942", "cycles of an empty workgroup", 8, result["cycles"] / (1 << 18) * 8)
    total += 2
    print(f"{right} of {total} figures are right")


main()
