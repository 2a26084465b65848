#!/usr/bin/env python3
"""usage: many_modules.py COUNT FOLDER

Writes a program of COUNT gpu.modules to FOLDER/all.mlir, and each gpu.module to FOLDER/mNUMBER.mlir. Neighboring
kernels differ in their blocks and fences."""

import sys
from pathlib import Path

count, folder = int(sys.argv[1]), Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)


def kernel(number):
    """A loop around one to seven nested conditions, and a fence with one of three scopes."""
    lines = []

    def emit(indent, text):
        lines.append("  " * indent + text)

    emit(1, f"gpu.module @m{number} {{")
    emit(
        2,
        (
            "gpu.func @kernel(%out: memref<?xi32>, %n: index, %x: i32) kernel"
            f" attributes {{known_block_size = array<i32: 32, 1, 1>}} {{"
        ),
    )
    emit(3, "%c0 = arith.constant 0 : index")
    emit(3, "%c1 = arith.constant 1 : index")
    emit(3, "%id = gpu.thread_id x")
    emit(3, f"%seven = arith.constant {number + 7} : i32")
    depth = number % 7 + 1
    emit(3, "scf.for %i = %c0 to %n step %c1 {")
    emit(4, "%v = memref.load %out[%i] : memref<?xi32>")
    for level in range(depth):
        emit(4 + level, f"%c{level}k = arith.constant {number * 10 + level} : i32")
        emit(4 + level, f"%t{level} = arith.cmpi sgt, %v, %c{level}k : i32")
        emit(4 + level, f"scf.if %t{level} {{")
        emit(5 + level, f"%s{level} = arith.{['addi', 'muli', 'xori'][(number + level) % 3]} %v, %x : i32")
        emit(5 + level, f"memref.store %s{level}, %out[%id] : memref<?xi32>")
    if number % 3 == 0:
        emit(5 + depth, "%a = memref.atomic_rmw addi %seven, %out[%i] : (i32, memref<?xi32>) -> i32")
    for level in reversed(range(depth)):
        emit(4 + level, "}")
    emit(3, "}")
    scope = ["device", "workgroup", "subgroup"][number % 3]
    emit(3, f'llvm.fence syncscope("{scope}") seq_cst')
    emit(3, "memref.store %seven, %out[%id] : memref<?xi32>")
    emit(3, "gpu.return")
    emit(2, "}")
    emit(1, "}")
    return "\n".join(lines) + "\n"


def program(kernels):
    return "module attributes {gpu.container_module} {\n" + "".join(kernels) + "}\n"


for number in range(count):
    (folder / f"m{number}.mlir").write_text(program([kernel(number)]))
(folder / "all.mlir").write_text(program([kernel(number) for number in range(count)]))
