"""Prints a program with N gpu.modules, each of which has a kernel and a table. Kernel i stores value i of its own
table, i * i, to element i of a buffer. The program prints the number of wrong elements."""

import sys

count = int(sys.argv[1])


def module(i):
    # Three of four kernels have the same name.
    name = f"k{i}" if i % 4 == 0 else "kernel"
    return (
        name,
        f"""gpu.module @m{i} {{
  memref.global "private" constant @table : memref<2xi32> = dense<[{i}, {i * i}]>
  func.func @square(%x: index) -> i32 {{
    %table = memref.get_global @table : memref<2xi32>
    %y = memref.load %table[%x] : memref<2xi32>
    return %y : i32
  }}
  gpu.func @{name}(%out: memref<{count}xi32>) kernel {{
    %c1 = arith.constant 1 : index
    %index = arith.constant {i} : index
    %value = func.call @square(%c1) : (index) -> i32
    memref.store %value, %out[%index] : memref<{count}xi32>
    gpu.return
  }}
}}
""",
    )


print("module attributes {gpu.container_module} {")
print("llvm.func @printf(!llvm.ptr, ...) -> i32")
print(r'llvm.mlir.global internal constant @format("wrong: %d\0A\00") {addr_space = 0 : i32}')
launches = ""
for i in range(count):
    name, text = module(i)
    print(text)
    launches += (
        f"  gpu.launch_func @m{i}::@{name} blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)"
        f" args(%out : memref<{count}xi32>)\n"
    )
print(
    f"""func.func @main() -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant {count} : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %out = gpu.alloc host_shared () : memref<{count}xi32>
{launches}
  %wrong = scf.for %i = %c0 to %cn step %c1 iter_args(%n = %zero) -> i32 {{
    %value = memref.load %out[%i] : memref<{count}xi32>
    %number = arith.index_cast %i : index to i32
    %expected = arith.muli %number, %number : i32
    %isWrong = arith.cmpi ne, %value, %expected : i32
    %added = arith.addi %n, %one : i32
    %next = arith.select %isWrong, %added, %n : i32
    scf.yield %next : i32
  }}
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %wrong) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  return %zero : i32
}}
}}"""
)
