// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: async_tokens: PASS

// Async gpu tokens: allocation, copies, two dependent launches and a wait, all
// on streams.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("async_tokens: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("async_tokens: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %t0 = gpu.wait async
    %tmp, %t1 = gpu.alloc async [%t0] () : memref<256xi32>
    %t2 = gpu.launch async [%t1] blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %v0 = arith.constant 64 : index
      %v1 = arith.muli %bx, %v0 : index
      %p = arith.addi %v1, %tx : index
      %v3 = memref.load %in[%p] : memref<256xi32>
      %v5 = arith.constant 3 : i32
      %v6 = arith.muli %v3, %v5 : i32
      memref.store %v6, %tmp[%p] : memref<256xi32>
      gpu.terminator
    }
    %t3 = gpu.launch async [%t2] blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %v7 = arith.constant 64 : index
      %v8 = arith.muli %bx, %v7 : index
      %p = arith.addi %v8, %tx : index
      %v10 = arith.constant 255 : index
      %v11 = arith.subi %v10, %p : index
      %v12 = memref.load %tmp[%v11] : memref<256xi32>
      %v14 = arith.constant 1 : i32
      %v15 = arith.addi %v12, %v14 : i32
      memref.store %v15, %out[%p] : memref<256xi32>
      gpu.terminator
    }
    %t4 = gpu.dealloc async [%t3] %tmp : memref<256xi32>
    gpu.wait [%t4]
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v16 = arith.constant 255 : index
    %v17 = arith.subi %v16, %i : index
    %v18 = memref.load %in[%v17] : memref<256xi32>
    %v20 = arith.constant 3 : i32
    %v21 = arith.muli %v18, %v20 : i32
    %v23 = arith.constant 1 : i32
    %result = arith.addi %v21, %v23 : i32
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
