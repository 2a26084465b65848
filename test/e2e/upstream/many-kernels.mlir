// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: many_kernels: PASS

// Several gpu.launch in one function and in a loop, 3-D grids and blocks, and
// a kernel that a condition skips.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("many_kernels: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("many_kernels: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1440xi32>, %out: memref<1440xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c3, %gz = %c4) threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c4, %sz = %c5) {
      %v0 = arith.constant 3 : index
      %v1 = arith.muli %bx, %v0 : index
      %v2 = arith.addi %v1, %by : index
      %v3 = arith.constant 4 : index
      %v4 = arith.muli %v2, %v3 : index
      %block = arith.addi %v4, %bz : index
      %v6 = arith.constant 4 : index
      %v7 = arith.muli %tx, %v6 : index
      %v8 = arith.addi %v7, %ty : index
      %v9 = arith.constant 5 : index
      %v10 = arith.muli %v8, %v9 : index
      %thread = arith.addi %v10, %tz : index
      %v12 = arith.constant 60 : index
      %v13 = arith.muli %block, %v12 : index
      %p = arith.addi %v13, %thread : index
      %v15 = memref.load %in[%p] : memref<1440xi32>
      %v16 = arith.constant 100 : index
      %v17 = arith.muli %bx, %v16 : index
      %v18 = arith.constant 10 : index
      %v19 = arith.muli %by, %v18 : index
      %v20 = arith.addi %v17, %v19 : index
      %v21 = arith.addi %v20, %bz : index
      %v22 = arith.constant 1000 : index
      %v23 = arith.muli %gx, %v22 : index
      %v24 = arith.addi %v21, %v23 : index
      %v25 = arith.constant 10000 : index
      %v26 = arith.muli %gz, %v25 : index
      %v27 = arith.addi %v24, %v26 : index
      %v28 = arith.index_cast %v27 : index to i32
      %v29 = arith.addi %v15, %v28 : i32
      memref.store %v29, %out[%p] : memref<1440xi32>
      gpu.terminator
    }
    scf.for %k = %c0 to %c3 step %c1 {
      %v30 = arith.constant 1 : index
      %v31 = arith.cmpi eq, %k, %v30 : index
      scf.if %v31 {
        gpu.launch blocks(%bx, %by, %bz) in (%gx = %c6, %gy = %c4, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c4, %sz = %c5) {
          %v32 = arith.constant 4 : index
          %v33 = arith.muli %bx, %v32 : index
          %v34 = arith.addi %v33, %by : index
          %v35 = arith.constant 60 : index
          %v36 = arith.muli %v34, %v35 : index
          %v37 = arith.muli %tx, %sy : index
          %v38 = arith.addi %v37, %ty : index
          %v39 = arith.muli %v38, %sz : index
          %v40 = arith.addi %v36, %v39 : index
          %p = arith.addi %v40, %tz : index
          %v42 = memref.load %out[%p] : memref<1440xi32>
          %v44 = arith.constant 2 : i32
          %v45 = arith.muli %v42, %v44 : i32
          %v46 = arith.index_cast %k : index to i32
          %v47 = arith.addi %v45, %v46 : i32
          memref.store %v47, %out[%p] : memref<1440xi32>
          gpu.terminator
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1440xi32>, %i: index) -> i32 {
    %v48 = arith.constant 60 : index
    %b = arith.divui %i, %v48 : index
    %v50 = arith.constant 12 : index
    %v51 = arith.divui %b, %v50 : index
    %v52 = arith.constant 100 : index
    %v53 = arith.muli %v51, %v52 : index
    %v54 = arith.constant 4 : index
    %v55 = arith.divui %b, %v54 : index
    %v56 = arith.constant 3 : index
    %v57 = arith.remui %v55, %v56 : index
    %v58 = arith.constant 10 : index
    %v59 = arith.muli %v57, %v58 : index
    %v60 = arith.addi %v53, %v59 : index
    %v61 = arith.constant 4 : index
    %v62 = arith.remui %b, %v61 : index
    %v63 = arith.addi %v60, %v62 : index
    %v64 = arith.constant 42000 : index
    %ids = arith.addi %v63, %v64 : index
    %v66 = memref.load %in[%i] : memref<1440xi32>
    %v67 = arith.index_cast %ids : index to i32
    %v68 = arith.addi %v66, %v67 : i32
    %v70 = arith.constant 2 : i32
    %v71 = arith.muli %v68, %v70 : i32
    %v73 = arith.constant 1 : i32
    %result = arith.addi %v71, %v73 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1440 = arith.constant 1440 : index
    %in = memref.alloc() : memref<1440xi32>
    %out = memref.alloc() : memref<1440xi32>
    scf.for %i = %c0 to %c1440 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<1440xi32>
    }
    scf.for %i = %c0 to %c1440 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<1440xi32>
    }
    %din = gpu.alloc () : memref<1440xi32>
    %dout = gpu.alloc () : memref<1440xi32>
    gpu.memcpy %din, %in : memref<1440xi32>, memref<1440xi32>
    gpu.memcpy %dout, %out : memref<1440xi32>, memref<1440xi32>
    call @test(%din, %dout) : (memref<1440xi32>, memref<1440xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1440xi32>, memref<1440xi32>
    gpu.dealloc %din : memref<1440xi32>
    gpu.dealloc %dout : memref<1440xi32>

    %wrong, %at = scf.for %i = %c0 to %c1440 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1440xi32>
      %want = func.call @expected(%in, %i) : (memref<1440xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<1440xi32>
      %want = func.call @expected(%in, %at) : (memref<1440xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1440xi32>
    memref.dealloc %out : memref<1440xi32>
    return %status : i32
  }
}
