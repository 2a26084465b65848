#!/usr/bin/env python3
"""Prints a program with contractions of several kinds and shapes in kernels.

Each kernel takes its operands from buffers and stores the result over the
accumulator; the host counts the elements that differ from what is computed here.
"""

import itertools
import math

SIZES = {"b": 2, "m": 2, "n": 4, "k": 3, "M": 16, "N": 18, "K": 17}
KINDS = {
    "maxsi": max,
    "minimumf": min,
    "mul": lambda x, y: x * y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "minsi": min,
    "add": lambda x, y: x + y,
}
# Name; dimensions of the operands, of the result and of the iteration space in
# its order; kind; types of operands and result; how far a mask reaches.
CASES = [
    ("rows", "mk", "mk", "m", "mk", "maxsi", "i32", "i32", None),
    ("transposed", "mk", "kn", "nm", "mnk", "minimumf", "f32", "f32", None),
    ("batch", "bmk", "bk", "mb", "kbm", "mul", "i32", "i32", None),
    ("extended", "mk", "nk", "mn", "mnk", "or", "i8", "i32", None),
    ("masked", "mk", "kn", "mn", "mnk", "maxsi", "i32", "i32", (2, 3, 2)),
    ("vector", "k", "kn", "n", "nk", "minsi", "i32", "i32", None),
    ("scalar", "mk", "km", "", "km", "xor", "i16", "i32", None),
    ("sum", "mk", "nk", "nm", "kmn", "add", "f16", "f32", None),
    ("large", "MK", "KN", "MN", "MNK", "add", "f32", "f32", None),
    ("large_transposed", "KM", "NK", "NM", "MKN", "add", "i8", "i32", None),
    ("large_batch", "bMK", "bKN", "NbM", "MKNb", "maxsi", "i32", "i32", None),
]


def count(dims):
    return math.prod(SIZES[d] for d in dims)


def vector(dims, element):
    return f"vector<{''.join(f'{SIZES[d]}x' for d in dims)}{element}>" if dims else element


def values(dims, salt):
    return [(salt + 29 * i) % 23 - 11 for i in range(count(dims))]


def place(dims, at):
    flat = 0
    for d in dims:
        flat = flat * SIZES[d] + at[d]
    return flat


def reference(lhs, rhs, acc, lhs_dims, rhs_dims, dims, space, kind, mask):
    acc = list(acc)
    for point in itertools.product(*(range(SIZES[d]) for d in space)):
        if mask and any(i >= limit for i, limit in zip(point, mask)):
            continue
        at = dict(zip(space, point))
        product = lhs[place(lhs_dims, at)] * rhs[place(rhs_dims, at)]
        acc[place(dims, at)] = KINDS[kind](acc[place(dims, at)], product)
    return acc


def dense(element, numbers):
    return (
        "dense<["
        + ", ".join(f"{n}.0" if element[0] == "f" else str(n) for n in numbers)
        + f"]> : memref<{len(numbers)}x{element}>"
    )


def kernel(name, lhs, rhs, dims, space, kind, narrow, wide, mask):
    params = [("a", lhs, narrow), ("b", rhs, narrow), ("c", dims, wide)]
    print(f"  gpu.func @{name}(" + ", ".join(f"%{v}: memref<{count(d)}x{t}>" for v, d, t in params) + ") kernel {")
    print("    %zero = arith.constant 0 : index")
    for v, d, t in params:
        if not d:
            print(f"    %{v}_in = memref.load %{v}[%zero] : memref<1x{t}>")
            continue
        print(f"    %{v}_flat = vector.load %{v}[%zero] : memref<{count(d)}x{t}>, vector<{count(d)}x{t}>")
        print(f"    %{v}_in = vector.shape_cast %{v}_flat : vector<{count(d)}x{t}> to {vector(d, t)}")
    maps = ", ".join(f"affine_map<({', '.join(space)}) -> ({', '.join(d)})>" for d in (lhs, rhs, dims))
    iterators = ", ".join('"parallel"' if d in dims else '"reduction"' for d in space)
    result = vector(dims, wide)
    op = (
        f"vector.contract {{indexing_maps = [{maps}], iterator_types = [{iterators}], kind = #vector.kind<{kind}>}} "
        f"%a_in, %b_in, %c_in : {vector(lhs, narrow)}, {vector(rhs, narrow)} into {result}"
    )
    if mask:
        for i, limit in enumerate(mask):
            print(f"    %limit{i} = arith.constant {limit} : index")
        limits = ", ".join(f"%limit{i}" for i in range(len(mask)))
        print(f"    %mask = vector.create_mask {limits} : {vector(space, 'i1')}")
        op = f"vector.mask %mask {{ {op} }} : {vector(space, 'i1')} -> {result}"
    print(f"    %r = {op}")
    if dims:
        flat = f"vector<{count(dims)}x{wide}>"
        print(f"    %flat = vector.shape_cast %r : {result} to {flat}")
        print(f"    vector.store %flat, %c[%zero] : memref<{count(dims)}x{wide}>, {flat}")
    else:
        print(f"    memref.store %r, %c[%zero] : memref<1x{wide}>")
    print("    gpu.return\n  }")


def host(name, lhs, rhs, dims, space, kind, narrow, wide, mask):
    a, b, c = values(lhs, 7), values(rhs, 13), values(dims, 5)
    want = reference(a, b, c, lhs, rhs, dims, space, kind, mask)
    buffers = [("a", a, narrow), ("b", b, narrow), ("c", c, wide), ("want", want, wide)]
    for v, numbers, t in buffers:
        print(
            f'memref.global "private" constant @{name}_{v}'
            f' : memref<{len(numbers)}x{t}> = {dense(t, numbers).split(" : ")[0]}'
        )
    print(f"func.func private @{name}() -> index {{")
    print("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index")
    for v, numbers, t in buffers:
        kind_of = f"memref<{len(numbers)}x{t}>"
        print(f"  %{v}_first = memref.get_global @{name}_{v} : {kind_of}\n  %{v} = memref.alloc() : {kind_of}")
        print(f"  memref.copy %{v}_first, %{v} : {kind_of} to {kind_of}")
        print(
            f"  %{v}_any = memref.cast %{v} : {kind_of} to memref<*x{t}>\n  gpu.host_register %{v}_any : memref<*x{t}>"
        )
    args = ", ".join(f"%{v} : memref<{len(numbers)}x{t}>" for v, numbers, t in buffers[:3])
    print(f"  gpu.launch_func @kernels::@{name} blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args({args})")
    differ = "cmpf une" if wide[0] == "f" else "cmpi ne"
    print(
        f"""  %n = arith.constant {count(dims)} : index
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> (index) {{
    %x = memref.load %c[%i] : memref<{count(dims)}x{wide}>
    %y = memref.load %want[%i] : memref<{count(dims)}x{wide}>
    %differ = arith.{differ}, %x, %y : {wide}
    %one = arith.index_castui %differ : i1 to index
    %next = arith.addi %sum, %one : index
    scf.yield %next : index
  }}
  return %wrong : index
}}"""
    )


def main():
    names = [case[0] for case in CASES]
    text = "\\0A".join(f"{name}: %ld wrong" for name in names) + "\\0A\\00"
    print("module attributes {gpu.container_module} {\nllvm.func @printf(!llvm.ptr, ...) -> i32")
    print(f'llvm.mlir.global internal constant @format("{text}") {{addr_space = 0 : i32}}\ngpu.module @kernels {{')
    for case in CASES:
        kernel(*case)
    print("}")
    for case in CASES:
        host(*case)
    print("func.func @main() -> i32 {")
    for name in names:
        print(
            f"  %{name}_count = func.call @{name}() : () -> index\n"
            f"  %{name} = arith.index_cast %{name}_count : index to i64"
        )
    print("  %text = llvm.mlir.addressof @format : !llvm.ptr")
    print(
        f"  %r = llvm.call @printf(%text, {', '.join('%' + name for name in names)}) vararg(!llvm.func<i32 (ptr,"
        f" ...)>) : (!llvm.ptr{', i64' * len(names)}) -> i32"
    )
    print("  %status = arith.constant 0 : i32\n  return %status : i32\n}\n}")


if __name__ == "__main__":
    main()
