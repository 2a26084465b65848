// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: segment_simt: PASS

// Segment code that names the thread is run by all threads of the workgroup,
// each for itself: loads into L2 with explicit barriers, L1 of the thread, and
// stores to global memory, around a herd.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_simt: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_simt: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<512xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<512xi32>, memref<512xi32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<512xi32>, memref<512xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %tid = gpu.thread_id x
        %dim = gpu.block_dim x
        %t = memref.alloc() : memref<256xi32, 1>
        %own = memref.alloc() : memref<2xi32, 2>
        %v0 = arith.constant 256 : index
        %o = arith.muli %u, %v0 : index
        // All threads of the workgroup, however many they are.
        %v2 = arith.constant 256 : index
        scf.for %e = %tid to %v2 step %dim {
          %p = arith.addi %o, %e : index
          %v4 = memref.load %sa[%p] : memref<512xi32>
          %v5 = arith.constant 255 : index
          %v6 = arith.subi %v5, %e : index
          memref.store %v4, %t[%v6] : memref<256xi32, 1>
        }
        gpu.barrier
        %v7 = arith.index_cast %tid : index to i32
        %v8 = arith.constant 0 : index
        memref.store %v7, %own[%v8] : memref<2xi32, 2>
        %v9 = arith.index_cast %u : index to i32
        %v10 = arith.constant 1 : index
        memref.store %v9, %own[%v10] : memref<2xi32, 2>
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1) args(%ht = %t, %hown = %own) : memref<256xi32, 1>, memref<2xi32, 2> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v11 = arith.muli %tx, %wave : index
          %p = arith.addi %v11, %lane : index
          %v13 = arith.constant 4 : index
          %total = arith.muli %wave, %v13 : index
          %v15 = arith.constant 256 : index
          scf.for %e = %p to %v15 step %total {
            %v16 = memref.load %ht[%e] : memref<256xi32, 1>
            %v18 = arith.constant 10 : i32
            %v19 = arith.muli %v16, %v18 : i32
            %v20 = arith.constant 0 : index
            %v21 = memref.load %hown[%v20] : memref<2xi32, 2>
            %v22 = arith.addi %v19, %v21 : i32
            %v23 = arith.index_cast %p : index to i32
            %v24 = arith.subi %v22, %v23 : i32
            %v25 = arith.constant 1 : index
            %v26 = memref.load %hown[%v25] : memref<2xi32, 2>
            %v27 = arith.addi %v24, %v26 : i32
            memref.store %v27, %ht[%e] : memref<256xi32, 1>
          }
        }
        %v28 = arith.constant 256 : index
        scf.for %e = %tid to %v28 step %dim {
          %p = arith.addi %o, %e : index
          %v30 = arith.constant 255 : index
          %v31 = arith.subi %v30, %e : index
          %v32 = memref.load %t[%v31] : memref<256xi32, 1>
          memref.store %v32, %sb[%p] : memref<512xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %v33 = memref.load %in[%i] : memref<512xi32>
    %v35 = arith.constant 10 : i32
    %v36 = arith.muli %v33, %v35 : i32
    %v37 = arith.constant 256 : index
    %v38 = arith.divui %i, %v37 : index
    %v39 = arith.index_cast %v38 : index to i32
    %result = arith.addi %v36, %v39 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<512xi32>
    %out = memref.alloc() : memref<512xi32>
    scf.for %i = %c0 to %c512 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<512xi32>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<512xi32>
    }
    %din = gpu.alloc () : memref<512xi32>
    %dout = gpu.alloc () : memref<512xi32>
    gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
    gpu.memcpy %dout, %out : memref<512xi32>, memref<512xi32>
    call @test(%din, %dout) : (memref<512xi32>, memref<512xi32>) -> ()
    gpu.memcpy %out, %dout : memref<512xi32>, memref<512xi32>
    gpu.dealloc %din : memref<512xi32>
    gpu.dealloc %dout : memref<512xi32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xi32>
      %want = func.call @expected(%in, %i) : (memref<512xi32>, index) -> i32
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
      %want = func.call @expected(%in, %at) : (memref<512xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<512xi32>
    memref.dealloc %out : memref<512xi32>
    return %status : i32
  }
}
