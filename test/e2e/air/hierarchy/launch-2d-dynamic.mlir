// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: launch_2d_dynamic: PASS

// A launch with two dimensions whose sizes are known at run time only: the ids
// and sizes of both dimensions arrive in their own places.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_2d_dynamic: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_2d_dynamic: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<35xi32>, %out: memref<35xi32>) {
    %c0 = arith.constant 0 : index
    // The sizes 5 and 7, computed from a value that is known only at run time.
    %n = func.call @opaque() : () -> index
    %v0 = arith.constant 2 : index
    %m = arith.addi %n, %v0 : index
    call @go(%in, %out, %n, %m) : (memref<35xi32>, memref<35xi32>, index, index) -> ()
    return
  }
  func.func @opaque() -> index attributes {no_inline} {
    %c5 = arith.constant 5 : index
    return %c5 : index
  }
  func.func @go(%in: memref<35xi32>, %out: memref<35xi32>, %n: index, %m: index) {
    air.launch (%x, %y) in (%sx = %n, %sy = %m) args(%a = %in, %b = %out) : memref<35xi32>, memref<35xi32> {
      %v2 = arith.muli %x, %sy : index
      %p = arith.addi %v2, %y : index
      %v4 = memref.load %a[%p] : memref<35xi32>
      %v5 = arith.constant 1000 : index
      %v6 = arith.muli %x, %v5 : index
      %v7 = arith.constant 100 : index
      %v8 = arith.muli %y, %v7 : index
      %v9 = arith.addi %v6, %v8 : index
      %v10 = arith.constant 10 : index
      %v11 = arith.muli %sx, %v10 : index
      %v12 = arith.addi %v9, %v11 : index
      %v13 = arith.addi %v12, %sy : index
      %v14 = arith.index_cast %v13 : index to i32
      %v15 = arith.addi %v4, %v14 : i32
      memref.store %v15, %b[%p] : memref<35xi32>
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<35xi32>, %i: index) -> i32 {
    %v16 = memref.load %in[%i] : memref<35xi32>
    %v17 = arith.constant 7 : index
    %v18 = arith.divui %i, %v17 : index
    %v19 = arith.constant 1000 : index
    %v20 = arith.muli %v18, %v19 : index
    %v21 = arith.constant 7 : index
    %v22 = arith.remui %i, %v21 : index
    %v23 = arith.constant 100 : index
    %v24 = arith.muli %v22, %v23 : index
    %v25 = arith.addi %v20, %v24 : index
    %v26 = arith.constant 57 : index
    %v27 = arith.addi %v25, %v26 : index
    %v28 = arith.index_cast %v27 : index to i32
    %result = arith.addi %v16, %v28 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c35 = arith.constant 35 : index
    %in = memref.alloc() : memref<35xi32>
    %out = memref.alloc() : memref<35xi32>
    scf.for %i = %c0 to %c35 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<35xi32>
    }
    scf.for %i = %c0 to %c35 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<35xi32>
    }
    %din = gpu.alloc () : memref<35xi32>
    %dout = gpu.alloc () : memref<35xi32>
    gpu.memcpy %din, %in : memref<35xi32>, memref<35xi32>
    gpu.memcpy %dout, %out : memref<35xi32>, memref<35xi32>
    call @test(%din, %dout) : (memref<35xi32>, memref<35xi32>) -> ()
    gpu.memcpy %out, %dout : memref<35xi32>, memref<35xi32>
    gpu.dealloc %din : memref<35xi32>
    gpu.dealloc %dout : memref<35xi32>

    %wrong, %at = scf.for %i = %c0 to %c35 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<35xi32>
      %want = func.call @expected(%in, %i) : (memref<35xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<35xi32>
      %want = func.call @expected(%in, %at) : (memref<35xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<35xi32>
    memref.dealloc %out : memref<35xi32>
    return %status : i32
  }
}
