// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: pe_linalg: PASS

// linalg ops on named shapes in PE-level herds: fill, copy, matmul, transpose,
// a reduction and an elementwise generic with linalg.index.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_linalg: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_linalg: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xf32>, %out: memref<1024xf32>) {
    %c1 = arith.constant 1 : index
    %A = memref.reinterpret_cast %in to offset: [0], sizes: [16, 16], strides: [16, 1] : memref<512xf32> to memref<16x16xf32>
    %B = memref.reinterpret_cast %in to offset: [256], sizes: [16, 16], strides: [16, 1] : memref<512xf32> to memref<16x16xf32, strided<[16, 1], offset: 256>>
    air.launch (%x) in (%sx = %c1) args(%a = %A, %b = %B, %o = %out) : memref<16x16xf32>, memref<16x16xf32, strided<[16, 1], offset: 256>>, memref<1024xf32> {
      air.segment @s args(%sa = %a, %sb = %b, %so = %o) : memref<16x16xf32>, memref<16x16xf32, strided<[16, 1], offset: 256>>, memref<1024xf32> {
        %c2 = arith.constant 2 : index
        // PE (tx, ty) makes the 8x8 block (ty, tx) of A * B.
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb, %ho = %so) : memref<16x16xf32>, memref<16x16xf32, strided<[16, 1], offset: 256>>, memref<1024xf32> {
          %c0 = arith.constant 0 : index
          %c8 = arith.constant 8 : index
          %zero = arith.constant 0.0 : f32
          %v0 = arith.constant 8 : index
          %r = arith.muli %ty, %v0 : index
          %v2 = arith.constant 8 : index
          %c = arith.muli %tx, %v2 : index
          %v4 = arith.constant 2 : index
          %v5 = arith.muli %ty, %v4 : index
          %v6 = arith.addi %v5, %tx : index
          %v7 = arith.constant 256 : index
          %to = arith.muli %v6, %v7 : index
          %ta = memref.alloc() : memref<8x16xf32, 2>
          %tb = memref.alloc() : memref<16x8xf32, 2>
          %tc = memref.alloc() : memref<8x8xf32, 2>
          %td = memref.alloc() : memref<8x8xf32, 2>
          %te = memref.alloc() : memref<8x8xf32, 2>
          %sums = memref.alloc() : memref<8xf32, 2>
          air.dma_memcpy_nd (%ta[] [] [], %ha[%r, 0] [8, 16] [16, 1]) : (memref<8x16xf32, 2>, memref<16x16xf32>)
          air.dma_memcpy_nd (%tb[] [] [], %hb[0, %c] [16, 8] [16, 1]) : (memref<16x8xf32, 2>, memref<16x16xf32, strided<[16, 1], offset: 256>>)
          linalg.fill ins(%zero : f32) outs(%tc : memref<8x8xf32, 2>)
          linalg.matmul ins(%ta, %tb : memref<8x16xf32, 2>, memref<16x8xf32, 2>) outs(%tc : memref<8x8xf32, 2>)
          linalg.copy ins(%tc : memref<8x8xf32, 2>) outs(%td : memref<8x8xf32, 2>)
          linalg.transpose ins(%td : memref<8x8xf32, 2>) outs(%te : memref<8x8xf32, 2>) permutation = [1, 0]
          linalg.fill ins(%zero : f32) outs(%sums : memref<8xf32, 2>)
          linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%te : memref<8x8xf32, 2>) outs(%sums : memref<8xf32, 2>) {
          ^bb0(%v: f32, %acc: f32):
            %s = arith.addf %v, %acc : f32
            linalg.yield %s : f32
          }
          linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%te, %sums : memref<8x8xf32, 2>, memref<8xf32, 2>) outs(%td : memref<8x8xf32, 2>) {
          ^bb0(%v: f32, %s: f32, %old: f32):
            %i0 = linalg.index 0 : index
            %i1 = linalg.index 1 : index
            %v11 = arith.constant 2.0 : f32
            %v12 = arith.mulf %v, %v11 : f32
            %v13 = arith.addf %v12, %s : f32
            %v14 = arith.addf %v13, %old : f32
            %v15 = arith.constant 100 : index
            %v16 = arith.muli %i0, %v15 : index
            %v17 = arith.addi %v16, %i1 : index
            %v19 = arith.index_cast %v17 : index to i32
            %v20 = arith.sitofp %v19 : i32 to f32
            %w = arith.addf %v14, %v20 : f32
            linalg.yield %w : f32
          }
          air.dma_memcpy_nd (%ho[%to] [64] [1], %tc[] [] []) : (memref<1024xf32>, memref<8x8xf32, 2>)
          %v22 = arith.constant 64 : index
          %to2 = arith.addi %to, %v22 : index
          air.dma_memcpy_nd (%ho[%to2] [64] [1], %te[] [] []) : (memref<1024xf32>, memref<8x8xf32, 2>)
          %v24 = arith.constant 128 : index
          %to3 = arith.addi %to, %v24 : index
          air.dma_memcpy_nd (%ho[%to3] [64] [1], %td[] [] []) : (memref<1024xf32>, memref<8x8xf32, 2>)
          %v26 = arith.constant 192 : index
          %to4 = arith.addi %to, %v26 : index
          air.dma_memcpy_nd (%ho[%to4] [8] [1], %sums[] [] []) : (memref<1024xf32>, memref<8xf32, 2>)
        }
      }
    }
    return
  }
  func.func private @product(%in: memref<512xf32>, %r: index, %c: index) -> f32 {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %dot = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (f32) {
      %v28 = arith.constant 16 : index
      %v29 = arith.muli %r, %v28 : index
      %p = arith.addi %v29, %k : index
      %v31 = arith.constant 256 : index
      %v32 = arith.constant 16 : index
      %v33 = arith.muli %k, %v32 : index
      %v34 = arith.addi %v31, %v33 : index
      %q = arith.addi %v34, %c : index
      %v36 = memref.load %in[%p] : memref<512xf32>
      %v37 = memref.load %in[%q] : memref<512xf32>
      %v38 = arith.mulf %v36, %v37 : f32
      %w = arith.addf %acc, %v38 : f32
      scf.yield %w : f32
    }
    return %dot : f32
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xf32>, %i: index) -> f32 {
    %v40 = arith.constant 256 : index
    %pe = arith.divui %i, %v40 : index
    %v42 = arith.constant 256 : index
    %v43 = arith.remui %i, %v42 : index
    %v44 = arith.constant 64 : index
    %part = arith.divui %v43, %v44 : index
    %v46 = arith.constant 64 : index
    %e = arith.remui %i, %v46 : index
    %v48 = arith.constant 2 : index
    %v49 = arith.divui %pe, %v48 : index
    %v50 = arith.constant 8 : index
    %r0 = arith.muli %v49, %v50 : index
    %v52 = arith.constant 2 : index
    %v53 = arith.remui %pe, %v52 : index
    %v54 = arith.constant 8 : index
    %c0 = arith.muli %v53, %v54 : index
    %v56 = arith.constant 8 : index
    %er = arith.divui %e, %v56 : index
    %v58 = arith.constant 8 : index
    %ec = arith.remui %e, %v58 : index
    %r = arith.addi %r0, %er : index
    %c = arith.addi %c0, %ec : index
    %rt = arith.addi %r0, %ec : index
    %ct = arith.addi %c0, %er : index
    %plain = func.call @product(%in, %r, %c) : (memref<512xf32>, index, index) -> f32
    %turned = func.call @product(%in, %rt, %ct) : (memref<512xf32>, index, index) -> f32
    %zero = arith.constant 0.0 : f32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k8 = arith.constant 8 : index
    // The sum over row er of the transposed block, or over row e of it in the last part.
    %v64 = arith.constant 3 : index
    %v65 = arith.cmpi eq, %part, %v64 : index
    %sum_row = arith.select %v65, %e, %er : index
    %column = arith.addi %c0, %sum_row : index
    %sum = scf.for %k = %k0 to %k8 step %k1 iter_args(%acc = %zero) -> (f32) {
      %row = arith.addi %r0, %k : index
      %v = func.call @product(%in, %row, %column) : (memref<512xf32>, index, index) -> f32
      %w = arith.addf %acc, %v : f32
      scf.yield %w : f32
    }
    %v71 = arith.constant 2.0 : f32
    %v72 = arith.mulf %turned, %v71 : f32
    %v73 = arith.addf %v72, %sum : f32
    %v74 = arith.addf %v73, %plain : f32
    %v75 = arith.constant 100 : index
    %v76 = arith.muli %er, %v75 : index
    %v77 = arith.addi %v76, %ec : index
    %v79 = arith.index_cast %v77 : index to i32
    %v80 = arith.sitofp %v79 : i32 to f32
    %mixed = arith.addf %v74, %v80 : f32
    %v82 = arith.constant 8 : index
    %v83 = arith.cmpi ult, %e, %v82 : index
    %v84 = arith.constant -1 : index
    %v86 = arith.index_cast %v84 : index to i32
    %v87 = arith.sitofp %v86 : i32 to f32
    %tail = arith.select %v83, %sum, %v87 : f32
    %v89 = arith.constant 0 : index
    %v90 = arith.cmpi eq, %part, %v89 : index
    %v91 = arith.constant 1 : index
    %v92 = arith.cmpi eq, %part, %v91 : index
    %v93 = arith.constant 2 : index
    %v94 = arith.cmpi eq, %part, %v93 : index
    %v95 = arith.select %v94, %mixed, %tail : f32
    %v96 = arith.select %v92, %turned, %v95 : f32
    %result = arith.select %v90, %plain, %v96 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<512xf32>
    %out = memref.alloc() : memref<1024xf32>
    scf.for %i = %c0 to %c512 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 17 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v8 = arith.constant 8 : i32
      %v9 = arith.subi %v6, %v8 : i32
      %v10 = arith.sitofp %v9 : i32 to f32
      memref.store %v10, %in[%i] : memref<512xf32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %v12 = arith.constant -1.0 : f32
      memref.store %v12, %out[%i] : memref<1024xf32>
    }
    %din = gpu.alloc () : memref<512xf32>
    %dout = gpu.alloc () : memref<1024xf32>
    gpu.memcpy %din, %in : memref<512xf32>, memref<512xf32>
    gpu.memcpy %dout, %out : memref<1024xf32>, memref<1024xf32>
    call @test(%din, %dout) : (memref<512xf32>, memref<1024xf32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xf32>, memref<1024xf32>
    gpu.dealloc %din : memref<512xf32>
    gpu.dealloc %dout : memref<1024xf32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xf32>
      %want = func.call @expected(%in, %i) : (memref<512xf32>, index) -> f32
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
      %got = memref.load %out[%at] : memref<1024xf32>
      %want = func.call @expected(%in, %at) : (memref<512xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<512xf32>
    memref.dealloc %out : memref<1024xf32>
    return %status : i32
  }
}
