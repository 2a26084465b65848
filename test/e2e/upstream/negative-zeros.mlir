// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx950 -O3 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -O1 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s

// Products that are truncated to f16 keep the sign of a zero: -2 * 0 and -(2 * 0)
// are -0, 2 * 0 is 0. The same of vectors, and of extended f16.
// CHECK: 8000 8000 8000 8000
// CHECK: 0 8000 0 8000

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%x %x %x %x\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%a: memref<2xf32>, %b: memref<2xf32>, %out: memref<2x4xf16>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %tid = gpu.thread_id x
    %x = memref.load %a[%tid] : memref<2xf32>
    %y = memref.load %b[%tid] : memref<2xf32>
    %product = arith.mulf %x, %y : f32
    %r0 = arith.truncf %product : f32 to f16
    memref.store %r0, %out[%tid, %c0] : memref<2x4xf16>
    %size = math.absf %x : f32
    %positive = arith.mulf %size, %y : f32
    %negated = arith.negf %positive : f32
    %r1 = arith.truncf %negated : f32 to f16
    memref.store %r1, %out[%tid, %c1] : memref<2x4xf16>
    %xs = vector.from_elements %x, %size : vector<2xf32>
    %ys = vector.from_elements %y, %y : vector<2xf32>
    %products = arith.mulf %xs, %ys : vector<2xf32>
    %small = arith.truncf %products : vector<2xf32> to vector<2xf16>
    %r2 = vector.extract %small[0] : f16 from vector<2xf16>
    memref.store %r2, %out[%tid, %c2] : memref<2x4xf16>
    %half = arith.truncf %size : f32 to f16
    %minus = arith.negf %half : f16
    %wide = arith.extf %minus : f16 to f32
    %again = arith.mulf %wide, %y : f32
    %r3 = arith.truncf %again : f32 to f16
    memref.store %r3, %out[%tid, %c3] : memref<2x4xf16>
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2.0 : f32
  %minus_two = arith.constant -2.0 : f32
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %minus_two, %a[%c0] : memref<2xf32>
  memref.store %two, %a[%c1] : memref<2xf32>
  memref.store %zero, %b[%c0] : memref<2xf32>
  memref.store %zero, %b[%c1] : memref<2xf32>
  %out = memref.alloc() : memref<2x4xf16>
  %any_a = memref.cast %a : memref<2xf32> to memref<*xf32>
  gpu.host_register %any_a : memref<*xf32>
  %any_b = memref.cast %b : memref<2xf32> to memref<*xf32>
  gpu.host_register %any_b : memref<*xf32>
  %any_out = memref.cast %out : memref<2x4xf16> to memref<*xf16>
  gpu.host_register %any_out : memref<*xf16>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%a : memref<2xf32>, %b : memref<2xf32>, %out : memref<2x4xf16>)
  %text = llvm.mlir.addressof @format : !llvm.ptr
  scf.for %i = %c0 to %c2 step %c1 {
    %v0 = memref.load %out[%i, %c0] : memref<2x4xf16>
    %v1 = memref.load %out[%i, %c1] : memref<2x4xf16>
    %v2 = memref.load %out[%i, %c2] : memref<2x4xf16>
    %v3 = memref.load %out[%i, %c3] : memref<2x4xf16>
    %i0 = arith.bitcast %v0 : f16 to i16
    %i1 = arith.bitcast %v1 : f16 to i16
    %i2 = arith.bitcast %v2 : f16 to i16
    %i3 = arith.bitcast %v3 : f16 to i16
    %e0 = arith.extui %i0 : i16 to i32
    %e1 = arith.extui %i1 : i16 to i32
    %e2 = arith.extui %i2 : i16 to i32
    %e3 = arith.extui %i3 : i16 to i32
    %r = llvm.call @printf(%text, %e0, %e1, %e2, %e3) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32, i32, i32) -> i32
  }
  %status = arith.constant 0 : i32
  return %status : i32
}
}
