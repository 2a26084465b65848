#!/usr/bin/env python3
"""Compares the minimum and maximum of floats on the simulated device with their
definition, for all pairs of special and ordinary values, and functions with fast-math
flags with numpy. Prints the number of differences for each target."""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
OPS = ["maxnumf", "minnumf", "maximumf", "minimumf"]
FUNCTIONS = {"exp": np.exp, "exp2": np.exp2, "log2": np.log2, "tanh": np.tanh}
BOUNDS = {"exp": 2.0**-17, "exp2": 2.0**-20, "log2": 2.0**-20, "tanh": 2.0**-19}


def operands(dtype):
    info = np.finfo(dtype)
    values = [0.0, 1.0, 1.5, -2.0, info.max, info.tiny, info.smallest_subnormal, np.inf, np.nan]
    values = np.array(values + [-v for v in values], dtype)
    x, y = np.meshgrid(values, values)
    return x.ravel(), y.ravel()


def expected(op, x, y):
    isMax = op.startswith("max")
    with np.errstate(invalid="ignore"):
        if op.endswith("numf"):
            return np.fmax(x, y) if isMax else np.fmin(x, y)
        return np.maximum(x, y) if isMax else np.minimum(x, y)


def kernel(name, body, count, type, inputs):
    names = ["x", "y"][:inputs] + ["r"]
    args = ", ".join(f"%{n}: memref<{count}x{type}>" for n in names)
    loads = "\n".join(f"    %{n}v = memref.load %{n}[%i] : memref<{count}x{type}>" for n in names[:-1])
    return f"""  gpu.func @{name}({args}) kernel {{
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %size = arith.constant 64 : index
    %count = arith.constant {count} : index
    %first = arith.muli %block, %size : index
    %i = arith.addi %first, %thread : index
    %inside = arith.cmpi ult, %i, %count : index
    scf.if %inside {{
{loads}
    %0 = {body} : {type}
    memref.store %0, %r[%i] : memref<{count}x{type}>
    }}
    gpu.return
  }}"""


def run(aircc, folder, image, name, inputs, type):
    count = inputs[0].size
    command = [aircc, "sim", image, "-k", name, "--grid", str(-(-count // 64)), "--block", "64"]
    for number, values in enumerate(inputs):
        np.save(folder / f"in{number}.npy", values)
        command += ["--arg", f"memref:{folder}/in{number}.npy"]
    command += ["--arg", f"memref:{type}:{count}:0", "-o", f"{len(inputs)}:{folder}/out.npy"]
    subprocess.run(command, check=True)
    return np.load(folder / "out.npy")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("targets", nargs="+")
    args = parser.parse_args()
    small = np.geomspace(1e-30, 60, 400)
    points = np.concatenate([small, -small, np.linspace(0.2, 0.3, 101)]).astype(np.float32)
    for target in args.targets:
        kernels = []
        for type, dtype in TYPES.items():
            for op in OPS:
                count = operands(dtype)[0].size
                kernels.append(kernel(f"{op}_{type}", f"arith.{op} %xv, %yv", count, type, 2))
        for op in FUNCTIONS:
            kernels.append(kernel(op, f"math.{op} %xv fastmath<fast>", points.size, "f32", 1))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            source = folder / "kernels.mlir"
            source.write_text("gpu.module @kernels {\n" + "\n".join(kernels) + "\n}\n")
            emit = "spirv" if target in ("bmg", "pvc") else "hsaco"
            image = folder / f"kernels.{emit}"
            subprocess.run([args.aircc, source, "--target", target, "--emit", emit, "-o", image], check=True)
            differ = 0
            for type, dtype in TYPES.items():
                x, y = operands(dtype)
                for op in OPS:
                    got = run(args.aircc, folder, image, f"{op}_{type}", [x, y], type)
                    # Zeros are equal, whatever their signs.
                    wrong = ~((got == expected(op, x, y)) | (np.isnan(got) & np.isnan(expected(op, x, y))))
                    for i in np.flatnonzero(wrong)[:3]:
                        print(f"{target} {op} {type}: {x[i]}, {y[i]} gives {got[i]}")
                    differ += int(wrong.sum())
            for op, function in FUNCTIONS.items():
                x = np.abs(points) if op == "log2" else points
                got = run(args.aircc, folder, image, op, [x], "f32").astype(np.float64)
                exact = function(x.astype(np.float64))
                wrong = np.abs(got - exact) > BOUNDS[op] * np.maximum(np.abs(exact), 1e-30)
                for i in np.flatnonzero(wrong)[:3]:
                    print(f"{target} {op}({x[i]}) gives {got[i]}, not {exact[i]}")
                differ += int(wrong.sum())
            print(f"{target}: {differ} differences in {len(kernels)} kernels")


main()
