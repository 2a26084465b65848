// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: launch_in_func: PASS

// A gpu.launch in a function, no AIR at all: workgroup and private memory, a
// barrier, a sum over the workgroup.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_in_func: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_in_func: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) workgroup(%lds : memref<256xi32, #gpu.address_space<workgroup>>) private(%own : memref<1xi32, #gpu.address_space<private>>) {
      %v0 = arith.constant 256 : index
      %v1 = arith.muli %bx, %v0 : index
      %p = arith.addi %v1, %tx : index
      %v3 = memref.load %in[%p] : memref<1024xi32>
      memref.store %v3, %lds[%tx] : memref<256xi32, #gpu.address_space<workgroup>>
      %v4 = memref.load %in[%p] : memref<1024xi32>
      %v6 = arith.constant 2 : i32
      %v7 = arith.muli %v4, %v6 : i32
      %v8 = arith.constant 0 : index
      memref.store %v7, %own[%v8] : memref<1xi32, #gpu.address_space<private>>
      gpu.barrier
      %v9 = arith.constant 255 : index
      %q = arith.subi %v9, %tx : index
      %v11 = memref.load %lds[%q] : memref<256xi32, #gpu.address_space<workgroup>>
      %v12 = arith.constant 0 : index
      %v13 = memref.load %own[%v12] : memref<1xi32, #gpu.address_space<private>>
      %v14 = arith.addi %v11, %v13 : i32
      memref.store %v14, %out[%p] : memref<1024xi32>
      gpu.terminator
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1024xi32>, %i: index) -> i32 {
    %v15 = arith.constant 256 : index
    %v16 = arith.divui %i, %v15 : index
    %v17 = arith.constant 256 : index
    %v18 = arith.muli %v16, %v17 : index
    %v19 = arith.constant 255 : index
    %v20 = arith.addi %v18, %v19 : index
    %v21 = arith.constant 256 : index
    %v22 = arith.remui %i, %v21 : index
    %q = arith.subi %v20, %v22 : index
    %v24 = memref.load %in[%q] : memref<1024xi32>
    %v25 = memref.load %in[%i] : memref<1024xi32>
    %v27 = arith.constant 2 : i32
    %v28 = arith.muli %v25, %v27 : i32
    %result = arith.addi %v24, %v28 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<1024xi32>
    %out = memref.alloc() : memref<1024xi32>
    scf.for %i = %c0 to %c1024 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<1024xi32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<1024xi32>
    }
    %din = gpu.alloc () : memref<1024xi32>
    %dout = gpu.alloc () : memref<1024xi32>
    gpu.memcpy %din, %in : memref<1024xi32>, memref<1024xi32>
    gpu.memcpy %dout, %out : memref<1024xi32>, memref<1024xi32>
    call @test(%din, %dout) : (memref<1024xi32>, memref<1024xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xi32>, memref<1024xi32>
    gpu.dealloc %din : memref<1024xi32>
    gpu.dealloc %dout : memref<1024xi32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xi32>
      %want = func.call @expected(%in, %i) : (memref<1024xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<1024xi32>
      %want = func.call @expected(%in, %at) : (memref<1024xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1024xi32>
    memref.dealloc %out : memref<1024xi32>
    return %status : i32
  }
}
