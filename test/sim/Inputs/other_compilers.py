#!/usr/bin/env python3
"""Compiles kernels.hip with every clang that is installed beside the LLVM that
aircc is built with (its tools are on the PATH), for several chips
and versions of code objects, runs them on the simulated device, and compares
with what they compute.

usage: other_compilers.py AIRCC LLD OUTPUT-FOLDER"""

import glob
import os
import re
import shutil
import subprocess
import sys

aircc, lld, out = sys.argv[1:4]
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.hip")


def ackermann(m, n):
    if m == 0:
        return n + 1
    return ackermann(m - 1, ackermann(m, n - 1) if n else 1)


def call(t):
    first, second = 5 + t, 7
    if t % 3:
        first, second = 2 * first, second * second
    else:
        first, second = 3 * first, second + first
    return first + 1000 * second + ackermann(2, t % 4)


def histogram():
    counts = []
    for lane in range(32):
        mine = [0] * 16
        for i in range(8):
            mine[(8 * lane + i) * 7 % 256 & 15] += 1
        counts += mine
    return counts


# kernel, arguments and launch, which argument to look at, its contents
CASES = [
    (
        "saxpy",
        [
            "--grid",
            "2",
            "--block",
            "64",
            "--arg",
            "f32=0.5",
            "--arg",
            "f32:300:iota",
            "--arg",
            "f32:300:1",
            "--arg",
            "i32=300",
        ],
        2,
        [i * 0.5 + 1 for i in range(300)],
    ),
    ("sum", ["--grid", "4", "--block", "64", "--arg", "i32:256:iota", "--arg", "i32:1:3"], 1, [3 + sum(range(256))]),
    (
        "reverse",
        ["--grid", "2", "--block", "32", "--dynamic-lds", "256", "--arg", "f64:64:iota"],
        0,
        [2.5 * (32 * (i // 32) + 31 - i % 32) for i in range(64)],
    ),
    (
        "calls",
        ["--grid", "1", "--block", "32", "--arg", "bytes=05000000000000000700000000000000", "--arg", "i64:32"],
        1,
        [call(t) for t in range(32)],
    ),
    ("histogram", ["--grid", "1", "--block", "32", "--arg", "u8:256:iota,0,7", "--arg", "u16:512"], 1, histogram()),
]


def run(command, **environment):
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment}
    )


def numbers(text):
    return [float(v) for line in text.splitlines() if line.startswith("  ") for v in line.split()]


failures = objects = 0
compilers = sorted(
    glob.glob("/usr/lib/llvm-*/bin/clang"), key=lambda path: int(re.search(r"llvm-(\d+)", path).group(1))
)
own = os.path.dirname(os.path.realpath(shutil.which("llvm-objdump")))
for clang in compilers:
    if os.path.dirname(os.path.realpath(clang)) == own:
        continue
    release = int(re.search(r"llvm-(\d+)", clang).group(1))
    made = 0
    for chip, since in (("gfx90a", 13), ("gfx942", 17), ("gfx1100", 15), ("gfx1201", 19)):
        for version in (4, 5, 6):
            for level in ("-O0", "-O2"):
                # Version 5 was experimental up to LLVM 15; version 6 was added in LLVM 19.
                if release < since or (version == 5 and release < 16) or (version == 6 and release < 19):
                    continue
                # LLVM 16 and 17 reload registers before all lanes are active again.
                if level == "-O0" and release in (16, 17):
                    continue
                # LLVM inserts the waits for gfx12's scalars from version 20 on.
                check = "0" if chip == "gfx1201" and release < 20 else "1"
                name = os.path.join(out, f"{release}-{chip}-v{version}{level}")
                compiled = run(
                    [
                        clang,
                        "-x",
                        "hip",
                        "--cuda-device-only",
                        "-nogpulib",
                        "-nogpuinc",
                        f"--offload-arch={chip}",
                        f"-mcode-object-version={version}",
                        level,
                        "-fgpu-rdc",
                        "-emit-llvm",
                        "-c",
                        source,
                        "-o",
                        name + ".bc",
                    ]
                )
                if compiled.returncode == 0:
                    compiled = run(
                        [
                            clang,
                            "-target",
                            "amdgcn-amd-amdhsa",
                            f"-mcpu={chip}",
                            level,
                            "-nogpulib",
                            "-mllvm",
                            f"--amdhsa-code-object-version={version}",
                            "-c",
                            name + ".bc",
                            "-o",
                            name + ".o",
                        ]
                    )
                if compiled.returncode == 0:
                    compiled = run([lld, "-shared", name + ".o", "-o", name + ".hsaco"])
                if compiled.returncode:
                    print(f"{name}: {compiled.stdout}")
                    failures += 1
                    continue
                made += 1
                for kernel, arguments, number, expected in CASES:
                    result = run(
                        [aircc, "sim", name + ".hsaco", "--kernel", kernel, *arguments, "--print", f"{number}:all"],
                        AIRCC_SIM_CHECK=check,
                    )
                    if result.returncode or numbers(result.stdout) != expected:
                        print(f"{name}: {kernel}:\n{result.stdout}")
                        failures += 1
    print(f"clang {release}: {made} code objects")
    objects += made
print(f"{objects} code objects, {failures} failures")
sys.exit(1 if failures or not objects else 0)
