// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: dma_dynamic: PASS

// Dynamic offsets, sizes and strides, the inner size too, on memrefs of
// dynamic shape.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_dynamic: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_dynamic: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<600xf16>, %out: memref<600xf16>) {
    %c3 = arith.constant 3 : index
    %c20 = arith.constant 20 : index
    %c30 = arith.constant 30 : index
    %m = memref.reinterpret_cast %in to offset: [0], sizes: [%c20, %c30], strides: [%c30, 1] : memref<600xf16> to memref<?x?xf16, strided<[?, 1]>>
    %r = memref.reinterpret_cast %out to offset: [0], sizes: [%c20, %c30], strides: [%c30, 1] : memref<600xf16> to memref<?x?xf16, strided<[?, 1]>>
    // Three bands of rows: 3 * x + 1 rows each of 10 * x + 7 columns from (5 * x, x).
    air.launch (%x) in (%sx = %c3) args(%a = %m, %b = %r) : memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf16, strided<[?, 1]>> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf16, strided<[?, 1]>> {
        %c1 = arith.constant 1 : index
        %pitch = arith.constant 30 : index
        %t = memref.alloc() : memref<256xf16, 1>
        %v0 = arith.constant 3 : index
        %v1 = arith.muli %u, %v0 : index
        %v2 = arith.constant 1 : index
        %rows = arith.addi %v1, %v2 : index
        %v4 = arith.constant 10 : index
        %v5 = arith.muli %u, %v4 : index
        %v6 = arith.constant 7 : index
        %columns = arith.addi %v5, %v6 : index
        %v8 = arith.constant 5 : index
        %row = arith.muli %u, %v8 : index
        air.dma_memcpy_nd (%t[0] [%rows, %columns] [%columns, 1], %sa[%row, %u] [%rows, %columns] [%pitch, %c1]) : (memref<256xf16, 1>, memref<?x?xf16, strided<[?, 1]>>)
        air.dma_memcpy_nd (%sb[%row, %u] [%rows, %columns] [], %t[0] [%rows, %columns] [%columns, %c1]) : (memref<?x?xf16, strided<[?, 1]>>, memref<256xf16, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<600xf16>, %i: index) -> f16 {
    %v10 = arith.constant 30 : index
    %r = arith.divui %i, %v10 : index
    %v12 = arith.constant 30 : index
    %c = arith.remui %i, %v12 : index
    %v14 = arith.constant 1 : index
    %v15 = arith.cmpi ult, %r, %v14 : index
    %v16 = arith.constant 7 : index
    %v17 = arith.cmpi ult, %c, %v16 : index
    %band0 = arith.andi %v15, %v17 : i1
    %v19 = arith.constant 5 : index
    %v20 = arith.cmpi uge, %r, %v19 : index
    %v21 = arith.constant 9 : index
    %v22 = arith.cmpi ult, %r, %v21 : index
    %v23 = arith.andi %v20, %v22 : i1
    %v24 = arith.constant 1 : index
    %v25 = arith.cmpi uge, %c, %v24 : index
    %v26 = arith.andi %v23, %v25 : i1
    %v27 = arith.constant 18 : index
    %v28 = arith.cmpi ult, %c, %v27 : index
    %band1 = arith.andi %v26, %v28 : i1
    %v30 = arith.constant 10 : index
    %v31 = arith.cmpi uge, %r, %v30 : index
    %v32 = arith.constant 17 : index
    %v33 = arith.cmpi ult, %r, %v32 : index
    %v34 = arith.andi %v31, %v33 : i1
    %v35 = arith.constant 2 : index
    %v36 = arith.cmpi uge, %c, %v35 : index
    %v37 = arith.andi %v34, %v36 : i1
    %v38 = arith.constant 29 : index
    %v39 = arith.cmpi ult, %c, %v38 : index
    %band2 = arith.andi %v37, %v39 : i1
    %v41 = arith.ori %band0, %band1 : i1
    %inside = arith.ori %v41, %band2 : i1
    %v43 = memref.load %in[%i] : memref<600xf16>
    %v45 = arith.constant 0.0 : f16
    %v = arith.addf %v43, %v45 : f16
    %v47 = arith.constant -1 : index
    %v49 = arith.index_cast %v47 : index to i32
    %minus = arith.sitofp %v49 : i32 to f16
    %result = arith.select %inside, %v, %minus : f16
    return %result : f16
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c600 = arith.constant 600 : index
    %in = memref.alloc() : memref<600xf16>
    %out = memref.alloc() : memref<600xf16>
    scf.for %i = %c0 to %c600 step %c1 {
      %v0 = arith.constant 601 : index
      %v1 = arith.remui %i, %v0 : index
      %v2 = arith.index_cast %v1 : index to i32
      %v3 = arith.sitofp %v2 : i32 to f16
      memref.store %v3, %in[%i] : memref<600xf16>
    }
    scf.for %i = %c0 to %c600 step %c1 {
      %v5 = arith.constant -1.0 : f16
      memref.store %v5, %out[%i] : memref<600xf16>
    }
    %din = gpu.alloc () : memref<600xf16>
    %dout = gpu.alloc () : memref<600xf16>
    gpu.memcpy %din, %in : memref<600xf16>, memref<600xf16>
    gpu.memcpy %dout, %out : memref<600xf16>, memref<600xf16>
    call @test(%din, %dout) : (memref<600xf16>, memref<600xf16>) -> ()
    gpu.memcpy %out, %dout : memref<600xf16>, memref<600xf16>
    gpu.dealloc %din : memref<600xf16>
    gpu.dealloc %dout : memref<600xf16>

    %wrong, %at = scf.for %i = %c0 to %c600 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<600xf16>
      %want = func.call @expected(%in, %i) : (memref<600xf16>, index) -> f16
      %differs = arith.cmpf une, %got, %want : f16
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
      %got = memref.load %out[%at] : memref<600xf16>
      %want = func.call @expected(%in, %at) : (memref<600xf16>, index) -> f16
      %got_shown = arith.extf %got : f16 to f64
      %want_shown = arith.extf %want : f16 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<600xf16>
    memref.dealloc %out : memref<600xf16>
    return %status : i32
  }
}
