// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: dma_padding: PASS

// Zero padding before and after in both dimensions, with strides on the source
// and a tile of LDS that held something else before.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_padding: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_padding: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<400xi32>, %out: memref<304xi32>) {
    %c2 = arith.constant 2 : index
    %m = memref.reinterpret_cast %in to offset: [0], sizes: [20, 20], strides: [20, 1] : memref<400xi32> to memref<20x20xi32>
    air.launch (%x) in (%sx = %c2) args(%a = %m, %b = %out) : memref<20x20xi32>, memref<304xi32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<20x20xi32>, memref<304xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2_1 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c5 = arith.constant 5 : index
        %c40 = arith.constant 40 : index
        %t = memref.alloc() : memref<152xi32, 1>
        air.dma_memcpy_nd (%t[] [] [], %sa[0, 0] [152] [1]) : (memref<152xi32, 1>, memref<20x20xi32>)
        // 5x14 elements, every second row and no column left out, in 8x19.
        air.dma_memcpy_nd (%t[] [] [], %sa[%u, 3] [%c5, 14] [%c40, 1]) {pad_before = array<i32: 2, 1>, pad_after = array<i32: 1, 4>} : (memref<152xi32, 1>, memref<20x20xi32>)
        %v0 = arith.constant 152 : index
        %o = arith.muli %u, %v0 : index
        air.dma_memcpy_nd (%sb[%o] [152] [1], %t[] [] []) : (memref<304xi32>, memref<152xi32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<400xi32>, %i: index) -> i32 {
    %v2 = arith.constant 152 : index
    %x = arith.divui %i, %v2 : index
    %v4 = arith.constant 152 : index
    %v5 = arith.remui %i, %v4 : index
    %v6 = arith.constant 19 : index
    %r = arith.divui %v5, %v6 : index
    %v8 = arith.constant 19 : index
    %c = arith.remui %i, %v8 : index
    %v10 = arith.constant 152 : index
    %v11 = arith.remui %i, %v10 : index
    %v12 = arith.constant 19 : index
    %c2 = arith.remui %v11, %v12 : index
    %v14 = arith.constant 2 : index
    %v15 = arith.cmpi uge, %r, %v14 : index
    %v16 = arith.constant 7 : index
    %v17 = arith.cmpi ult, %r, %v16 : index
    %v18 = arith.andi %v15, %v17 : i1
    %v19 = arith.constant 1 : index
    %v20 = arith.cmpi uge, %c2, %v19 : index
    %v21 = arith.andi %v18, %v20 : i1
    %v22 = arith.constant 15 : index
    %v23 = arith.cmpi ult, %c2, %v22 : index
    %inside = arith.andi %v21, %v23 : i1
    %v25 = arith.constant 2 : index
    %v26 = arith.subi %r, %v25 : index
    %v27 = arith.constant 2 : index
    %v28 = arith.muli %v26, %v27 : index
    %v29 = arith.addi %x, %v28 : index
    %v30 = arith.constant 20 : index
    %v31 = arith.muli %v29, %v30 : index
    %v32 = arith.constant 3 : index
    %v33 = arith.addi %v31, %v32 : index
    %v34 = arith.addi %v33, %c2 : index
    %v35 = arith.constant 1 : index
    %v36 = arith.subi %v34, %v35 : index
    %v37 = arith.constant 0 : index
    %p = arith.select %inside, %v36, %v37 : index
    %v39 = memref.load %in[%p] : memref<400xi32>
    %v41 = arith.constant 0 : i32
    %v = arith.addi %v39, %v41 : i32
    %v44 = arith.constant 0 : i32
    %result = arith.select %inside, %v, %v44 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c400 = arith.constant 400 : index
    %c304 = arith.constant 304 : index
    %in = memref.alloc() : memref<400xi32>
    %out = memref.alloc() : memref<304xi32>
    scf.for %i = %c0 to %c400 step %c1 {
      %v0 = arith.constant 1 : index
      %v1 = arith.addi %i, %v0 : index
      %v2 = arith.index_cast %v1 : index to i32
      memref.store %v2, %in[%i] : memref<400xi32>
    }
    scf.for %i = %c0 to %c304 step %c1 {
      %v4 = arith.constant -1 : i32
      memref.store %v4, %out[%i] : memref<304xi32>
    }
    %din = gpu.alloc () : memref<400xi32>
    %dout = gpu.alloc () : memref<304xi32>
    gpu.memcpy %din, %in : memref<400xi32>, memref<400xi32>
    gpu.memcpy %dout, %out : memref<304xi32>, memref<304xi32>
    call @test(%din, %dout) : (memref<400xi32>, memref<304xi32>) -> ()
    gpu.memcpy %out, %dout : memref<304xi32>, memref<304xi32>
    gpu.dealloc %din : memref<400xi32>
    gpu.dealloc %dout : memref<304xi32>

    %wrong, %at = scf.for %i = %c0 to %c304 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<304xi32>
      %want = func.call @expected(%in, %i) : (memref<400xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<304xi32>
      %want = func.call @expected(%in, %at) : (memref<400xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<400xi32>
    memref.dealloc %out : memref<304xi32>
    return %status : i32
  }
}
