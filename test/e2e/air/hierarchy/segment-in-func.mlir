// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: segment_in_func: PASS

// A segment directly in a function, without a launch: one workgroup.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_in_func: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_in_func: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<128xi32>, %out: memref<128xi32>) {
    air.segment @s args(%sa = %in, %sb = %out) : memref<128xi32>, memref<128xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c1) args(%ha = %sa, %hb = %sb) : memref<128xi32>, memref<128xi32> {
        %lane = gpu.lane_id
        %wave = gpu.subgroup_size : index
        %v0 = arith.constant 64 : index
        scf.for %e = %lane to %v0 step %wave {
          %v1 = arith.constant 64 : index
          %v2 = arith.muli %tx, %v1 : index
          %p = arith.addi %v2, %e : index
          %v4 = memref.load %ha[%p] : memref<128xi32>
          %v5 = arith.index_cast %p : index to i32
          %v6 = arith.addi %v4, %v5 : i32
          memref.store %v6, %hb[%p] : memref<128xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<128xi32>, %i: index) -> i32 {
    %v7 = memref.load %in[%i] : memref<128xi32>
    %v8 = arith.index_cast %i : index to i32
    %result = arith.addi %v7, %v8 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<128xi32>
    %out = memref.alloc() : memref<128xi32>
    scf.for %i = %c0 to %c128 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<128xi32>
    }
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<128xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<128xi32>, memref<128xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<128xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<128xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
      %want = func.call @expected(%in, %i) : (memref<128xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<128xi32>
      %want = func.call @expected(%in, %at) : (memref<128xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<128xi32>
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
