// A kernel stores beyond an allocation: the simulated device ends the program and reports the
// place, and no adjacent memory is modified.

// RUN: %aircc %s --target gfx942 -o %t
// RUN: not %t 2>&1 | FileCheck %s

// CHECK: 0x{{[0-9a-f]+}}
// CHECK-NOT: done

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @done("done\0A\00") {addr_space = 0 : i32}

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %d = gpu.alloc () : memref<64xi32>
    air.launch @beyond (%x) in (%sx = %c1) args(%a = %d) : memref<64xi32> {
      %c1000000 = arith.constant 1000000 : index
      %seven = arith.constant 7 : i32
      memref.store %seven, %a[%c1000000] : memref<64xi32>
    }
    gpu.dealloc %d : memref<64xi32>
    %text = llvm.mlir.addressof @done : !llvm.ptr
    llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
