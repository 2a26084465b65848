// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// CHECK: pe_parallel_reduce: PASS

// scf.parallel with a reduction, scf.forall, a linalg reduction to a scalar
// and one along columns, in PE-level herds.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#col = affine_map<(d0, d1) -> (d1)>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_parallel_reduce: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_parallel_reduce: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<512xi32>, memref<256xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<512xi32>, memref<256xi32> {
        %c2 = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<512xi32>, memref<256xi32> {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c100 = arith.constant 100 : index
          %c128 = arith.constant 128 : index
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %pe = arith.addi %v1, %ty : index
          %v3 = arith.constant 128 : index
          %o = arith.muli %pe, %v3 : index
          %v5 = arith.constant 64 : index
          %to = arith.muli %pe, %v5 : index
          %zero = arith.constant 0 : i32
          %five = arith.constant 5 : i32
          %sum = scf.parallel (%k) = (%c0) to (%c100) step (%c1_1) init (%five) -> i32 {
            %v7 = arith.addi %o, %k : index
            %v = memref.load %ha[%v7] : memref<512xi32>
            scf.reduce(%v : i32) {
            ^bb0(%l: i32, %r: i32):
              %s = arith.addi %l, %r : i32
              scf.reduce.return %s : i32
            }
          }
          %v11 = arith.constant 0 : i32
          %v12 = arith.addi %sum, %v11 : i32
          memref.store %v12, %hb[%to] : memref<256xi32>
          %t = memref.alloc() : memref<8x16xi32, 2>
          air.dma_memcpy_nd (%t[] [] [], %ha[%o] [128] [1]) : (memref<8x16xi32, 2>, memref<512xi32>)
          %m = memref.alloc() : memref<i32, 2>
          %cols = memref.alloc() : memref<16xi32, 2>
          linalg.fill ins(%zero : i32) outs(%m : memref<i32, 2>)
          linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%t : memref<8x16xi32, 2>) outs(%m : memref<i32, 2>) {
          ^bb0(%v: i32, %acc: i32):
            %most = arith.maxsi %v, %acc : i32
            linalg.yield %most : i32
          }
          linalg.fill ins(%zero : i32) outs(%cols : memref<16xi32, 2>)
          linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%t : memref<8x16xi32, 2>) outs(%cols : memref<16xi32, 2>) {
          ^bb0(%v: i32, %acc: i32):
            %v15 = arith.constant 2 : i32
            %v16 = arith.muli %acc, %v15 : i32
            %s = arith.addi %v16, %v : i32
            linalg.yield %s : i32
          }
          %most = memref.load %m[] : memref<i32, 2>
          %v18 = arith.constant 1 : index
          %to1 = arith.addi %to, %v18 : index
          memref.store %most, %hb[%to1] : memref<256xi32>
          scf.forall (%k) in (16) {
            %v20 = arith.constant 2 : index
            %v21 = arith.addi %to, %v20 : index
            %p = arith.addi %v21, %k : index
            %v23 = memref.load %cols[%k] : memref<16xi32, 2>
            memref.store %v23, %hb[%p] : memref<256xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %v24 = arith.constant 64 : index
    %pe = arith.divui %i, %v24 : index
    %v26 = arith.constant 64 : index
    %k = arith.remui %i, %v26 : index
    %v28 = arith.constant 128 : index
    %o = arith.muli %pe, %v28 : index
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k8 = arith.constant 8 : index
    %k100 = arith.constant 100 : index
    %k128 = arith.constant 128 : index
    %sum = scf.for %e = %k0 to %k100 step %k1 iter_args(%acc = %five) -> (i32) {
      %p = arith.addi %o, %e : index
      %v31 = memref.load %in[%p] : memref<512xi32>
      %w = arith.addi %acc, %v31 : i32
      scf.yield %w : i32
    }
    %most = scf.for %e = %k0 to %k128 step %k1 iter_args(%acc = %zero) -> (i32) {
      %p = arith.addi %o, %e : index
      %v34 = memref.load %in[%p] : memref<512xi32>
      %w = arith.maxsi %acc, %v34 : i32
      scf.yield %w : i32
    }
    %v36 = arith.constant 14 : index
    %v37 = arith.addi %k, %v36 : index
    %v38 = arith.constant 16 : index
    %column = arith.remui %v37, %v38 : index
    %col = scf.for %r = %k0 to %k8 step %k1 iter_args(%acc = %zero) -> (i32) {
      %v40 = arith.constant 16 : index
      %v41 = arith.muli %r, %v40 : index
      %v42 = arith.addi %o, %v41 : index
      %p = arith.addi %v42, %column : index
      %v45 = arith.constant 2 : i32
      %v46 = arith.muli %acc, %v45 : i32
      %v47 = memref.load %in[%p] : memref<512xi32>
      %w = arith.addi %v46, %v47 : i32
      scf.yield %w : i32
    }
    %v49 = arith.constant 0 : index
    %v50 = arith.cmpi eq, %k, %v49 : index
    %v51 = arith.constant 1 : index
    %v52 = arith.cmpi eq, %k, %v51 : index
    %v53 = arith.constant 18 : index
    %v54 = arith.cmpi ult, %k, %v53 : index
    %v56 = arith.constant 0 : i32
    %v57 = arith.select %v54, %col, %v56 : i32
    %v58 = arith.select %v52, %most, %v57 : i32
    %result = arith.select %v50, %sum, %v58 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<512xi32>
    %out = memref.alloc() : memref<256xi32>
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
    scf.for %i = %c0 to %c256 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<256xi32>
    }
    %din = gpu.alloc () : memref<512xi32>
    %dout = gpu.alloc () : memref<256xi32>
    gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
    gpu.memcpy %dout, %out : memref<256xi32>, memref<256xi32>
    call @test(%din, %dout) : (memref<512xi32>, memref<256xi32>) -> ()
    gpu.memcpy %out, %dout : memref<256xi32>, memref<256xi32>
    gpu.dealloc %din : memref<512xi32>
    gpu.dealloc %dout : memref<256xi32>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xi32>
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
      %got = memref.load %out[%at] : memref<256xi32>
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
    memref.dealloc %out : memref<256xi32>
    return %status : i32
  }
}
