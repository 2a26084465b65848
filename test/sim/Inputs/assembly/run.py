#!/usr/bin/env python3
"""Assembles the kernels of this folder, which are written as AMD's production
kernels are, runs them on the simulated device without the checker and with it,
and compares with results computed here.

usage: run.py OUTPUT-FOLDER AIRCC..."""

import ast
import math
import os
import random
import struct
import subprocess
import sys

folder, aircc = sys.argv[1], sys.argv[2:]
here = os.path.dirname(os.path.abspath(__file__))

HEAD = """.amdgcn_target "amdgcn-amd-amdhsa--{chip}"
.text
.globl k
.p2align 8
.type k,@function
k:
"""
TAIL = """
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 44
  .amdhsa_accum_offset 40
  .amdhsa_next_free_sgpr 40
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size {lds}
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--{chip}
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .group_segment_fixed_size: {lds}
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 44
    .max_flat_workgroup_size: 1024
    .args:
{args}
.end_amdgpu_metadata
"""
KIND = {"i": "<i4", "f": "<f4", "H": "<u2", "B": "|u1"}


def write_npy(path, code, values):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (KIND[code], len(values))
    header = header.ljust((len(header) + 10 + 64) // 64 * 64 - 11) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack("<%d%s" % (len(values), code), *values))


def read_npy(path, code):
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack_from("<H", data, 8)[0]
    count = ast.literal_eval(data[10 : 10 + size].decode())["shape"][0]
    return list(struct.unpack_from("<%d%s" % (count, code), data, 10 + size))


class Kernel:
    """Buffers are (code, values); scalars are integers. `expected` holds what
    buffers contain afterwards, by number."""

    def __init__(self, name, args, expected, chips=("gfx942", "gfx950"), block=64, grid=1, lds=0, tolerance=0.0):
        self.name, self.args, self.expected, self.chips = name, args, expected, chips
        self.block, self.grid, self.lds, self.tolerance = block, grid, lds, tolerance

    def assemble(self, chip):
        args, offset = "", 0
        for arg in self.args:
            buffer = isinstance(arg, tuple)
            args += "      - {.name: a%d, .size: %d, .offset: %d, .value_kind: %s}\n" % (
                offset,
                8 if buffer else 4,
                offset,
                "global_buffer, .address_space: global" if buffer else "by_value",
            )
            offset += 8 if buffer else 4
        with open(os.path.join(here, self.name + ".s")) as f:
            text = HEAD.format(chip=chip) + f.read() + TAIL.format(chip=chip, lds=self.lds, args=args)
        path = os.path.join(folder, self.name + "." + chip)
        with open(path + ".s", "w") as f:
            f.write(text)
        subprocess.run(
            [
                "clang",
                "-x",
                "assembler",
                "-target",
                "amdgcn-amd-amdhsa",
                "-mcpu=" + chip,
                "-nostdlib",
                "-o",
                path + ".co",
                path + ".s",
            ],
            check=True,
        )
        return path

    def run(self, chip, seed, check):
        path = self.assemble(chip) if seed == 1 and not check else os.path.join(folder, self.name + "." + chip)
        command = aircc + [
            "sim",
            path + ".co",
            "--block",
            str(self.block),
            "--grid",
            str(self.grid),
            "--seed",
            str(seed),
        ]
        for number, arg in enumerate(self.args):
            if isinstance(arg, tuple):
                write_npy(path + ".%d.npy" % number, *arg)
                command += ["--arg", path + ".%d.npy" % number]
            else:
                command += ["--arg", "i32=%d" % arg]
        for number in self.expected:
            command += ["--out", "%d:%s.out%d.npy" % (number, path, number)]
        command += ["--check"] if check else []
        environment = dict(os.environ, AIRCC_SIM_CHECK="0")
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            return done.stderr
        for number, values in self.expected.items():
            found = read_npy("%s.out%d.npy" % (path, number), self.args[number][0])
            for i, (a, b) in enumerate(zip(found, values)):
                if not abs(a - b) <= self.tolerance * max(1.0, abs(b)):
                    return "element %d of buffer %d is %s, not %s" % (i, number, a, b)
        return ""


def unwritten(code, count):
    return (code, [-1] * count) if code == "i" else (code, [math.nan] * count)


def kernels():
    rng = random.Random(1)
    ints = lambda count, low=-1000, high=1000: [rng.randint(low, high) for _ in range(count)]

    source = ints(24)
    out = [-1] * 128
    for lane in range(4):
        wide = [source[4 * lane + j] if 4 * lane + j < 6 else 0 for j in range(4)]
        out[8 * lane : 8 * lane + 6] = wide + [source[lane], source[3] if lane == 0 else 0]
    yield Kernel("range", [("i", source), unwritten("i", 128)], {1: out}, ("gfx90a", "gfx942", "gfx950"), block=16)

    source, count = ints(1100), 1000
    out = [sum(source[t + (lane ^ 64)] for t in range(0, 1024, 128) if t + (lane ^ 64) < count) for lane in range(128)]
    yield Kernel(
        "lds_dma",
        [("i", source), unwritten("i", 128), count],
        {1: out},
        ("gfx90a", "gfx942", "gfx950"),
        block=128,
        lds=1024,
    )

    source = ints(1024)
    out = [sum(source[t * 256 + (lane ^ 64)] for t in range(4)) for lane in range(256)]
    yield Kernel("pingpong", [("i", source), unwritten("i", 256)], {1: out}, block=256, lds=1024)

    out = []
    for lane in range(64):
        out += [
            lane + 1300,
            1405,
            1500,
            7 if lane == 5 else lane + 1300,
            -200,
            lane ^ 1,
            lane + 1500,
            lane + 1400,
            0x40A00000,
            4 * (lane + 1600),
        ] + [-1] * 6
    yield Kernel("gpr_index", [unwritten("i", 1024)], {0: out}, ("gfx90a", "gfx942", "gfx950"))

    source = [rng.uniform(-8, 8) for _ in range(256)]
    out = []
    for row in range(0, 256, 64):
        exps = [math.exp(v) for v in source[row : row + 64]]
        out += [e / sum(exps) for e in exps]
    yield Kernel(
        "softmax",
        [("f", source), unwritten("f", 256)],
        {1: out},
        ("gfx90a", "gfx942", "gfx950"),
        grid=4,
        tolerance=1e-6,
    )

    a, b = ints(1024, -8, 8), ints(1024, -8, 8)
    bf16 = lambda values: [struct.unpack("<I", struct.pack("<f", v))[0] >> 16 for v in values]
    out = [sum(a[64 * m + k] * b[64 * n + k] for k in range(64)) for m in range(16) for n in range(16)]
    yield Kernel("gemm", [("H", bf16(a)), ("H", bf16(b)), unwritten("f", 256)], {2: out})

    table, pages = [3, 1, 4, 1, 5, 2, 7, 6], ints(8 * 64)
    out = []
    for lane in range(64):
        value = 0
        for number in table[:6] + [0, 0]:
            value = 2 * value + pages[64 * number + lane]
        out.append(value)
    yield Kernel(
        "page_table", [("i", table), ("i", pages), unwritten("i", 64)], {2: out}, ("gfx90a", "gfx942", "gfx950")
    )

    source = ints(640)
    out = [sum(source[64 * t + i] for t in range(10)) if i < 32 else 0 for i in range(64)]
    yield Kernel("persistent", [("f", source), ("f", [0] * 64), ("i", [0])], {1: out, 2: [14]}, grid=4)

    source = ints(512, 0, 65535)
    out = []
    for lane in range(64):
        for half in (0, 256):
            out += [source[half + lane // 16 * 64 + 16 * i + lane % 16] for i in range(4)]
    yield Kernel("transpose", [("H", source), ("H", [0] * 512)], {1: out}, ("gfx950",), lds=2048)

    def small(code, exponents, mantissas, bias):
        sign = -1 if code >> (exponents + mantissas) & 1 else 1
        exponent, mantissa = code >> mantissas & (1 << exponents) - 1, code & (1 << mantissas) - 1
        return sign * (
            math.ldexp((1 << mantissas) + mantissa, exponent - bias - mantissas)
            if exponent
            else math.ldexp(mantissa, 1 - bias - mantissas)
        )

    words = [rng.getrandbits(31) for _ in range(128)]
    fp4 = lambda base, at, k: small(words[base + at + k // 32 * 16] >> 4 * (k % 8) & 15, 2, 1, 1)
    out = [
        2 * sum(fp4(0, 4 * (lane // 16) + i, k) * fp4(64, lane % 16, k) for k in range(128))
        for lane in range(64)
        for i in range(4)
    ]
    yield Kernel("scaled", [("i", words), unwritten("f", 256)], {1: out}, ("gfx950",))

    codes = [rng.choice([c for c in range(256) if 0x30 <= c & 0x7F < 0x58]) for _ in range(1024)]
    fp8 = lambda base, at, k: small(codes[base + 8 * (at + k // 8 * 16) + k % 8], 4, 3, 8)
    out = [
        sum(fp8(0, 4 * (lane // 16) + i, k) * fp8(512, lane % 16, k) for k in range(32))
        for lane in range(64)
        for i in range(4)
    ]
    yield Kernel("fp8", [("B", codes), unwritten("f", 256)], {1: out}, ("gfx942",), tolerance=1e-5)

    source = ints(64)
    out = []
    for lane in range(16):
        out += [source[lane // 8 * 16 + 8 + lane % 8] if lane < 12 else 0, 0, source[lane + 2], source[1]]
    yield Kernel("swizzle", [("i", source), unwritten("i", 64)], {1: out}, ("gfx90a", "gfx942", "gfx950"), block=16)


launches = bad = 0
for kernel in kernels():
    for chip in kernel.chips:
        for check in (False, True):
            for seed in (1, 2, 3):
                problem = kernel.run(chip, seed, check)
                launches += 1
                if problem:
                    bad += 1
                    print(
                        "%s, %s, seed %d, %s the checker: %s"
                        % (kernel.name, chip, seed, "with" if check else "without", problem)
                    )
print("%d of %d launches are right" % (launches - bad, launches))
sys.exit(bad != 0)
