// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: dma_padding_simt: PASS

// A padded DMA in a herd whose lanes are named: uniform operands into L2, then
// one whose operands name the lane into the lane's own L1.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_padding_simt: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_padding_simt: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<640xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<640xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<640xi32> {
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %t = memref.alloc() : memref<2x34xi32, 1>
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c1_1) args(%ha = %sa, %hb = %sb, %ht = %t) : memref<64xi32>, memref<640xi32>, memref<2x34xi32, 1> {
          %c0 = arith.constant 0 : index
          %c1_2 = arith.constant 1 : index
          %c5 = arith.constant 5 : index
          %lane = gpu.lane_id
          %v0 = arith.constant 32 : index
          %o = arith.muli %tx, %v0 : index
          // Row tx of the tile: a zero, 32 elements, a zero.
          air.dma_memcpy_nd (%ht[%tx, 0] [34] [1], %ha[%o] [32] [1]) {pad_before = array<i32: 1>, pad_after = array<i32: 1>} : (memref<2x34xi32, 1>, memref<64xi32>)
          gpu.barrier
          // Each of 64 lanes: a zero, three elements from lane / 2 on, a zero.
          %mine = memref.alloc() : memref<5xi32, 2>
          %v2 = arith.constant 2 : index
          %start = arith.divui %lane, %v2 : index
          air.dma_memcpy_nd (%mine[] [] [], %ht[%tx, %start] [3] [1]) {pad_before = array<i32: 1>, pad_after = array<i32: 1>} : (memref<5xi32, 2>, memref<2x34xi32, 1>)
          %v4 = arith.constant 64 : index
          %v5 = arith.muli %tx, %v4 : index
          %v6 = arith.addi %v5, %lane : index
          %v7 = arith.constant 5 : index
          %to = arith.muli %v6, %v7 : index
          air.dma_memcpy_nd (%hb[%to] [5] [1], %mine[] [] []) : (memref<640xi32>, memref<5xi32, 2>)
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v9 = arith.constant 320 : index
    %tx = arith.divui %i, %v9 : index
    %v11 = arith.constant 5 : index
    %v12 = arith.divui %i, %v11 : index
    %v13 = arith.constant 64 : index
    %lane = arith.remui %v12, %v13 : index
    %v15 = arith.constant 5 : index
    %k = arith.remui %i, %v15 : index
    %v17 = arith.constant 1 : index
    %v18 = arith.cmpi uge, %k, %v17 : index
    %v19 = arith.constant 4 : index
    %v20 = arith.cmpi ult, %k, %v19 : index
    %inner = arith.andi %v18, %v20 : i1
    %v22 = arith.constant 2 : index
    %v23 = arith.divui %lane, %v22 : index
    %v24 = arith.addi %v23, %k : index
    %v25 = arith.constant 1 : index
    %q = arith.subi %v24, %v25 : index
    %v27 = arith.constant 1 : index
    %v28 = arith.cmpi uge, %q, %v27 : index
    %v29 = arith.constant 33 : index
    %v30 = arith.cmpi ult, %q, %v29 : index
    %filled = arith.andi %v28, %v30 : i1
    %both = arith.andi %inner, %filled : i1
    %v33 = arith.constant 32 : index
    %v34 = arith.muli %tx, %v33 : index
    %v35 = arith.addi %v34, %q : index
    %v36 = arith.constant 1 : index
    %v37 = arith.subi %v35, %v36 : index
    %v38 = arith.constant 0 : index
    %p = arith.select %both, %v37, %v38 : index
    %v40 = memref.load %in[%p] : memref<64xi32>
    %v42 = arith.constant 0 : i32
    %v = arith.addi %v40, %v42 : i32
    %v45 = arith.constant 0 : i32
    %result = arith.select %both, %v, %v45 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c640 = arith.constant 640 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<640xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 1 : index
      %v1 = arith.addi %i, %v0 : index
      %v2 = arith.index_cast %v1 : index to i32
      memref.store %v2, %in[%i] : memref<64xi32>
    }
    scf.for %i = %c0 to %c640 step %c1 {
      %v4 = arith.constant -1 : i32
      memref.store %v4, %out[%i] : memref<640xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<640xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<640xi32>, memref<640xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<640xi32>) -> ()
    gpu.memcpy %out, %dout : memref<640xi32>, memref<640xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<640xi32>

    %wrong, %at = scf.for %i = %c0 to %c640 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<640xi32>
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
      %got = memref.load %out[%at] : memref<640xi32>
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
    memref.dealloc %out : memref<640xi32>
    return %status : i32
  }
}
