// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: device wrong: 0, host wrong: 0

// x * x - x in bf16 loses most of its bits when the product has been rounded: the
// kernel, the host, and the host with the product kept in memory in between.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("device wrong: %ld, host wrong: %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%in: memref<64xbf16>, %out: memref<64xbf16>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %in[%i] : memref<64xbf16>
    %p = arith.mulf %x, %x : bf16
    %d = arith.subf %p, %x : bf16
    memref.store %d, %out[%i] : memref<64xbf16>
    gpu.return
  }
}

func.func private @stepwise(%x: bf16, %kept: memref<1xbf16>) -> bf16 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %p = arith.mulf %x, %x : bf16
  memref.store %p, %kept[%c0] : memref<1xbf16>
  %q = memref.load %kept[%c0] : memref<1xbf16>
  %wide = arith.extf %q : bf16 to f32
  %xw = arith.extf %x : bf16 to f32
  %d = arith.subf %wide, %xw : f32
  %r = arith.truncf %d : f32 to bf16
  return %r : bf16
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %step = arith.constant 0.0077 : f32
  %in = memref.alloc() : memref<64xbf16>
  %out = memref.alloc() : memref<64xbf16>
  %kept = memref.alloc() : memref<1xbf16>
  %u = memref.cast %in : memref<64xbf16> to memref<*xbf16>
  gpu.host_register %u : memref<*xbf16>
  %v = memref.cast %out : memref<64xbf16> to memref<*xbf16>
  gpu.host_register %v : memref<*xbf16>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %one = arith.constant 0.75 : f32
    %g = arith.mulf %f, %step : f32
    %h = arith.addf %g, %one : f32
    %x = arith.truncf %h : f32 to bf16
    memref.store %x, %in[%i] : memref<64xbf16>
  }
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%in : memref<64xbf16>, %out : memref<64xbf16>)
  %wrong:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c0) -> (index, index) {
    %x = memref.load %in[%i] : memref<64xbf16>
    %want = func.call @stepwise(%x, %kept) : (bf16, memref<1xbf16>) -> bf16
    %p = arith.mulf %x, %x : bf16
    %own = arith.subf %p, %x : bf16
    %got = memref.load %out[%i] : memref<64xbf16>
    %wi = arith.bitcast %want : bf16 to i16
    %oi = arith.bitcast %own : bf16 to i16
    %gi = arith.bitcast %got : bf16 to i16
    %d0 = arith.cmpi ne, %wi, %gi : i16
    %d1 = arith.cmpi ne, %wi, %oi : i16
    %a1 = arith.addi %a, %c1 : index
    %b1 = arith.addi %b, %c1 : index
    %an = arith.select %d0, %a1, %a : index
    %bn = arith.select %d1, %b1, %b : index
    scf.yield %an, %bn : index, index
  }
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %x = arith.index_cast %wrong#0 : index to i64
  %y = arith.index_cast %wrong#1 : index to i64
  llvm.call @printf(%format, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
