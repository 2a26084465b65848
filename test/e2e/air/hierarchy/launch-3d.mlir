// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: launch_3d: PASS

// A launch with three dimensions, static sizes, each different: ids and sizes
// of all three.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_3d: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_3d: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<30xi32>, %out: memref<30xi32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    air.launch (%x, %y, %z) in (%sx = %c2, %sy = %c3, %sz = %c5) args(%a = %in, %b = %out) : memref<30xi32>, memref<30xi32> {
      %v0 = arith.constant 3 : index
      %v1 = arith.muli %x, %v0 : index
      %v2 = arith.addi %v1, %y : index
      %v3 = arith.constant 5 : index
      %v4 = arith.muli %v2, %v3 : index
      %p = arith.addi %v4, %z : index
      %v6 = memref.load %a[%p] : memref<30xi32>
      %v7 = arith.constant 100 : index
      %v8 = arith.muli %x, %v7 : index
      %v9 = arith.constant 10 : index
      %v10 = arith.muli %y, %v9 : index
      %v11 = arith.addi %v8, %v10 : index
      %v12 = arith.addi %v11, %z : index
      %v13 = arith.constant 1000 : index
      %v14 = arith.muli %v12, %v13 : index
      %v15 = arith.constant 100 : index
      %v16 = arith.muli %sx, %v15 : index
      %v17 = arith.addi %v14, %v16 : index
      %v18 = arith.constant 10 : index
      %v19 = arith.muli %sy, %v18 : index
      %v20 = arith.addi %v17, %v19 : index
      %v21 = arith.addi %v20, %sz : index
      %v22 = arith.index_cast %v21 : index to i32
      %v23 = arith.addi %v6, %v22 : i32
      memref.store %v23, %b[%p] : memref<30xi32>
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<30xi32>, %i: index) -> i32 {
    %v24 = memref.load %in[%i] : memref<30xi32>
    %v25 = arith.constant 15 : index
    %v26 = arith.divui %i, %v25 : index
    %v27 = arith.constant 100 : index
    %v28 = arith.muli %v26, %v27 : index
    %v29 = arith.constant 5 : index
    %v30 = arith.divui %i, %v29 : index
    %v31 = arith.constant 3 : index
    %v32 = arith.remui %v30, %v31 : index
    %v33 = arith.constant 10 : index
    %v34 = arith.muli %v32, %v33 : index
    %v35 = arith.addi %v28, %v34 : index
    %v36 = arith.constant 5 : index
    %v37 = arith.remui %i, %v36 : index
    %v38 = arith.addi %v35, %v37 : index
    %v39 = arith.constant 1000 : index
    %v40 = arith.muli %v38, %v39 : index
    %v41 = arith.constant 235 : index
    %v42 = arith.addi %v40, %v41 : index
    %v43 = arith.index_cast %v42 : index to i32
    %result = arith.addi %v24, %v43 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c30 = arith.constant 30 : index
    %in = memref.alloc() : memref<30xi32>
    %out = memref.alloc() : memref<30xi32>
    scf.for %i = %c0 to %c30 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<30xi32>
    }
    scf.for %i = %c0 to %c30 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<30xi32>
    }
    %din = gpu.alloc () : memref<30xi32>
    %dout = gpu.alloc () : memref<30xi32>
    gpu.memcpy %din, %in : memref<30xi32>, memref<30xi32>
    gpu.memcpy %dout, %out : memref<30xi32>, memref<30xi32>
    call @test(%din, %dout) : (memref<30xi32>, memref<30xi32>) -> ()
    gpu.memcpy %out, %dout : memref<30xi32>, memref<30xi32>
    gpu.dealloc %din : memref<30xi32>
    gpu.dealloc %dout : memref<30xi32>

    %wrong, %at = scf.for %i = %c0 to %c30 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<30xi32>
      %want = func.call @expected(%in, %i) : (memref<30xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<30xi32>
      %want = func.call @expected(%in, %at) : (memref<30xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<30xi32>
    memref.dealloc %out : memref<30xi32>
    return %status : i32
  }
}
