// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: linalg_in_kernel: PASS

// linalg, scf, affine and vector ops inside a kernel: each lane does a small
// matrix product of its own.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("linalg_in_kernel: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("linalg_in_kernel: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<2048xf32>, %out: memref<1024xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %A = memref.reinterpret_cast %in to offset: [0], sizes: [64, 4, 4], strides: [16, 4, 1] : memref<2048xf32> to memref<64x4x4xf32>
    %B = memref.reinterpret_cast %in to offset: [1024], sizes: [64, 4, 4], strides: [16, 4, 1] : memref<2048xf32> to memref<64x4x4xf32, strided<[16, 4, 1], offset: 1024>>
    %C = memref.reinterpret_cast %out to offset: [0], sizes: [64, 4, 4], strides: [16, 4, 1] : memref<1024xf32> to memref<64x4x4xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %zero = arith.constant 0.0 : f32
      %a = memref.subview %A[%tx, 0, 0] [1, 4, 4] [1, 1, 1] : memref<64x4x4xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
      %b = memref.subview %B[%tx, 0, 0] [1, 4, 4] [1, 1, 1] : memref<64x4x4xf32, strided<[16, 4, 1], offset: 1024>> to memref<4x4xf32, strided<[4, 1], offset: ?>>
      %c = memref.subview %C[%tx, 0, 0] [1, 4, 4] [1, 1, 1] : memref<64x4x4xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
      linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32, strided<[4, 1], offset: ?>>)
      linalg.matmul ins(%a, %b : memref<4x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1], offset: ?>>) outs(%c : memref<4x4xf32, strided<[4, 1], offset: ?>>)
      affine.for %i = 0 to 4 {
        %k0 = arith.constant 0 : index
        %v = vector.load %c[%i, %k0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<4xf32>
        %s = vector.reduction <add>, %v : vector<4xf32> into f32
        %w = vector.broadcast %s : f32 to vector<4xf32>
        %d = arith.subf %v, %w : vector<4xf32>
        vector.store %d, %c[%i, %k0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<4xf32>
      }
      gpu.terminator
    }
    return
  }
  func.func private @dot(%in: memref<2048xf32>, %i: index) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (f32) {
      %v0 = arith.constant 4 : index
      %v1 = arith.divui %i, %v0 : index
      %v2 = arith.constant 4 : index
      %v3 = arith.muli %v1, %v2 : index
      %p = arith.addi %v3, %k : index
      %v5 = arith.constant 1024 : index
      %v6 = arith.constant 16 : index
      %v7 = arith.divui %i, %v6 : index
      %v8 = arith.constant 16 : index
      %v9 = arith.muli %v7, %v8 : index
      %v10 = arith.addi %v5, %v9 : index
      %v11 = arith.constant 4 : index
      %v12 = arith.muli %k, %v11 : index
      %v13 = arith.addi %v10, %v12 : index
      %v14 = arith.constant 4 : index
      %v15 = arith.remui %i, %v14 : index
      %q = arith.addi %v13, %v15 : index
      %v17 = memref.load %in[%p] : memref<2048xf32>
      %v18 = memref.load %in[%q] : memref<2048xf32>
      %v19 = arith.mulf %v17, %v18 : f32
      %w = arith.addf %acc, %v19 : f32
      scf.yield %w : f32
    }
    return %sum : f32
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<2048xf32>, %i: index) -> f32 {
    %v21 = arith.constant 4 : index
    %v22 = arith.divui %i, %v21 : index
    %v23 = arith.constant 4 : index
    %row = arith.muli %v22, %v23 : index
    %zero = arith.constant 0.0 : f32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k4 = arith.constant 4 : index
    %mine = func.call @dot(%in, %i) : (memref<2048xf32>, index) -> f32
    %all = scf.for %k = %k0 to %k4 step %k1 iter_args(%acc = %zero) -> (f32) {
      %e = arith.addi %row, %k : index
      %v = func.call @dot(%in, %e) : (memref<2048xf32>, index) -> f32
      %w = arith.addf %acc, %v : f32
      scf.yield %w : f32
    }
    %result = arith.subf %mine, %all : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2048 = arith.constant 2048 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<2048xf32>
    %out = memref.alloc() : memref<1024xf32>
    scf.for %i = %c0 to %c2048 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 17 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v8 = arith.constant 8 : i32
      %v9 = arith.subi %v6, %v8 : i32
      %v10 = arith.sitofp %v9 : i32 to f32
      memref.store %v10, %in[%i] : memref<2048xf32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %v12 = arith.constant -1.0 : f32
      memref.store %v12, %out[%i] : memref<1024xf32>
    }
    %din = gpu.alloc () : memref<2048xf32>
    %dout = gpu.alloc () : memref<1024xf32>
    gpu.memcpy %din, %in : memref<2048xf32>, memref<2048xf32>
    gpu.memcpy %dout, %out : memref<1024xf32>, memref<1024xf32>
    call @test(%din, %dout) : (memref<2048xf32>, memref<1024xf32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xf32>, memref<1024xf32>
    gpu.dealloc %din : memref<2048xf32>
    gpu.dealloc %dout : memref<1024xf32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xf32>
      %want = func.call @expected(%in, %i) : (memref<2048xf32>, index) -> f32
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
      %got = memref.load %out[%at] : memref<1024xf32>
      %want = func.call @expected(%in, %at) : (memref<2048xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<2048xf32>
    memref.dealloc %out : memref<1024xf32>
    return %status : i32
  }
}
