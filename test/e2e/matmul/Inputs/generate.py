"""Writes a program that multiplies matrices on the device and checks the result on
the host: generate.py A-TYPE C-TYPE M N K [transposed] [sum] [dynamic] [launch]

All values are small multiples of 1/4 (integers: small), so that sums are exact."""

import sys

a_type, c_type = sys.argv[1:3]
m, n, k = map(int, sys.argv[3:6])
flags = sys.argv[6:]
transposed = "transposed" in flags
dynamic = "dynamic" in flags
is_int = a_type.startswith("i")


def memref(rows, columns, type, is_dynamic=dynamic):
    return f"memref<?x?x{type}>" if is_dynamic else f"memref<{rows}x{columns}x{type}>"


b_shape = (n, k) if transposed else (k, n)
types = memref(m, k, a_type), memref(*b_shape, a_type), memref(m, n, c_type)
static = [memref(m, k, a_type, False), memref(*b_shape, a_type, False), memref(m, n, c_type, False)]
maps = ""
if transposed:
    maps = ("indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
            "affine_map<(m, n, k) -> (m, n)>] ")
zero = "0" if is_int else "0.0"
work = f"""linalg.matmul {maps}ins(%a, %b : {types[0]}, {types[1]}) outs(%c : {types[2]})"""
if "sum" not in flags:
    work = f"""%zero = arith.constant {zero} : {c_type}
    linalg.fill ins(%zero : {c_type}) outs(%c : {types[2]})
    {work}"""
if "launch" in flags:
    multiply = f"""
func.func @multiply(%x: {types[0]}, %y: {types[1]}, %z: {types[2]}) {{
  air.launch () in () args(%a=%x, %b=%y, %c=%z) : {types[0]}, {types[1]}, {types[2]} {{
    {work}
  }}
  return
}}"""
else:
    multiply = f"""
func.func @multiply(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) attributes {{air.offload}} {{
    {work}
  return
}}"""

if is_int:
    value = f"%v = arith.trunci %t : i32 to {a_type}" if a_type != "i32" else "%v = arith.addi %t, %t : i32"
    to_c = f"arith.extsi %X : {a_type} to {c_type}"
    mul, add, cmp = "arith.muli", "arith.addi", "arith.cmpi ne"
else:
    conversion = {"f32": "", "f64": "extf"}.get(a_type, "truncf")
    scaled = "%f = arith.sitofp %t : i32 to f32\n    %quarter = arith.constant 0.25 : f32\n    "
    if conversion:
        value = scaled + f"%g = arith.mulf %f, %quarter : f32\n    %v = arith.{conversion} %g : f32 to {a_type}"
    else:
        value = scaled + "%v = arith.mulf %f, %quarter : f32"
    to_c = f"arith.extf %X : {a_type} to {c_type}"
    mul, add, cmp = "arith.mulf", "arith.addf", "arith.cmpf une"


def widened(name, new):
    if a_type == c_type:
        return f"%{new} = arith.select %true, %{name}, %{name} : {c_type}"
    return f"%{new} = " + to_c.replace("%X", "%" + name)


def fill(name, type, rows, columns, p, q):
    return f"""
  scf.for %i = %c0 to %c{rows} step %c1 {{
    scf.for %j = %c0 to %c{columns} step %c1 {{
      %pi = arith.constant {p} : index
      %qi = arith.constant {q} : index
      %v = func.call @value(%i, %j, %pi, %qi) : (index, index, index, index) -> {a_type}
      memref.store %v, %{name}[%i, %j] : {type}
    }}
  }}"""


constants = "\n".join(f"  %c{v} = arith.constant {v} : index" for v in sorted({0, 1, m, n, k}))
b_index = "%j, %l" if transposed else "%l, %j"
start = "7" if is_int else "1.5"
casts = ""
names = ["%a", "%b", "%c"]
if dynamic:
    for name, before, after in zip("abc", static, types):
        casts += f"  %d{name} = memref.cast %{name} : {before} to {after}\n"
    names = ["%da", "%db", "%dc"]
expected_start = f"%first" if "sum" in flags else "%czero"
print(f"""
{multiply}

func.func private @value(%i: index, %j: index, %p: index, %q: index) -> {a_type} {{
    %c7 = arith.constant 7 : index
    %c3 = arith.constant 3 : i32
    %ip = arith.muli %i, %p : index
    %jq = arith.muli %j, %q : index
    %s = arith.addi %ip, %jq : index
    %r = arith.remui %s, %c7 : index
    %n = arith.index_cast %r : index to i32
    %t = arith.subi %n, %c3 : i32
    {value}
    return %v : {a_type}
}}

func.func @main() -> i32 {{
{constants}
  %true = arith.constant true
  %first = arith.constant {start} : {c_type}
  %czero = arith.constant {zero} : {c_type}
  %none = arith.constant 0 : i32
  %a = gpu.alloc host_shared () : {static[0]}
  %b = gpu.alloc host_shared () : {static[1]}
  %c = gpu.alloc host_shared () : {static[2]}
  {fill("a", static[0], m, k, 3, 5)}
  {fill("b", static[1], *b_shape, 2, 6)}
  scf.for %i = %c0 to %c{m} step %c1 {{
    scf.for %j = %c0 to %c{n} step %c1 {{
      memref.store %first, %c[%i, %j] : {static[2]}
    }}
  }}
{casts}  call @multiply({", ".join(names)}) : ({", ".join(types)}) -> ()
  %wrong = scf.for %i = %c0 to %c{m} step %c1 iter_args(%outer = %none) -> (i32) {{
    %row = scf.for %j = %c0 to %c{n} step %c1 iter_args(%count = %outer) -> (i32) {{
      %sum = scf.for %l = %c0 to %c{k} step %c1 iter_args(%s = {expected_start}) -> ({c_type}) {{
        %x = memref.load %a[%i, %l] : {static[0]}
        %y = memref.load %b[{b_index}] : {static[1]}
        {widened("x", "xw")}
        {widened("y", "yw")}
        %p = {mul} %xw, %yw : {c_type}
        %t = {add} %s, %p : {c_type}
        scf.yield %t : {c_type}
      }}
      %got = memref.load %c[%i, %j] : {static[2]}
      %differs = {cmp}, %got, %sum : {c_type}
      %one = arith.extui %differs : i1 to i32
      %new = arith.addi %count, %one : i32
      scf.yield %new : i32
    }}
    scf.yield %row : i32
  }}
  %most = arith.constant 255 : i32
  %status = arith.minui %wrong, %most : i32
  return %status : i32
}}
""")
