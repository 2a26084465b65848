// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: tile_ids_2d_herd: PASS

// A 2-D herd of PEs that name no lane: x and y ids and sizes, once for each
// PE.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("tile_ids_2d_herd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("tile_ids_2d_herd: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<15xi32>, %out: memref<45xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<15xi32>, memref<45xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<15xi32>, memref<45xi32> {
        %c3 = arith.constant 3 : index
        %c5 = arith.constant 5 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c3, %nty = %c5) args(%ha = %sa, %hb = %sb) : memref<15xi32>, memref<45xi32> {
          %v0 = arith.muli %tx, %nty : index
          %p = arith.addi %v0, %ty : index
          %v2 = arith.constant 5 : index
          %v3 = arith.muli %tx, %v2 : index
          %v4 = arith.addi %v3, %ty : index
          %v5 = arith.constant 3 : index
          %q = arith.muli %v4, %v5 : index
          %v7 = memref.load %ha[%p] : memref<15xi32>
          %v8 = arith.constant 100 : index
          %v9 = arith.muli %tx, %v8 : index
          %v10 = arith.constant 10 : index
          %v11 = arith.muli %ty, %v10 : index
          %v12 = arith.addi %v9, %v11 : index
          %v13 = arith.addi %v12, %ntx : index
          %v14 = arith.index_cast %v13 : index to i32
          %v15 = arith.addi %v7, %v14 : i32
          memref.store %v15, %hb[%q] : memref<45xi32>
          %v16 = arith.constant 1 : index
          %v17 = arith.addi %q, %v16 : index
          %v18 = memref.load %hb[%v17] : memref<45xi32>
          %v20 = arith.constant 1 : i32
          %v21 = arith.addi %v18, %v20 : i32
          %v22 = arith.constant 1 : index
          %v23 = arith.addi %q, %v22 : index
          memref.store %v21, %hb[%v23] : memref<45xi32>
          %v24 = arith.index_cast %nty : index to i32
          %v25 = arith.constant 2 : index
          %v26 = arith.addi %q, %v25 : index
          memref.store %v24, %hb[%v26] : memref<45xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<15xi32>, %i: index) -> i32 {
    %v27 = arith.constant 3 : index
    %p = arith.divui %i, %v27 : index
    %v29 = arith.constant 3 : index
    %k = arith.remui %i, %v29 : index
    %v31 = memref.load %in[%p] : memref<15xi32>
    %v32 = arith.constant 5 : index
    %v33 = arith.divui %p, %v32 : index
    %v34 = arith.constant 100 : index
    %v35 = arith.muli %v33, %v34 : index
    %v36 = arith.constant 5 : index
    %v37 = arith.remui %p, %v36 : index
    %v38 = arith.constant 10 : index
    %v39 = arith.muli %v37, %v38 : index
    %v40 = arith.addi %v35, %v39 : index
    %v41 = arith.constant 3 : index
    %v42 = arith.addi %v40, %v41 : index
    %v43 = arith.index_cast %v42 : index to i32
    %first = arith.addi %v31, %v43 : i32
    %v45 = arith.constant 0 : index
    %v46 = arith.cmpi eq, %k, %v45 : index
    %v47 = arith.constant 1 : index
    %v48 = arith.cmpi eq, %k, %v47 : index
    %v50 = arith.constant 1 : i32
    %v52 = arith.constant 5 : i32
    %v53 = arith.select %v48, %v50, %v52 : i32
    %result = arith.select %v46, %first, %v53 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c15 = arith.constant 15 : index
    %c45 = arith.constant 45 : index
    %in = memref.alloc() : memref<15xi32>
    %out = memref.alloc() : memref<45xi32>
    scf.for %i = %c0 to %c15 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<15xi32>
    }
    scf.for %i = %c0 to %c45 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<45xi32>
    }
    %din = gpu.alloc () : memref<15xi32>
    %dout = gpu.alloc () : memref<45xi32>
    gpu.memcpy %din, %in : memref<15xi32>, memref<15xi32>
    gpu.memcpy %dout, %out : memref<45xi32>, memref<45xi32>
    call @test(%din, %dout) : (memref<15xi32>, memref<45xi32>) -> ()
    gpu.memcpy %out, %dout : memref<45xi32>, memref<45xi32>
    gpu.dealloc %din : memref<15xi32>
    gpu.dealloc %dout : memref<45xi32>

    %wrong, %at = scf.for %i = %c0 to %c45 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<45xi32>
      %want = func.call @expected(%in, %i) : (memref<15xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<45xi32>
      %want = func.call @expected(%in, %at) : (memref<15xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<15xi32>
    memref.dealloc %out : memref<45xi32>
    return %status : i32
  }
}
