// RUN: %aircc %s --target gfx942 -O0 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.O2 && %t.O2 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: wrong: 0

// Quotient and remainder of the same narrow operands, signed and unsigned, scalars
// and vectors, in each of 256 lanes and on the host.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("wrong: %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  func.func private @mix(%i: index) -> i32 {
    %v = arith.index_cast %i : index to i32
    %k0 = arith.constant 1103515 : i32
    %k1 = arith.constant 12345 : i32
    %a = arith.muli %v, %k0 : i32
    %b = arith.addi %a, %k1 : i32
    %k9 = arith.constant 5 : i32
    %c = arith.shrui %b, %k9 : i32
    %d = arith.xori %b, %c : i32
    %one = arith.constant 257 : i32
    %e = arith.ori %d, %one : i32
    return %e : i32
  }
  func.func private @divide(%e: i32) -> i32 {
    %k = arith.constant 7 : i32
    %f = arith.shrui %e, %k : i32
    %one = arith.constant 257 : i32
    %g = arith.ori %f, %one : i32
    %a8 = arith.trunci %e : i32 to i8
    %b8 = arith.trunci %g : i32 to i8
    %a16 = arith.trunci %e : i32 to i16
    %b16 = arith.trunci %g : i32 to i16
    %q8 = arith.divsi %a8, %b8 : i8
    %r8 = arith.remsi %a8, %b8 : i8
    %q16 = arith.divui %a16, %b16 : i16
    %r16 = arith.remui %a16, %b16 : i16
    %va = vector.broadcast %a16 : i16 to vector<3xi16>
    %vb = vector.broadcast %b16 : i16 to vector<3xi16>
    %vq = arith.divsi %va, %vb : vector<3xi16>
    %vr = arith.remsi %va, %vb : vector<3xi16>
    %q = vector.extract %vq[2] : i16 from vector<3xi16>
    %r = vector.extract %vr[1] : i16 from vector<3xi16>
    %w0 = arith.extsi %q8 : i8 to i32
    %w1 = arith.extsi %r8 : i8 to i32
    %w2 = arith.extui %q16 : i16 to i32
    %w3 = arith.extui %r16 : i16 to i32
    %w4 = arith.extsi %q : i16 to i32
    %w5 = arith.extsi %r : i16 to i32
    %p = arith.constant 31 : i32
    %s0 = arith.muli %w0, %p : i32
    %s1 = arith.addi %s0, %w1 : i32
    %s2 = arith.muli %s1, %p : i32
    %s3 = arith.addi %s2, %w2 : i32
    %s4 = arith.muli %s3, %p : i32
    %s5 = arith.addi %s4, %w3 : i32
    %s6 = arith.muli %s5, %p : i32
    %s7 = arith.addi %s6, %w4 : i32
    %s8 = arith.muli %s7, %p : i32
    %s9 = arith.addi %s8, %w5 : i32
    return %s9 : i32
  }
  gpu.func @k(%out: memref<256xi32>) kernel {
    %tid = gpu.thread_id x
    %e = func.call @mix(%tid) : (index) -> i32
    %v = func.call @divide(%e) : (i32) -> i32
    memref.store %v, %out[%tid] : memref<256xi32>
    gpu.return
  }
}

func.func private @mix(%i: index) -> i32 {
  %v = arith.index_cast %i : index to i32
  %k0 = arith.constant 1103515 : i32
  %k1 = arith.constant 12345 : i32
  %a = arith.muli %v, %k0 : i32
  %b = arith.addi %a, %k1 : i32
  %k9 = arith.constant 5 : i32
  %c = arith.shrui %b, %k9 : i32
  %d = arith.xori %b, %c : i32
  %one = arith.constant 257 : i32
  %e = arith.ori %d, %one : i32
  return %e : i32
}
// The same with wider integers.
func.func private @divide(%e: i32) -> i32 {
  %k = arith.constant 7 : i32
  %f = arith.shrui %e, %k : i32
  %one = arith.constant 257 : i32
  %g = arith.ori %f, %one : i32
  %a8 = arith.trunci %e : i32 to i8
  %b8 = arith.trunci %g : i32 to i8
  %a16 = arith.trunci %e : i32 to i16
  %b16 = arith.trunci %g : i32 to i16
  %a = arith.extsi %a8 : i8 to i64
  %b = arith.extsi %b8 : i8 to i64
  %au = arith.extui %a16 : i16 to i64
  %bu = arith.extui %b16 : i16 to i64
  %as = arith.extsi %a16 : i16 to i64
  %bs = arith.extsi %b16 : i16 to i64
  %w0 = arith.divsi %a, %b : i64
  %w1 = arith.remsi %a, %b : i64
  %w2 = arith.divui %au, %bu : i64
  %w3 = arith.remui %au, %bu : i64
  %w4 = arith.divsi %as, %bs : i64
  %w5 = arith.remsi %as, %bs : i64
  %p = arith.constant 31 : i64
  %s0 = arith.muli %w0, %p : i64
  %s1 = arith.addi %s0, %w1 : i64
  %s2 = arith.muli %s1, %p : i64
  %s3 = arith.addi %s2, %w2 : i64
  %s4 = arith.muli %s3, %p : i64
  %s5 = arith.addi %s4, %w3 : i64
  %s6 = arith.muli %s5, %p : i64
  %s7 = arith.addi %s6, %w4 : i64
  %s8 = arith.muli %s7, %p : i64
  %s9 = arith.addi %s8, %w5 : i64
  %t = arith.trunci %s9 : i64 to i32
  return %t : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 256 : index
  %out = memref.alloc() : memref<256xi32>
  %any = memref.cast %out : memref<256xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%out : memref<256xi32>)
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (index) {
    %e = func.call @mix(%i) : (index) -> i32
    %want = func.call @divide(%e) : (i32) -> i32
    %got = memref.load %out[%i] : memref<256xi32>
    %differs = arith.cmpi ne, %want, %got : i32
    %more = arith.addi %count, %c1 : index
    %next = arith.select %differs, %more, %count : index
    scf.yield %next : index
  }
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %shown = arith.index_cast %wrong : index to i64
  llvm.call @printf(%format, %shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  %status = arith.index_cast %wrong : index to i32
  return %status : i32
}
}
