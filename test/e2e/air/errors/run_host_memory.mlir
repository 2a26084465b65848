// Memory of the host that nobody made known to the device is not the kernel's:
// the error comes at the first access, not a wrong result.

// RUN: %aircc %s --target gfx942 -o %t
// RUN: not %t 2>&1 | FileCheck %s

// CHECK: 0x{{[0-9a-f]+}}
// CHECK-NOT: done

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @done("done\0A\00") {addr_space = 0 : i32}

  func.func @main() -> i32 {
    %c64 = arith.constant 64 : index
    %h = memref.alloc() : memref<64xi32>
    air.launch @touch (%x) in (%sx = %c64) args(%a = %h) : memref<64xi32> {
      %seven = arith.constant 7 : i32
      memref.store %seven, %a[%x] : memref<64xi32>
    }
    %text = llvm.mlir.addressof @done : !llvm.ptr
    llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    memref.dealloc %h : memref<64xi32>
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
