// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: l1_per_lane: PASS

// If a SIMT herd allocates an L1 buffer, each lane has one. The same holds for an L1 buffer that
// the segment allocates and passes to two SIMT herds; it keeps its contents between them.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("l1_per_lane: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("l1_per_lane: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi32>, memref<256xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi32>, memref<256xi32> {
        %c1_1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %kept = memref.alloc() : memref<2xi32, 2>
        air.herd @fill tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ha = %sa, %hk = %kept) : memref<256xi32>, memref<2xi32, 2> {
          %c0 = arith.constant 0 : index
          %c1_2 = arith.constant 1 : index
          %lane = gpu.lane_id
          %own = memref.alloc() : memref<3xi32, 2>
          %v0 = arith.constant 64 : index
          %v1 = arith.muli %tx, %v0 : index
          %p = arith.addi %v1, %lane : index
          %v3 = arith.constant 0 : index
          %v4 = arith.constant 3 : index
          %v5 = arith.constant 1 : index
          scf.for %k = %v3 to %v4 step %v5 {
            %v6 = memref.load %ha[%p] : memref<256xi32>
            %v7 = arith.constant 1 : index
            %v8 = arith.addi %k, %v7 : index
            %v9 = arith.index_cast %v8 : index to i32
            %v10 = arith.muli %v6, %v9 : i32
            memref.store %v10, %own[%k] : memref<3xi32, 2>
          }
          %v11 = arith.constant 0 : index
          %v12 = memref.load %own[%v11] : memref<3xi32, 2>
          %v13 = arith.constant 2 : index
          %v14 = memref.load %own[%v13] : memref<3xi32, 2>
          %v15 = arith.addi %v12, %v14 : i32
          %v16 = arith.constant 0 : index
          memref.store %v15, %hk[%v16] : memref<2xi32, 2>
          %v17 = arith.constant 1 : index
          %v18 = memref.load %own[%v17] : memref<3xi32, 2>
          %v19 = arith.constant 1 : index
          memref.store %v18, %hk[%v19] : memref<2xi32, 2>
          memref.dealloc %own : memref<3xi32, 2>
        }
        air.herd @use tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%hb = %sb, %hk = %kept) : memref<256xi32>, memref<2xi32, 2> {
          %lane = gpu.lane_id
          %v20 = arith.constant 64 : index
          %v21 = arith.muli %tx, %v20 : index
          %p = arith.addi %v21, %lane : index
          %v23 = arith.constant 0 : index
          %v24 = memref.load %hk[%v23] : memref<2xi32, 2>
          %v26 = arith.constant 1000 : i32
          %v27 = arith.muli %v24, %v26 : i32
          %v28 = arith.constant 1 : index
          %v29 = memref.load %hk[%v28] : memref<2xi32, 2>
          %v30 = arith.addi %v27, %v29 : i32
          %v31 = arith.index_cast %lane : index to i32
          %v32 = arith.addi %v30, %v31 : i32
          memref.store %v32, %hb[%p] : memref<256xi32>
        }
        memref.dealloc %kept : memref<2xi32, 2>
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v33 = memref.load %in[%i] : memref<256xi32>
    %v35 = arith.constant 4002 : i32
    %v36 = arith.muli %v33, %v35 : i32
    %v37 = arith.constant 64 : index
    %v38 = arith.remui %i, %v37 : index
    %v39 = arith.index_cast %v38 : index to i32
    %result = arith.addi %v36, %v39 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<256xi32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<256xi32>
    }
    scf.for %i = %c0 to %c256 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<256xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<256xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<256xi32>, memref<256xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<256xi32>) -> ()
    gpu.memcpy %out, %dout : memref<256xi32>, memref<256xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<256xi32>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xi32>
      %want = func.call @expected(%in, %i) : (memref<256xi32>, index) -> i32
      %differs = arith.cmpi ne, %got, %want : i32
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
      %got = memref.load %out[%at] : memref<256xi32>
      %want = func.call @expected(%in, %at) : (memref<256xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xi32>
    memref.dealloc %out : memref<256xi32>
    return %status : i32
  }
}
