// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: lds_reuse: PASS

// L2 buffers whose lifetimes do not overlap share LDS - together these are
// more than 64 KiB - and nothing of one is seen in another before it is
// written.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("lds_reuse: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("lds_reuse: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<8192xi32>, %out: memref<8192xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<8192xi32>, memref<8192xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<8192xi32>, memref<8192xi32> {
        // Three buffers of 32 KiB; at most two are live at the same time.
        %t0 = memref.alloc() : memref<8192xi32, 1>
        air.dma_memcpy_nd (%t0[] [] [], %sa[] [] []) : (memref<8192xi32, 1>, memref<8192xi32>)
        %t1 = memref.alloc() : memref<8192xi32, 1>
        air.dma_memcpy_nd (%t1[0] [64, 128] [1, 64], %t0[] [] []) : (memref<8192xi32, 1>, memref<8192xi32, 1>)
        memref.dealloc %t0 : memref<8192xi32, 1>
        %t2 = memref.alloc() : memref<8192xi32, 1>
        air.dma_memcpy_nd (%t2[] [] [], %t1[0] [2, 4096] [4096, 1]) : (memref<8192xi32, 1>, memref<8192xi32, 1>)
        memref.dealloc %t1 : memref<8192xi32, 1>
        air.dma_memcpy_nd (%sb[] [] [], %t2[] [] []) : (memref<8192xi32>, memref<8192xi32, 1>)
        memref.dealloc %t2 : memref<8192xi32, 1>
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<8192xi32>, %i: index) -> i32 {
    // Element (r, c) of 64x128 went to r + 64 * c.
    %v0 = arith.constant 64 : index
    %v1 = arith.remui %i, %v0 : index
    %v2 = arith.constant 128 : index
    %v3 = arith.muli %v1, %v2 : index
    %v4 = arith.constant 64 : index
    %v5 = arith.divui %i, %v4 : index
    %p = arith.addi %v3, %v5 : index
    %v7 = memref.load %in[%p] : memref<8192xi32>
    %v9 = arith.constant 0 : i32
    %result = arith.addi %v7, %v9 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8192 = arith.constant 8192 : index
    %in = memref.alloc() : memref<8192xi32>
    %out = memref.alloc() : memref<8192xi32>
    scf.for %i = %c0 to %c8192 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<8192xi32>
    }
    scf.for %i = %c0 to %c8192 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<8192xi32>
    }
    %din = gpu.alloc () : memref<8192xi32>
    %dout = gpu.alloc () : memref<8192xi32>
    gpu.memcpy %din, %in : memref<8192xi32>, memref<8192xi32>
    gpu.memcpy %dout, %out : memref<8192xi32>, memref<8192xi32>
    call @test(%din, %dout) : (memref<8192xi32>, memref<8192xi32>) -> ()
    gpu.memcpy %out, %dout : memref<8192xi32>, memref<8192xi32>
    gpu.dealloc %din : memref<8192xi32>
    gpu.dealloc %dout : memref<8192xi32>

    %wrong, %at = scf.for %i = %c0 to %c8192 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<8192xi32>
      %want = func.call @expected(%in, %i) : (memref<8192xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<8192xi32>
      %want = func.call @expected(%in, %at) : (memref<8192xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<8192xi32>
    memref.dealloc %out : memref<8192xi32>
    return %status : i32
  }
}
