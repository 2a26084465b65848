// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: dma_offsets_of_strides: PASS

// As many offsets as strides, but not as many as dimensions: each offset
// counts in the stride of its place.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_offsets_of_strides: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_offsets_of_strides: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %view = memref.reinterpret_cast %in to offset: [0], sizes: [16, 16], strides: [16, 1] : memref<256xi32> to memref<16x16xi32>
    air.launch (%x) in (%sx = %c1) args(%a = %in, %a2 = %view, %b = %out) : memref<256xi32>, memref<16x16xi32>, memref<64xi32> {
      air.segment @s args(%sa = %a, %sa2 = %a2, %sb = %b) : memref<256xi32>, memref<16x16xi32>, memref<64xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %t = memref.alloc() : memref<4x4x4xi32, 1>
        // A 1-D memref seen as 8x32 blocks: 2 * 32 + 3 * 4.
        air.dma_memcpy_nd (%t[0, 0, 0] [4, 8] [8, 1], %sa[%c2, 3] [%c4, 8] [%c32, 1]) {id = 3 : i32} : (memref<4x4x4xi32, 1>, memref<256xi32>)
        // A 2-D memref with three offsets: 1 * 64 + 2 * 16 + 3 * 2.
        air.dma_memcpy_nd (%t[2, 0, 0] [4, 8] [8, 1], %sa2[%c1_1, %c2, 3] [2, 4, 4] [64, %c16, 2]) : (memref<4x4x4xi32, 1>, memref<16x16xi32>)
        // A 3-D memref read with one offset and one stride.
        air.dma_memcpy_nd (%sb[] [] [], %t[0] [64] [1]) : (memref<64xi32>, memref<4x4x4xi32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v0 = arith.constant 32 : index
    %e = arith.remui %i, %v0 : index
    %v2 = arith.constant 64 : index
    %v3 = arith.constant 3 : index
    %v4 = arith.addi %v2, %v3 : index
    %v5 = arith.constant 8 : index
    %v6 = arith.divui %e, %v5 : index
    %v7 = arith.constant 32 : index
    %v8 = arith.muli %v6, %v7 : index
    %v9 = arith.addi %v4, %v8 : index
    %v10 = arith.constant 8 : index
    %v11 = arith.remui %e, %v10 : index
    %first = arith.addi %v9, %v11 : index
    %v13 = arith.constant 102 : index
    %v14 = arith.constant 16 : index
    %v15 = arith.divui %e, %v14 : index
    %v16 = arith.constant 64 : index
    %v17 = arith.muli %v15, %v16 : index
    %v18 = arith.addi %v13, %v17 : index
    %v19 = arith.constant 4 : index
    %v20 = arith.divui %e, %v19 : index
    %v21 = arith.constant 4 : index
    %v22 = arith.remui %v20, %v21 : index
    %v23 = arith.constant 16 : index
    %v24 = arith.muli %v22, %v23 : index
    %v25 = arith.addi %v18, %v24 : index
    %v26 = arith.constant 4 : index
    %v27 = arith.remui %e, %v26 : index
    %v28 = arith.constant 2 : index
    %v29 = arith.muli %v27, %v28 : index
    %second = arith.addi %v25, %v29 : index
    %v31 = arith.constant 32 : index
    %v32 = arith.cmpi ult, %i, %v31 : index
    %p = arith.select %v32, %first, %second : index
    %v34 = memref.load %in[%p] : memref<256xi32>
    %v36 = arith.constant 0 : i32
    %result = arith.addi %v34, %v36 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c64 = arith.constant 64 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<64xi32>
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
    scf.for %i = %c0 to %c64 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<64xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<64xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<64xi32>, memref<64xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<64xi32>) -> ()
    gpu.memcpy %out, %dout : memref<64xi32>, memref<64xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<64xi32>

    %wrong, %at = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<64xi32>
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
      %got = memref.load %out[%at] : memref<64xi32>
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
    memref.dealloc %out : memref<64xi32>
    return %status : i32
  }
}
