// Outer products of undistributed vectors, with an accumulator and without, and of a
// vector and a scalar: in one compile, and from what stage `layout` prints.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx942 --stop-after layout -o %t.layout.mlir
// RUN: FileCheck %s --check-prefix=LAYOUT < %t.layout.mlir
// RUN: %aircc %t.layout.mlir --target gfx942 --start-at distribution -o %t.two && %t.two | FileCheck %s
// LAYOUT-NOT: vector.outerproduct
// LAYOUT: vector.fma {{.*}}layout.results

// Elements [2, 3] of 100 + i * (j + 1), i * (j + 1) and 50 + i * 4, and their
// sums over all i and j.
// CHECK: 108 8 58
// CHECK: 41920 16320 1280

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<16xf32>, %b: memref<16xf32>, %o: memref<3x16x16xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0.0 : f32
      %four = arith.constant 4.0 : f32
      %hundred = arith.constant dense<100.0> : vector<16x16xf32>
      %fifty = arith.constant dense<50.0> : vector<16xf32>
      %x = vector.transfer_read %a[%c0], %zero {in_bounds = [true], layout.scope = #layout.scope<workgroup>} : memref<16xf32>, vector<16xf32>
      %y = vector.transfer_read %b[%c0], %zero {in_bounds = [true], layout.scope = #layout.scope<workgroup>} : memref<16xf32>, vector<16xf32>
      %r = vector.outerproduct %x, %y, %hundred : vector<16xf32>, vector<16xf32>
      vector.transfer_write %r, %o[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<3x16x16xf32>
      %s = vector.outerproduct %x, %y : vector<16xf32>, vector<16xf32>
      vector.transfer_write %s, %o[%c1, %c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<3x16x16xf32>
      %t = vector.outerproduct %x, %four, %fifty : vector<16xf32>, f32
      vector.transfer_write %t, %o[%c2, %c0, %c0] {in_bounds = [true]} : vector<16xf32>, memref<3x16x16xf32>
      gpu.return
    }
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @format("%.0f %.0f %.0f\0A\00") {addr_space = 0 : i32}
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f32
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %o = memref.alloc() : memref<3x16x16xf32>
    scf.for %i = %c0 to %c16 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      %g = arith.addf %f, %one : f32
      memref.store %f, %a[%i] : memref<16xf32>
      memref.store %g, %b[%i] : memref<16xf32>
    }
    %da = gpu.alloc () : memref<16xf32>
    %db = gpu.alloc () : memref<16xf32>
    %do = gpu.alloc () : memref<3x16x16xf32>
    gpu.memcpy %da, %a : memref<16xf32>, memref<16xf32>
    gpu.memcpy %db, %b : memref<16xf32>, memref<16xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%da : memref<16xf32>, %db : memref<16xf32>, %do : memref<3x16x16xf32>)
    gpu.memcpy %o, %do : memref<3x16x16xf32>, memref<3x16x16xf32>
    %0 = memref.load %o[%c0, %c2, %c3] : memref<3x16x16xf32>
    %1 = memref.load %o[%c1, %c2, %c3] : memref<3x16x16xf32>
    %2 = memref.load %o[%c2, %c0, %c2] : memref<3x16x16xf32>
    %w0 = arith.extf %0 : f32 to f64
    %w1 = arith.extf %1 : f32 to f64
    %w2 = arith.extf %2 : f32 to f64
    %format = llvm.mlir.addressof @format : !llvm.ptr
    %p0 = llvm.call @printf(%format, %w0, %w1, %w2) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64, f64, f64) -> i32
    %sums:3 = scf.for %i = %c0 to %c16 step %c1 iter_args(%r = %zero, %s = %zero, %t = %zero) -> (f64, f64, f64) {
      %rows:2 = scf.for %j = %c0 to %c16 step %c1 iter_args(%rr = %r, %ss = %s) -> (f64, f64) {
        %e = memref.load %o[%c0, %i, %j] : memref<3x16x16xf32>
        %f = memref.load %o[%c1, %i, %j] : memref<3x16x16xf32>
        %we = arith.extf %e : f32 to f64
        %wf = arith.extf %f : f32 to f64
        %re = arith.addf %rr, %we : f64
        %se = arith.addf %ss, %wf : f64
        scf.yield %re, %se : f64, f64
      }
      %g = memref.load %o[%c2, %c0, %i] : memref<3x16x16xf32>
      %wg = arith.extf %g : f32 to f64
      %te = arith.addf %t, %wg : f64
      scf.yield %rows#0, %rows#1, %te : f64, f64, f64
    }
    %p1 = llvm.call @printf(%format, %sums#0, %sums#1, %sums#2) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64, f64, f64) -> i32
    %status = arith.constant 0 : i32
    return %status : i32
  }
}
