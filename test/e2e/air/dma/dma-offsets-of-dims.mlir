// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: dma_offsets_of_dims: PASS

// As many offsets as the memref has dimensions count in the memref's own
// strides, whatever strides the transfer has, also with fewer strides than
// dimensions.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_offsets_of_dims: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_offsets_of_dims: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %view = memref.reinterpret_cast %in to offset: [0], sizes: [16, 16], strides: [16, 1] : memref<256xi32> to memref<16x16xi32>
    air.launch (%x) in (%sx = %c1) args(%a = %view, %b = %out) : memref<16x16xi32>, memref<64xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<16x16xi32>, memref<64xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c5 = arith.constant 5 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %c33 = arith.constant 33 : index
        %c48 = arith.constant 48 : index
        %c3 = arith.constant 3 : index
        %t = memref.alloc() : memref<64xi32, 1>
        // Two strides that are not the memref's: from 1 * 16 + 2, steps of 48 and 3.
        air.dma_memcpy_nd (%t[0] [16] [1], %sa[%c1_1, %c2] [%c4, %c4] [%c48, %c3]) : (memref<64xi32, 1>, memref<16x16xi32>)
        // One stride only, two offsets: from 2 * 16 + 5, steps of 3.
        air.dma_memcpy_nd (%t[16] [16] [1], %sa[%c2, 5] [%c16] [%c3]) : (memref<64xi32, 1>, memref<16x16xi32>)
        // Three strides, two offsets: from 4 * 16 + 1, steps of 33, 16 and 2.
        air.dma_memcpy_nd (%t[32] [16] [1], %sa[4, %c1_1] [2, 4, %c2] [%c33, 16, %c2]) : (memref<64xi32, 1>, memref<16x16xi32>)
        // The same with steps written backwards.
        air.dma_memcpy_nd (%t[48] [16] [1], %sa[4, %c1_1] [2, 4, %c2] [2, %c16, 33]) : (memref<64xi32, 1>, memref<16x16xi32>)
        air.dma_memcpy_nd (%sb[] [] [], %t[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v0 = arith.constant 16 : index
    %e = arith.remui %i, %v0 : index
    %v2 = arith.constant 18 : index
    %v3 = arith.constant 4 : index
    %v4 = arith.divui %e, %v3 : index
    %v5 = arith.constant 48 : index
    %v6 = arith.muli %v4, %v5 : index
    %v7 = arith.addi %v2, %v6 : index
    %v8 = arith.constant 4 : index
    %v9 = arith.remui %e, %v8 : index
    %v10 = arith.constant 3 : index
    %v11 = arith.muli %v9, %v10 : index
    %first = arith.addi %v7, %v11 : index
    %v13 = arith.constant 37 : index
    %v14 = arith.constant 3 : index
    %v15 = arith.muli %e, %v14 : index
    %second = arith.addi %v13, %v15 : index
    %v17 = arith.constant 65 : index
    %v18 = arith.constant 8 : index
    %v19 = arith.divui %e, %v18 : index
    %v20 = arith.constant 33 : index
    %v21 = arith.muli %v19, %v20 : index
    %v22 = arith.addi %v17, %v21 : index
    %v23 = arith.constant 2 : index
    %v24 = arith.divui %e, %v23 : index
    %v25 = arith.constant 4 : index
    %v26 = arith.remui %v24, %v25 : index
    %v27 = arith.constant 16 : index
    %v28 = arith.muli %v26, %v27 : index
    %v29 = arith.addi %v22, %v28 : index
    %v30 = arith.constant 2 : index
    %v31 = arith.remui %e, %v30 : index
    %v32 = arith.constant 2 : index
    %v33 = arith.muli %v31, %v32 : index
    %third = arith.addi %v29, %v33 : index
    %v35 = arith.constant 65 : index
    %v36 = arith.constant 8 : index
    %v37 = arith.divui %e, %v36 : index
    %v38 = arith.constant 2 : index
    %v39 = arith.muli %v37, %v38 : index
    %v40 = arith.addi %v35, %v39 : index
    %v41 = arith.constant 2 : index
    %v42 = arith.divui %e, %v41 : index
    %v43 = arith.constant 4 : index
    %v44 = arith.remui %v42, %v43 : index
    %v45 = arith.constant 16 : index
    %v46 = arith.muli %v44, %v45 : index
    %v47 = arith.addi %v40, %v46 : index
    %v48 = arith.constant 2 : index
    %v49 = arith.remui %e, %v48 : index
    %v50 = arith.constant 33 : index
    %v51 = arith.muli %v49, %v50 : index
    %fourth = arith.addi %v47, %v51 : index
    %v53 = arith.constant 16 : index
    %g = arith.divui %i, %v53 : index
    %v55 = arith.constant 0 : index
    %v56 = arith.cmpi eq, %g, %v55 : index
    %v57 = arith.constant 1 : index
    %v58 = arith.cmpi eq, %g, %v57 : index
    %v59 = arith.constant 2 : index
    %v60 = arith.cmpi eq, %g, %v59 : index
    %v61 = arith.select %v60, %third, %fourth : index
    %v62 = arith.select %v58, %second, %v61 : index
    %p = arith.select %v56, %first, %v62 : index
    %v64 = memref.load %in[%p] : memref<256xi32>
    %v66 = arith.constant 0 : i32
    %result = arith.addi %v64, %v66 : i32
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
