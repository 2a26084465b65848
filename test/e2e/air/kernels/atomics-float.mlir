// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: atomics_float: PASS

// Float atomics, add and max, on global memory and L2, from lanes: sums of
// small integers are exact in any order.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("atomics_float: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("atomics_float: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xf32>, %out: memref<8xf32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<256xf32>, memref<8xf32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xf32>, memref<8xf32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %zero = arith.constant 0.0 : f32
        %n = memref.alloc() : memref<2xf32, 1>
        %v1 = arith.constant 0.0 : f32
        %v2 = arith.addf %zero, %v1 : f32
        %v3 = arith.constant 0 : index
        memref.store %v2, %n[%v3] : memref<2xf32, 1>
        %v5 = arith.constant 1.0 : f32
        %v6 = arith.subf %zero, %v5 : f32
        %v7 = arith.constant 1 : index
        memref.store %v6, %n[%v7] : memref<2xf32, 1>
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1) args(%ha = %sa, %hb = %sb, %hn = %n) : memref<256xf32>, memref<8xf32>, memref<2xf32, 1> {
          %c0_1 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c2_1 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %lane = gpu.lane_id
          %v8 = arith.constant 64 : index
          %v9 = arith.muli %tx, %v8 : index
          %p = arith.addi %v9, %lane : index
          %v = memref.load %ha[%p] : memref<256xf32>
          %a0 = memref.atomic_rmw addf %v, %hb[%c0_1] : (f32, memref<8xf32>) -> f32
          %a1 = memref.atomic_rmw maximumf %v, %hb[%c1_1] : (f32, memref<8xf32>) -> f32
          %a2 = memref.atomic_rmw addf %v, %hn[%c0_1] : (f32, memref<2xf32, 1>) -> f32
          %a3 = memref.atomic_rmw maximumf %v, %hn[%c1_1] : (f32, memref<2xf32, 1>) -> f32
        }
        %v12 = arith.constant 0 : index
        %s = memref.load %n[%v12] : memref<2xf32, 1>
        %v14 = arith.constant 1 : index
        %m = memref.load %n[%v14] : memref<2xf32, 1>
        %c2_2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %b0 = memref.atomic_rmw addf %s, %sb[%c2_2] : (f32, memref<8xf32>) -> f32
        %b1 = memref.atomic_rmw addf %m, %sb[%c3] : (f32, memref<8xf32>) -> f32
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xf32>, %i: index) -> f32 {
    %zero = arith.constant 0.0 : f32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k256 = arith.constant 256 : index
    %sum = scf.for %e = %k0 to %k256 step %k1 iter_args(%acc = %zero) -> (f32) {
      %v18 = memref.load %in[%e] : memref<256xf32>
      %w = arith.addf %acc, %v18 : f32
      scf.yield %w : f32
    }
    %most = scf.for %e = %k0 to %k256 step %k1 iter_args(%acc = %zero) -> (f32) {
      %v20 = memref.load %in[%e] : memref<256xf32>
      %w = arith.maximumf %acc, %v20 : f32
      scf.yield %w : f32
    }
    %v23 = arith.constant 2.0 : f32
    %twice = arith.mulf %sum, %v23 : f32
    %v26 = arith.constant 2.0 : f32
    %both = arith.mulf %most, %v26 : f32
    %v28 = arith.constant 0 : index
    %v29 = arith.cmpi eq, %i, %v28 : index
    %v30 = arith.constant 2 : index
    %v31 = arith.cmpi eq, %i, %v30 : index
    %sums = arith.ori %v29, %v31 : i1
    %v33 = arith.constant 1 : index
    %v34 = arith.cmpi eq, %i, %v33 : index
    %v35 = arith.constant 3 : index
    %v36 = arith.cmpi eq, %i, %v35 : index
    %v37 = arith.select %v36, %both, %zero : f32
    %v38 = arith.select %v34, %most, %v37 : f32
    %result = arith.select %sums, %twice, %v38 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c8 = arith.constant 8 : index
    %in = memref.alloc() : memref<256xf32>
    %out = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<256xf32>
    }
    scf.for %i = %c0 to %c8 step %c1 {
      %v9 = arith.constant 0.0 : f32
      memref.store %v9, %out[%i] : memref<8xf32>
    }
    %din = gpu.alloc () : memref<256xf32>
    %dout = gpu.alloc () : memref<8xf32>
    gpu.memcpy %din, %in : memref<256xf32>, memref<256xf32>
    gpu.memcpy %dout, %out : memref<8xf32>, memref<8xf32>
    call @test(%din, %dout) : (memref<256xf32>, memref<8xf32>) -> ()
    gpu.memcpy %out, %dout : memref<8xf32>, memref<8xf32>
    gpu.dealloc %din : memref<256xf32>
    gpu.dealloc %dout : memref<8xf32>

    %wrong, %at = scf.for %i = %c0 to %c8 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<8xf32>
      %want = func.call @expected(%in, %i) : (memref<256xf32>, index) -> f32
      %differs = arith.cmpf une, %got, %want : f32
      %one_more = arith.addi %count, %c1 : index
      %next = arith.select %differs, %one_more, %count : index
      %place = arith.select %differs, %i, %last : index
      scf.yield %next, %place : index, index
    }
    %good = arith.cmpi eq, %wrong, %c0 : index
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %got = memref.load %out[%at] : memref<8xf32>
      %want = func.call @expected(%in, %at) : (memref<256xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xf32>
    memref.dealloc %out : memref<8xf32>
    return %status : i32
  }
}
