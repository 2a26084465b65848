// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: barriers_between_herds: PASS

// A herd writes a tile in L2, the next reads it crosswise, in a loop that
// writes the same tile again: neither the forward dependence nor the one
// around the loop's back edge may be without a barrier.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("barriers_between_herds: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("barriers_between_herds: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<512xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<512xi32>, memref<512xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<512xi32>, memref<512xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c20 = arith.constant 20 : index
        %t = memref.alloc() : memref<512xi32, 1>
        scf.for %k = %c0 to %c20 step %c1_1 {
          air.herd @put tile (%tx, %ty) in (%ntx = %c4, %nty = %c2) args(%ha = %sa, %ht = %t, %hk = %k) : memref<512xi32>, memref<512xi32, 1>, index {
            %lane = gpu.lane_id
            %v0 = arith.constant 4 : index
            %v1 = arith.muli %ty, %v0 : index
            %v2 = arith.addi %v1, %tx : index
            %v3 = arith.constant 64 : index
            %v4 = arith.muli %v2, %v3 : index
            %p = arith.addi %v4, %lane : index
            %v6 = arith.addi %p, %hk : index
            %v7 = arith.constant 512 : index
            %q = arith.remui %v6, %v7 : index
            %v9 = memref.load %ha[%q] : memref<512xi32>
            %v10 = arith.index_cast %hk : index to i32
            %v11 = arith.addi %v9, %v10 : i32
            memref.store %v11, %ht[%p] : memref<512xi32, 1>
          }
          air.herd @get tile (%tx, %ty) in (%ntx = %c4, %nty = %c2) args(%hb = %sb, %ht = %t, %hk = %k) : memref<512xi32>, memref<512xi32, 1>, index {
            %lane = gpu.lane_id
            %v12 = arith.constant 4 : index
            %v13 = arith.muli %ty, %v12 : index
            %v14 = arith.addi %v13, %tx : index
            %v15 = arith.constant 64 : index
            %v16 = arith.muli %v14, %v15 : index
            %p = arith.addi %v16, %lane : index
            %v18 = arith.constant 511 : index
            %q = arith.subi %v18, %p : index
            %v20 = memref.load %hb[%p] : memref<512xi32>
            %v22 = arith.constant 3 : i32
            %v23 = arith.muli %v20, %v22 : i32
            %v24 = memref.load %ht[%q] : memref<512xi32, 1>
            %v25 = arith.addi %v23, %v24 : i32
            memref.store %v25, %hb[%p] : memref<512xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %minus = arith.constant -1 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k20 = arith.constant 20 : index
    %result = scf.for %k = %k0 to %k20 step %k1 iter_args(%v = %minus) -> (i32) {
      %v26 = arith.constant 511 : index
      %v27 = arith.subi %v26, %i : index
      %v28 = arith.addi %v27, %k : index
      %v29 = arith.constant 512 : index
      %q = arith.remui %v28, %v29 : index
      %v32 = arith.constant 3 : i32
      %v33 = arith.muli %v, %v32 : i32
      %v34 = memref.load %in[%q] : memref<512xi32>
      %v35 = arith.addi %v33, %v34 : i32
      %v36 = arith.index_cast %k : index to i32
      %w = arith.addi %v35, %v36 : i32
      scf.yield %w : i32
    }
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
