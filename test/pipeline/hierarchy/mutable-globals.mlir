// RUN: %aircc opt %s --hierarchy-outline-kernels --split-input-file --verify-diagnostics

// A kernel would have its own copy of a mutable global: the host would not see the values that it
// stores.

// expected-note@+1 {{the global is declared here}}
memref.global "private" @g : memref<4xi32> = dense<0>

func.func @stores() -> i32 {
  %c1 = arith.constant 1 : index
  %h = memref.get_global @g : memref<4xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = arith.constant 5 : i32
    // expected-error@+1 {{uses the memref.global @g, which is not constant, in a kernel}}
    %g = memref.get_global @g : memref<4xi32>
    memref.store %v, %g[%bx] : memref<4xi32>
    gpu.terminator
  }
  %r = memref.load %h[%c1] : memref<4xi32>
  return %r : i32
}

// -----

// Nor would another kernel.

// expected-note@+1 {{the global is declared here}}
memref.global "private" @g : memref<4xi32> = dense<0>

func.func @two() {
  %c1 = arith.constant 1 : index
  %v = arith.constant 5 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{uses the memref.global @g, which is not constant, in a kernel}}
    %g = memref.get_global @g : memref<4xi32>
    memref.store %v, %g[%bx] : memref<4xi32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %g = memref.get_global @g : memref<4xi32>
    memref.store %v, %g[%tx] : memref<4xi32>
    gpu.terminator
  }
  return
}

// -----

// A global that is not private may be used by another object.

// expected-note@+1 {{the global is declared here}}
memref.global @g : memref<4xi32> = dense<0>

func.func @public() {
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

// A constant global is the same everywhere, and a global in workgroup memory is intended to be
// private to the workgroup.

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
