// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: barriers_around_dmas: PASS

// DMAs into an L2 tile, a herd whose shape differs from the copy that reads and
// changes it, a DMA out of it, in a loop over the same tile.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("barriers_around_dmas: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("barriers_around_dmas: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<2048xi32>, %out: memref<2048xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<2048xi32>, memref<2048xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<2048xi32>, memref<2048xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %c256 = arith.constant 256 : index
        %t = memref.alloc() : memref<256xi32, 1>
        scf.for %k = %c0 to %c8 step %c1_1 {
          %v0 = arith.constant 256 : index
          %o = arith.muli %k, %v0 : index
          air.dma_memcpy_nd (%t[] [] [], %sa[%o] [%c256] [%c1_1]) : (memref<256xi32, 1>, memref<2048xi32>)
          air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ht = %t, %hk = %k) : memref<256xi32, 1>, index {
            %lane = gpu.lane_id
            %v2 = arith.constant 64 : index
            %v3 = arith.muli %tx, %v2 : index
            %p = arith.addi %v3, %lane : index
            %v5 = arith.constant 255 : index
            %q = arith.subi %v5, %p : index
            // Other PEs' elements: only the barrier orders the read before the write.
            %v7 = memref.load %ht[%q] : memref<256xi32, 1>
            %v8 = arith.index_cast %hk : index to i32
            %v = arith.addi %v7, %v8 : i32
            gpu.barrier
            %v11 = arith.constant 2 : i32
            %v12 = arith.muli %v, %v11 : i32
            memref.store %v12, %ht[%p] : memref<256xi32, 1>
          }
          air.dma_memcpy_nd (%sb[%o] [%c256] [%c1_1], %t[] [] []) : (memref<2048xi32>, memref<256xi32, 1>)
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<2048xi32>, %i: index) -> i32 {
    %v13 = arith.constant 256 : index
    %k = arith.divui %i, %v13 : index
    %v15 = arith.constant 256 : index
    %v16 = arith.muli %k, %v15 : index
    %v17 = arith.constant 255 : index
    %v18 = arith.addi %v16, %v17 : index
    %v19 = arith.constant 256 : index
    %v20 = arith.remui %i, %v19 : index
    %q = arith.subi %v18, %v20 : index
    %v22 = memref.load %in[%q] : memref<2048xi32>
    %v23 = arith.index_cast %k : index to i32
    %v24 = arith.addi %v22, %v23 : i32
    %v26 = arith.constant 2 : i32
    %result = arith.muli %v24, %v26 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2048 = arith.constant 2048 : index
    %in = memref.alloc() : memref<2048xi32>
    %out = memref.alloc() : memref<2048xi32>
    scf.for %i = %c0 to %c2048 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<2048xi32>
    }
    scf.for %i = %c0 to %c2048 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<2048xi32>
    }
    %din = gpu.alloc () : memref<2048xi32>
    %dout = gpu.alloc () : memref<2048xi32>
    gpu.memcpy %din, %in : memref<2048xi32>, memref<2048xi32>
    gpu.memcpy %dout, %out : memref<2048xi32>, memref<2048xi32>
    call @test(%din, %dout) : (memref<2048xi32>, memref<2048xi32>) -> ()
    gpu.memcpy %out, %dout : memref<2048xi32>, memref<2048xi32>
    gpu.dealloc %din : memref<2048xi32>
    gpu.dealloc %dout : memref<2048xi32>

    %wrong, %at = scf.for %i = %c0 to %c2048 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<2048xi32>
      %want = func.call @expected(%in, %i) : (memref<2048xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<2048xi32>
      %want = func.call @expected(%in, %at) : (memref<2048xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<2048xi32>
    memref.dealloc %out : memref<2048xi32>
    return %status : i32
  }
}
