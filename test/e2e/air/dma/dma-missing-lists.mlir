// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: dma_missing_lists: PASS

// DMAs without strides step through the memref's own dimensions; without sizes
// they take the other side's; empty triples are whole memrefs in row-major
// order, whatever their shapes.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_missing_lists: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_missing_lists: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi16>, %out: memref<192xi16>) {
    %c1 = arith.constant 1 : index
    %view = memref.reinterpret_cast %in to offset: [0], sizes: [16, 32], strides: [32, 1] : memref<512xi16> to memref<16x32xi16>
    %result = memref.reinterpret_cast %out to offset: [0], sizes: [6, 32], strides: [32, 1] : memref<192xi16> to memref<6x32xi16>
    air.launch (%x) in (%sx = %c1) args(%a = %view, %b = %result) : memref<16x32xi16>, memref<6x32xi16> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<16x32xi16>, memref<6x32xi16> {
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c5 = arith.constant 5 : index
        %c8 = arith.constant 8 : index
        %t = memref.alloc() : memref<4x8xi16, 1>
        %u = memref.alloc() : memref<8x4xi16, 1>
        %v = memref.alloc() : memref<2x2x8xi16, 1>
        %w = memref.alloc() : memref<64xi16, 1>
        // Sizes and no strides: the box of 4x8 at (3, 5).
        air.dma_memcpy_nd (%t[] [] [], %sa[%c3, %c5] [%c4, %c8] []) : (memref<4x8xi16, 1>, memref<16x32xi16>)
        // Whole to whole, other shapes.
        air.dma_memcpy_nd (%u[] [] [], %t[] [] []) : (memref<8x4xi16, 1>, memref<4x8xi16, 1>)
        air.dma_memcpy_nd (%v[] [] [], %u[] [] []) : (memref<2x2x8xi16, 1>, memref<8x4xi16, 1>)
        air.dma_memcpy_nd (%sb[0, 0] [1, 32] [], %v[] [] []) : (memref<6x32xi16>, memref<2x2x8xi16, 1>)
        // Offsets alone: the other side's sizes, 4x8, at (7, 9).
        air.dma_memcpy_nd (%t[0, 0] [4, 8] [], %sa[7, 9] [] []) : (memref<4x8xi16, 1>, memref<16x32xi16>)
        air.dma_memcpy_nd (%sb[1, 0] [1, 32] [], %t[] [] []) : (memref<6x32xi16>, memref<4x8xi16, 1>)
        // Offsets alone against sizes: 2x32 at (10, 0).
        air.dma_memcpy_nd (%w[0] [64] [1], %sa[10, 0] [2, 32] []) : (memref<64xi16, 1>, memref<16x32xi16>)
        air.dma_memcpy_nd (%sb[2, 0] [2, 32] [], %w[] [] []) : (memref<6x32xi16>, memref<64xi16, 1>)
        air.dma_memcpy_nd (%sb[4, 0] [] [], %sa[12, 0] [2, 32] [32, 1]) : (memref<6x32xi16>, memref<16x32xi16>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi16>, %i: index) -> i16 {
    %v0 = arith.constant 32 : index
    %e = arith.remui %i, %v0 : index
    %v2 = arith.constant 32 : index
    %g = arith.divui %i, %v2 : index
    %v4 = arith.constant 8 : index
    %v5 = arith.divui %e, %v4 : index
    %v6 = arith.constant 3 : index
    %v7 = arith.addi %v5, %v6 : index
    %v8 = arith.constant 32 : index
    %v9 = arith.muli %v7, %v8 : index
    %v10 = arith.constant 8 : index
    %v11 = arith.remui %e, %v10 : index
    %v12 = arith.addi %v9, %v11 : index
    %v13 = arith.constant 5 : index
    %first = arith.addi %v12, %v13 : index
    %v15 = arith.constant 8 : index
    %v16 = arith.divui %e, %v15 : index
    %v17 = arith.constant 7 : index
    %v18 = arith.addi %v16, %v17 : index
    %v19 = arith.constant 32 : index
    %v20 = arith.muli %v18, %v19 : index
    %v21 = arith.constant 8 : index
    %v22 = arith.remui %e, %v21 : index
    %v23 = arith.addi %v20, %v22 : index
    %v24 = arith.constant 9 : index
    %second = arith.addi %v23, %v24 : index
    %v26 = arith.constant 2 : index
    %v27 = arith.subi %g, %v26 : index
    %v28 = arith.constant 10 : index
    %v29 = arith.addi %v27, %v28 : index
    %v30 = arith.constant 32 : index
    %v31 = arith.muli %v29, %v30 : index
    %third = arith.addi %v31, %e : index
    %v33 = arith.constant 4 : index
    %v34 = arith.subi %g, %v33 : index
    %v35 = arith.constant 12 : index
    %v36 = arith.addi %v34, %v35 : index
    %v37 = arith.constant 32 : index
    %v38 = arith.muli %v36, %v37 : index
    %fourth = arith.addi %v38, %e : index
    %v40 = arith.constant 0 : index
    %v41 = arith.cmpi eq, %g, %v40 : index
    %v42 = arith.constant 1 : index
    %v43 = arith.cmpi eq, %g, %v42 : index
    %v44 = arith.constant 4 : index
    %v45 = arith.cmpi ult, %g, %v44 : index
    %v46 = arith.select %v45, %third, %fourth : index
    %v47 = arith.select %v43, %second, %v46 : index
    %p = arith.select %v41, %first, %v47 : index
    %v49 = memref.load %in[%p] : memref<512xi16>
    %v51 = arith.constant 0 : i16
    %result = arith.addi %v49, %v51 : i16
    return %result : i16
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %c192 = arith.constant 192 : index
    %in = memref.alloc() : memref<512xi16>
    %out = memref.alloc() : memref<192xi16>
    scf.for %i = %c0 to %c512 step %c1 {
      %v0 = arith.constant 509 : index
      %v1 = arith.remui %i, %v0 : index
      %v2 = arith.index_cast %v1 : index to i16
      memref.store %v2, %in[%i] : memref<512xi16>
    }
    scf.for %i = %c0 to %c192 step %c1 {
      %v4 = arith.constant -1 : i16
      memref.store %v4, %out[%i] : memref<192xi16>
    }
    %din = gpu.alloc () : memref<512xi16>
    %dout = gpu.alloc () : memref<192xi16>
    gpu.memcpy %din, %in : memref<512xi16>, memref<512xi16>
    gpu.memcpy %dout, %out : memref<192xi16>, memref<192xi16>
    call @test(%din, %dout) : (memref<512xi16>, memref<192xi16>) -> ()
    gpu.memcpy %out, %dout : memref<192xi16>, memref<192xi16>
    gpu.dealloc %din : memref<512xi16>
    gpu.dealloc %dout : memref<192xi16>

    %wrong, %at = scf.for %i = %c0 to %c192 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<192xi16>
      %want = func.call @expected(%in, %i) : (memref<512xi16>, index) -> i16
      %differs = arith.cmpi ne, %got, %want : i16
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
      %got = memref.load %out[%at] : memref<192xi16>
      %want = func.call @expected(%in, %at) : (memref<512xi16>, index) -> i16
      %got_shown = arith.extsi %got : i16 to i64
      %want_shown = arith.extsi %want : i16 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<512xi16>
    memref.dealloc %out : memref<192xi16>
    return %status : i32
  }
}
