// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: sixteen_waves: PASS

// The largest block a workgroup may have, as 4x4 PEs; all take part in a
// barrier and in a cooperative DMA.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("sixteen_waves: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("sixteen_waves: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<1024xi32>, memref<1024xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<1024xi32>, memref<1024xi32> {
        %c4 = arith.constant 4 : index
        %t = memref.alloc() : memref<32x32xi32, 1>
        air.dma_memcpy_nd (%t[] [] [], %sa[0] [32, 32] [1, 32]) : (memref<32x32xi32, 1>, memref<1024xi32>)
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c4) args(%ht = %t, %hb = %sb) : memref<32x32xi32, 1>, memref<1024xi32> {
          %lane = gpu.lane_id
          %v0 = arith.constant 4 : index
          %v1 = arith.muli %tx, %v0 : index
          %v2 = arith.addi %v1, %ty : index
          %v3 = arith.constant 64 : index
          %v4 = arith.muli %v2, %v3 : index
          %p = arith.addi %v4, %lane : index
          %v6 = arith.constant 32 : index
          %v7 = arith.divui %p, %v6 : index
          %v8 = arith.constant 32 : index
          %v9 = arith.remui %p, %v8 : index
          %v = memref.load %ht[%v7, %v9] : memref<32x32xi32, 1>
          gpu.barrier
          %v11 = arith.constant 1023 : index
          %q = arith.subi %v11, %p : index
          %v14 = arith.constant 1 : i32
          %v15 = arith.addi %v, %v14 : i32
          %v16 = arith.constant 32 : index
          %v17 = arith.divui %q, %v16 : index
          %v18 = arith.constant 32 : index
          %v19 = arith.remui %q, %v18 : index
          memref.store %v15, %ht[%v17, %v19] : memref<32x32xi32, 1>
          gpu.barrier
          %v20 = arith.constant 32 : index
          %v21 = arith.divui %p, %v20 : index
          %v22 = arith.constant 32 : index
          %v23 = arith.remui %p, %v22 : index
          %v24 = memref.load %ht[%v21, %v23] : memref<32x32xi32, 1>
          memref.store %v24, %hb[%p] : memref<1024xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1024xi32>, %i: index) -> i32 {
    %v25 = arith.constant 1023 : index
    %q = arith.subi %v25, %i : index
    %v27 = arith.constant 32 : index
    %v28 = arith.remui %q, %v27 : index
    %v29 = arith.constant 32 : index
    %v30 = arith.muli %v28, %v29 : index
    %v31 = arith.constant 32 : index
    %v32 = arith.divui %q, %v31 : index
    %p = arith.addi %v30, %v32 : index
    %v34 = memref.load %in[%p] : memref<1024xi32>
    %v36 = arith.constant 1 : i32
    %result = arith.addi %v34, %v36 : i32
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
