// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx1100 --wave-size 64 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 --wave-size 64 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: 40 lanes: wrong at -1

// gpu.subgroup_reduce in a wave that the workgroup does not fill, for waves of 64 lanes.
// The host computes each lane's result with a loop over the others.

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
  gpu.func @reduce(%out: memref<6x1024xi64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = arith.constant 1 : index
    %tid = gpu.thread_id x
    %digit = arith.remui %tid, %m : index
    %odd = arith.cmpi eq, %digit, %c1 : index
    %v = func.call @value(%tid, %c0) : (index, index) -> i32
    %x1 = arith.sitofp %v : i32 to f32
    %x2 = arith.trunci %v : i32 to i8
    %x3 = arith.trunci %v : i32 to i16
    %x4 = arith.sitofp %v : i32 to f16
    %x5 = arith.extsi %v : i32 to i64
    %r0 = gpu.subgroup_reduce add %v : (i32) -> i32
    %b0 = arith.extsi %r0 : i32 to i64
    %k0 = arith.constant 0 : index
    memref.store %b0, %out[%k0, %tid] : memref<6x1024xi64>
    %r1 = gpu.subgroup_reduce add %x1 : (f32) -> f32
    %b1w = arith.extf %r1 : f32 to f64
    %b1 = arith.bitcast %b1w : f64 to i64
    %k1 = arith.constant 1 : index
    memref.store %b1, %out[%k1, %tid] : memref<6x1024xi64>
    %r2 = gpu.subgroup_reduce minsi %x2 : (i8) -> i8
    %b2 = arith.extsi %r2 : i8 to i64
    %k2 = arith.constant 2 : index
    memref.store %b2, %out[%k2, %tid] : memref<6x1024xi64>
    %r3 = gpu.subgroup_reduce maxui %x3 : (i16) -> i16
    %b3 = arith.extsi %r3 : i16 to i64
    %k3 = arith.constant 3 : index
    memref.store %b3, %out[%k3, %tid] : memref<6x1024xi64>
    %r4 = gpu.subgroup_reduce maxnumf %x4 : (f16) -> f16
    %b4w = arith.extf %r4 : f16 to f64
    %b4 = arith.bitcast %b4w : f64 to i64
    %k4 = arith.constant 4 : index
    memref.store %b4, %out[%k4, %tid] : memref<6x1024xi64>
    %r5 = gpu.subgroup_reduce xor %x5 : (i64) -> i64
    %k5 = arith.constant 5 : index
    memref.store %r5, %out[%k5, %tid] : memref<6x1024xi64>
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

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 1 : index
  %minus = arith.constant -1 : index
  %false = arith.constant false
  %true = arith.constant true
  %lanes0 = arith.constant 40 : index
  %lanes = func.call @opaque(%lanes0) : (index) -> index
  %cw = arith.constant 64 : index
  %cs = arith.constant 1 : index
  %csize = arith.constant 64 : index
  %out = memref.alloc() : memref<6x1024xi64>
  %any_ = memref.cast %out : memref<6x1024xi64> to memref<*xi64>
  gpu.host_register %any_ : memref<*xi64>
  %format = llvm.mlir.addressof @format : !llvm.ptr
  gpu.launch_func @kernels::@reduce blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
      args(%out : memref<6x1024xi64>)
  %wrong = scf.for %i = %c0 to %lanes step %c1 iter_args(%w0 = %minus) -> (index) {
    %id = arith.remui %i, %m : index
    %reads = arith.cmpi ult, %c0, %c1 : index
    %wi = arith.divui %i, %cw : index
    %li = arith.remui %i, %cw : index
    %gi = arith.divui %li, %csize : index
    %si = arith.remui %i, %cs : index
    %v0 = func.call @value(%i, %c0) : (index, index) -> i32
    %z1 = arith.sitofp %v0 : i32 to f32
    %z2 = arith.trunci %v0 : i32 to i8
    %z3 = arith.trunci %v0 : i32 to i16
    %z4 = arith.sitofp %v0 : i32 to f16
    %z5 = arith.extsi %v0 : i32 to i64
    %t:7 = scf.for %j = %c0 to %lanes step %c1 iter_args(%any = %false, %a0 = %v0, %a1 = %z1, %a2 = %z2, %a3 = %z3, %a4 = %z4, %a5 = %z5) -> (i1, i32, f32, i8, i16, f16, i64) {
      %wj = arith.divui %j, %cw : index
      %lj = arith.remui %j, %cw : index
      %gj = arith.divui %lj, %csize : index
      %sj = arith.remui %j, %cs : index
      %jd = arith.remui %j, %m : index
      %takes = arith.cmpi ult, %c0, %c1 : index
      %e0 = arith.cmpi eq, %wi, %wj : index
      %e1 = arith.cmpi eq, %gi, %gj : index
      %e2 = arith.cmpi eq, %si, %sj : index
      %f0 = arith.andi %e0, %e1 : i1
      %f1 = arith.andi %e2, %takes : i1
      %part = arith.andi %f0, %f1 : i1
      %v = func.call @value(%j, %c0) : (index, index) -> i32
      %any2 = arith.ori %any, %part : i1
      %x1 = arith.sitofp %v : i32 to f32
      %x2 = arith.trunci %v : i32 to i8
      %x3 = arith.trunci %v : i32 to i16
      %x4 = arith.sitofp %v : i32 to f16
      %x5 = arith.extsi %v : i32 to i64
      %y0 = arith.addi %a0, %v : i32
      %q0 = arith.select %any, %y0, %v : i32
      %p0 = arith.select %part, %q0, %a0 : i32
      %y1 = arith.addf %a1, %x1 : f32
      %q1 = arith.select %any, %y1, %x1 : f32
      %p1 = arith.select %part, %q1, %a1 : f32
      %y2 = arith.minsi %a2, %x2 : i8
      %q2 = arith.select %any, %y2, %x2 : i8
      %p2 = arith.select %part, %q2, %a2 : i8
      %y3 = arith.maxui %a3, %x3 : i16
      %q3 = arith.select %any, %y3, %x3 : i16
      %p3 = arith.select %part, %q3, %a3 : i16
      %y4 = arith.maxnumf %a4, %x4 : f16
      %q4 = arith.select %any, %y4, %x4 : f16
      %p4 = arith.select %part, %q4, %a4 : f16
      %y5 = arith.xori %a5, %x5 : i64
      %q5 = arith.select %any, %y5, %x5 : i64
      %p5 = arith.select %part, %q5, %a5 : i64
      scf.yield %any2, %p0, %p1, %p2, %p3, %p4, %p5 : i1, i32, f32, i8, i16, f16, i64
    }
    %b0 = arith.extsi %t#1 : i32 to i64
    %ck0 = arith.constant 0 : index
    %got0 = memref.load %out[%ck0, %i] : memref<6x1024xi64>
    %d0 = arith.cmpi ne, %got0, %b0 : i64
    %dd0 = arith.andi %d0, %reads : i1
    %at0 = arith.constant 0 : index
    %ai0 = arith.addi %at0, %i : index
    %w1 = arith.select %dd0, %ai0, %w0 : index
    %b1w = arith.extf %t#2 : f32 to f64
    %b1 = arith.bitcast %b1w : f64 to i64
    %ck1 = arith.constant 1 : index
    %got1 = memref.load %out[%ck1, %i] : memref<6x1024xi64>
    %d1 = arith.cmpi ne, %got1, %b1 : i64
    %dd1 = arith.andi %d1, %reads : i1
    %at1 = arith.constant 10000 : index
    %ai1 = arith.addi %at1, %i : index
    %w2 = arith.select %dd1, %ai1, %w1 : index
    %b2 = arith.extsi %t#3 : i8 to i64
    %ck2 = arith.constant 2 : index
    %got2 = memref.load %out[%ck2, %i] : memref<6x1024xi64>
    %d2 = arith.cmpi ne, %got2, %b2 : i64
    %dd2 = arith.andi %d2, %reads : i1
    %at2 = arith.constant 20000 : index
    %ai2 = arith.addi %at2, %i : index
    %w3 = arith.select %dd2, %ai2, %w2 : index
    %b3 = arith.extsi %t#4 : i16 to i64
    %ck3 = arith.constant 3 : index
    %got3 = memref.load %out[%ck3, %i] : memref<6x1024xi64>
    %d3 = arith.cmpi ne, %got3, %b3 : i64
    %dd3 = arith.andi %d3, %reads : i1
    %at3 = arith.constant 30000 : index
    %ai3 = arith.addi %at3, %i : index
    %w4 = arith.select %dd3, %ai3, %w3 : index
    %b4w = arith.extf %t#5 : f16 to f64
    %b4 = arith.bitcast %b4w : f64 to i64
    %ck4 = arith.constant 4 : index
    %got4 = memref.load %out[%ck4, %i] : memref<6x1024xi64>
    %d4 = arith.cmpi ne, %got4, %b4 : i64
    %dd4 = arith.andi %d4, %reads : i1
    %at4 = arith.constant 40000 : index
    %ai4 = arith.addi %at4, %i : index
    %w5 = arith.select %dd4, %ai4, %w4 : index
    %ck5 = arith.constant 5 : index
    %got5 = memref.load %out[%ck5, %i] : memref<6x1024xi64>
    %d5 = arith.cmpi ne, %got5, %t#6 : i64
    %dd5 = arith.andi %d5, %reads : i1
    %at5 = arith.constant 50000 : index
    %ai5 = arith.addi %at5, %i : index
    %w6 = arith.select %dd5, %ai5, %w5 : index
    scf.yield %w6 : index
  }
  %wl = arith.index_cast %wrong : index to i64
  %ll = arith.index_cast %lanes : index to i64
  llvm.call @printf(%format, %ll, %wl) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
func.func private @opaque(%n: index) -> index attributes {no_inline} {
  return %n : index
}
}
