// Both parts of a signed product of indices, with constants and without, in a
// kernel and on the host.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// CHECK-COUNT-2: -5 -1 -35 -1 0 1

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @products(%i: index, %j: index, %o: memref<6xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %l0, %h0 = arith.mulsi_extended %i, %c1 : index
      %l1, %h1 = arith.mulsi_extended %i, %j : index
      %large = arith.constant 4294967296 : index
      %l2, %h2 = arith.mulsi_extended %large, %large : index
      memref.store %l0, %o[%c0] : memref<6xindex>
      memref.store %h0, %o[%c1] : memref<6xindex>
      memref.store %l1, %o[%c2] : memref<6xindex>
      memref.store %h1, %o[%c3] : memref<6xindex>
      memref.store %l2, %o[%c4] : memref<6xindex>
      memref.store %h2, %o[%c5] : memref<6xindex>
      return
    }
    gpu.func @kernel(%i: index, %j: index, %o: memref<6xindex>) kernel {
      func.call @products(%i, %j, %o) : (index, index, memref<6xindex>) -> ()
      gpu.return
    }
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @format("%ld %ld %ld %ld %ld %ld\0A\00") {addr_space = 0 : i32}
  func.func private @show(%o: memref<6xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %format = llvm.mlir.addressof @format : !llvm.ptr
    %0 = memref.load %o[%c0] : memref<6xindex>
    %1 = memref.load %o[%c1] : memref<6xindex>
    %2 = memref.load %o[%c2] : memref<6xindex>
    %3 = memref.load %o[%c3] : memref<6xindex>
    %4 = memref.load %o[%c4] : memref<6xindex>
    %5 = memref.load %o[%c5] : memref<6xindex>
    %i0 = arith.index_cast %0 : index to i64
    %i1 = arith.index_cast %1 : index to i64
    %i2 = arith.index_cast %2 : index to i64
    %i3 = arith.index_cast %3 : index to i64
    %i4 = arith.index_cast %4 : index to i64
    %i5 = arith.index_cast %5 : index to i64
    %done = llvm.call @printf(%format, %i0, %i1, %i2, %i3, %i4, %i5) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64, i64, i64) -> i32
    return
  }
  func.func private @products(%i: index, %j: index, %o: memref<6xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %l0, %h0 = arith.mulsi_extended %i, %c1 : index
    %l1, %h1 = arith.mulsi_extended %i, %j : index
    %large = arith.constant 4294967296 : index
    %l2, %h2 = arith.mulsi_extended %large, %large : index
    memref.store %l0, %o[%c0] : memref<6xindex>
    memref.store %h0, %o[%c1] : memref<6xindex>
    memref.store %l1, %o[%c2] : memref<6xindex>
    memref.store %h1, %o[%c3] : memref<6xindex>
    memref.store %l2, %o[%c4] : memref<6xindex>
    memref.store %h2, %o[%c5] : memref<6xindex>
    return
  }
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %i = arith.constant -5 : index
    %j = arith.constant 7 : index
    %o = memref.alloc() : memref<6xindex>
    call @products(%i, %j, %o) : (index, index, memref<6xindex>) -> ()
    call @show(%o) : (memref<6xindex>) -> ()
    %d = gpu.alloc () : memref<6xindex>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%i : index, %j : index, %d : memref<6xindex>)
    gpu.memcpy %o, %d : memref<6xindex>, memref<6xindex>
    call @show(%o) : (memref<6xindex>) -> ()
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
