#!/usr/bin/env python3
"""Measures the compile times of random tile products.

    python3 bench/compile_tiles.py --build build [--target NAME]... [--count N] [--seed N]

Half of the programs are AIR herds, and the others are kernels with vectors. Sizes and types of the tiles are random.
Prints the CPU time of each program that compiles, and the maximum as a multiple of the median. Programs that do not fit
the chip are not counted."""

import argparse
import os
import pathlib
import random
import subprocess
import tempfile

TARGETS = ["gfx942", "gfx1100", "gfx1201"]
TYPES = [("f32", "f32"), ("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("f16", "f16"), ("f64", "f64")]


def tile_program(seed):
    """Returns a description and the text of a program: C += A * B on tiles of C in registers."""
    rng = random.Random(seed)
    m, n, k = (rng.choice([16, 32, 64]) for _ in range(3))
    rows, cols = rng.choice([(1, 1), (1, 2), (2, 2)])
    element, result = rng.choice(TYPES)
    in_loop = rng.choice([True, False])
    make = rng.choice([herd, contract])
    title = f"{m}x{n}x{k} {element} -> {result}, {make.__name__}, {rows}x{cols} waves{', loop' if in_loop else ''}"
    return title, make(m, n, k, rows, cols, element, result, in_loop)


def herd(m, n, k, rows, cols, element, result, in_loop):
    M, N, K = m * rows * 2, n * cols * 2, k * 4
    zero = "0.0" if result[0] == "f" else "0"
    loop = ("scf.for %kk = %s0 to %sK step %sk {", "}") if in_loop else ("%kk = arith.constant 0 : index", "")
    return f"""
func.func @f(%A: memref<{M}x{K}x{element}>, %B: memref<{K}x{N}x{element}>, %C: memref<{M}x{N}x{result}>) {{
  %c2 = arith.constant 2 : index
  air.launch (%bi, %bj) in (%nbi = %c2, %nbj = %c2) args(%la = %A, %lb = %B, %lc = %C)
      : memref<{M}x{K}x{element}>, memref<{K}x{N}x{element}>, memref<{M}x{N}x{result}> {{
    air.segment args(%si = %bi, %sj = %bj, %sa = %la, %sb = %lb, %sc = %lc)
        : index, index, memref<{M}x{K}x{element}>, memref<{K}x{N}x{element}>, memref<{M}x{N}x{result}> {{
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %sK = arith.constant {K} : index
      %sN = arith.constant {N} : index
      %sk = arith.constant {k} : index
      %sm = arith.constant {m} : index
      %sn = arith.constant {n} : index
      %srows = arith.constant {rows} : index
      %scols = arith.constant {cols} : index
      %stm = arith.constant {m*rows} : index
      %stn = arith.constant {n*cols} : index
      %row = arith.muli %si, %stm : index
      %col = arith.muli %sj, %stn : index
      %a = memref.alloc() : memref<{m*rows}x{k}x{element}, 1>
      %b = memref.alloc() : memref<{k}x{n*cols}x{element}, 1>
      %acc = memref.alloc() : memref<{m}x{n}x{result}, 2>
      air.herd @clear tile (%x, %y) in (%nx = %srows, %ny = %scols) args(%h = %acc) : memref<{m}x{n}x{result}, 2> {{
        %zero = arith.constant {zero} : {result}
        linalg.fill ins(%zero : {result}) outs(%h : memref<{m}x{n}x{result}, 2>)
      }}
      {loop[0]}
      air.dma_memcpy_nd (%a[] [] [], %sa[%row, %kk] [%stm, %sk] [%sK, %s1])
          : (memref<{m*rows}x{k}x{element}, 1>, memref<{M}x{K}x{element}>)
      air.dma_memcpy_nd (%b[] [] [], %sb[%kk, %col] [%sk, %stn] [%sN, %s1])
          : (memref<{k}x{n*cols}x{element}, 1>, memref<{K}x{N}x{element}>)
      air.herd @multiply tile (%x, %y) in (%nx = %srows, %ny = %scols) args(%ha = %a, %hb = %b, %h = %acc)
          : memref<{m*rows}x{k}x{element}, 1>, memref<{k}x{n*cols}x{element}, 1>, memref<{m}x{n}x{result}, 2> {{
        %hm = arith.constant {m} : index
        %hn = arith.constant {n} : index
        %r = arith.muli %x, %hm : index
        %c = arith.muli %y, %hn : index
        %va = memref.subview %ha[%r, 0] [{m}, {k}] [1, 1]
            : memref<{m*rows}x{k}x{element}, 1> to memref<{m}x{k}x{element}, strided<[{k}, 1], offset: ?>, 1>
        %vb = memref.subview %hb[0, %c] [{k}, {n}] [1, 1]
            : memref<{k}x{n*cols}x{element}, 1> to memref<{k}x{n}x{element}, strided<[{n*cols}, 1], offset: ?>, 1>
        linalg.matmul ins(%va, %vb : memref<{m}x{k}x{element}, strided<[{k}, 1], offset: ?>, 1>,
                                  memref<{k}x{n}x{element}, strided<[{n*cols}, 1], offset: ?>, 1>)
            outs(%h : memref<{m}x{n}x{result}, 2>)
      }}
      {loop[1]}
      air.herd @store tile (%x, %y) in (%nx = %srows, %ny = %scols)
          args(%h = %acc, %hc = %sc, %hrow = %row, %hcol = %col)
          : memref<{m}x{n}x{result}, 2>, memref<{M}x{N}x{result}>, index, index {{
        %h1 = arith.constant 1 : index
        %hm = arith.constant {m} : index
        %hn = arith.constant {n} : index
        %hN = arith.constant {N} : index
        %r0 = arith.muli %x, %hm : index
        %c0 = arith.muli %y, %hn : index
        %r = arith.addi %r0, %hrow : index
        %c = arith.addi %c0, %hcol : index
        air.dma_memcpy_nd (%hc[%r, %c] [%hm, %hn] [%hN, %h1], %h[] [] [])
            : (memref<{M}x{N}x{result}>, memref<{m}x{n}x{result}, 2>)
      }}
    }}
  }}
  return
}}
"""


def contract(m, n, k, rows, cols, element, result, in_loop):
    M, N, K = m * 2, n * 2, k * 4
    zero = "0.0" if result[0] == "f" else "0"
    pad = "0.0" if element[0] in "fb" else "0"
    body = f"""  %va = vector.transfer_read %A[%row, %kk], %p {{in_bounds = [true, true]}}
    : memref<{M}x{K}x{element}>, vector<{m}x{k}x{element}>
  %vb = vector.transfer_read %B[%kk, %col], %p {{in_bounds = [true, true]}}
    : memref<{K}x{N}x{element}>, vector<{k}x{n}x{element}>
  %r = vector.contract {{indexing_maps = [
       affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
     iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %va, %vb, %acc
     : vector<{m}x{k}x{element}>, vector<{k}x{n}x{element}> into vector<{m}x{n}x{result}>
"""
    if in_loop:
        body = f"""%out = scf.for %kk = %c0 to %cK step %ck iter_args(%acc = %z) -> vector<{m}x{n}x{result}> {{
{body}  scf.yield %r : vector<{m}x{n}x{result}>
}}"""
    else:
        body = body.replace("%kk", "%c0").replace("%acc", "%z").replace("%r =", "%out =")
    return f"""
gpu.module @m {{
gpu.func @k(%A: memref<{M}x{K}x{element}>, %B: memref<{K}x{N}x{element}>, %C: memref<{M}x{N}x{result}>) kernel {{
%c0 = arith.constant 0 : index
%cK = arith.constant {K} : index
%ck = arith.constant {k} : index
%cm = arith.constant {m} : index
%cn = arith.constant {n} : index
%p = arith.constant {pad} : {element}
%z = arith.constant dense<{zero}> : vector<{m}x{n}x{result}>
%bi = gpu.block_id x
%bj = gpu.block_id y
%row = arith.muli %bi, %cm : index
%col = arith.muli %bj, %cn : index
{body}
vector.transfer_write %out, %C[%row, %col] {{in_bounds = [true, true]}}
    : vector<{m}x{n}x{result}>, memref<{M}x{N}x{result}>
gpu.return
}}
}}
"""


def measure(command):
    """Returns the CPU seconds of `command`, or None if it fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return None if status else usage.ru_utime + usage.ru_stime


def measure_programs(aircc, target, seeds, show=lambda line: None):
    """Returns the sorted times of the programs that compile. `show` is called with a line about each program."""
    times = []
    with tempfile.TemporaryDirectory() as temporary:
        program = pathlib.Path(temporary) / "tiles.mlir"
        output = pathlib.Path(temporary) / "out"
        for seed in seeds:
            title, text = tile_program(seed)
            program.write_text(text)
            seconds = measure([aircc, program, "--target", target, "--emit", "obj", "--cache=off", "-o", output])
            show(f"{target:8} {seed:5} {'-' if seconds is None else f'{seconds:.2f}':>7}  {title}")
            if seconds is not None:
                times.append(seconds)
    return sorted(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default="build")
    parser.add_argument("--target", action="append")
    parser.add_argument("--count", type=int, default=54)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    for target in arguments.target or TARGETS:
        times = measure_programs(arguments.build / "bin" / "aircc", target, seeds, lambda line: print(line, flush=True))
        if times:
            median = times[len(times) // 2]
            print(f"{target}: median {median:.2f} s, maximum {times[-1]:.2f} s ({times[-1] / median:.1f} times)")


if __name__ == "__main__":
    main()
