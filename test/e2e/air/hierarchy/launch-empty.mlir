// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// CHECK: launch_empty: PASS

// A launch of which a size is zero at run time does nothing, and what comes
// after it still runs; DMAs and loops of no elements do nothing either.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_empty: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_empty: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<16xi32>) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    // in[14] is 0 (14 * 7 + 3 = 101), in[0] is 3.
    %host = memref.alloc() : memref<16xi32>
    gpu.memcpy %host, %in : memref<16xi32>, memref<16xi32>
    %v0 = arith.constant 14 : index
    %v1 = memref.load %host[%v0] : memref<16xi32>
    %z = arith.index_cast %v1 : i32 to index
    memref.dealloc %host : memref<16xi32>
    air.launch (%x, %y) in (%sx = %c3, %sy = %z) args(%b = %out) : memref<16xi32> {
      %seven = arith.constant 7 : i32
      %v4 = arith.constant 0 : i32
      %v5 = arith.addi %seven, %v4 : i32
      memref.store %v5, %b[%x] : memref<16xi32>
    }
    air.launch (%x) in (%sx = %c16) args(%a = %in, %b = %out, %n = %z) : memref<16xi32>, memref<16xi32>, index {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b, %sn = %n) : index, memref<16xi32>, memref<16xi32>, index {
        %c0_1 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %v6 = arith.constant 1 : index
        %k = arith.addi %u, %v6 : index
        air.dma_memcpy_nd (%sb[%u] [%sn] [1], %sa[%u] [%sn] [1]) : (memref<16xi32>, memref<16xi32>)
        scf.for %l = %c0_1 to %sn step %c1 {
          air.dma_memcpy_nd (%sb[%u] [1] [1], %sa[%u] [1] [1]) : (memref<16xi32>, memref<16xi32>)
        }
        %v8 = memref.load %sb[%u] : memref<16xi32>
        %v9 = arith.index_cast %u : index to i32
        %v10 = arith.subi %v8, %v9 : i32
        memref.store %v10, %sb[%u] : memref<16xi32>
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    %minus = arith.constant -1 : i32
    %v11 = arith.index_cast %i : index to i32
    %result = arith.subi %minus, %v11 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<16xi32>
    scf.for %i = %c0 to %c16 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<16xi32>
    }
    scf.for %i = %c0 to %c16 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<16xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<16xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<16xi32>, memref<16xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<16xi32>) -> ()
    gpu.memcpy %out, %dout : memref<16xi32>, memref<16xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<16xi32>

    %wrong, %at = scf.for %i = %c0 to %c16 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<16xi32>
      %want = func.call @expected(%in, %i) : (memref<16xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<16xi32>
      %want = func.call @expected(%in, %at) : (memref<16xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<16xi32>
    memref.dealloc %out : memref<16xi32>
    return %status : i32
  }
}
