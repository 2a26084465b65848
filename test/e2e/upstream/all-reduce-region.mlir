// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -O0 -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: 32 lanes: wrong at -1
// CHECK-NEXT: 65 lanes: wrong at -1
// CHECK-NEXT: 256 lanes: wrong at -1

// gpu.all_reduce that accumulates by a region; as in all-reduce.mlir.

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

  gpu.func @reduce(%out: memref<4x1024xi64>, %iterations: index) kernel {
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
    %sums:4 = scf.for %iteration = %c0 to %iterations step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (i64, i64, i64, i64) {
      %v = func.call @value(%tid, %iteration) : (index, index) -> i32
      %x1 = arith.sitofp %v : i32 to f32
      %x2 = arith.extsi %v : i32 to i64
      %x3 = arith.trunci %v : i32 to i8
      %r0 = gpu.all_reduce %v {
      ^bb(%lhs : i32, %rhs : i32):
        %res = arith.addi %lhs, %rhs : i32
        gpu.yield %res : i32
      } : (i32) -> (i32)
      %b0 = arith.extsi %r0 : i32 to i64
      %n0 = arith.addi %s0, %b0 : i64
      %r1 = gpu.all_reduce %x1 {
      ^bb(%lhs : f32, %rhs : f32):
        %res = arith.maxnumf %lhs, %rhs : f32
        gpu.yield %res : f32
      } : (f32) -> (f32)
      %b1w = arith.extf %r1 : f32 to f64
      %b1 = arith.bitcast %b1w : f64 to i64
      %n1 = arith.addi %s1, %b1 : i64
      %r2 = gpu.all_reduce %x2 {
      ^bb(%lhs : i64, %rhs : i64):
        %res = arith.minsi %lhs, %rhs : i64
        gpu.yield %res : i64
      } : (i64) -> (i64)
      %n2 = arith.addi %s2, %r2 : i64
      %r3 = gpu.all_reduce %x3 {
      ^bb(%lhs : i8, %rhs : i8):
        %res = arith.xori %lhs, %rhs : i8
        gpu.yield %res : i8
      } : (i8) -> (i8)
      %b3 = arith.extsi %r3 : i8 to i64
      %n3 = arith.addi %s3, %b3 : i64
      scf.yield %n0, %n1, %n2, %n3 : i64, i64, i64, i64
    }
    %k0 = arith.constant 0 : index
    memref.store %sums#0, %out[%k0, %tid] : memref<4x1024xi64>
    %k1 = arith.constant 1 : index
    memref.store %sums#1, %out[%k1, %tid] : memref<4x1024xi64>
    %k2 = arith.constant 2 : index
    memref.store %sums#2, %out[%k2, %tid] : memref<4x1024xi64>
    %k3 = arith.constant 3 : index
    memref.store %sums#3, %out[%k3, %tid] : memref<4x1024xi64>
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
func.func private @check(%out: memref<4x1024xi64>, %x: index, %y: index, %z: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %cn = arith.constant 4 : index
  %minus = arith.constant -1 : index
  %zero = arith.constant 0 : i64
  %xy = arith.muli %x, %y : index
  %lanes = arith.muli %xy, %z : index
  gpu.launch_func @kernels::@reduce blocks in (%c1, %c1, %c1) threads in (%x, %y, %z)
      args(%out : memref<4x1024xi64>, %c3 : index)
  %sums:4 = scf.for %iteration = %c0 to %c3 step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (i64, i64, i64, i64) {
    %v0 = func.call @value(%c0, %iteration) : (index, index) -> i32
    %z1 = arith.sitofp %v0 : i32 to f32
    %z2 = arith.extsi %v0 : i32 to i64
    %z3 = arith.trunci %v0 : i32 to i8
    %t:4 = scf.for %i = %c1 to %lanes step %c1 iter_args(%a0 = %v0, %a1 = %z1, %a2 = %z2, %a3 = %z3) -> (i32, f32, i64, i8) {
      %v = func.call @value(%i, %iteration) : (index, index) -> i32
      %x1 = arith.sitofp %v : i32 to f32
      %x2 = arith.extsi %v : i32 to i64
      %x3 = arith.trunci %v : i32 to i8
      %y0 = arith.addi %a0, %v : i32
      %y1 = arith.maxnumf %a1, %x1 : f32
      %y2 = arith.minsi %a2, %x2 : i64
      %y3 = arith.xori %a3, %x3 : i8
      scf.yield %y0, %y1, %y2, %y3 : i32, f32, i64, i8
    }
    %b0 = arith.extsi %t#0 : i32 to i64
    %n0 = arith.addi %s0, %b0 : i64
    %b1w = arith.extf %t#1 : f32 to f64
    %b1 = arith.bitcast %b1w : f64 to i64
    %n1 = arith.addi %s1, %b1 : i64
    %n2 = arith.addi %s2, %t#2 : i64
    %b3 = arith.extsi %t#3 : i8 to i64
    %n3 = arith.addi %s3, %b3 : i64
    scf.yield %n0, %n1, %n2, %n3 : i64, i64, i64, i64
  }
  %want = memref.alloca() : memref<4xi64>
  %k0 = arith.constant 0 : index
  memref.store %sums#0, %want[%k0] : memref<4xi64>
  %k1 = arith.constant 1 : index
  memref.store %sums#1, %want[%k1] : memref<4xi64>
  %k2 = arith.constant 2 : index
  memref.store %sums#2, %want[%k2] : memref<4xi64>
  %k3 = arith.constant 3 : index
  memref.store %sums#3, %want[%k3] : memref<4xi64>
  %wrong = scf.for %k = %c0 to %cn step %c1 iter_args(%bad = %minus) -> (index) {
    %w = memref.load %want[%k] : memref<4xi64>
    %inner = scf.for %i = %c0 to %lanes step %c1 iter_args(%b = %bad) -> (index) {
      %got = memref.load %out[%k, %i] : memref<4x1024xi64>
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
  %out = memref.alloc() : memref<4x1024xi64>
  %any = memref.cast %out : memref<4x1024xi64> to memref<*xi64>
  gpu.host_register %any : memref<*xi64>
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %x0 = arith.constant 32 : index
  %y0 = arith.constant 1 : index
  %z0 = arith.constant 1 : index
  %r0 = call @check(%out, %x0, %y0, %z0) : (memref<4x1024xi64>, index, index, index) -> index
  %l0 = arith.constant 32 : i64
  %w0 = arith.index_cast %r0 : index to i64
  llvm.call @printf(%format, %l0, %w0) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x1 = arith.constant 65 : index
  %y1 = arith.constant 1 : index
  %z1 = arith.constant 1 : index
  %r1 = call @check(%out, %x1, %y1, %z1) : (memref<4x1024xi64>, index, index, index) -> index
  %l1 = arith.constant 65 : i64
  %w1 = arith.index_cast %r1 : index to i64
  llvm.call @printf(%format, %l1, %w1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %x2 = arith.constant 256 : index
  %y2 = arith.constant 1 : index
  %z2 = arith.constant 1 : index
  %r2 = call @check(%out, %x2, %y2, %z2) : (memref<4x1024xi64>, index, index, index) -> index
  %l2 = arith.constant 256 : i64
  %w2 = arith.index_cast %r2 : index to i64
  llvm.call @printf(%format, %l2, %w2) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
