// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: shuffle_up: PASS

// The second result of gpu.shuffle up is false in the lanes whose source would
// lie before the first lane of their part of the wave.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("shuffle_up: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("shuffle_up: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<128xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<128xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<128xi32> {
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c1_1, %nty = %c1_1) args(%ha = %sa, %hb = %sb) : memref<64xi32>, memref<128xi32> {
          %lane = gpu.lane_id
          %c3 = arith.constant 3 : i32
          %c16 = arith.constant 16 : i32
          %c64 = arith.constant 64 : i32
          %v = memref.load %ha[%lane] : memref<64xi32>
          %v2 = arith.constant 0 : i32
          %v3 = arith.muli %v, %v2 : i32
          %v5 = arith.constant 1 : i32
          %low = arith.subi %v3, %v5 : i32
          %r0, %p0 = gpu.shuffle up %v, %c3, %c64 : i32
          %r1, %p1 = gpu.shuffle up %v, %c3, %c16 : i32
          %v0 = arith.select %p0, %r0, %low : i32
          %v9 = arith.constant 0 : i32
          %v10 = arith.addi %v0, %v9 : i32
          memref.store %v10, %hb[%lane] : memref<128xi32>
          %v11 = arith.constant 64 : index
          %q = arith.addi %lane, %v11 : index
          %v1 = arith.select %p1, %r1, %low : i32
          %v15 = arith.constant 0 : i32
          %v16 = arith.addi %v1, %v15 : i32
          memref.store %v16, %hb[%q] : memref<128xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v17 = arith.constant 64 : index
    %l = arith.remui %i, %v17 : index
    %v19 = arith.constant 64 : index
    %v20 = arith.cmpi ult, %i, %v19 : index
    %v21 = arith.constant 64 : index
    %v22 = arith.constant 16 : index
    %width = arith.select %v20, %v21, %v22 : index
    %v24 = arith.remui %l, %width : index
    %v25 = arith.constant 2 : index
    %has = arith.cmpi ugt, %v24, %v25 : index
    %v27 = arith.constant 3 : index
    %v28 = arith.subi %l, %v27 : index
    %v29 = arith.constant 0 : index
    %p = arith.select %has, %v28, %v29 : index
    %v31 = memref.load %in[%p] : memref<64xi32>
    %v33 = arith.constant 0 : i32
    %v = arith.addi %v31, %v33 : i32
    %v35 = arith.constant -1 : index
    %v36 = arith.index_cast %v35 : index to i32
    %result = arith.select %has, %v, %v36 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<128xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<64xi32>
    }
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
      %want = func.call @expected(%in, %i) : (memref<64xi32>, index) -> i32
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
      %want = func.call @expected(%in, %at) : (memref<64xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xi32>
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
