#!/usr/bin/env python3
"""Measures how compile time and memory grow with the size of a program.

    python3 bench/compile_families.py --build build [--family NAME]... [--limit SECONDS] [--target NAME]...

Each family is a kind of program with a size as its parameter. Its members are compiled in order; each is twice as
large as the one before. Prints the CPU time, also as a multiple of an empty mlir-opt in the same run, the peak memory,
and the exponent of the growth: 1.0 means that a program of twice the size takes twice the time. The families of device
code are compiled for each target, to code objects or SPIR-V."""

import argparse
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"


def kernel(body, arguments="%a: memref<4096xi32>"):
    return (
        f"gpu.module @m {{\ngpu.func @k0({arguments}) kernel {{\n%c0 = arith.constant 0 : index\n"
        f"%c1 = arith.constant 1 : index\n%tid = gpu.thread_id x\n{body}\ngpu.return\n}}\n}}\n"
    )


def arithmetic(n, seed=1):
    """Returns the lines of 2 n ops on i32. Their operands are any earlier values, starting with %v0."""
    names = ["addi", "muli", "subi", "xori", "andi", "shli"]
    lines = []
    for i in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        left, right, name = seed >> 40, seed >> 20 & 0xFFFFF, names[(seed >> 60) % len(names)]
        lines.append(f"%v{i + 1} = arith.{name} %v{left % (i + 1)}, %v{right % (i + 1)} : i32")
        # The final result depends on all values.
        lines.append(f"%x{i + 1} = arith.addi {f'%x{i}' if i else '%v0'}, %v{i + 1} : i32")
    return lines


def i32_ops(n):
    lines = ["%v0 = memref.load %a[%tid] : memref<4096xi32>", *arithmetic(n // 2)]
    return kernel("\n".join([*lines, f"memref.store %x{n // 2}, %a[%tid] : memref<4096xi32>"]))


def loads(n):
    lines = ["%s0 = arith.constant 0 : i32"]
    for i in range(n):
        lines.append(f"%i{i} = arith.constant {i % 4096} : index")
        lines.append(f"%l{i} = memref.load %a[%i{i}] : memref<4096xi32>")
        lines.append(f"%s{i + 1} = arith.xori %s{i}, %l{i} : i32")
    lines.append(f"memref.store %s{n}, %a[%tid] : memref<4096xi32>")
    return kernel("\n".join(lines))


def condition(i):
    return (
        f"%d{i} = arith.constant {i} : i32\n%v{i} = memref.load %a[%tid] : memref<4096xi32>\n"
        f"%c{i}x = arith.cmpi slt, %v{i}, %d{i} : i32\n"
    )


def nested_if(n):
    opened = "".join(condition(i) + f"scf.if %c{i}x {{\n" for i in range(n))
    return kernel(opened + "memref.store %v0, %a[%c0] : memref<4096xi32>\n" + "}\n" * n)


def sequential_if(n):
    store = "memref.store %d{0}, %a[%tid] : memref<4096xi32>\n"
    return kernel("".join(condition(i) + f"scf.if %c{i}x {{\n{store.format(i)}}}\n" for i in range(n)))


def nested_for(n):
    opened = "".join(f"scf.for %i{i} = %c0 to %n step %c1 {{\n" for i in range(n))
    body = "%v = memref.load %a[%i0] : memref<4096xi32>\nmemref.store %v, %a[%tid] : memref<4096xi32>\n"
    return kernel(opened + body + "}\n" * n, "%a: memref<4096xi32>, %n: index")


def sequential_for(n):
    body = (
        "%v{0} = memref.load %a[%i{0}] : memref<4096xi32>\n%w{0} = arith.addi %v{0}, %v{0} : i32\n"
        "memref.store %w{0}, %a[%i{0}] : memref<4096xi32>\n"
    )
    loops = "".join(f"scf.for %i{i} = %c0 to %n step %c1 {{\n{body.format(i)}}}\n" for i in range(n))
    return kernel(loops, "%a: memref<4096xi32>, %n: index")


def dma_pairs(n):
    transfers = "".join(
        f"""      %o{i} = arith.constant {16 * i} : index
      %p{i} = arith.addi %sb, %o{i} : index
      air.dma_memcpy_nd (%t[] [] [], %sx[%p{i}, %o{i}] [%c16, %c16] [%sn, %c1])\
 : (memref<16x16xf32, 1>, memref<?x?xf32>)
      air.dma_memcpy_nd (%sy[%o{i}, %p{i}] [%c16, %c16] [%sn, %c1], %t[] [] [])\
 : (memref<?x?xf32>, memref<16x16xf32, 1>)
"""
        for i in range(n)
    )
    return f"""func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index) {{
  %c4 = arith.constant 4 : index
  air.launch (%b) in (%nb = %c4) args(%lx = %x, %ly = %y, %ln = %n) : memref<?x?xf32>, memref<?x?xf32>, index {{
    air.segment args(%sb = %b, %sx = %lx, %sy = %ly, %sn = %ln) : index, memref<?x?xf32>, memref<?x?xf32>, index {{
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %t = memref.alloc() : memref<16x16xf32, 1>
{transfers}      air.herd tile (%i, %j) in (%ni = %c1, %nj = %c1) {{
      }}
    }}
  }}
  return
}}
"""


def channels(n):
    declared = "".join(f'air.channel @c{i} [] {{channel_type = "gpu_symmetric_heap"}}\n' for i in range(n))
    puts = "".join(f"air.channel.put @c{i} (%m[] [] []) : (memref<32xi32, 2>)\n" for i in range(n))
    gets = "".join(f"air.channel.get @c{i} (%m[] [] []) : (memref<32xi32, 2>)\n" for i in range(n))
    return f"""{declared}
func.func @main() {{
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {{
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %r, %c0 : index
    air.launch () in () args(%lf = %first) : i1 {{
      air.segment args(%sf = %lf) : i1 {{
        %s1 = arith.constant 1 : index
        air.herd tile (%x, %y) in (%nx = %s1, %ny = %s1) args(%hf = %sf) : i1 {{
          %m = memref.alloc() : memref<32xi32, 2>
          scf.if %hf {{
{puts}          }} else {{
{gets}          }}
          memref.dealloc %m : memref<32xi32, 2>
        }}
      }}
    }}
  }}
  return
}}
"""


def small_kernel(i):
    """Returns a gpu.module with a kernel that is different for each `i`."""
    return kernel(
        f"%v = memref.load %a[%tid] : memref<4096xi32>\n%d = arith.constant {i} : i32\n"
        "%w = arith.addi %v, %d : i32\nmemref.store %w, %a[%c0] : memref<4096xi32>"
    ).replace("@k0", f"@k{i}")


def kernels(n):
    start, end = "gpu.module @m {\n", "}\n"
    return start + "".join(small_kernel(i).removeprefix(start).removesuffix(end) for i in range(n)) + end


def modules(n):
    return "".join(small_kernel(i).replace("@m", f"@m{i}") for i in range(n))


def host_functions(n):
    return "".join(
        (
            f"func.func @h{i}(%a: i32) -> i32 {{\n%c = arith.constant {i} : i32\n%r = arith.addi %a, %c : i32\n"
            f"return %r : i32\n}}\n"
        )
        for i in range(n)
    )


def host_ops(n):
    return "func.func @h(%v0: i32) -> i32 {\n" + "\n".join(arithmetic(n // 2)) + f"\nreturn %x{n // 2} : i32\n}}\n"


# Name: program, smallest and largest size, what is compiled.
FAMILIES = {
    "i32-ops": (i32_ops, 625, 10000, "device"),
    "loads": (loads, 500, 4000, "device"),
    "nested-if": (nested_if, 125, 1000, "device"),
    "sequential-if": (sequential_if, 500, 4000, "device"),
    "nested-for": (nested_for, 125, 1000, "device"),
    "sequential-for": (sequential_for, 125, 1000, "device"),
    "dma-pairs": (dma_pairs, 25, 100, "device"),
    "channels": (channels, 16, 128, "amd"),
    "kernels": (kernels, 125, 1000, "device"),
    "modules": (modules, 125, 1000, "device"),
    "host-functions": (host_functions, 6250, 50000, "host"),
    "host-ops": (host_ops, 1250, 10000, "host"),
}

INTEL = ("bmg", "pvc")


def get_formats(kind, targets):
    """Returns pairs of a target and a format for a family."""
    if kind == "host":
        return [(targets[0], "host-obj")]
    return [
        (target, "spirv" if target in INTEL else "hsaco")
        for target in targets
        if kind == "device" or target not in INTEL
    ]


def measure(command, limit):
    """Returns CPU seconds and the peak memory in MB; the seconds are None if they exceed `limit`."""

    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=prepare)
    error = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    if os.WIFSIGNALED(status):
        return None, usage.ru_maxrss / 1024
    if status:
        sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{error[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure_empty(folder, rounds=7):
    """Returns the CPU seconds of an mlir-opt that reads an empty module."""
    empty = folder / "empty.mlir"
    empty.write_text("module {}\n")
    return min(measure([MLIR_OPT, empty], 10)[0] for _ in range(rounds))


def measure_member(aircc, name, size, target, emit, folder, limit, rounds=1):
    """Returns the CPU seconds and the peak memory of a member of a family: the minima of several compiles."""
    program = folder / f"{name}-{size}.mlir"
    program.write_text(FAMILIES[name][0](size))
    command = [aircc, program, "--target", target, "--emit", emit, "--cache=off", "-o", folder / "out"]
    results = [measure(command, limit) for _ in range(rounds)]
    if any(seconds is None for seconds, _ in results):
        return None, max(memory for _, memory in results)
    return tuple(map(min, zip(*results)))


def measure_family(name, target, emit, arguments, folder, unit):
    """Prints the lines of a family for a target."""
    _, size, largest, _ = FAMILIES[name]
    before = None
    while size <= largest:
        seconds, memory = measure_member(
            arguments.build / "bin" / "aircc", name, size, target, emit, folder, arguments.limit, arguments.rounds
        )
        if seconds is None:
            print(f"{name:16}{target:9}{size:7}   more than {arguments.limit} s {memory:8.0f}")
            break
        exponent = f"{math.log2(seconds / before):10.2f}" if before else ""
        print(f"{name:16}{target:9}{size:7}{seconds:9.2f}{seconds / unit:8.1f}{memory:8.0f}{exponent}", flush=True)
        before, size = seconds, 2 * size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default="build")
    parser.add_argument("--target", action="append", help="may be repeated (default: gfx942 and bmg)")
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES))
    parser.add_argument("--limit", type=int, default=100, help="maximum CPU seconds of one compile (default: 100)")
    parser.add_argument("--rounds", type=int, default=1, help="compiles, of which the shortest counts (default: 1)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder in which to keep the programs")
    arguments = parser.parse_args()
    targets = arguments.target or ["gfx942", "bmg"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        unit = measure_empty(folder)
        print(f"an empty mlir-opt takes {1000 * unit:.0f} ms")
        print(f"{'family':16}{'target':9}{'size':>7}{'s':>9}{'x':>8}{'MB':>8}{'exponent':>10}")
        for name in arguments.family or FAMILIES:
            for target, emit in get_formats(FAMILIES[name][3], targets):
                measure_family(name, target, emit, arguments, folder, unit)


if __name__ == "__main__":
    main()
