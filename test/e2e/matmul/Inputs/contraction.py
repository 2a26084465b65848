"""Writes a program in which the device does a contraction and the host checks it:
contraction.py A-TYPE C-TYPE bmk,bkn->bmn b=2,m=64,n=64,k=64 [sum] [dynamic] [launch] [strided] [op=NAME]

The letters are loops, as in numpy's einsum. The op is a linalg.generic, or the given named op, which must have these
indices. `strided`: all operands have an offset and gaps between rows. With `random:SEED` in place of indices and
sizes, everything except the types is random; a comment in the program lists it.

The host does the same with loops, on memory of the same contents; then all of the result's memory is compared,
including gaps between rows. Floats are small multiples of 1/4, and integers are small, so that sums are exact."""

import random
import sys

a_type, c_type, spec = sys.argv[1:4]
flags = sys.argv[4:]
if spec.startswith("random:"):
    draw = random.Random(spec)
    outer = draw.sample("bcd", draw.choice([0, 0, 1, 1, 2]))
    of_a, of_b, of_c = ["m", "k"], ["k", "n"], ["m", "n"] + outer
    for loop in outer:
        where = draw.choice(["ab", "ab", "a", "b"])
        of_a += [loop] * ("a" in where)
        of_b += [loop] * ("b" in where)

    def shuffled(indices, inner):
        indices = draw.sample(indices, len(indices))
        last = draw.choice(inner)  # With an outer loop last, the operand is not a matrix.
        indices.remove(last)
        return "".join(indices) + last

    spec = f"{shuffled(of_a, 'mk')},{shuffled(of_b, 'kn')}->{shuffled(of_c, 'mn')}"
    sizes = {loop: draw.choice([16, 32, 64, 96, 128, draw.randint(1, 140)]) for loop in "mnk"}
    sizes |= {loop: draw.randint(1, 3) for loop in outer}
    flags += draw.sample(["sum", "dynamic", "launch", "strided"], draw.randint(0, 3))
    print("//", spec, sizes, *flags)
else:
    sizes = {item[0]: int(item[2:]) for item in flags.pop(0).split(",")}
named = [item[3:] for item in flags if item.startswith("op=")]
inputs, of_c = spec.split("->")
of_a, of_b = inputs.split(",")
loops = [*of_c, *(loop for loop in of_a if loop in of_b and loop not in of_c)]
is_int = a_type.startswith("i")
offset = 3 if "strided" in flags else 0


def get_strides(indices):
    """Strides in elements, and the total number of elements."""
    result, size = [], 1
    for loop in reversed(indices):
        result.insert(0, size)
        size *= sizes[loop]
        if len(result) == 1 and "strided" in flags:
            size += 5
    return result, size + offset


def memref(indices, type, dynamic="dynamic" in flags):
    shape = "".join(("?" if dynamic else str(sizes[loop])) + "x" for loop in indices)
    if "strided" not in flags:
        return f"memref<{shape}{type}>"
    steps = get_strides(indices)[0]
    steps = ["?"] * (len(steps) - 1) + ["1"] if dynamic else map(str, steps)
    return f"memref<{shape}{type}, strided<[{', '.join(steps)}], offset: {'?' if dynamic else offset}>>"


operands = [("a", of_a, a_type), ("b", of_b, a_type), ("c", of_c, c_type)]
types = [memref(indices, type) for _, indices, type in operands]
maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(indices)})>" for _, indices, _ in operands)
kinds = ", ".join('"parallel"' if loop in of_c else '"reduction"' for loop in loops)
mul, add, differ = (
    ("arith.muli", "arith.addi", "arith.cmpi ne") if is_int else ("arith.mulf", "arith.addf", "arith.cmpf une")
)
extend = "" if a_type == c_type else ("arith.extsi" if is_int else "arith.extf")
zero = "0" if is_int else "0.0"
signature = f"ins(%a, %b : {types[0]}, {types[1]}) outs(%c : {types[2]})"
widen = f"%u = {extend} %x : {a_type} to {c_type}\n      %v = {extend} %y : {a_type} to {c_type}" if extend else ""
u, v = ("%u", "%v") if extend else ("%x", "%y")
generic = f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {signature} {{
    ^bb0(%x: {a_type}, %y: {a_type}, %s: {c_type}):
      {widen}
      %p = {mul} {u}, {v} : {c_type}
      %t = {add} %s, %p : {c_type}
      linalg.yield %t : {c_type}
    }}"""
fill = (
    ""
    if "sum" in flags
    else f"""%zero = arith.constant {zero} : {c_type}
    linalg.fill ins(%zero : {c_type}) outs(%c : {types[2]})"""
)
op = generic
if named:
    op = f"linalg.{named[0]} indexing_maps = [{maps}] {signature}"
arguments = f"%a: {types[0]}, %b: {types[1]}, %c: {types[2]}"
if "launch" in flags:
    device = f"""func.func @device({arguments.replace('%', '%of_')}) {{
  air.launch () in () args(%a=%of_a, %b=%of_b, %c=%of_c) : {', '.join(types)} {{
    {fill}
    {op}
  }}
  return
}}"""
else:
    device = f"func.func @device({arguments}) attributes {{air.offload}} {{\n    {fill}\n    {op}\n  return\n}}"

if is_int:
    convert = f"%v = arith.index_cast %d : index to TYPE"
else:
    to_type = {"f32": "%v = arith.addf %g, %none : f32", "f64": "%v = arith.extf %g : f32 to f64"}
    convert = """%n = arith.index_cast %d : index to i32
    %f = arith.sitofp %n : i32 to f32
    %quarter = arith.constant 0.25 : f32
    %none = arith.constant -0.0 : f32
    %g = arith.mulf %f, %quarter : f32
    """
value = {
    type: convert + ("" if is_int else to_type.get(type, f"%v = arith.truncf %g : f32 to {type}"))
    for type in (a_type, c_type)
}

print(
    f"""
{device}
func.func private @host({arguments}) {{
    {fill}
    {generic}
  return
}}"""
)
for type in sorted({a_type, c_type}):
    print(
        f"""
func.func private @fill_{type}(%m: memref<?x{type}>, %prime: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %size = memref.dim %m, %c0 : memref<?x{type}>
  scf.for %i = %c0 to %size step %c1 {{
    %j = arith.divui %i, %c7 : index
    %k = arith.addi %i, %j : index
    %p = arith.muli %k, %prime : index
    %r = arith.remui %p, %c7 : index
    %d = arith.subi %r, %c3 : index
    {value[type].replace('TYPE', type)}
    memref.store %v, %m[%i] : memref<?x{type}>
  }}
  return
}}"""
    )
main, calls = [], {"device": [], "host": []}
for prime, (name, indices, type) in zip((3, 5, 2), operands):
    steps, size = get_strides(indices)
    static = memref(indices, type, False)
    for copy in ("c", "expected") if name == "c" else (name,):
        main.append(
            f"""
  %{copy}_all = gpu.alloc host_shared () : memref<{size}x{type}>
  %{copy}_some = memref.cast %{copy}_all : memref<{size}x{type}> to memref<?x{type}>
  %{copy}_prime = arith.constant {prime} : index
  call @fill_{type}(%{copy}_some, %{copy}_prime) : (memref<?x{type}>, index) -> ()
  %{copy}_static = memref.reinterpret_cast %{copy}_all to offset: [{offset}],\
 sizes: [{', '.join(str(sizes[i]) for i in indices)}], strides: [{', '.join(map(str, steps))}]\
 : memref<{size}x{type}> to {static}
  %{copy} = memref.cast %{copy}_static : {static} to {memref(indices, type)}"""
        )
size = get_strides(of_c)[1]
print(
    f"""
func.func @main() -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant {size} : index
  %none = arith.constant 0 : i32
  %most = arith.constant 255 : i32
{''.join(main)}
  call @device(%a, %b, %c) : ({', '.join(types)}) -> ()
  call @host(%a, %b, %expected) : ({', '.join(types)}) -> ()
  %wrong = scf.for %i = %c0 to %size step %c1 iter_args(%count = %none) -> (i32) {{
    %x = memref.load %c_all[%i] : memref<{size}x{c_type}>
    %y = memref.load %expected_all[%i] : memref<{size}x{c_type}>
    %differs = {differ}, %x, %y : {c_type}
    %one = arith.extui %differs : i1 to i32
    %new = arith.addi %count, %one : i32
    scf.yield %new : i32
  }}
  %status = arith.minui %wrong, %most : i32
  return %status : i32
}}"""
)
