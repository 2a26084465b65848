// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: subviews_of_l2: PASS

// memref.subview, cast, reinterpret_cast, collapse_shape, expand_shape and
// transpose of L2 buffers, on memory space 1, made in the segment and in
// herds.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("subviews_of_l2: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("subviews_of_l2: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xf32>, %out: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<512xf32>, memref<512xf32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<512xf32>, memref<512xf32> {
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %t = memref.alloc() : memref<16x32xf32, 1>
        air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<16x32xf32, 1>, memref<512xf32>)
        %half = memref.subview %t[8, 0] [8, 32] [1, 1] : memref<16x32xf32, 1> to memref<8x32xf32, strided<[32, 1], offset: 256>, 1>
        %dyn = memref.cast %t : memref<16x32xf32, 1> to memref<?x?xf32, 1>
        %flat = memref.collapse_shape %t [[0, 1]] : memref<16x32xf32, 1> into memref<512xf32, 1>
        %blocks = memref.expand_shape %flat [[0, 1, 2]] output_shape [4, 4, 32] : memref<512xf32, 1> into memref<4x4x32xf32, 1>
        %re = memref.reinterpret_cast %t to offset: [0], sizes: [128], strides: [1] : memref<16x32xf32, 1> to memref<128xf32, strided<[1]>, 1>
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%hh = %half, %hd = %dyn, %hbl = %blocks, %hr = %re, %hb = %sb) : memref<8x32xf32, strided<[32, 1], offset: 256>, 1>, memref<?x?xf32, 1>, memref<4x4x32xf32, 1>, memref<128xf32, strided<[1]>, 1>, memref<512xf32> {
          %lane = gpu.lane_id
          %v0 = arith.constant 32 : index
          %v1 = arith.divui %lane, %v0 : index
          %v2 = arith.constant 2 : index
          %v3 = arith.muli %tx, %v2 : index
          %r = arith.addi %v1, %v3 : index
          %v5 = arith.constant 32 : index
          %c = arith.remui %lane, %v5 : index
          // Rows 8 to 15 and, from those, backwards.
          %v7 = arith.constant 32 : index
          %v8 = arith.muli %r, %v7 : index
          %p = arith.addi %v8, %c : index
          %v10 = arith.constant 7 : index
          %v11 = arith.subi %v10, %r : index
          %v12 = arith.constant 31 : index
          %v13 = arith.subi %v12, %c : index
          %v14 = memref.load %hh[%v11, %v13] : memref<8x32xf32, strided<[32, 1], offset: 256>, 1>
          memref.store %v14, %hb[%p] : memref<512xf32>
          // Two elements per lane of 8 more rows: 2 by the cast, 2 by blocks, 4 by the rest.
          %v15 = arith.constant 0 : index
          %v16 = arith.cmpi eq, %tx, %v15 : index
          scf.if %v16 {
            %v17 = arith.constant 256 : index
            %p2 = arith.addi %v17, %lane : index
            %v19 = memref.load %hd[%r, %c] : memref<?x?xf32, 1>
            %v21 = arith.constant 2.0 : f32
            %v22 = arith.mulf %v19, %v21 : f32
            memref.store %v22, %hb[%p2] : memref<512xf32>
          }
          %v23 = arith.constant 1 : index
          %v24 = arith.cmpi eq, %tx, %v23 : index
          scf.if %v24 {
            %v25 = arith.constant 320 : index
            %p3 = arith.addi %v25, %lane : index
            %v27 = arith.constant 32 : index
            %q = arith.divui %lane, %v27 : index
            %v29 = arith.constant 3 : index
            %v30 = memref.load %hbl[%v29, %q, %c] : memref<4x4x32xf32, 1>
            %v32 = arith.constant 3.0 : f32
            %v33 = arith.mulf %v30, %v32 : f32
            memref.store %v33, %hb[%p3] : memref<512xf32>
          }
          %v34 = arith.constant 2 : index
          %v35 = arith.cmpi eq, %tx, %v34 : index
          scf.if %v35 {
            %v36 = arith.constant 384 : index
            %p4 = arith.addi %v36, %lane : index
            %v38 = arith.constant 127 : index
            %v39 = arith.subi %v38, %lane : index
            %v40 = memref.load %hr[%v39] : memref<128xf32, strided<[1]>, 1>
            memref.store %v40, %hb[%p4] : memref<512xf32>
          }
          %v41 = arith.constant 3 : index
          %v42 = arith.cmpi eq, %tx, %v41 : index
          scf.if %v42 {
            %part = memref.subview %hd[2, 3] [4, 16] [2, 1] : memref<?x?xf32, 1> to memref<4x16xf32, strided<[?, 1], offset: ?>, 1>
            %turned = memref.transpose %part (d0, d1) -> (d1, d0) : memref<4x16xf32, strided<[?, 1], offset: ?>, 1> to memref<16x4xf32, strided<[1, ?], offset: ?>, 1>
            %v43 = arith.constant 448 : index
            %p5 = arith.addi %v43, %lane : index
            %v45 = arith.constant 4 : index
            %v46 = arith.divui %lane, %v45 : index
            %v47 = arith.constant 4 : index
            %v48 = arith.remui %lane, %v47 : index
            %v49 = memref.load %turned[%v46, %v48] : memref<16x4xf32, strided<[1, ?], offset: ?>, 1>
            memref.store %v49, %hb[%p5] : memref<512xf32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xf32>, %i: index) -> f32 {
    %v50 = arith.constant 64 : index
    %lane = arith.remui %i, %v50 : index
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %v58 = arith.constant 511 : index
    %first = arith.subi %v58, %i : index
    %v60 = arith.constant 0 : index
    %p2 = arith.addi %lane, %v60 : index
    %v62 = arith.constant 12 : index
    %v63 = arith.constant 32 : index
    %v64 = arith.muli %v62, %v63 : index
    %p3 = arith.addi %v64, %lane : index
    %v66 = arith.constant 127 : index
    %p4 = arith.subi %v66, %lane : index
    %v68 = arith.constant 2 : index
    %v69 = arith.constant 4 : index
    %v70 = arith.remui %lane, %v69 : index
    %v71 = arith.constant 2 : index
    %v72 = arith.muli %v70, %v71 : index
    %v73 = arith.addi %v68, %v72 : index
    %v74 = arith.constant 32 : index
    %v75 = arith.muli %v73, %v74 : index
    %v76 = arith.constant 3 : index
    %v77 = arith.addi %v75, %v76 : index
    %v78 = arith.constant 4 : index
    %v79 = arith.divui %lane, %v78 : index
    %p5 = arith.addi %v77, %v79 : index
    %v81 = arith.constant 256 : index
    %v82 = arith.cmpi ult, %i, %v81 : index
    %v83 = arith.constant 320 : index
    %v84 = arith.cmpi ult, %i, %v83 : index
    %v85 = arith.constant 384 : index
    %v86 = arith.cmpi ult, %i, %v85 : index
    %v87 = arith.constant 448 : index
    %v88 = arith.cmpi ult, %i, %v87 : index
    %v89 = arith.select %v88, %p4, %p5 : index
    %v90 = arith.select %v86, %p3, %v89 : index
    %v91 = arith.select %v84, %p2, %v90 : index
    %p = arith.select %v82, %first, %v91 : index
    %v93 = arith.constant 256 : index
    %v94 = arith.cmpi uge, %i, %v93 : index
    %v95 = arith.constant 320 : index
    %v96 = arith.cmpi ult, %i, %v95 : index
    %in_second = arith.andi %v94, %v96 : i1
    %v98 = arith.constant 320 : index
    %v99 = arith.cmpi uge, %i, %v98 : index
    %v100 = arith.constant 384 : index
    %v101 = arith.cmpi ult, %i, %v100 : index
    %in_third = arith.andi %v99, %v101 : i1
    %v103 = arith.select %in_third, %three, %one : f32
    %f = arith.select %in_second, %two, %v103 : f32
    %v105 = memref.load %in[%p] : memref<512xf32>
    %result = arith.mulf %v105, %f : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<512xf32>
    %out = memref.alloc() : memref<512xf32>
    scf.for %i = %c0 to %c512 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<512xf32>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v9 = arith.constant -1.0 : f32
      memref.store %v9, %out[%i] : memref<512xf32>
    }
    %din = gpu.alloc () : memref<512xf32>
    %dout = gpu.alloc () : memref<512xf32>
    gpu.memcpy %din, %in : memref<512xf32>, memref<512xf32>
    gpu.memcpy %dout, %out : memref<512xf32>, memref<512xf32>
    call @test(%din, %dout) : (memref<512xf32>, memref<512xf32>) -> ()
    gpu.memcpy %out, %dout : memref<512xf32>, memref<512xf32>
    gpu.dealloc %din : memref<512xf32>
    gpu.dealloc %dout : memref<512xf32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xf32>
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
      %got = memref.load %out[%at] : memref<512xf32>
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
    memref.dealloc %out : memref<512xf32>
    return %status : i32
  }
}
