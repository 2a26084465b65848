// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx950 -O3 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100O0 && %t.gfx1100O0 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -O1 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s

// (0 - x) * y for x = +0, -0 and 3, y = 2: a product of +0, and -6. In f32, f16,
// a vector, a vector of which one element is -0 - x, and as -x + 0, -1 * x + 0
// and fma(x, -1, 0).
// CHECK: 0 0 0 80000000 0 0 0
// CHECK: 0 0 0 0 0 0 0
// CHECK: c0c00000 c600 c0c00000 c0c00000 c0c00000 c0c00000 c0c00000

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%x %x %x %x %x %x %x\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%a: memref<3xf32>, %y: f32, %out: memref<3x7xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %zero = arith.constant 0.0 : f32
    %minus_one = arith.constant -1.0 : f32
    %tid = gpu.thread_id x
    %x = memref.load %a[%tid] : memref<3xf32>

    %d0 = arith.subf %zero, %x : f32
    %p0 = arith.mulf %d0, %y : f32
    %i0 = arith.bitcast %p0 : f32 to i32
    memref.store %i0, %out[%tid, %c0] : memref<3x7xi32>

    %zero16 = arith.constant 0.0 : f16
    %x16 = arith.truncf %x : f32 to f16
    %y16 = arith.truncf %y : f32 to f16
    %d1 = arith.subf %zero16, %x16 : f16
    %p1 = arith.mulf %d1, %y16 : f16
    %b1 = arith.bitcast %p1 : f16 to i16
    %i1 = arith.extui %b1 : i16 to i32
    memref.store %i1, %out[%tid, %c1] : memref<3x7xi32>

    %zeros = arith.constant dense<0.0> : vector<2xf32>
    %mixed = arith.constant dense<[0.0, -0.0]> : vector<2xf32>
    %xs = vector.from_elements %x, %x : vector<2xf32>
    %ys = vector.from_elements %y, %y : vector<2xf32>
    %d2 = arith.subf %zeros, %xs : vector<2xf32>
    %p2 = arith.mulf %d2, %ys : vector<2xf32>
    %b2 = arith.bitcast %p2 : vector<2xf32> to vector<2xi32>
    %i2 = vector.extract %b2[1] : i32 from vector<2xi32>
    memref.store %i2, %out[%tid, %c2] : memref<3x7xi32>
    %d3 = arith.subf %mixed, %xs : vector<2xf32>
    %p3 = arith.mulf %d3, %ys : vector<2xf32>
    %b3 = arith.bitcast %p3 : vector<2xf32> to vector<2xi32>
    %i3a = vector.extract %b3[0] : i32 from vector<2xi32>
    %i3b = vector.extract %b3[1] : i32 from vector<2xi32>
    %i3 = arith.ori %i3a, %i3b : i32
    memref.store %i3, %out[%tid, %c3] : memref<3x7xi32>

    %n4 = arith.negf %x : f32
    %d4 = arith.addf %n4, %zero : f32
    %p4 = arith.mulf %d4, %y : f32
    %i4 = arith.bitcast %p4 : f32 to i32
    memref.store %i4, %out[%tid, %c4] : memref<3x7xi32>
    %n5 = arith.mulf %minus_one, %x : f32
    %d5 = arith.addf %zero, %n5 : f32
    %p5 = arith.mulf %d5, %y : f32
    %i5 = arith.bitcast %p5 : f32 to i32
    memref.store %i5, %out[%tid, %c5] : memref<3x7xi32>
    %d6 = math.fma %x, %minus_one, %zero : f32
    %p6 = arith.mulf %d6, %y : f32
    %i6 = arith.bitcast %p6 : f32 to i32
    memref.store %i6, %out[%tid, %c6] : memref<3x7xi32>
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %plus = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %three = arith.constant 3.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<3xf32>
  memref.store %plus, %a[%c0] : memref<3xf32>
  memref.store %minus, %a[%c1] : memref<3xf32>
  memref.store %three, %a[%c2] : memref<3xf32>
  %out = memref.alloc() : memref<3x7xi32>
  %da = gpu.alloc() : memref<3xf32>
  %dout = gpu.alloc() : memref<3x7xi32>
  gpu.memcpy %da, %a : memref<3xf32>, memref<3xf32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1)
      args(%da : memref<3xf32>, %two : f32, %dout : memref<3x7xi32>)
  gpu.memcpy %out, %dout : memref<3x7xi32>, memref<3x7xi32>
  %format = llvm.mlir.addressof @format : !llvm.ptr
  scf.for %i = %c0 to %c3 step %c1 {
    %v0 = memref.load %out[%i, %c0] : memref<3x7xi32>
    %v1 = memref.load %out[%i, %c1] : memref<3x7xi32>
    %v2 = memref.load %out[%i, %c2] : memref<3x7xi32>
    %v3 = memref.load %out[%i, %c3] : memref<3x7xi32>
    %v4 = memref.load %out[%i, %c4] : memref<3x7xi32>
    %v5 = memref.load %out[%i, %c5] : memref<3x7xi32>
    %v6 = memref.load %out[%i, %c6] : memref<3x7xi32>
    %done = llvm.call @printf(%format, %v0, %v1, %v2, %v3, %v4, %v5, %v6) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32, i32, i32, i32, i32, i32) -> i32
  }
  %zero = arith.constant 0 : i32
  return %zero : i32
}
}
