"""Prints a program with kernels of so many blocks that they are compiled as several functions, and the same code for
the host, with which it compares their results: COUNT successive loops and branches, and a nest of DEPTH loops.

    large_kernels.py COUNT DEPTH"""

import sys

LANES = 64


def successive(count):
    """Each loop uses the results of the previous one and of one far before it."""
    lines = ["%s0 = memref.load %a[%tid] : memref<64xi32>"]
    for i in range(count):
        far = max(0, i - 150)
        lines += [
            f"%l{i} = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s{i}) -> i32 {{",
            f"  %v = memref.load %a[%i] : memref<64xi32>\n  %w = arith.muli %v, %s{far} : i32",
            "  %y = arith.addi %x, %w : i32\n  scf.yield %y : i32\n}",
            f"%b{i} = arith.cmpi slt, %l{i}, %s{far} : i32",
            f"%s{i + 1} = scf.if %b{i} -> i32 {{\n  memref.store %l{i}, %b[%tid] : memref<64xi32>",
            f"  scf.yield %s{far} : i32\n}} else {{\n  %w = memref.load %b[%tid] : memref<64xi32>",
            f"  %y = arith.xori %w, %l{i} : i32\n  scf.yield %y : i32\n}}",
        ]
    return "\n".join([*lines, f"memref.store %s{count}, %b[%tid] : memref<64xi32>"])


def nested(depth):
    """The loops run once, except the innermost one."""
    lines = ["%s = memref.load %a[%tid] : memref<64xi32>"]
    lines += ["%c2 = arith.constant 2 : index", "%once = arith.subi %n, %c2 : index"]
    for i in range(depth):
        end = "%n" if i + 1 == depth else "%once"
        lines.append(f"scf.for %i{i} = %c0 to {end} step %c1 {{")
    lines.append("%v = memref.load %b[%tid] : memref<64xi32>\n%w = arith.muli %v, %s : i32")
    lines.append(f"%k = arith.index_cast %i{depth - 1} : index to i32\n%x = arith.addi %w, %k : i32")
    lines.append("memref.store %x, %b[%tid] : memref<64xi32>" + "\n}" * depth)
    return "\n".join(lines)


def program(name, body):
    arguments = "%a: memref<64xi32>, %b: memref<64xi32>, %n: index"
    constants = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index"
    return f"""
gpu.module @{name}_module {{
gpu.func @{name}({arguments}) kernel {{
{constants}
%tid = gpu.thread_id x
{body}
gpu.return
}}
}}
func.func @{name}_host({arguments}, %tid: index) attributes {{no_inline}} {{
{constants}
{body}
return
}}
func.func @{name}_test() -> i32 {{
  {constants}
  %n = arith.constant 3 : index
  %lanes = arith.constant {LANES} : index
  %zero = arith.constant 0 : i32
  %a = gpu.alloc host_shared () : memref<64xi32>
  %b = gpu.alloc host_shared () : memref<64xi32>
  %c = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %lanes step %c1 {{
    %p = arith.constant 40503 : i32
    %j = arith.index_cast %i : index to i32
    %x = arith.muli %j, %p : i32
    %y = arith.addi %x, %p : i32
    memref.store %y, %a[%i] : memref<64xi32>
    memref.store %x, %b[%i] : memref<64xi32>
    memref.store %x, %c[%i] : memref<64xi32>
  }}
  gpu.launch_func @{name}_module::@{name} blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
      args(%a : memref<64xi32>, %b : memref<64xi32>, %n : index)
  %wrong = scf.for %i = %c0 to %lanes step %c1 iter_args(%count = %zero) -> i32 {{
    func.call @{name}_host(%a, %c, %n, %i) : (memref<64xi32>, memref<64xi32>, index, index) -> ()
    %x = memref.load %b[%i] : memref<64xi32>
    %y = memref.load %c[%i] : memref<64xi32>
    %differs = arith.cmpi ne, %x, %y : i32
    %one = arith.extui %differs : i1 to i32
    %next = arith.addi %count, %one : i32
    scf.yield %next : i32
  }}
  return %wrong : i32
}}
"""


count, depth = map(int, sys.argv[1:])
print("module attributes {gpu.container_module} {")
print(program("successive", successive(count)), program("nested", nested(depth)))
print(
    """
func.func @main() -> i32 {
  %x = func.call @successive_test() : () -> i32
  %y = func.call @nested_test() : () -> i32
  %z = arith.addi %x, %y : i32
  return %z : i32
}
}"""
)
