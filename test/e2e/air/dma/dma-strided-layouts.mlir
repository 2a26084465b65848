// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// CHECK: dma_strided_layouts: PASS

// DMAs between memrefs with strided layouts and offsets, static and dynamic:
// the descriptor's offset counts, and offsets count in the layout's strides.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_strided_layouts: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_strided_layouts: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1000xf32>, %out: memref<200xf32>) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c50 = arith.constant 50 : index
    %static = memref.reinterpret_cast %in to offset: [13], sizes: [8, 20], strides: [41, 2] : memref<1000xf32> to memref<8x20xf32, strided<[41, 2], offset: 13>>
    %flexible = memref.reinterpret_cast %in to offset: [%c7], sizes: [%c7, %c50], strides: [%c50, %c1] : memref<1000xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    air.launch (%x) in (%sx = %c1) args(%a = %static, %d = %flexible, %b = %out) : memref<8x20xf32, strided<[41, 2], offset: 13>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<200xf32> {
      air.segment @s args(%sa = %a, %sd = %d, %sb = %b) : memref<8x20xf32, strided<[41, 2], offset: 13>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<200xf32> {
        %c2 = arith.constant 2 : index
        %c3_1 = arith.constant 3 : index
        %t = memref.alloc() : memref<5x10xf32, 1>
        // A box of 5x10 at (2, 3): no strides, so the layout's own.
        air.dma_memcpy_nd (%t[] [] [], %sa[%c2, %c3_1] [5, 10] []) : (memref<5x10xf32, 1>, memref<8x20xf32, strided<[41, 2], offset: 13>>)
        air.dma_memcpy_nd (%sb[0] [50] [1], %t[] [] []) : (memref<200xf32>, memref<5x10xf32, 1>)
        // Strides given: elements of the flattened buffer.
        air.dma_memcpy_nd (%t[] [] [], %sa[%c2, %c3_1] [5, 10] [3, 1]) : (memref<5x10xf32, 1>, memref<8x20xf32, strided<[41, 2], offset: 13>>)
        air.dma_memcpy_nd (%sb[50] [50] [1], %t[] [] []) : (memref<200xf32>, memref<5x10xf32, 1>)
        air.dma_memcpy_nd (%t[] [] [], %sd[1, %c2] [5, 10] []) : (memref<5x10xf32, 1>, memref<?x?xf32, strided<[?, ?], offset: ?>>)
        air.dma_memcpy_nd (%sb[100] [50] [1], %t[] [] []) : (memref<200xf32>, memref<5x10xf32, 1>)
        // A part of the L2 tile, by a subview: its middle 3x4 gets other values.
        %middle = memref.subview %t[1, 2] [3, 4] [1, 2] : memref<5x10xf32, 1> to memref<3x4xf32, strided<[10, 2], offset: 12>, 1>
        air.dma_memcpy_nd (%middle[] [] [], %sd[0, 0] [3, 4] []) : (memref<3x4xf32, strided<[10, 2], offset: 12>, 1>, memref<?x?xf32, strided<[?, ?], offset: ?>>)
        air.dma_memcpy_nd (%sb[150] [50] [1], %t[] [] []) : (memref<200xf32>, memref<5x10xf32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1000xf32>, %i: index) -> f32 {
    %v0 = arith.constant 50 : index
    %g = arith.divui %i, %v0 : index
    %v2 = arith.constant 50 : index
    %e = arith.remui %i, %v2 : index
    %v4 = arith.constant 10 : index
    %r = arith.divui %e, %v4 : index
    %v6 = arith.constant 10 : index
    %c = arith.remui %e, %v6 : index
    %v8 = arith.constant 13 : index
    %v9 = arith.constant 2 : index
    %v10 = arith.addi %v9, %r : index
    %v11 = arith.constant 41 : index
    %v12 = arith.muli %v10, %v11 : index
    %v13 = arith.addi %v8, %v12 : index
    %v14 = arith.constant 3 : index
    %v15 = arith.addi %v14, %c : index
    %v16 = arith.constant 2 : index
    %v17 = arith.muli %v15, %v16 : index
    %first = arith.addi %v13, %v17 : index
    %v19 = arith.constant 13 : index
    %v20 = arith.constant 82 : index
    %v21 = arith.addi %v19, %v20 : index
    %v22 = arith.constant 6 : index
    %v23 = arith.addi %v21, %v22 : index
    %v24 = arith.constant 3 : index
    %v25 = arith.muli %r, %v24 : index
    %v26 = arith.addi %v23, %v25 : index
    %second = arith.addi %v26, %c : index
    %v28 = arith.constant 7 : index
    %v29 = arith.constant 1 : index
    %v30 = arith.addi %v29, %r : index
    %v31 = arith.constant 50 : index
    %v32 = arith.muli %v30, %v31 : index
    %v33 = arith.addi %v28, %v32 : index
    %v34 = arith.constant 2 : index
    %v35 = arith.addi %v33, %v34 : index
    %third = arith.addi %v35, %c : index
    %v37 = arith.constant 3 : index
    %v38 = arith.cmpi eq, %g, %v37 : index
    %v39 = arith.constant 1 : index
    %v40 = arith.cmpi uge, %r, %v39 : index
    %v41 = arith.andi %v38, %v40 : i1
    %v42 = arith.constant 4 : index
    %v43 = arith.cmpi ult, %r, %v42 : index
    %v44 = arith.andi %v41, %v43 : i1
    %v45 = arith.constant 2 : index
    %v46 = arith.cmpi uge, %c, %v45 : index
    %v47 = arith.andi %v44, %v46 : i1
    %v48 = arith.constant 9 : index
    %v49 = arith.cmpi ult, %c, %v48 : index
    %v50 = arith.andi %v47, %v49 : i1
    %v51 = arith.constant 2 : index
    %v52 = arith.remui %c, %v51 : index
    %v53 = arith.constant 0 : index
    %v54 = arith.cmpi eq, %v52, %v53 : index
    %changed = arith.andi %v50, %v54 : i1
    %v56 = arith.constant 7 : index
    %v57 = arith.constant 1 : index
    %v58 = arith.subi %r, %v57 : index
    %v59 = arith.constant 50 : index
    %v60 = arith.muli %v58, %v59 : index
    %v61 = arith.addi %v56, %v60 : index
    %v62 = arith.constant 2 : index
    %v63 = arith.subi %c, %v62 : index
    %v64 = arith.constant 2 : index
    %v65 = arith.divui %v63, %v64 : index
    %fourth = arith.addi %v61, %v65 : index
    %v67 = arith.constant 0 : index
    %v68 = arith.cmpi eq, %g, %v67 : index
    %v69 = arith.constant 1 : index
    %v70 = arith.cmpi eq, %g, %v69 : index
    %v71 = arith.select %v70, %second, %third : index
    %v72 = arith.select %v68, %first, %v71 : index
    %p = arith.select %changed, %fourth, %v72 : index
    %v74 = memref.load %in[%p] : memref<1000xf32>
    %v76 = arith.constant 0.0 : f32
    %result = arith.addf %v74, %v76 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1000 = arith.constant 1000 : index
    %c200 = arith.constant 200 : index
    %in = memref.alloc() : memref<1000xf32>
    %out = memref.alloc() : memref<200xf32>
    scf.for %i = %c0 to %c1000 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<1000xf32>
    }
    scf.for %i = %c0 to %c200 step %c1 {
      %v9 = arith.constant -1.0 : f32
      memref.store %v9, %out[%i] : memref<200xf32>
    }
    %din = gpu.alloc () : memref<1000xf32>
    %dout = gpu.alloc () : memref<200xf32>
    gpu.memcpy %din, %in : memref<1000xf32>, memref<1000xf32>
    gpu.memcpy %dout, %out : memref<200xf32>, memref<200xf32>
    call @test(%din, %dout) : (memref<1000xf32>, memref<200xf32>) -> ()
    gpu.memcpy %out, %dout : memref<200xf32>, memref<200xf32>
    gpu.dealloc %din : memref<1000xf32>
    gpu.dealloc %dout : memref<200xf32>

    %wrong, %at = scf.for %i = %c0 to %c200 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<200xf32>
      %want = func.call @expected(%in, %i) : (memref<1000xf32>, index) -> f32
      %differs = arith.cmpf une, %got, %want : f32
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
      %got = memref.load %out[%at] : memref<200xf32>
      %want = func.call @expected(%in, %at) : (memref<1000xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1000xf32>
    memref.dealloc %out : memref<200xf32>
    return %status : i32
  }
}
