// Memory of the host, made known to the device by gpu.host_register, under the
// host's own address.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// CHECK: host_register: 2016

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @sum("host_register: %d\0A\00") {addr_space = 0 : i32}

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %h = memref.alloc() : memref<64xi32>
    %u = memref.cast %h : memref<64xi32> to memref<*xi32>
    gpu.host_register %u : memref<*xi32>
    air.launch @touch (%x) in (%sx = %c64) args(%a = %h) : memref<64xi32> {
      %i = arith.index_cast %x : index to i32
      memref.store %i, %a[%x] : memref<64xi32>
    }
    gpu.host_unregister %u : memref<*xi32>
    %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (i32) {
      %v = memref.load %h[%i] : memref<64xi32>
      %next = arith.addi %acc, %v : i32
      scf.yield %next : i32
    }
    %text = llvm.mlir.addressof @sum : !llvm.ptr
    llvm.call @printf(%text, %sum) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    memref.dealloc %h : memref<64xi32>
    return %zero : i32
  }
}
