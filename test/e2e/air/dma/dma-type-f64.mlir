// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: dma_type_f64: PASS

// DMAs of f64 through L2 and L1, in rows of odd length that start at odd
// places: neither size nor address divides by any wider access.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_type_f64: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_type_f64: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<700xf64>, %out: memref<700xf64>) {
    %c3 = arith.constant 3 : index
    // 9 rows of 13 elements from (20 * x + 1) on, of rows of 25, are copied through L2 and then,
    // row by row, through L1.
    air.launch (%x) in (%sx = %c3) args(%a = %in, %b = %out) : memref<700xf64>, memref<700xf64> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<700xf64>, memref<700xf64> {
        %c1 = arith.constant 1 : index
        %c3_1 = arith.constant 3 : index
        %t = memref.alloc() : memref<9x13xf64, 1>
        %t2 = memref.alloc() : memref<9x13xf64, 1>
        %v0 = arith.constant 227 : index
        %v1 = arith.muli %u, %v0 : index
        %v2 = arith.constant 1 : index
        %o = arith.addi %v1, %v2 : index
        air.dma_memcpy_nd (%t[] [] [], %sa[%o] [9, 13] [25, 1]) : (memref<9x13xf64, 1>, memref<700xf64>)
        air.herd @h tile (%tx, %ty) in (%ntx = %c3_1, %nty = %c1) args(%ht = %t, %ht2 = %t2) : memref<9x13xf64, 1>, memref<9x13xf64, 1> {
          %row = memref.alloc() : memref<13xf64, 2>
          %v4 = arith.constant 0 : index
          %v5 = arith.constant 3 : index
          %v6 = arith.constant 1 : index
          scf.for %k = %v4 to %v5 step %v6 {
            %v7 = arith.constant 3 : index
            %v8 = arith.muli %k, %v7 : index
            %r = arith.addi %v8, %tx : index
            air.dma_memcpy_nd (%row[] [] [], %ht[%r, 0] [1, 13] [13, 1]) : (memref<13xf64, 2>, memref<9x13xf64, 1>)
            %v10 = arith.constant 8 : index
            %to = arith.subi %v10, %r : index
            air.dma_memcpy_nd (%ht2[%to, 0] [13] [1], %row[] [] []) : (memref<9x13xf64, 1>, memref<13xf64, 2>)
          }
        }
        air.dma_memcpy_nd (%sb[%o] [9, 13] [25, 1], %t2[] [] []) : (memref<700xf64>, memref<9x13xf64, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<700xf64>, %i: index) -> f64 {
    %v12 = arith.constant 227 : index
    %x = arith.divui %i, %v12 : index
    %v14 = arith.constant 227 : index
    %v15 = arith.muli %x, %v14 : index
    %v16 = arith.constant 1 : index
    %start = arith.addi %v15, %v16 : index
    %e = arith.subi %i, %start : index
    %v19 = arith.cmpi uge, %i, %start : index
    %v20 = arith.constant 3 : index
    %v21 = arith.cmpi ult, %x, %v20 : index
    %v22 = arith.andi %v19, %v21 : i1
    %v23 = arith.constant 25 : index
    %v24 = arith.divui %e, %v23 : index
    %v25 = arith.constant 9 : index
    %v26 = arith.cmpi ult, %v24, %v25 : index
    %v27 = arith.andi %v22, %v26 : i1
    %v28 = arith.constant 25 : index
    %v29 = arith.remui %e, %v28 : index
    %v30 = arith.constant 13 : index
    %v31 = arith.cmpi ult, %v29, %v30 : index
    %inside = arith.andi %v27, %v31 : i1
    %v33 = arith.constant 8 : index
    %v34 = arith.constant 25 : index
    %v35 = arith.divui %e, %v34 : index
    %v36 = arith.subi %v33, %v35 : index
    %v37 = arith.constant 25 : index
    %v38 = arith.muli %v36, %v37 : index
    %v39 = arith.addi %start, %v38 : index
    %v40 = arith.constant 25 : index
    %v41 = arith.remui %e, %v40 : index
    %v42 = arith.addi %v39, %v41 : index
    %v43 = arith.constant 0 : index
    %p = arith.select %inside, %v42, %v43 : index
    %v45 = memref.load %in[%p] : memref<700xf64>
    %v47 = arith.constant 0.0 : f64
    %v = arith.addf %v45, %v47 : f64
    %v49 = arith.constant -1 : index
    %v51 = arith.index_cast %v49 : index to i32
    %minus = arith.sitofp %v51 : i32 to f64
    %result = arith.select %inside, %v, %minus : f64
    return %result : f64
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c700 = arith.constant 700 : index
    %in = memref.alloc() : memref<700xf64>
    %out = memref.alloc() : memref<700xf64>
    scf.for %i = %c0 to %c700 step %c1 {
      %v0 = arith.constant 251 : index
      %v1 = arith.remui %i, %v0 : index
      %v2 = arith.index_cast %v1 : index to i32
      %v3 = arith.sitofp %v2 : i32 to f64
      memref.store %v3, %in[%i] : memref<700xf64>
    }
    scf.for %i = %c0 to %c700 step %c1 {
      %v5 = arith.constant -1.0 : f64
      memref.store %v5, %out[%i] : memref<700xf64>
    }
    %din = gpu.alloc () : memref<700xf64>
    %dout = gpu.alloc () : memref<700xf64>
    gpu.memcpy %din, %in : memref<700xf64>, memref<700xf64>
    gpu.memcpy %dout, %out : memref<700xf64>, memref<700xf64>
    call @test(%din, %dout) : (memref<700xf64>, memref<700xf64>) -> ()
    gpu.memcpy %out, %dout : memref<700xf64>, memref<700xf64>
    gpu.dealloc %din : memref<700xf64>
    gpu.dealloc %dout : memref<700xf64>

    %wrong, %at = scf.for %i = %c0 to %c700 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<700xf64>
      %want = func.call @expected(%in, %i) : (memref<700xf64>, index) -> f64
      %differs = arith.cmpf une, %got, %want : f64
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
      %got = memref.load %out[%at] : memref<700xf64>
      %want = func.call @expected(%in, %at) : (memref<700xf64>, index) -> f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got, %want) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<700xf64>
    memref.dealloc %out : memref<700xf64>
    return %status : i32
  }
}
