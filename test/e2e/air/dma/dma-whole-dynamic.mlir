// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: dma_whole_dynamic: PASS

// An empty triple with sizes that are only known at run time: it is the whole memref in row-major
// order, also where the other side's box has other dimensions; where that has fewer elements, it is
// a box of that size.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_whole_dynamic: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_whole_dynamic: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<462xi32>) {
    %c1 = arith.constant 1 : index
    // in[0] is 3, in[1] is 10.
    %host = memref.alloc() : memref<512xi32>
    gpu.memcpy %host, %in : memref<512xi32>, memref<512xi32>
    %v0 = arith.constant 0 : index
    %v1 = memref.load %host[%v0] : memref<512xi32>
    %three = arith.index_cast %v1 : i32 to index
    %v3 = arith.constant 1 : index
    %v4 = memref.load %host[%v3] : memref<512xi32>
    %ten = arith.index_cast %v4 : i32 to index
    memref.dealloc %host : memref<512xi32>
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out, %n3 = %three, %n10 = %ten) : memref<512xi32>, memref<462xi32>, index, index {
      air.segment @s args(%sa = %a, %sb = %b, %s3 = %n3, %s10 = %n10) : memref<512xi32>, memref<462xi32>, index, index {
        %v6 = arith.constant 1 : index
        %eleven = arith.addi %s10, %v6 : index
        %t = memref.alloc() : memref<21x11xi32, 1>
        // 11x21 elements into 21x11.
        air.dma_memcpy_nd (%t[] [] [], %sa[5] [%eleven, 21] [22, 1]) : (memref<21x11xi32, 1>, memref<512xi32>)
        air.dma_memcpy_nd (%sb[0] [%eleven, 21] [21, 1], %t[] [] []) : (memref<462xi32>, memref<21x11xi32, 1>)
        // A box of 3x10 at the start of the tile, the rest stays.
        air.dma_memcpy_nd (%t[] [] [], %sa[100] [%s3, %s10] [20, 1]) : (memref<21x11xi32, 1>, memref<512xi32>)
        air.dma_memcpy_nd (%sb[231] [231] [1], %t[] [] []) : (memref<462xi32>, memref<21x11xi32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %v8 = arith.constant 231 : index
    %e = arith.remui %i, %v8 : index
    %v10 = arith.constant 5 : index
    %v11 = arith.constant 21 : index
    %v12 = arith.divui %e, %v11 : index
    %v13 = arith.constant 22 : index
    %v14 = arith.muli %v12, %v13 : index
    %v15 = arith.addi %v10, %v14 : index
    %v16 = arith.constant 21 : index
    %v17 = arith.remui %e, %v16 : index
    %whole = arith.addi %v15, %v17 : index
    %v19 = arith.constant 231 : index
    %v20 = arith.cmpi uge, %i, %v19 : index
    %v21 = arith.constant 11 : index
    %v22 = arith.divui %e, %v21 : index
    %v23 = arith.constant 3 : index
    %v24 = arith.cmpi ult, %v22, %v23 : index
    %v25 = arith.andi %v20, %v24 : i1
    %v26 = arith.constant 11 : index
    %v27 = arith.remui %e, %v26 : index
    %v28 = arith.constant 10 : index
    %v29 = arith.cmpi ult, %v27, %v28 : index
    %boxed = arith.andi %v25, %v29 : i1
    %v31 = arith.constant 100 : index
    %v32 = arith.constant 11 : index
    %v33 = arith.divui %e, %v32 : index
    %v34 = arith.constant 20 : index
    %v35 = arith.muli %v33, %v34 : index
    %v36 = arith.addi %v31, %v35 : index
    %v37 = arith.constant 11 : index
    %v38 = arith.remui %e, %v37 : index
    %box = arith.addi %v36, %v38 : index
    %p = arith.select %boxed, %box, %whole : index
    %v41 = memref.load %in[%p] : memref<512xi32>
    %v43 = arith.constant 0 : i32
    %result = arith.addi %v41, %v43 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %c462 = arith.constant 462 : index
    %in = memref.alloc() : memref<512xi32>
    %out = memref.alloc() : memref<462xi32>
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
    scf.for %i = %c0 to %c462 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<462xi32>
    }
    %din = gpu.alloc () : memref<512xi32>
    %dout = gpu.alloc () : memref<462xi32>
    gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
    gpu.memcpy %dout, %out : memref<462xi32>, memref<462xi32>
    call @test(%din, %dout) : (memref<512xi32>, memref<462xi32>) -> ()
    gpu.memcpy %out, %dout : memref<462xi32>, memref<462xi32>
    gpu.dealloc %din : memref<512xi32>
    gpu.dealloc %dout : memref<462xi32>

    %wrong, %at = scf.for %i = %c0 to %c462 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<462xi32>
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
      %got = memref.load %out[%at] : memref<462xi32>
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
    memref.dealloc %out : memref<462xi32>
    return %status : i32
  }
}
