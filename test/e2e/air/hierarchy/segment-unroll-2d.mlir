// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: segment_unroll_2d: PASS

// A segment with a two-dimensional space in a two-dimensional launch, once in
// every combination.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_unroll_2d: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_unroll_2d: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<128xi32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    air.launch (%x, %y) in (%sx = %c2, %sy = %c3) args(%b = %out) : memref<128xi32> {
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      air.segment @s unroll (%g, %h) in (%sg = %c4, %sh = %c5) args(%u = %x, %v = %y, %sb = %b) : index, index, memref<128xi32> {
        %v0 = arith.constant 3 : index
        %v1 = arith.muli %u, %v0 : index
        %v2 = arith.addi %v1, %v : index
        %v3 = arith.muli %v2, %sg : index
        %v4 = arith.addi %v3, %g : index
        %v5 = arith.muli %v4, %sh : index
        %p = arith.addi %v5, %h : index
        %v7 = arith.constant 10 : index
        %v8 = arith.muli %g, %v7 : index
        %v9 = arith.addi %v8, %h : index
        %v10 = arith.constant 1 : index
        %v11 = arith.addi %v9, %v10 : index
        %one = arith.index_cast %v11 : index to i32
        %old = memref.atomic_rmw addi %one, %sb[%p] : (i32, memref<128xi32>) -> i32
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    %v13 = arith.constant 5 : index
    %v14 = arith.divui %i, %v13 : index
    %v15 = arith.constant 4 : index
    %g = arith.remui %v14, %v15 : index
    %v17 = arith.constant 5 : index
    %h = arith.remui %i, %v17 : index
    %v19 = arith.constant 10 : index
    %v20 = arith.muli %g, %v19 : index
    %v21 = arith.addi %v20, %h : index
    %v22 = arith.constant 1 : index
    %v = arith.addi %v21, %v22 : index
    %v24 = arith.constant 120 : index
    %v25 = arith.cmpi ult, %i, %v24 : index
    %v26 = arith.constant 0 : index
    %v27 = arith.select %v25, %v, %v26 : index
    %result = arith.index_cast %v27 : index to i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<128xi32>
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
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
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
      %got = memref.load %out[%at] : memref<128xi32>
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
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
