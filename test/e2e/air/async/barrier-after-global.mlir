// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: barrier_after_global: PASS

// What one herd writes to global memory the next herd and the next DMA of the
// same workgroup read, by other lanes.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("barrier_after_global: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("barrier_after_global: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<768xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi32>, memref<768xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi32>, memref<768xi32> {
        %c1_1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ha = %sa, %hb = %sb) : memref<256xi32>, memref<768xi32> {
          %lane = gpu.lane_id
          %v0 = arith.constant 64 : index
          %v1 = arith.muli %tx, %v0 : index
          %p = arith.addi %v1, %lane : index
          %v3 = memref.load %ha[%p] : memref<256xi32>
          %v5 = arith.constant 1 : i32
          %v6 = arith.addi %v3, %v5 : i32
          memref.store %v6, %hb[%p] : memref<768xi32>
        }
        air.herd @h2 tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%hb = %sb) : memref<768xi32> {
          %lane = gpu.lane_id
          %v7 = arith.constant 64 : index
          %v8 = arith.muli %tx, %v7 : index
          %p = arith.addi %v8, %lane : index
          %v10 = arith.constant 255 : index
          %q = arith.subi %v10, %p : index
          %v12 = arith.constant 256 : index
          %r = arith.addi %v12, %p : index
          %v14 = memref.load %hb[%q] : memref<768xi32>
          %v16 = arith.constant 2 : i32
          %v17 = arith.muli %v14, %v16 : i32
          memref.store %v17, %hb[%r] : memref<768xi32>
        }
        // Transposed as 16x16.
        air.dma_memcpy_nd (%sb[512] [256] [1], %sb[256] [16, 16] [1, 16]) : (memref<768xi32>, memref<768xi32>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v18 = arith.constant 256 : index
    %e = arith.remui %i, %v18 : index
    %v20 = arith.constant 16 : index
    %v21 = arith.remui %e, %v20 : index
    %v22 = arith.constant 16 : index
    %v23 = arith.muli %v21, %v22 : index
    %v24 = arith.constant 16 : index
    %v25 = arith.divui %e, %v24 : index
    %tr = arith.addi %v23, %v25 : index
    %v27 = arith.constant 256 : index
    %v28 = arith.cmpi ult, %i, %v27 : index
    %v29 = arith.constant 512 : index
    %v30 = arith.cmpi ult, %i, %v29 : index
    %v31 = arith.constant 255 : index
    %v32 = arith.subi %v31, %e : index
    %v33 = arith.constant 255 : index
    %v34 = arith.subi %v33, %tr : index
    %v35 = arith.select %v30, %v32, %v34 : index
    %q = arith.select %v28, %e, %v35 : index
    %v37 = arith.constant 256 : index
    %v38 = arith.cmpi ult, %i, %v37 : index
    %v40 = arith.constant 1 : i32
    %v42 = arith.constant 2 : i32
    %f = arith.select %v38, %v40, %v42 : i32
    %v44 = memref.load %in[%q] : memref<256xi32>
    %v46 = arith.constant 1 : i32
    %v47 = arith.addi %v44, %v46 : i32
    %result = arith.muli %v47, %f : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c768 = arith.constant 768 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<768xi32>
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
    scf.for %i = %c0 to %c768 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<768xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<768xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<768xi32>, memref<768xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<768xi32>) -> ()
    gpu.memcpy %out, %dout : memref<768xi32>, memref<768xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<768xi32>

    %wrong, %at = scf.for %i = %c0 to %c768 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<768xi32>
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
      %got = memref.load %out[%at] : memref<768xi32>
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
    memref.dealloc %out : memref<768xi32>
    return %status : i32
  }
}
