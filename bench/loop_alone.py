"""Times the main loop of a kernel in any AMDGPU code object alone.

The arguments that another compiler's kernel takes are unknown, so the kernel itself cannot be run. Its main loop, the
innermost loop with the most matrix instructions, can be run: a new kernel sets all registers and repeats the loop. The
instructions keep their encoding, with these exceptions:

- the branch at the end counts iterations, which takes two more scalar instructions;
- conditional branches out of the loop or over parts of it are not taken;
- instructions that change the mask of active lanes become s_nop.

Lanes access consecutive addresses of LDS and of memory. Therefore, LDS has no bank conflicts, and the data is in the
caches unless the loop itself advances its addresses. What is measured is the time of the instructions, their
dependences and waits, and the barriers.
"""

import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass

from code_object import CodeObjectError, run_tool
from loop_addresses import MEMORY, Addresses

ITERATIONS = 24
# The size of the buffer that contains all accesses to memory. They start in its middle.
BUFFER_BYTES = 1 << 25
SGPRS = range(102)
LEAVES = re.compile(r"s_(endpgm|setpc|swappc|call|rfe|getpc)")
MASK = re.compile(r"(s_\w*saveexec|v_cmpx|s_\w*wrexec)")


@dataclass
class LoopTiming:
    share: float  # The fraction of the time that the matrix pipe is busy.
    cycles: float  # Per iteration.
    counts: Counter  # Instructions per iteration, by kind.


def set_register(register, value):
    """Returns the line that sets a register to a vector register or a scalar."""
    kind, number = register
    opcode = {"s": "s_mov_b32", "v": "v_mov_b32", "a": "v_accvgpr_write_b32"}[kind]
    return f"{opcode} {kind}{number}, {value}"


def initialize(kernel, loop, counter):
    """Returns the lines that set all registers. VCC holds the address of the buffer until the end; v0 is set last."""
    generation = int(kernel.processor[3:-2])
    addresses = Addresses(loop)
    vectors = kernel.accum_offset or kernel.vgprs
    scratch = vectors - 1  # A temporary, whose own value is therefore set after all others except v0.
    lines = [
        "s_load_dwordx2 vcc, s[0:1], 0x0" if generation < 11 else "s_load_b64 vcc, s[0:1], 0x0",
        "s_wait_kmcnt 0" if generation >= 12 else "s_waitcnt lgkmcnt(0)",
        f"s_add_u32 vcc_lo, vcc_lo, {BUFFER_BYTES // 2}",
        "s_addc_u32 vcc_hi, vcc_hi, 0",
        "s_and_b32 vcc_lo, vcc_lo, 0xffff0000",
        "v_and_b32 v0, 63, v0",
    ]
    zeros = [("v", i) for i in range(1, vectors)]
    zeros += [("a", i) for i in range(kernel.accumulators)]
    zeros += [("s", i) for i in SGPRS]
    values = dict.fromkeys(zeros, ["0"])
    values |= dict.fromkeys(addresses.sizes, [str(BUFFER_BYTES // 2)])
    values |= dict.fromkeys(addresses.formats, ["0x20000" if generation < 10 else "0x31004000"])
    for low, high in sorted(addresses.pointers):
        values[low], values[high] = ["vcc_lo"], ["vcc_hi"]
    for register, size in sorted(addresses.strides.items()):
        shift = size.bit_length() - 1
        values[register] = [*values.get(register, ["0"]), f"v_lshlrev_b32 v{scratch}, {shift}, v0"]
    first = values.pop(("v", 0), ["0"])
    ordered = sorted(values.items(), key=lambda item: item[0] == ("v", scratch))
    for register, value in [*ordered, (("v", 0), first)]:
        lines += set_value(register, value, scratch)
    return [*lines, "s_mov_b32 m0, 0", "s_mov_b64 vcc, 0", f"s_mov_b32 s{counter}, {ITERATIONS}"]


def set_value(register, value, scratch):
    """Returns the lines that set a register to the sum of a scalar and an offset of the lane."""
    scalar, *offset = value
    if not offset:
        return [set_register(register, scalar)]
    return [*offset, f"v_or_b32 v{scratch}, {scalar}, v{scratch}", set_register(register, f"v{scratch}")]


def choose_counter(loop):
    """Returns a scalar register that the loop does not use."""
    used = set()
    for instruction in loop:
        for first, begin, end in re.findall(r"\bs(?:(\d+)|\[(\d+):(\d+)\])", instruction.text):
            used.update(range(int(begin or first), int(end or first) + 1))
    free = [register for register in SGPRS if register not in used]
    if not free:
        raise CodeObjectError("the loop uses all scalar registers")
    return free[-1]


def repeat(loop, counter):
    """Returns the lines of the loop. Labels are addresses."""
    inside = {instruction.address for instruction in loop}
    lines = []
    for instruction in loop:
        lines.append(f"L{instruction.address:x}:")
        if LEAVES.match(instruction.opcode):
            raise CodeObjectError(f"the loop contains {instruction.opcode}")
        if instruction is loop[-1]:
            lines += [
                f"s_sub_u32 s{counter}, s{counter}, 1",
                f"s_cmp_lg_u32 s{counter}, 0",
                f"s_cbranch_scc1 L{loop[0].address:x}",
            ]
        elif instruction.is_branch:
            isInside = instruction.target in inside and instruction.target > instruction.address
            label = f"L{instruction.target:x}" if isInside else "Lend"
            if instruction.opcode == "s_branch" and not isInside:
                raise CodeObjectError("the loop contains an s_branch out of it")
            lines.append(f"{instruction.opcode if instruction.opcode == 's_branch' else 's_cbranch_execz'} {label}")
        elif MASK.match(instruction.opcode) or any(o.startswith("exec") for o in instruction.operands[:1]):
            lines.append("s_nop 0")
        else:
            lines.append(".long " + ", ".join(f"{word:#010x}" for word in instruction.words))
    return [*lines, "Lend:", "s_endpgm"]


def write_kernel(kernel, loop):
    """Returns the assembly of a kernel that repeats the loop, with the resources of the original kernel."""
    counter = choose_counter(loop)
    body = "\n".join([*initialize(kernel, loop, counter), *repeat(loop, counter)])
    directives = [
        f".amdhsa_group_segment_fixed_size {kernel.lds}",
        f".amdhsa_private_segment_fixed_size {kernel.scratch}",
        ".amdhsa_kernarg_size 8",
        ".amdhsa_user_sgpr_kernarg_segment_ptr 1",
        f".amdhsa_next_free_vgpr {kernel.vgprs}",
        f".amdhsa_next_free_sgpr {len(SGPRS)}",
    ]
    if kernel.accum_offset:
        directives.append(f".amdhsa_accum_offset {kernel.accum_offset}")
    if kernel.wave_size == 32:
        directives.append(".amdhsa_wavefront_size32 1")
    elif int(kernel.processor[3:-2]) >= 10:
        directives.append(".amdhsa_wavefront_size32 0")
    newline = "\n  "
    return f""".amdgcn_target "amdgcn-amd-amdhsa--{kernel.processor}"
.text
.globl loop
.p2align 8
.type loop,@function
loop:
{body}
.Lfunc_end:
.size loop, .Lfunc_end-loop
.rodata
.p2align 6
.amdhsa_kernel loop
  {newline.join(directives)}
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: loop
    .symbol: loop.kd
    .args: [{{.name: buffer, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}}]
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {kernel.lds}
    .private_segment_fixed_size: {kernel.scratch}
    .wavefront_size: {kernel.wave_size}
    .sgpr_count: {len(SGPRS)}
    .vgpr_count: {kernel.vgprs}
    .max_flat_workgroup_size: {kernel.lanes}
.end_amdgpu_metadata
"""


def classify(instruction):
    opcode = instruction.opcode
    if instruction.is_matrix:
        return "matrix"
    if opcode.startswith("ds_"):
        return "lds"
    if MEMORY.match(opcode):
        return "memory"
    if opcode.startswith("s_barrier") and "wait" not in opcode:
        return "barrier"
    return "vector" if opcode.startswith("v_") else "scalar"


def time_loop(aircc, kernel, units):
    """Times the main loop of a kernel on a device of `units` compute units. Raises CodeObjectError."""
    loop = kernel.find_loop()
    if not loop:
        raise CodeObjectError("it has no loop with matrix instructions")
    if not kernel.lanes:
        raise CodeObjectError("its metadata lacks the workgroup size")
    with tempfile.TemporaryDirectory() as folder:
        source, image, timing = f"{folder}/loop.s", f"{folder}/loop.hsaco", f"{folder}/timing.json"
        with open(source, "w") as file:
            file.write(write_kernel(kernel, loop))
        arguments = ["-triple=amdgcn-amd-amdhsa", f"-mcpu={kernel.processor}", "-filetype=obj"]
        if int(kernel.processor[3:-2]) >= 10:
            arguments.append(f"-mattr={'+' if kernel.wave_size == 64 else '-'}wavefrontsize64")
        run_tool("llvm-mc", *arguments, source, "-o", f"{folder}/loop.o")
        run_tool("ld.lld", "-shared", f"{folder}/loop.o", "-o", image)
        command = [aircc, "sim", image, "--grid", str(4 * units), "--block", str(kernel.lanes)]
        command += ["--arg", f"f32:{BUFFER_BYTES // 4}", f"--timing={timing}"]
        process = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "AIRCC_SIM_CHECK": "0"})
        if process.returncode:
            raise CodeObjectError(f"its loop cannot be run alone: {process.stderr.strip()}")
        with open(timing) as file:
            launch = json.load(file)["launches"][0]
    timed = max(launch["loops"], key=lambda entry: entry["iterations"] * entry["cycles_per_iteration"])
    return LoopTiming(timed["matrix_share"], timed["cycles_per_iteration"], Counter(map(classify, loop)))
