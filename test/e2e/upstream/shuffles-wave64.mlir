// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx1100 --wave-size 64 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 --wave-size 64 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: wrong: 0

// gpu.shuffle of several types, with widths that are powers of two and others,
// constant and not, in waves of 64 lanes: against the rule written out on the
// host. A lane without a source says so (and gets -1 here).

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("wrong: %ld\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @detail("shuffle %ld lane %ld: %d, expected %d\0A\00") {addr_space = 0 : i32}
memref.global "private" constant @modes : memref<16xi32> = dense<[1, 1, 2, 3, 0, 0, 0, 0, 1, 1, 2, 3, 0, 0, 0, 0]>
memref.global "private" constant @offsets : memref<16xi32> = dense<[3, 3, 5, 2, 3, 4, 16, 8, 3, 3, 5, 2, 3, 4, 16, 8]>
memref.global "private" constant @widths : memref<16xi32> = dense<[16, 20, 20, 3, 20, 8, 32, 16, 16, 20, 20, 3, 20, 8, 32, 16]>

gpu.module @kernels {
  gpu.func @shuffle(%out: memref<16x64xi32>, %widths: memref<16xi32>) kernel {
    %zero = arith.constant 0 : i32
    %none = arith.constant -1 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k5 = arith.constant 5 : index
    %k6 = arith.constant 6 : index
    %k7 = arith.constant 7 : index
    %k8 = arith.constant 8 : index
    %k9 = arith.constant 9 : index
    %k10 = arith.constant 10 : index
    %k11 = arith.constant 11 : index
    %k12 = arith.constant 12 : index
    %k13 = arith.constant 13 : index
    %k14 = arith.constant 14 : index
    %k15 = arith.constant 15 : index
    %tid = gpu.thread_id x
    %v = arith.index_cast %tid : index to i32
    %w0 = arith.constant 16 : i32
    %o0 = arith.constant 3 : i32
    %x0 = arith.addi %v, %zero : i32
    %r0, %p0 = gpu.shuffle up %x0, %o0, %w0 : i32
    %y0 = arith.addi %r0, %zero : i32
    %s0 = arith.select %p0, %y0, %none : i32
    memref.store %s0, %out[%k0, %tid] : memref<16x64xi32>
    %w1 = arith.constant 20 : i32
    %o1 = arith.constant 3 : i32
    %x1 = arith.extsi %v : i32 to i64
    %r1, %p1 = gpu.shuffle up %x1, %o1, %w1 : i64
    %y1 = arith.trunci %r1 : i64 to i32
    %s1 = arith.select %p1, %y1, %none : i32
    memref.store %s1, %out[%k1, %tid] : memref<16x64xi32>
    %w2 = arith.constant 20 : i32
    %o2 = arith.constant 5 : i32
    %x2 = arith.sitofp %v : i32 to f32
    %r2, %p2 = gpu.shuffle down %x2, %o2, %w2 : f32
    %y2 = arith.fptosi %r2 : f32 to i32
    %s2 = arith.select %p2, %y2, %none : i32
    memref.store %s2, %out[%k2, %tid] : memref<16x64xi32>
    %w3 = arith.constant 3 : i32
    %o3 = arith.constant 2 : i32
    %x3 = arith.trunci %v : i32 to i8
    %r3, %p3 = gpu.shuffle idx %x3, %o3, %w3 : i8
    %y3 = arith.extsi %r3 : i8 to i32
    %s3 = arith.select %p3, %y3, %none : i32
    memref.store %s3, %out[%k3, %tid] : memref<16x64xi32>
    %w4 = arith.constant 20 : i32
    %o4 = arith.constant 3 : i32
    %x4 = arith.sitofp %v : i32 to f64
    %r4, %p4 = gpu.shuffle xor %x4, %o4, %w4 : f64
    %y4 = arith.fptosi %r4 : f64 to i32
    %s4 = arith.select %p4, %y4, %none : i32
    memref.store %s4, %out[%k4, %tid] : memref<16x64xi32>
    %w5 = arith.constant 8 : i32
    %o5 = arith.constant 4 : i32
    %x5 = arith.trunci %v : i32 to i16
    %r5, %p5 = gpu.shuffle xor %x5, %o5, %w5 : i16
    %y5 = arith.extsi %r5 : i16 to i32
    %s5 = arith.select %p5, %y5, %none : i32
    memref.store %s5, %out[%k5, %tid] : memref<16x64xi32>
    %w6 = arith.constant 32 : i32
    %o6 = arith.constant 16 : i32
    %x6 = arith.addi %v, %zero : i32
    %r6, %p6 = gpu.shuffle xor %x6, %o6, %w6 : i32
    %y6 = arith.addi %r6, %zero : i32
    %s6 = arith.select %p6, %y6, %none : i32
    memref.store %s6, %out[%k6, %tid] : memref<16x64xi32>
    %w7 = arith.constant 16 : i32
    %o7 = arith.constant 8 : i32
    %e7 = arith.trunci %v : i32 to i8
    %x7 = vector.broadcast %e7 : i8 to vector<4xi8>
    %r7, %p7 = gpu.shuffle xor %x7, %o7, %w7 : vector<4xi8>
    %f7 = vector.extract %r7[2] : i8 from vector<4xi8>
    %y7 = arith.extsi %f7 : i8 to i32
    %s7 = arith.select %p7, %y7, %none : i32
    memref.store %s7, %out[%k7, %tid] : memref<16x64xi32>
    %w8 = memref.load %widths[%k8] : memref<16xi32>
    %o8 = arith.constant 3 : i32
    %x8 = arith.addi %v, %zero : i32
    %r8, %p8 = gpu.shuffle up %x8, %o8, %w8 : i32
    %y8 = arith.addi %r8, %zero : i32
    %s8 = arith.select %p8, %y8, %none : i32
    memref.store %s8, %out[%k8, %tid] : memref<16x64xi32>
    %w9 = memref.load %widths[%k9] : memref<16xi32>
    %o9 = arith.constant 3 : i32
    %x9 = arith.extsi %v : i32 to i64
    %r9, %p9 = gpu.shuffle up %x9, %o9, %w9 : i64
    %y9 = arith.trunci %r9 : i64 to i32
    %s9 = arith.select %p9, %y9, %none : i32
    memref.store %s9, %out[%k9, %tid] : memref<16x64xi32>
    %w10 = memref.load %widths[%k10] : memref<16xi32>
    %o10 = arith.constant 5 : i32
    %x10 = arith.sitofp %v : i32 to f32
    %r10, %p10 = gpu.shuffle down %x10, %o10, %w10 : f32
    %y10 = arith.fptosi %r10 : f32 to i32
    %s10 = arith.select %p10, %y10, %none : i32
    memref.store %s10, %out[%k10, %tid] : memref<16x64xi32>
    %w11 = memref.load %widths[%k11] : memref<16xi32>
    %o11 = arith.constant 2 : i32
    %x11 = arith.trunci %v : i32 to i8
    %r11, %p11 = gpu.shuffle idx %x11, %o11, %w11 : i8
    %y11 = arith.extsi %r11 : i8 to i32
    %s11 = arith.select %p11, %y11, %none : i32
    memref.store %s11, %out[%k11, %tid] : memref<16x64xi32>
    %w12 = memref.load %widths[%k12] : memref<16xi32>
    %o12 = arith.constant 3 : i32
    %x12 = arith.sitofp %v : i32 to f64
    %r12, %p12 = gpu.shuffle xor %x12, %o12, %w12 : f64
    %y12 = arith.fptosi %r12 : f64 to i32
    %s12 = arith.select %p12, %y12, %none : i32
    memref.store %s12, %out[%k12, %tid] : memref<16x64xi32>
    %w13 = memref.load %widths[%k13] : memref<16xi32>
    %o13 = arith.constant 4 : i32
    %x13 = arith.trunci %v : i32 to i16
    %r13, %p13 = gpu.shuffle xor %x13, %o13, %w13 : i16
    %y13 = arith.extsi %r13 : i16 to i32
    %s13 = arith.select %p13, %y13, %none : i32
    memref.store %s13, %out[%k13, %tid] : memref<16x64xi32>
    %w14 = memref.load %widths[%k14] : memref<16xi32>
    %o14 = arith.constant 16 : i32
    %x14 = arith.addi %v, %zero : i32
    %r14, %p14 = gpu.shuffle xor %x14, %o14, %w14 : i32
    %y14 = arith.addi %r14, %zero : i32
    %s14 = arith.select %p14, %y14, %none : i32
    memref.store %s14, %out[%k14, %tid] : memref<16x64xi32>
    %w15 = memref.load %widths[%k15] : memref<16xi32>
    %o15 = arith.constant 8 : i32
    %e15 = arith.trunci %v : i32 to i8
    %x15 = vector.broadcast %e15 : i8 to vector<4xi8>
    %r15, %p15 = gpu.shuffle xor %x15, %o15, %w15 : vector<4xi8>
    %f15 = vector.extract %r15[2] : i8 from vector<4xi8>
    %y15 = arith.extsi %f15 : i8 to i32
    %s15 = arith.select %p15, %y15, %none : i32
    memref.store %s15, %out[%k15, %tid] : memref<16x64xi32>
    gpu.return
  }
}

// The value that lane `lane` receives; -1 if there is no source.
func.func private @expected(%mode: i32, %offset: i32, %width: i32, %lane: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %none = arith.constant -1 : i32
  %bits = math.ctpop %width : i32
  %divides = arith.cmpi eq, %bits, %one : i32
  %part = arith.divui %lane, %width : i32
  %start = arith.muli %part, %width : i32
  %first = arith.select %divides, %start, %zero : i32
  %place = arith.subi %lane, %first : i32
  %swapped = arith.xori %place, %offset : i32
  %before = arith.subi %place, %offset : i32
  %behind = arith.addi %place, %offset : i32
  %is0 = arith.cmpi eq, %mode, %zero : i32
  %is1 = arith.cmpi eq, %mode, %one : i32
  %is2 = arith.cmpi eq, %mode, %two : i32
  %s2 = arith.select %is2, %behind, %offset : i32
  %s1 = arith.select %is1, %before, %s2 : i32
  %source = arith.select %is0, %swapped, %s1 : i32
  %low = arith.cmpi sge, %source, %zero : i32
  %high = arith.cmpi slt, %source, %width : i32
  %own = arith.cmpi slt, %place, %width : i32
  %in0 = arith.andi %low, %high : i1
  %in = arith.andi %in0, %own : i1
  %from = arith.addi %first, %source : i32
  %result = arith.select %in, %from, %none : i32
  return %result : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %wave = arith.constant 64 : index
  %out = memref.alloc() : memref<16x64xi32>
  %any = memref.cast %out : memref<16x64xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  %modes = memref.get_global @modes : memref<16xi32>
  %offsets = memref.get_global @offsets : memref<16xi32>
  %known = memref.get_global @widths : memref<16xi32>
  %widths = memref.alloc() : memref<16xi32>
  memref.copy %known, %widths : memref<16xi32> to memref<16xi32>
  %anyWidths = memref.cast %widths : memref<16xi32> to memref<*xi32>
  gpu.host_register %anyWidths : memref<*xi32>
  gpu.launch_func @kernels::@shuffle blocks in (%c1, %c1, %c1) threads in (%wave, %c1, %c1)
      args(%out : memref<16x64xi32>, %widths : memref<16xi32>)
  %detail = llvm.mlir.addressof @detail : !llvm.ptr
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %c0) -> (index) {
    %mode = memref.load %modes[%i] : memref<16xi32>
    %offset = memref.load %offsets[%i] : memref<16xi32>
    %width = memref.load %known[%i] : memref<16xi32>
    %count = scf.for %l = %c0 to %wave step %c1 iter_args(%inner = %outer) -> (index) {
      %lane = arith.index_cast %l : index to i32
      %want = func.call @expected(%mode, %offset, %width, %lane) : (i32, i32, i32, i32) -> i32
      %got = memref.load %out[%i, %l] : memref<16x64xi32>
      %differs = arith.cmpi ne, %want, %got : i32
      scf.if %differs {
        %il = arith.index_cast %i : index to i64
        %ll = arith.index_cast %l : index to i64
        llvm.call @printf(%detail, %il, %ll, %got, %want) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i32, i32) -> i32
      }
      %more = arith.addi %inner, %c1 : index
      %next = arith.select %differs, %more, %inner : index
      scf.yield %next : index
    }
    scf.yield %count : index
  }
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %shown = arith.index_cast %wrong : index to i64
  llvm.call @printf(%format, %shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  %status = arith.index_cast %wrong : index to i32
  return %status : i32
}
}
