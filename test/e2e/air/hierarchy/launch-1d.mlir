// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: launch_1d: PASS

// A launch with one dimension of static size, no segment and no herd: the body
// is the grid's code and runs once for each point.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_1d: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_1d: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<37xi32>, %out: memref<37xi32>) {
    %c37 = arith.constant 37 : index
    air.launch (%x) in (%sx = %c37) args(%a = %in, %b = %out) : memref<37xi32>, memref<37xi32> {
      %v0 = memref.load %a[%x] : memref<37xi32>
      %v2 = arith.constant 3 : i32
      %v3 = arith.muli %v0, %v2 : i32
      %v4 = arith.index_cast %sx : index to i32
      %v5 = arith.addi %v3, %v4 : i32
      memref.store %v5, %b[%x] : memref<37xi32>
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<37xi32>, %i: index) -> i32 {
    %v6 = memref.load %in[%i] : memref<37xi32>
    %v8 = arith.constant 3 : i32
    %v9 = arith.muli %v6, %v8 : i32
    %v11 = arith.constant 37 : i32
    %result = arith.addi %v9, %v11 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c37 = arith.constant 37 : index
    %in = memref.alloc() : memref<37xi32>
    %out = memref.alloc() : memref<37xi32>
    scf.for %i = %c0 to %c37 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<37xi32>
    }
    scf.for %i = %c0 to %c37 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<37xi32>
    }
    %din = gpu.alloc () : memref<37xi32>
    %dout = gpu.alloc () : memref<37xi32>
    gpu.memcpy %din, %in : memref<37xi32>, memref<37xi32>
    gpu.memcpy %dout, %out : memref<37xi32>, memref<37xi32>
    call @test(%din, %dout) : (memref<37xi32>, memref<37xi32>) -> ()
    gpu.memcpy %out, %dout : memref<37xi32>, memref<37xi32>
    gpu.dealloc %din : memref<37xi32>
    gpu.dealloc %dout : memref<37xi32>

    %wrong, %at = scf.for %i = %c0 to %c37 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<37xi32>
      %want = func.call @expected(%in, %i) : (memref<37xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<37xi32>
      %want = func.call @expected(%in, %at) : (memref<37xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<37xi32>
    memref.dealloc %out : memref<37xi32>
    return %status : i32
  }
}
