// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: pe_parallel_loops: PASS

// scf.parallel and affine loops in PE-level herds, over L2 and L1 tiles: one-
// dimensional, nested, with steps, and with sequential loops around and
// inside.

#sum = affine_map<(d0, d1) -> (d0 + d1)>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_parallel_loops: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_parallel_loops: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<1024xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<512xi32>, memref<1024xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<512xi32>, memref<1024xi32> {
        %c2 = arith.constant 2 : index
        %c1_1 = arith.constant 1 : index
        %t = memref.alloc() : memref<512xi32, 1>
        air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<512xi32, 1>, memref<512xi32>)
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ht = %t, %hb = %sb) : memref<512xi32, 1>, memref<1024xi32> {
          %c0 = arith.constant 0 : index
          %c1_2 = arith.constant 1 : index
          %c2_1 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %c16 = arith.constant 16 : index
          %c8 = arith.constant 8 : index
          %c100 = arith.constant 100 : index
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %v2 = arith.addi %v1, %ty : index
          %v3 = arith.constant 128 : index
          %o = arith.muli %v2, %v3 : index
          %v5 = arith.constant 2 : index
          %o2 = arith.muli %o, %v5 : index
          %mine = memref.alloc() : memref<8x16xi32, 2>
          scf.parallel (%r, %c) = (%c0, %c0) to (%c8, %c16) step (%c1_2, %c1_2) {
            %v7 = arith.constant 16 : index
            %v8 = arith.muli %r, %v7 : index
            %v9 = arith.addi %o, %v8 : index
            %p = arith.addi %v9, %c : index
            %v11 = memref.load %ht[%p] : memref<512xi32, 1>
            %v12 = arith.index_cast %r : index to i32
            %v13 = arith.addi %v11, %v12 : i32
            memref.store %v13, %mine[%r, %c] : memref<8x16xi32, 2>
            scf.reduce
          }
          // Rows one after another, each from the row before.
          scf.for %r = %c1_2 to %c8 step %c1_2 {
            %v14 = arith.constant 1 : index
            %before = arith.subi %r, %v14 : index
            scf.parallel (%c) = (%c0) to (%c16) step (%c1_2) {
              %v16 = arith.constant 15 : index
              %q = arith.subi %v16, %c : index
              %v18 = memref.load %mine[%r, %c] : memref<8x16xi32, 2>
              %v19 = memref.load %mine[%before, %q] : memref<8x16xi32, 2>
              %v20 = arith.addi %v18, %v19 : i32
              memref.store %v20, %mine[%r, %c] : memref<8x16xi32, 2>
              scf.reduce
            }
          }
          affine.for %r = 0 to 8 {
            affine.for %c = 0 to 16 {
              %v = affine.load %mine[%r, %c] : memref<8x16xi32, 2>
              %p = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 * 16 + d2)>(%o2, %r, %c)
              affine.store %v, %hb[symbol(%o2) + %r * 16 + %c] : memref<1024xi32>
            }
          }
          // Every third element of 128, beginning with 1; the others are unchanged.
          affine.parallel (%e) = (1) to (128) step (3) {
            %r = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%e)
            %c = affine.apply affine_map<(d0) -> (d0 mod 16)>(%e)
            %v = affine.load %mine[%e floordiv 16, %e mod 16] : memref<8x16xi32, 2>
            %v22 = arith.constant 2 : i32
            %d = arith.muli %v, %v22 : i32
            %v24 = arith.constant 128 : index
            %v25 = arith.addi %o2, %v24 : index
            %p = arith.addi %v25, %e : index
            %v28 = arith.constant 0 : i32
            %v29 = arith.addi %d, %v28 : i32
            memref.store %v29, %hb[%p] : memref<1024xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %v30 = arith.constant 256 : index
    %pe = arith.divui %i, %v30 : index
    %v32 = arith.constant 128 : index
    %e = arith.remui %i, %v32 : index
    %v34 = arith.constant 16 : index
    %r = arith.divui %e, %v34 : index
    %v36 = arith.constant 16 : index
    %c = arith.remui %e, %v36 : index
    %v38 = arith.constant 128 : index
    %o = arith.muli %pe, %v38 : index
    %zero = arith.constant 0 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %v40 = arith.constant 1 : index
    %end = arith.addi %r, %v40 : index
    // Column c of row r depends on column 15 - c of the row before.
    %v = scf.for %k = %k0 to %end step %k1 iter_args(%acc = %zero) -> (i32) {
      %v42 = arith.subi %r, %k : index
      %v43 = arith.constant 2 : index
      %odd = arith.remui %v42, %v43 : index
      %v45 = arith.constant 1 : index
      %v46 = arith.cmpi eq, %odd, %v45 : index
      %v47 = arith.constant 15 : index
      %v48 = arith.subi %v47, %c : index
      %col = arith.select %v46, %v48, %c : index
      %v50 = arith.constant 16 : index
      %v51 = arith.muli %k, %v50 : index
      %v52 = arith.addi %o, %v51 : index
      %p = arith.addi %v52, %col : index
      %v54 = memref.load %in[%p] : memref<512xi32>
      %v55 = arith.addi %acc, %v54 : i32
      %v56 = arith.index_cast %k : index to i32
      %w = arith.addi %v55, %v56 : i32
      scf.yield %w : i32
    }
    %v58 = arith.constant 256 : index
    %v59 = arith.remui %i, %v58 : index
    %v60 = arith.constant 128 : index
    %first = arith.cmpi ult, %v59, %v60 : index
    %v62 = arith.constant 3 : index
    %v63 = arith.remui %e, %v62 : index
    %v64 = arith.constant 1 : index
    %third = arith.cmpi eq, %v63, %v64 : index
    %v67 = arith.constant 2 : i32
    %twice = arith.muli %v, %v67 : i32
    %v69 = arith.constant -1 : index
    %v70 = arith.index_cast %v69 : index to i32
    %kept = arith.select %third, %twice, %v70 : i32
    %result = arith.select %first, %v, %kept : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<512xi32>
    %out = memref.alloc() : memref<1024xi32>
    scf.for %i = %c0 to %c512 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<512xi32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<1024xi32>
    }
    %din = gpu.alloc () : memref<512xi32>
    %dout = gpu.alloc () : memref<1024xi32>
    gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
    gpu.memcpy %dout, %out : memref<1024xi32>, memref<1024xi32>
    call @test(%din, %dout) : (memref<512xi32>, memref<1024xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xi32>, memref<1024xi32>
    gpu.dealloc %din : memref<512xi32>
    gpu.dealloc %dout : memref<1024xi32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xi32>
      %want = func.call @expected(%in, %i) : (memref<512xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<1024xi32>
      %want = func.call @expected(%in, %at) : (memref<512xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<512xi32>
    memref.dealloc %out : memref<1024xi32>
    return %status : i32
  }
}
