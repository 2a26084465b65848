// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: call_in_herd: PASS

// Functions called from the body of a herd, of a segment and of a launch - one
// calls another, one takes an L2 buffer, one is called from two herds.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("call_in_herd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("call_in_herd: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func private @scaled(%v: i32, %f: i32) -> i32 {
    %r = arith.muli %v, %f : i32
    return %r : i32
  }
  func.func private @twice_and(%v: i32, %f: i32) -> i32 {
    %two = arith.constant 2 : i32
    %d = func.call @scaled(%v, %two) : (i32, i32) -> i32
    %r = arith.addi %d, %f : i32
    return %r : i32
  }
  func.func private @reversed(%t: memref<256xi32, 1>, %p: index) -> i32 {
    %v2 = arith.constant 255 : index
    %v3 = arith.subi %v2, %p : index
    %v = memref.load %t[%v3] : memref<256xi32, 1>
    return %v : i32
  }
  func.func @test(%in: memref<256xi32>, %out: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi32>, memref<256xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi32>, memref<256xi32> {
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c1_1 = arith.constant 1 : index
        %t = memref.alloc() : memref<256xi32, 1>
        %seven = arith.constant 7 : i32
        %v5 = arith.constant 0 : index
        %head = memref.load %sa[%v5] : memref<256xi32>
        // 2 * in[0] + 7
        %extra = func.call @twice_and(%head, %seven) : (i32, i32) -> i32
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ha = %sa, %ht = %t) : memref<256xi32>, memref<256xi32, 1> {
          %lane = gpu.lane_id
          %three = arith.constant 3 : i32
          %v7 = arith.constant 64 : index
          %v8 = arith.muli %tx, %v7 : index
          %p = arith.addi %v8, %lane : index
          %v = memref.load %ha[%p] : memref<256xi32>
          %r = func.call @scaled(%v, %three) : (i32, i32) -> i32
          %v12 = arith.constant 0 : i32
          %v13 = arith.addi %r, %v12 : i32
          memref.store %v13, %ht[%p] : memref<256xi32, 1>
        }
        air.herd @h2 tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%hb = %sb, %ht = %t, %he = %extra) : memref<256xi32>, memref<256xi32, 1>, i32 {
          %lane = gpu.lane_id
          %v14 = arith.constant 64 : index
          %v15 = arith.muli %tx, %v14 : index
          %p = arith.addi %v15, %lane : index
          %v = func.call @reversed(%ht, %p) : (memref<256xi32, 1>, index) -> i32
          %r = func.call @twice_and(%v, %he) : (i32, i32) -> i32
          %v18 = arith.constant 0 : i32
          %v19 = arith.addi %r, %v18 : i32
          memref.store %v19, %hb[%p] : memref<256xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v20 = arith.constant 255 : index
    %v21 = arith.subi %v20, %i : index
    %v22 = memref.load %in[%v21] : memref<256xi32>
    %v24 = arith.constant 6 : i32
    %v25 = arith.muli %v22, %v24 : i32
    %v26 = arith.constant 0 : index
    %v27 = memref.load %in[%v26] : memref<256xi32>
    %v29 = arith.constant 2 : i32
    %v30 = arith.muli %v27, %v29 : i32
    %v31 = arith.addi %v25, %v30 : i32
    %v33 = arith.constant 7 : i32
    %result = arith.addi %v31, %v33 : i32
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
