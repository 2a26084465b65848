// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: partial_tiles: PASS

// Tiles at the border of a matrix whose size no tile divides: affine.min of
// block ids as sizes of DMAs, and loops up to them.

#rows = affine_map<(d0) -> (41 - d0 * 16, 16)>
#cols = affine_map<(d0) -> (29 - d0 * 8, 8)>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("partial_tiles: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("partial_tiles: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1189xi32>, %out: memref<1189xi32>) {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %A = memref.reinterpret_cast %in to offset: [0], sizes: [41, 29], strides: [29, 1] : memref<1189xi32> to memref<41x29xi32>
    %B = memref.reinterpret_cast %out to offset: [0], sizes: [41, 29], strides: [29, 1] : memref<1189xi32> to memref<41x29xi32>
    air.launch (%x, %y) in (%sx = %c3, %sy = %c4) args(%a = %A, %b = %B) : memref<41x29xi32>, memref<41x29xi32> {
      air.segment @s args(%u = %x, %v = %y, %sa = %a, %sb = %b) : index, index, memref<41x29xi32>, memref<41x29xi32> {
        %c2 = arith.constant 2 : index
        %rows = affine.min #rows(%u)
        %cols = affine.min #cols(%v)
        %v0 = arith.constant 16 : index
        %r = arith.muli %u, %v0 : index
        %v2 = arith.constant 8 : index
        %c = arith.muli %v, %v2 : index
        %t = memref.alloc() : memref<16x8xi32, 1>
        air.dma_memcpy_nd (%t[0, 0] [%rows, %cols] [8, 1], %sa[%r, %c] [%rows, %cols] [29, 1]) : (memref<16x8xi32, 1>, memref<41x29xi32>)
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ht = %t, %hr = %rows, %hc = %cols, %hu = %u) : memref<16x8xi32, 1>, index, index, index {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v4 = arith.constant 2 : index
          %v5 = arith.muli %ty, %v4 : index
          %v6 = arith.addi %v5, %tx : index
          %v7 = arith.muli %v6, %wave : index
          %l = arith.addi %v7, %lane : index
          %n = arith.muli %hr, %hc : index
          %v10 = arith.constant 4 : index
          %total = arith.muli %wave, %v10 : index
          scf.for %e = %l to %n step %total {
            %i = arith.divui %e, %hc : index
            %j = arith.remui %e, %hc : index
            %v14 = memref.load %ht[%i, %j] : memref<16x8xi32, 1>
            %v16 = arith.constant 10 : i32
            %v17 = arith.muli %v14, %v16 : i32
            %v18 = arith.index_cast %hu : index to i32
            %v19 = arith.addi %v17, %v18 : i32
            memref.store %v19, %ht[%i, %j] : memref<16x8xi32, 1>
          }
        }
        air.dma_memcpy_nd (%sb[%r, %c] [%rows, %cols] [], %t[0, 0] [%rows, %cols] [8, 1]) : (memref<41x29xi32>, memref<16x8xi32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1189xi32>, %i: index) -> i32 {
    %v20 = memref.load %in[%i] : memref<1189xi32>
    %v22 = arith.constant 10 : i32
    %v23 = arith.muli %v20, %v22 : i32
    %v24 = arith.constant 29 : index
    %v25 = arith.divui %i, %v24 : index
    %v26 = arith.constant 16 : index
    %v27 = arith.divui %v25, %v26 : index
    %v28 = arith.index_cast %v27 : index to i32
    %result = arith.addi %v23, %v28 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1189 = arith.constant 1189 : index
    %in = memref.alloc() : memref<1189xi32>
    %out = memref.alloc() : memref<1189xi32>
    scf.for %i = %c0 to %c1189 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<1189xi32>
    }
    scf.for %i = %c0 to %c1189 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<1189xi32>
    }
    %din = gpu.alloc () : memref<1189xi32>
    %dout = gpu.alloc () : memref<1189xi32>
    gpu.memcpy %din, %in : memref<1189xi32>, memref<1189xi32>
    gpu.memcpy %dout, %out : memref<1189xi32>, memref<1189xi32>
    call @test(%din, %dout) : (memref<1189xi32>, memref<1189xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1189xi32>, memref<1189xi32>
    gpu.dealloc %din : memref<1189xi32>
    gpu.dealloc %dout : memref<1189xi32>

    %wrong, %at = scf.for %i = %c0 to %c1189 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1189xi32>
      %want = func.call @expected(%in, %i) : (memref<1189xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<1189xi32>
      %want = func.call @expected(%in, %at) : (memref<1189xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1189xi32>
    memref.dealloc %out : memref<1189xi32>
    return %status : i32
  }
}
