// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: tile_ids_1d_herd: PASS

// A 1-D herd in a launch: one id, one size.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("tile_ids_1d_herd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("tile_ids_1d_herd: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<640xi32>, %out: memref<640xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<640xi32>, memref<640xi32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<640xi32>, memref<640xi32> {
        %c5 = arith.constant 5 : index
        air.herd @h tile (%t) in (%nt = %c5) args(%hu = %u, %ha = %sa, %hb = %sb) : index, memref<640xi32>, memref<640xi32> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v0 = arith.constant 64 : index
          scf.for %e = %lane to %v0 step %wave {
            %v1 = arith.muli %hu, %nt : index
            %v2 = arith.addi %v1, %t : index
            %v3 = arith.constant 64 : index
            %v4 = arith.muli %v2, %v3 : index
            %p = arith.addi %v4, %e : index
            %v6 = memref.load %ha[%p] : memref<640xi32>
            %v7 = arith.constant 10 : index
            %v8 = arith.muli %t, %v7 : index
            %v9 = arith.addi %v8, %nt : index
            %v10 = arith.index_cast %v9 : index to i32
            %v11 = arith.addi %v6, %v10 : i32
            memref.store %v11, %hb[%p] : memref<640xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<640xi32>, %i: index) -> i32 {
    %v12 = memref.load %in[%i] : memref<640xi32>
    %v13 = arith.constant 64 : index
    %v14 = arith.divui %i, %v13 : index
    %v15 = arith.constant 5 : index
    %v16 = arith.remui %v14, %v15 : index
    %v17 = arith.constant 10 : index
    %v18 = arith.muli %v16, %v17 : index
    %v19 = arith.constant 5 : index
    %v20 = arith.addi %v18, %v19 : index
    %v21 = arith.index_cast %v20 : index to i32
    %result = arith.addi %v12, %v21 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c640 = arith.constant 640 : index
    %in = memref.alloc() : memref<640xi32>
    %out = memref.alloc() : memref<640xi32>
    scf.for %i = %c0 to %c640 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<640xi32>
    }
    scf.for %i = %c0 to %c640 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<640xi32>
    }
    %din = gpu.alloc () : memref<640xi32>
    %dout = gpu.alloc () : memref<640xi32>
    gpu.memcpy %din, %in : memref<640xi32>, memref<640xi32>
    gpu.memcpy %dout, %out : memref<640xi32>, memref<640xi32>
    call @test(%din, %dout) : (memref<640xi32>, memref<640xi32>) -> ()
    gpu.memcpy %out, %dout : memref<640xi32>, memref<640xi32>
    gpu.dealloc %din : memref<640xi32>
    gpu.dealloc %dout : memref<640xi32>

    %wrong, %at = scf.for %i = %c0 to %c640 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<640xi32>
      %want = func.call @expected(%in, %i) : (memref<640xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<640xi32>
      %want = func.call @expected(%in, %at) : (memref<640xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<640xi32>
    memref.dealloc %out : memref<640xi32>
    return %status : i32
  }
}
