// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: async_launch_loop: PASS

// A loop on the host that carries a launch's token.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("async_launch_loop: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("async_launch_loop: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c64 = arith.constant 64 : index
    %start = air.launch async (%x) in (%sx = %c64) args(%a = %in, %b = %out) : memref<64xi32>, memref<64xi32> {
      %v0 = memref.load %a[%x] : memref<64xi32>
      %v2 = arith.constant 0 : i32
      %v3 = arith.addi %v0, %v2 : i32
      memref.store %v3, %b[%x] : memref<64xi32>
    }
    %end = scf.for %k = %c0 to %c6 step %c1 iter_args(%t = %start) -> (!air.async.token) {
      %next = air.launch async [%t] (%x) in (%sx = %c64) args(%kk = %k, %b = %out) : index, memref<64xi32> {
        %v4 = memref.load %b[%x] : memref<64xi32>
        %v6 = arith.constant 3 : i32
        %v7 = arith.muli %v4, %v6 : i32
        %v8 = arith.index_cast %kk : index to i32
        %v9 = arith.addi %v7, %v8 : i32
        memref.store %v9, %b[%x] : memref<64xi32>
      }
      scf.yield %next : !air.async.token
    }
    air.wait_all [%end]
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v10 = memref.load %in[%i] : memref<64xi32>
    %v12 = arith.constant 0 : i32
    %first = arith.addi %v10, %v12 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k6 = arith.constant 6 : index
    %result = scf.for %k = %k0 to %k6 step %k1 iter_args(%v = %first) -> (i32) {
      %v15 = arith.constant 3 : i32
      %v16 = arith.muli %v, %v15 : i32
      %v17 = arith.index_cast %k : index to i32
      %w = arith.addi %v16, %v17 : i32
      scf.yield %w : i32
    }
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<64xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<64xi32>
    }
    scf.for %i = %c0 to %c64 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<64xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<64xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<64xi32>, memref<64xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<64xi32>) -> ()
    gpu.memcpy %out, %dout : memref<64xi32>, memref<64xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<64xi32>

    %wrong, %at = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<64xi32>
      %want = func.call @expected(%in, %i) : (memref<64xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<64xi32>
      %want = func.call @expected(%in, %at) : (memref<64xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xi32>
    memref.dealloc %out : memref<64xi32>
    return %status : i32
  }
}
