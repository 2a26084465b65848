// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: launch_4d: PASS

// A launch of more dimensions than a grid has.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_4d: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_4d: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<120xi32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    air.launch (%x, %y, %z, %w) in (%sx = %c2, %sy = %c3, %sz = %c4, %sw = %c5) args(%b = %out) : memref<120xi32> {
      %v0 = arith.muli %x, %sy : index
      %v1 = arith.addi %v0, %y : index
      %v2 = arith.muli %v1, %sz : index
      %v3 = arith.addi %v2, %z : index
      %v4 = arith.muli %v3, %sw : index
      %p = arith.addi %v4, %w : index
      %v6 = arith.constant 1000 : index
      %v7 = arith.muli %x, %v6 : index
      %v8 = arith.constant 100 : index
      %v9 = arith.muli %y, %v8 : index
      %v10 = arith.addi %v7, %v9 : index
      %v11 = arith.constant 10 : index
      %v12 = arith.muli %z, %v11 : index
      %v13 = arith.addi %v10, %v12 : index
      %v14 = arith.addi %v13, %w : index
      %v15 = arith.index_cast %v14 : index to i32
      memref.store %v15, %b[%p] : memref<120xi32>
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    %v16 = arith.constant 60 : index
    %v17 = arith.divui %i, %v16 : index
    %v18 = arith.constant 1000 : index
    %v19 = arith.muli %v17, %v18 : index
    %v20 = arith.constant 20 : index
    %v21 = arith.divui %i, %v20 : index
    %v22 = arith.constant 3 : index
    %v23 = arith.remui %v21, %v22 : index
    %v24 = arith.constant 100 : index
    %v25 = arith.muli %v23, %v24 : index
    %v26 = arith.addi %v19, %v25 : index
    %v27 = arith.constant 5 : index
    %v28 = arith.divui %i, %v27 : index
    %v29 = arith.constant 4 : index
    %v30 = arith.remui %v28, %v29 : index
    %v31 = arith.constant 10 : index
    %v32 = arith.muli %v30, %v31 : index
    %v33 = arith.addi %v26, %v32 : index
    %v34 = arith.constant 5 : index
    %v35 = arith.remui %i, %v34 : index
    %v36 = arith.addi %v33, %v35 : index
    %result = arith.index_cast %v36 : index to i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c120 = arith.constant 120 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<120xi32>
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
    scf.for %i = %c0 to %c120 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<120xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<120xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<120xi32>, memref<120xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<120xi32>) -> ()
    gpu.memcpy %out, %dout : memref<120xi32>, memref<120xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<120xi32>

    %wrong, %at = scf.for %i = %c0 to %c120 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<120xi32>
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
      %got = memref.load %out[%at] : memref<120xi32>
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
    memref.dealloc %out : memref<120xi32>
    return %status : i32
  }
}
