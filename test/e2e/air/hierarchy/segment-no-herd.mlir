// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: segment_no_herd: PASS

// A segment without a herd: its code runs once, its DMA through L2 moves the
// tile.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_no_herd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_no_herd: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xf32>, %out: memref<256xf32>) {
    %c4 = arith.constant 4 : index
    air.launch (%x) in (%sx = %c4) args(%a = %in, %b = %out) : memref<256xf32>, memref<256xf32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<256xf32>, memref<256xf32> {
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %t = memref.alloc() : memref<64xf32, 1>
        %v0 = arith.constant 64 : index
        %o = arith.muli %u, %v0 : index
        air.dma_memcpy_nd (%t[] [] [], %sa[%o] [%c64] [%c1]) : (memref<64xf32, 1>, memref<256xf32>)
        air.dma_memcpy_nd (%sb[%o] [%c64] [%c1], %t[] [] []) : (memref<256xf32>, memref<64xf32, 1>)
        memref.dealloc %t : memref<64xf32, 1>
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xf32>, %i: index) -> f32 {
    %v2 = memref.load %in[%i] : memref<256xf32>
    %v4 = arith.constant 0.0 : f32
    %result = arith.addf %v2, %v4 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<256xf32>
    %out = memref.alloc() : memref<256xf32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<256xf32>
    }
    scf.for %i = %c0 to %c256 step %c1 {
      %v9 = arith.constant -1.0 : f32
      memref.store %v9, %out[%i] : memref<256xf32>
    }
    %din = gpu.alloc () : memref<256xf32>
    %dout = gpu.alloc () : memref<256xf32>
    gpu.memcpy %din, %in : memref<256xf32>, memref<256xf32>
    gpu.memcpy %dout, %out : memref<256xf32>, memref<256xf32>
    call @test(%din, %dout) : (memref<256xf32>, memref<256xf32>) -> ()
    gpu.memcpy %out, %dout : memref<256xf32>, memref<256xf32>
    gpu.dealloc %din : memref<256xf32>
    gpu.dealloc %dout : memref<256xf32>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xf32>
      %want = func.call @expected(%in, %i) : (memref<256xf32>, index) -> f32
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
      %got = memref.load %out[%at] : memref<256xf32>
      %want = func.call @expected(%in, %at) : (memref<256xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xf32>
    memref.dealloc %out : memref<256xf32>
    return %status : i32
  }
}
