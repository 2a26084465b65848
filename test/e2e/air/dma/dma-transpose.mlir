// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// CHECK: dma_transpose: PASS

// A DMA whose strides transpose while copying to L2, and one that transposes on the way out; the
// sizes are not square and not a power of two.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_transpose: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_transpose: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<399xf32>, %out: memref<798xf32>) {
    %c1 = arith.constant 1 : index
    %m = memref.reinterpret_cast %in to offset: [0], sizes: [19, 21], strides: [21, 1] : memref<399xf32> to memref<19x21xf32>
    air.launch (%x) in (%sx = %c1) args(%a = %m, %b = %out) : memref<19x21xf32>, memref<798xf32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<19x21xf32>, memref<798xf32> {
        %t = memref.alloc() : memref<21x19xf32, 1>
        air.dma_memcpy_nd (%t[] [] [], %sa[0, 0] [21, 19] [1, 21]) : (memref<21x19xf32, 1>, memref<19x21xf32>)
        air.dma_memcpy_nd (%sb[0] [399] [1], %t[] [] []) : (memref<798xf32>, memref<21x19xf32, 1>)
        // Row j of the transposed matrix is copied to column j.
        air.dma_memcpy_nd (%sb[399] [21, 19] [1, 21], %t[] [] []) : (memref<798xf32>, memref<21x19xf32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<399xf32>, %i: index) -> f32 {
    %v0 = arith.constant 19 : index
    %v1 = arith.remui %i, %v0 : index
    %v2 = arith.constant 21 : index
    %v3 = arith.muli %v1, %v2 : index
    %v4 = arith.constant 19 : index
    %v5 = arith.divui %i, %v4 : index
    %p = arith.addi %v3, %v5 : index
    %v7 = arith.constant 399 : index
    %v8 = arith.cmpi ult, %i, %v7 : index
    %v9 = arith.constant 399 : index
    %v10 = arith.subi %i, %v9 : index
    %q = arith.select %v8, %p, %v10 : index
    %v12 = memref.load %in[%q] : memref<399xf32>
    %v14 = arith.constant 0.0 : f32
    %result = arith.addf %v12, %v14 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c399 = arith.constant 399 : index
    %c798 = arith.constant 798 : index
    %in = memref.alloc() : memref<399xf32>
    %out = memref.alloc() : memref<798xf32>
    scf.for %i = %c0 to %c399 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<399xf32>
    }
    scf.for %i = %c0 to %c798 step %c1 {
      %v9 = arith.constant -1.0 : f32
      memref.store %v9, %out[%i] : memref<798xf32>
    }
    %din = gpu.alloc () : memref<399xf32>
    %dout = gpu.alloc () : memref<798xf32>
    gpu.memcpy %din, %in : memref<399xf32>, memref<399xf32>
    gpu.memcpy %dout, %out : memref<798xf32>, memref<798xf32>
    call @test(%din, %dout) : (memref<399xf32>, memref<798xf32>) -> ()
    gpu.memcpy %out, %dout : memref<798xf32>, memref<798xf32>
    gpu.dealloc %din : memref<399xf32>
    gpu.dealloc %dout : memref<798xf32>

    %wrong, %at = scf.for %i = %c0 to %c798 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<798xf32>
      %want = func.call @expected(%in, %i) : (memref<399xf32>, index) -> f32
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
      %got = memref.load %out[%at] : memref<798xf32>
      %want = func.call @expected(%in, %at) : (memref<399xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<399xf32>
    memref.dealloc %out : memref<798xf32>
    return %status : i32
  }
}
