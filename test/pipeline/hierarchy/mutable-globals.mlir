// RUN: %aircc opt %s --air-outline-kernels --split-input-file --verify-diagnostics

// A kernel would have a mutable global for itself.

// expected-note@+1 {{the global is declared here}}
memref.global "private" @g : memref<4xi32> = dense<0>

func.func @stores() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = arith.constant 5 : i32
    // expected-error@+1 {{uses the memref.global @g, which is not constant, in a kernel}}
    %g = memref.get_global @g : memref<4xi32>
    memref.store %v, %g[%bx] : memref<4xi32>
    gpu.terminator
  }
  return
}

// -----

// Also through a function that it calls.

// expected-note@+1 {{the global is declared here}}
llvm.mlir.global internal @count(0 : i32) : i32

func.func private @address() -> !llvm.ptr {
  // expected-error@+1 {{uses the llvm.mlir.global @count, which is not constant, in a kernel}}
  %p = llvm.mlir.addressof @count : !llvm.ptr
  return %p : !llvm.ptr
}

func.func @calls() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %p = func.call @address() : () -> !llvm.ptr
    %v = arith.constant 5 : i32
    llvm.store %v, %p : i32, !llvm.ptr
    gpu.terminator
  }
  return
}

// -----

// One that is constant is the same everywhere, and one in the workgroup's
// memory is meant to be the workgroup's own.

memref.global "private" constant @c : memref<4xi32> = dense<7>
memref.global "private" @tile : memref<4xi32, #gpu.address_space<workgroup>> = uninitialized

func.func @may() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %g = memref.get_global @c : memref<4xi32>
    %t = memref.get_global @tile : memref<4xi32, #gpu.address_space<workgroup>>
    %v = memref.load %g[%bx] : memref<4xi32>
    memref.store %v, %t[%bx] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
