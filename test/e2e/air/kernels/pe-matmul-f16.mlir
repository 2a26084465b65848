// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: pe_matmul_f16: PASS

// linalg.matmul of f16 into f16 with tiles in L1, one block per PE.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_matmul_f16: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_matmul_f16: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1024xf16>, %out: memref<256xf16>) {
    %c1 = arith.constant 1 : index
    %A = memref.reinterpret_cast %in to offset: [0], sizes: [16, 32], strides: [32, 1] : memref<1024xf16> to memref<16x32xf16>
    %B = memref.reinterpret_cast %in to offset: [512], sizes: [32, 16], strides: [16, 1] : memref<1024xf16> to memref<32x16xf16, strided<[16, 1], offset: 512>>
    air.launch (%x) in (%sx = %c1) args(%a = %A, %b = %B, %o = %out) : memref<16x32xf16>, memref<32x16xf16, strided<[16, 1], offset: 512>>, memref<256xf16> {
      air.segment @s args(%sa = %a, %sb = %b, %so = %o) : memref<16x32xf16>, memref<32x16xf16, strided<[16, 1], offset: 512>>, memref<256xf16> {
        %c2 = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb, %ho = %so) : memref<16x32xf16>, memref<32x16xf16, strided<[16, 1], offset: 512>>, memref<256xf16> {
          %zero = arith.constant 0.0 : f16
          %v0 = arith.constant 8 : index
          %r = arith.muli %ty, %v0 : index
          %v2 = arith.constant 8 : index
          %c = arith.muli %tx, %v2 : index
          %v4 = arith.constant 2 : index
          %v5 = arith.muli %ty, %v4 : index
          %v6 = arith.addi %v5, %tx : index
          %v7 = arith.constant 64 : index
          %to = arith.muli %v6, %v7 : index
          %ta = memref.alloc() : memref<8x32xf16, 2>
          %tb = memref.alloc() : memref<32x8xf16, 2>
          %tc = memref.alloc() : memref<8x8xf16, 2>
          air.dma_memcpy_nd (%ta[] [] [], %ha[%r, 0] [8, 32] [32, 1]) : (memref<8x32xf16, 2>, memref<16x32xf16>)
          air.dma_memcpy_nd (%tb[] [] [], %hb[0, %c] [32, 8] [16, 1]) : (memref<32x8xf16, 2>, memref<32x16xf16, strided<[16, 1], offset: 512>>)
          linalg.fill ins(%zero : f16) outs(%tc : memref<8x8xf16, 2>)
          linalg.matmul ins(%ta, %tb : memref<8x32xf16, 2>, memref<32x8xf16, 2>) outs(%tc : memref<8x8xf16, 2>)
          air.dma_memcpy_nd (%ho[%to] [64] [1], %tc[] [] []) : (memref<256xf16>, memref<8x8xf16, 2>)
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1024xf16>, %i: index) -> f16 {
    %v9 = arith.constant 64 : index
    %block = arith.divui %i, %v9 : index
    %v11 = arith.constant 2 : index
    %v12 = arith.divui %block, %v11 : index
    %v13 = arith.constant 8 : index
    %v14 = arith.muli %v12, %v13 : index
    %v15 = arith.constant 64 : index
    %v16 = arith.remui %i, %v15 : index
    %v17 = arith.constant 8 : index
    %v18 = arith.divui %v16, %v17 : index
    %r = arith.addi %v14, %v18 : index
    %v20 = arith.constant 2 : index
    %v21 = arith.remui %block, %v20 : index
    %v22 = arith.constant 8 : index
    %v23 = arith.muli %v21, %v22 : index
    %v24 = arith.constant 8 : index
    %v25 = arith.remui %i, %v24 : index
    %c = arith.addi %v23, %v25 : index
    %zero = arith.constant 0.0 : f16
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k32 = arith.constant 32 : index
    %result = scf.for %k = %k0 to %k32 step %k1 iter_args(%acc = %zero) -> (f16) {
      %v27 = arith.constant 32 : index
      %v28 = arith.muli %r, %v27 : index
      %p = arith.addi %v28, %k : index
      %v30 = arith.constant 512 : index
      %v31 = arith.constant 16 : index
      %v32 = arith.muli %k, %v31 : index
      %v33 = arith.addi %v30, %v32 : index
      %q = arith.addi %v33, %c : index
      %v35 = memref.load %in[%p] : memref<1024xf16>
      %v36 = memref.load %in[%q] : memref<1024xf16>
      %v37 = arith.mulf %v35, %v36 : f16
      %w = arith.addf %acc, %v37 : f16
      scf.yield %w : f16
    }
    return %result : f16
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<1024xf16>
    %out = memref.alloc() : memref<256xf16>
    scf.for %i = %c0 to %c1024 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 7 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v8 = arith.constant 3 : i32
      %v9 = arith.subi %v6, %v8 : i32
      %v10 = arith.sitofp %v9 : i32 to f16
      memref.store %v10, %in[%i] : memref<1024xf16>
    }
    scf.for %i = %c0 to %c256 step %c1 {
      %v12 = arith.constant -1.0 : f16
      memref.store %v12, %out[%i] : memref<256xf16>
    }
    %din = gpu.alloc () : memref<1024xf16>
    %dout = gpu.alloc () : memref<256xf16>
    gpu.memcpy %din, %in : memref<1024xf16>, memref<1024xf16>
    gpu.memcpy %dout, %out : memref<256xf16>, memref<256xf16>
    call @test(%din, %dout) : (memref<1024xf16>, memref<256xf16>) -> ()
    gpu.memcpy %out, %dout : memref<256xf16>, memref<256xf16>
    gpu.dealloc %din : memref<1024xf16>
    gpu.dealloc %dout : memref<256xf16>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xf16>
      %want = func.call @expected(%in, %i) : (memref<1024xf16>, index) -> f16
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
      %got = memref.load %out[%at] : memref<256xf16>
      %want = func.call @expected(%in, %at) : (memref<1024xf16>, index) -> f16
      %got_shown = arith.extf %got : f16 to f64
      %want_shown = arith.extf %want : f16 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1024xf16>
    memref.dealloc %out : memref<256xf16>
    return %status : i32
  }
}
