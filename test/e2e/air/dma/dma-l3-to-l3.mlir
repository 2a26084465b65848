// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: dma_l3_to_l3: PASS

// A DMA from global memory to global memory, with strides on both sides, in a
// segment and in a PE-level herd.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_l3_to_l3: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_l3_to_l3: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<512xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi32>, memref<512xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi32>, memref<512xi32> {
        %c4 = arith.constant 4 : index
        air.dma_memcpy_nd (%sb[0] [16, 16] [1, 16], %sa[0] [16, 16] [16, 1]) : (memref<512xi32>, memref<256xi32>)
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c4) args(%ha = %sa, %hb = %sb) : memref<256xi32>, memref<512xi32> {
          %v0 = arith.constant 4 : index
          %v1 = arith.muli %tx, %v0 : index
          %v2 = arith.addi %v1, %ty : index
          %v3 = arith.constant 16 : index
          %start = arith.muli %v2, %v3 : index
          %v5 = arith.constant 4 : index
          %v6 = arith.muli %ty, %v5 : index
          %v7 = arith.addi %v6, %tx : index
          %v8 = arith.constant 16 : index
          %v9 = arith.muli %v7, %v8 : index
          %v10 = arith.constant 256 : index
          %to = arith.addi %v9, %v10 : index
          air.dma_memcpy_nd (%hb[%to] [16] [1], %ha[%start] [16] [1]) : (memref<512xi32>, memref<256xi32>)
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v12 = arith.constant 256 : index
    %e = arith.remui %i, %v12 : index
    %v14 = arith.constant 16 : index
    %v15 = arith.remui %e, %v14 : index
    %v16 = arith.constant 16 : index
    %v17 = arith.muli %v15, %v16 : index
    %v18 = arith.constant 16 : index
    %v19 = arith.divui %e, %v18 : index
    %first = arith.addi %v17, %v19 : index
    %v21 = arith.constant 16 : index
    %t = arith.divui %e, %v21 : index
    %v23 = arith.constant 4 : index
    %v24 = arith.remui %t, %v23 : index
    %v25 = arith.constant 4 : index
    %v26 = arith.muli %v24, %v25 : index
    %v27 = arith.constant 4 : index
    %v28 = arith.divui %t, %v27 : index
    %v29 = arith.addi %v26, %v28 : index
    %v30 = arith.constant 16 : index
    %v31 = arith.muli %v29, %v30 : index
    %v32 = arith.constant 16 : index
    %v33 = arith.remui %e, %v32 : index
    %second = arith.addi %v31, %v33 : index
    %v35 = arith.constant 256 : index
    %v36 = arith.cmpi ult, %i, %v35 : index
    %p = arith.select %v36, %first, %second : index
    %v38 = memref.load %in[%p] : memref<256xi32>
    %v40 = arith.constant 0 : i32
    %result = arith.addi %v38, %v40 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<512xi32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<256xi32>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<512xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<512xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<512xi32>, memref<512xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<512xi32>) -> ()
    gpu.memcpy %out, %dout : memref<512xi32>, memref<512xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<512xi32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xi32>
      %want = func.call @expected(%in, %i) : (memref<256xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<512xi32>
      %want = func.call @expected(%in, %at) : (memref<256xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xi32>
    memref.dealloc %out : memref<512xi32>
    return %status : i32
  }
}
