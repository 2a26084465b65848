// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: herd_in_func: PASS

// A herd directly in a function, without a segment or a launch, with an L1 buffer and DMAs to and
// from it.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("herd_in_func: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("herd_in_func: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xf32>, %out: memref<512xf32>) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c4) args(%ha = %in, %hb = %out) : memref<512xf32>, memref<512xf32> {
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %t = memref.alloc() : memref<64xf32, 2>
      %v0 = arith.constant 4 : index
      %v1 = arith.muli %tx, %v0 : index
      %v2 = arith.addi %v1, %ty : index
      %v3 = arith.constant 64 : index
      %o = arith.muli %v2, %v3 : index
      air.dma_memcpy_nd (%t[] [] [], %ha[%o] [%c64] [%c1]) : (memref<64xf32, 2>, memref<512xf32>)
      %v5 = arith.constant 10 : index
      %v6 = arith.muli %tx, %v5 : index
      %v7 = arith.addi %v6, %ty : index
      %v9 = arith.index_cast %v7 : index to i32
      %scale = arith.sitofp %v9 : i32 to f32
      %v11 = arith.constant 0 : index
      %v12 = arith.constant 64 : index
      %v13 = arith.constant 1 : index
      scf.for %e = %v11 to %v12 step %v13 {
        %v14 = memref.load %t[%e] : memref<64xf32, 2>
        %v16 = arith.constant 2.0 : f32
        %v17 = arith.mulf %v14, %v16 : f32
        %v18 = arith.addf %v17, %scale : f32
        memref.store %v18, %t[%e] : memref<64xf32, 2>
      }
      air.dma_memcpy_nd (%hb[%o] [%c64] [%c1], %t[] [] []) : (memref<512xf32>, memref<64xf32, 2>)
      memref.dealloc %t : memref<64xf32, 2>
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xf32>, %i: index) -> f32 {
    %v19 = memref.load %in[%i] : memref<512xf32>
    %v21 = arith.constant 2.0 : f32
    %v22 = arith.mulf %v19, %v21 : f32
    %v23 = arith.constant 256 : index
    %v24 = arith.divui %i, %v23 : index
    %v25 = arith.constant 10 : index
    %v26 = arith.muli %v24, %v25 : index
    %v27 = arith.constant 64 : index
    %v28 = arith.divui %i, %v27 : index
    %v29 = arith.constant 4 : index
    %v30 = arith.remui %v28, %v29 : index
    %v31 = arith.addi %v26, %v30 : index
    %v33 = arith.index_cast %v31 : index to i32
    %v34 = arith.sitofp %v33 : i32 to f32
    %result = arith.addf %v22, %v34 : f32
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
