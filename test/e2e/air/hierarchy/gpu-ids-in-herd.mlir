// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: gpu_ids_in_herd: PASS

// What gpu.thread_id, gpu.block_dim, gpu.lane_id and gpu.subgroup_id say
// inside a herd fits the mapping of PEs to waves.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("gpu_ids_in_herd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("gpu_ids_in_herd: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<512xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<512xi32> {
      air.segment @s args(%sb = %b) : memref<512xi32> {
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c4) args(%hb = %sb) : memref<512xi32> {
          %idx = gpu.thread_id x
          %idy = gpu.thread_id y
          %dx = gpu.block_dim x
          %dy = gpu.block_dim y
          %lane = gpu.lane_id
          %v0 = arith.muli %idy, %dx : index
          %linear = arith.addi %v0, %idx : index
          %v2 = arith.constant 64 : index
          %wave_x = arith.divui %idx, %v2 : index
          %v4 = arith.constant 64 : index
          %lane2 = arith.remui %idx, %v4 : index
          %v6 = arith.cmpi eq, %wave_x, %tx : index
          %v7 = arith.cmpi eq, %idy, %ty : index
          %v8 = arith.andi %v6, %v7 : i1
          %v9 = arith.cmpi eq, %lane2, %lane : index
          %v10 = arith.andi %v8, %v9 : i1
          %v11 = arith.constant 128 : index
          %v12 = arith.cmpi eq, %dx, %v11 : index
          %v13 = arith.andi %v10, %v12 : i1
          %v14 = arith.constant 4 : index
          %v15 = arith.cmpi eq, %dy, %v14 : index
          %good = arith.andi %v13, %v15 : i1
          %v17 = arith.constant 10 : index
          %v18 = arith.muli %tx, %v17 : index
          %v19 = arith.addi %v18, %ty : index
          %shown = arith.index_cast %v19 : index to i32
          %none = arith.constant -7 : i32
          %v21 = arith.select %good, %shown, %none : i32
          memref.store %v21, %hb[%linear] : memref<512xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    %v22 = arith.constant 128 : index
    %v23 = arith.remui %i, %v22 : index
    %v24 = arith.constant 64 : index
    %v25 = arith.divui %v23, %v24 : index
    %v26 = arith.constant 10 : index
    %v27 = arith.muli %v25, %v26 : index
    %v28 = arith.constant 128 : index
    %v29 = arith.divui %i, %v28 : index
    %v30 = arith.addi %v27, %v29 : index
    %result = arith.index_cast %v30 : index to i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<512xi32>
    scf.for %i = %c0 to %c16 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<16xi32>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<512xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<512xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<512xi32>, memref<512xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<512xi32>) -> ()
    gpu.memcpy %out, %dout : memref<512xi32>, memref<512xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<512xi32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xi32>
      %want = func.call @expected(%in, %i) : (memref<16xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<512xi32>
      %want = func.call @expected(%in, %at) : (memref<16xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<16xi32>
    memref.dealloc %out : memref<512xi32>
    return %status : i32
  }
}
