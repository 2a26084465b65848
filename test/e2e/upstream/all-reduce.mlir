// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -O0 -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: 1 lanes: wrong at -1
// CHECK-NEXT: 33 lanes: wrong at -1
// CHECK-NEXT: 64 lanes: wrong at -1
// CHECK-NEXT: 65 lanes: wrong at -1
// CHECK-NEXT: 70 lanes: wrong at -1
// CHECK-NEXT: 96 lanes: wrong at -1
// CHECK-NEXT: 125 lanes: wrong at -1
// CHECK-NEXT: 256 lanes: wrong at -1
// CHECK-NEXT: 1000 lanes: wrong at -1

// gpu.all_reduce in a loop, in workgroups of any size: full and partly filled waves, one and
// several. Each lane adds up the results of three iterations; the host computes the same with
// loops, and prints the last lane that differs (10000 times the number of the reduction, plus the
// lane).

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%ld lanes: wrong at %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  func.func private @value(%i: index, %iteration: index) -> i32 {
    %c37 = arith.constant 37 : index
    %c11 = arith.constant 11 : index
    %c101 = arith.constant 101 : index
    %c50 = arith.constant 50 : index
    %a = arith.muli %i, %c37 : index
    %b = arith.muli %iteration, %c11 : index
    %c = arith.addi %a, %b : index
    %d = arith.remui %c, %c101 : index
    %e = arith.subi %d, %c50 : index
    %v = arith.index_cast %e : index to i32
    return %v : i32
  }

  gpu.func @reduce(%out: memref<9x1024xi64>, %iterations: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i64
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_dim x
    %by = gpu.block_dim y
    %p0 = arith.muli %tz, %by : index
    %p1 = arith.addi %ty, %p0 : index
    %p2 = arith.muli %p1, %bx : index
    %tid = arith.addi %tx, %p2 : index
    %sums:9 = scf.for %iteration = %c0 to %iterations step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero, %s5 = %zero, %s6 = %zero, %s7 = %zero, %s8 = %zero) -> (i64, i64, i64, i64, i64, i64, i64, i64, i64) {
      %v = func.call @value(%tid, %iteration) : (index, index) -> i32
      %x1 = arith.sitofp %v : i32 to f32
      %x2 = arith.trunci %v : i32 to i16
      %x3 = arith.trunci %v : i32 to i8
      %x4 = arith.extsi %v : i32 to i64
      %x5 = arith.sitofp %v : i32 to f16
      %x6 = arith.sitofp %v : i32 to f64
      %x7 = arith.extsi %v : i32 to i33
      %x8 = arith.sitofp %v : i32 to bf16
      %r0 = gpu.all_reduce add %v {
      } : (i32) -> (i32)
      %b0 = arith.extsi %r0 : i32 to i64
      %n0 = arith.addi %s0, %b0 : i64
      %r1 = gpu.all_reduce add %x1 {
      } : (f32) -> (f32)
      %b1w = arith.extf %r1 : f32 to f64
      %b1 = arith.bitcast %b1w : f64 to i64
      %n1 = arith.addi %s1, %b1 : i64
      %r2 = gpu.all_reduce mul %x2 {
      } : (i16) -> (i16)
      %b2 = arith.extsi %r2 : i16 to i64
      %n2 = arith.addi %s2, %b2 : i64
      %r3 = gpu.all_reduce minsi %x3 {
      } : (i8) -> (i8)
      %b3 = arith.extsi %r3 : i8 to i64
      %n3 = arith.addi %s3, %b3 : i64
      %r4 = gpu.all_reduce maxui %x4 {
      } : (i64) -> (i64)
      %n4 = arith.addi %s4, %r4 : i64
      %r5 = gpu.all_reduce minimumf %x5 {
      } : (f16) -> (f16)
      %b5w = arith.extf %r5 : f16 to f64
      %b5 = arith.bitcast %b5w : f64 to i64
      %n5 = arith.addi %s5, %b5 : i64
      %r6 = gpu.all_reduce add %x6 {
      } : (f64) -> (f64)
      %b6 = arith.bitcast %r6 : f64 to i64
      %n6 = arith.addi %s6, %b6 : i64
      %r7 = gpu.all_reduce add %x7 {
      } : (i33) -> (i33)
      %b7 = arith.extsi %r7 : i33 to i64
      %n7 = arith.addi %s7, %b7 : i64
      %r8 = gpu.all_reduce maxnumf %x8 {
      } : (bf16) -> (bf16)
      %b8w = arith.extf %r8 : bf16 to f64
      %b8 = arith.bitcast %b8w : f64 to i64
      %n8 = arith.addi %s8, %b8 : i64
      scf.yield %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8 : i64, i64, i64, i64, i64, i64, i64, i64, i64
    }
    %k0 = arith.constant 0 : index
    memref.store %sums#0, %out[%k0, %tid] : memref<9x1024xi64>
    %k1 = arith.constant 1 : index
    memref.store %sums#1, %out[%k1, %tid] : memref<9x1024xi64>
    %k2 = arith.constant 2 : index
    memref.store %sums#2, %out[%k2, %tid] : memref<9x1024xi64>
    %k3 = arith.constant 3 : index
    memref.store %sums#3, %out[%k3, %tid] : memref<9x1024xi64>
    %k4 = arith.constant 4 : index
    memref.store %sums#4, %out[%k4, %tid] : memref<9x1024xi64>
    %k5 = arith.constant 5 : index
    memref.store %sums#5, %out[%k5, %tid] : memref<9x1024xi64>
    %k6 = arith.constant 6 : index
    memref.store %sums#6, %out[%k6, %tid] : memref<9x1024xi64>
    %k7 = arith.constant 7 : index
    memref.store %sums#7, %out[%k7, %tid] : memref<9x1024xi64>
    %k8 = arith.constant 8 : index
    memref.store %sums#8, %out[%k8, %tid] : memref<9x1024xi64>
    gpu.return
  }
}

func.func private @value(%i: index, %iteration: index) -> i32 {
  %c37 = arith.constant 37 : index
  %c11 = arith.constant 11 : index
  %c101 = arith.constant 101 : index
  %c50 = arith.constant 50 : index
  %a = arith.muli %i, %c37 : index
  %b = arith.muli %iteration, %c11 : index
  %c = arith.addi %a, %b : index
  %d = arith.remui %c, %c101 : index
  %e = arith.subi %d, %c50 : index
  %v = arith.index_cast %e : index to i32
  return %v : i32
}

// The first element of the result that is wrong for a workgroup of x * y * z, or -1.
func.func private @check(%out: memref<9x1024xi64>, %x: index, %y: index, %z: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %cn = arith.constant 9 : index
  %minus = arith.constant -1 : index
  %zero = arith.constant 0 : i64
  %xy = arith.muli %x, %y : index
  %lanes = arith.muli %xy, %z : index
  gpu.launch_func @kernels::@reduce blocks in (%c1, %c1, %c1) threads in (%x, %y, %z)
      args(%out : memref<9x1024xi64>, %c3 : index)
  %sums:9 = scf.for %iteration = %c0 to %c3 step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero, %s5 = %zero, %s6 = %zero, %s7 = %zero, %s8 = %zero) -> (i64, i64, i64, i64, i64, i64, i64, i64, i64) {
    %v0 = func.call @value(%c0, %iteration) : (index, index) -> i32
    %z1 = arith.sitofp %v0 : i32 to f32
    %z2 = arith.trunci %v0 : i32 to i16
    %z3 = arith.trunci %v0 : i32 to i8
    %z4 = arith.extsi %v0 : i32 to i64
    %z5 = arith.sitofp %v0 : i32 to f16
    %z6 = arith.sitofp %v0 : i32 to f64
    %z7 = arith.extsi %v0 : i32 to i33
    %z8 = arith.sitofp %v0 : i32 to bf16
    %t:9 = scf.for %i = %c1 to %lanes step %c1 iter_args(%a0 = %v0, %a1 = %z1, %a2 = %z2, %a3 = %z3, %a4 = %z4, %a5 = %z5, %a6 = %z6, %a7 = %z7, %a8 = %z8) -> (i32, f32, i16, i8, i64, f16, f64, i33, bf16) {
      %v = func.call @value(%i, %iteration) : (index, index) -> i32
      %x1 = arith.sitofp %v : i32 to f32
      %x2 = arith.trunci %v : i32 to i16
      %x3 = arith.trunci %v : i32 to i8
      %x4 = arith.extsi %v : i32 to i64
      %x5 = arith.sitofp %v : i32 to f16
      %x6 = arith.sitofp %v : i32 to f64
      %x7 = arith.extsi %v : i32 to i33
      %x8 = arith.sitofp %v : i32 to bf16
      %y0 = arith.addi %a0, %v : i32
      %y1 = arith.addf %a1, %x1 : f32
      %y2 = arith.muli %a2, %x2 : i16
      %y3 = arith.minsi %a3, %x3 : i8
      %y4 = arith.maxui %a4, %x4 : i64
      %y5 = arith.minimumf %a5, %x5 : f16
      %y6 = arith.addf %a6, %x6 : f64
      %y7 = arith.addi %a7, %x7 : i33
      %y8 = arith.maxnumf %a8, %x8 : bf16
      scf.yield %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8 : i32, f32, i16, i8, i64, f16, f64, i33, bf16
    }
    %b0 = arith.extsi %t#0 : i32 to i64
    %n0 = arith.addi %s0, %b0 : i64
    %b1w = arith.extf %t#1 : f32 to f64
    %b1 = arith.bitcast %b1w : f64 to i64
    %n1 = arith.addi %s1, %b1 : i64
    %b2 = arith.extsi %t#2 : i16 to i64
    %n2 = arith.addi %s2, %b2 : i64
    %b3 = arith.extsi %t#3 : i8 to i64
    %n3 = arith.addi %s3, %b3 : i64
    %n4 = arith.addi %s4, %t#4 : i64
    %b5w = arith.extf %t#5 : f16 to f64
    %b5 = arith.bitcast %b5w : f64 to i64
    %n5 = arith.addi %s5, %b5 : i64
    %b6 = arith.bitcast %t#6 : f64 to i64
    %n6 = arith.addi %s6, %b6 : i64
    %b7 = arith.extsi %t#7 : i33 to i64
    %n7 = arith.addi %s7, %b7 : i64
    %b8w = arith.extf %t#8 : bf16 to f64
    %b8 = arith.bitcast %b8w : f64 to i64
    %n8 = arith.addi %s8, %b8 : i64
    scf.yield %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8 : i64, i64, i64, i64, i64, i64, i64, i64, i64
  }
  %want = memref.alloca() : memref<9xi64>
  %k0 = arith.constant 0 : index
  memref.store %sums#0, %want[%k0] : memref<9xi64>
  %k1 = arith.constant 1 : index
  memref.store %sums#1, %want[%k1] : memref<9xi64>
  %k2 = arith.constant 2 : index
  memref.store %sums#2, %want[%k2] : memref<9xi64>
  %k3 = arith.constant 3 : index
  memref.store %sums#3, %want[%k3] : memref<9xi64>
  %k4 = arith.constant 4 : index
  memref.store %sums#4, %want[%k4] : memref<9xi64>
  %k5 = arith.constant 5 : index
  memref.store %sums#5, %want[%k5] : memref<9xi64>
  %k6 = arith.constant 6 : index
  memref.store %sums#6, %want[%k6] : memref<9xi64>
  %k7 = arith.constant 7 : index
  memref.store %sums#7, %want[%k7] : memref<9xi64>
  %k8 = arith.constant 8 : index
  memref.store %sums#8, %want[%k8] : memref<9xi64>
  %wrong = scf.for %k = %c0 to %cn step %c1 iter_args(%bad = %minus) -> (index) {
    %w = memref.load %want[%k] : memref<9xi64>
    %inner = scf.for %i = %c0 to %lanes step %c1 iter_args(%b = %bad) -> (index) {
      %got = memref.load %out[%k, %i] : memref<9x1024xi64>
      %differs = arith.cmpi ne, %got, %w : i64
      %c10000 = arith.constant 10000 : index
      %at0 = arith.muli %k, %c10000 : index
      %at = arith.addi %at0, %i : index
      %next = arith.select %differs, %at, %b : index
      scf.yield %next : index
    }
    scf.yield %inner : index
  }
  return %wrong : index
}

func.func @main() -> i32 {
  %out = memref.alloc() : memref<9x1024xi64>
  %any = memref.cast %out : memref<9x1024xi64> to memref<*xi64>
  gpu.host_register %any : memref<*xi64>
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %x0 = arith.constant 1 : index
  %y0 = arith.constant 1 : index
  %z0 = arith.constant 1 : index
  %r0 = call @check(%out, %x0, %y0, %z0) : (memref<9x1024xi64>, index, index, index) -> index
  %l0 = arith.constant 1 : i64
  %w0 = arith.index_cast %r0 : index to i64
  llvm.call @printf(%format, %l0, %w0) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x1 = arith.constant 33 : index
  %y1 = arith.constant 1 : index
  %z1 = arith.constant 1 : index
  %r1 = call @check(%out, %x1, %y1, %z1) : (memref<9x1024xi64>, index, index, index) -> index
  %l1 = arith.constant 33 : i64
  %w1 = arith.index_cast %r1 : index to i64
  llvm.call @printf(%format, %l1, %w1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x2 = arith.constant 64 : index
  %y2 = arith.constant 1 : index
  %z2 = arith.constant 1 : index
  %r2 = call @check(%out, %x2, %y2, %z2) : (memref<9x1024xi64>, index, index, index) -> index
  %l2 = arith.constant 64 : i64
  %w2 = arith.index_cast %r2 : index to i64
  llvm.call @printf(%format, %l2, %w2) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x3 = arith.constant 65 : index
  %y3 = arith.constant 1 : index
  %z3 = arith.constant 1 : index
  %r3 = call @check(%out, %x3, %y3, %z3) : (memref<9x1024xi64>, index, index, index) -> index
  %l3 = arith.constant 65 : i64
  %w3 = arith.index_cast %r3 : index to i64
  llvm.call @printf(%format, %l3, %w3) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x4 = arith.constant 35 : index
  %y4 = arith.constant 2 : index
  %z4 = arith.constant 1 : index
  %r4 = call @check(%out, %x4, %y4, %z4) : (memref<9x1024xi64>, index, index, index) -> index
  %l4 = arith.constant 70 : i64
  %w4 = arith.index_cast %r4 : index to i64
  llvm.call @printf(%format, %l4, %w4) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x5 = arith.constant 96 : index
  %y5 = arith.constant 1 : index
  %z5 = arith.constant 1 : index
  %r5 = call @check(%out, %x5, %y5, %z5) : (memref<9x1024xi64>, index, index, index) -> index
  %l5 = arith.constant 96 : i64
  %w5 = arith.index_cast %r5 : index to i64
  llvm.call @printf(%format, %l5, %w5) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x6 = arith.constant 5 : index
  %y6 = arith.constant 5 : index
  %z6 = arith.constant 5 : index
  %r6 = call @check(%out, %x6, %y6, %z6) : (memref<9x1024xi64>, index, index, index) -> index
  %l6 = arith.constant 125 : i64
  %w6 = arith.index_cast %r6 : index to i64
  llvm.call @printf(%format, %l6, %w6) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x7 = arith.constant 16 : index
  %y7 = arith.constant 8 : index
  %z7 = arith.constant 2 : index
  %r7 = call @check(%out, %x7, %y7, %z7) : (memref<9x1024xi64>, index, index, index) -> index
  %l7 = arith.constant 256 : i64
  %w7 = arith.index_cast %r7 : index to i64
  llvm.call @printf(%format, %l7, %w7) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x8 = arith.constant 1000 : index
  %y8 = arith.constant 1 : index
  %z8 = arith.constant 1 : index
  %r8 = call @check(%out, %x8, %y8, %z8) : (memref<9x1024xi64>, index, index, index) -> index
  %l8 = arith.constant 1000 : i64
  %w8 = arith.index_cast %r8 : index to i64
  llvm.call @printf(%format, %l8, %w8) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
