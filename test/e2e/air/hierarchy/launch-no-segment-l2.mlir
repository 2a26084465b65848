// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: launch_no_segment_l2: PASS

// A launch without a segment is the workgroup itself: its L2 buffer, its DMAs,
// its herds, and code that runs once.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_no_segment_l2: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_no_segment_l2: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<520xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<512xi32>, memref<520xi32> {
      %c2_1 = arith.constant 2 : index
      %c512 = arith.constant 512 : index
      %one = arith.constant 1 : i32
      %t = memref.alloc() : memref<256xi32, 1>
      %v0 = arith.constant 256 : index
      %o = arith.muli %x, %v0 : index
      air.dma_memcpy_nd (%t[] [] [], %a[%o] [256] [1]) : (memref<256xi32, 1>, memref<512xi32>)
      %r = memref.atomic_rmw addi %one, %b[%c512] : (i32, memref<520xi32>) -> i32
      air.herd @h tile (%tx, %ty) in (%ntx = %c2_1, %nty = %c2_1) args(%ht = %t) : memref<256xi32, 1> {
        %lane = gpu.lane_id
        %v2 = arith.constant 2 : index
        %v3 = arith.muli %tx, %v2 : index
        %v4 = arith.addi %v3, %ty : index
        %v5 = arith.constant 64 : index
        %v6 = arith.muli %v4, %v5 : index
        %p = arith.addi %v6, %lane : index
        %v8 = memref.load %ht[%p] : memref<256xi32, 1>
        %v9 = arith.index_cast %p : index to i32
        %v10 = arith.addi %v8, %v9 : i32
        memref.store %v10, %ht[%p] : memref<256xi32, 1>
      }
      air.dma_memcpy_nd (%b[%o] [256] [1], %t[] [] []) : (memref<520xi32>, memref<256xi32, 1>)
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %v11 = arith.constant 511 : index
    %p = arith.minui %i, %v11 : index
    %v13 = memref.load %in[%p] : memref<512xi32>
    %v14 = arith.constant 256 : index
    %v15 = arith.remui %i, %v14 : index
    %v16 = arith.index_cast %v15 : index to i32
    %moved = arith.addi %v13, %v16 : i32
    %v18 = arith.constant 512 : index
    %v19 = arith.cmpi ult, %i, %v18 : index
    %v20 = arith.constant 512 : index
    %v21 = arith.cmpi eq, %i, %v20 : index
    %v23 = arith.constant 2 : i32
    %v25 = arith.constant 0 : i32
    %v26 = arith.select %v21, %v23, %v25 : i32
    %result = arith.select %v19, %moved, %v26 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %c520 = arith.constant 520 : index
    %in = memref.alloc() : memref<512xi32>
    %out = memref.alloc() : memref<520xi32>
    scf.for %i = %c0 to %c512 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<512xi32>
    }
    scf.for %i = %c0 to %c520 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<520xi32>
    }
    %din = gpu.alloc () : memref<512xi32>
    %dout = gpu.alloc () : memref<520xi32>
    gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
    gpu.memcpy %dout, %out : memref<520xi32>, memref<520xi32>
    call @test(%din, %dout) : (memref<512xi32>, memref<520xi32>) -> ()
    gpu.memcpy %out, %dout : memref<520xi32>, memref<520xi32>
    gpu.dealloc %din : memref<512xi32>
    gpu.dealloc %dout : memref<520xi32>

    %wrong, %at = scf.for %i = %c0 to %c520 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<520xi32>
      %want = func.call @expected(%in, %i) : (memref<512xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<520xi32>
      %want = func.call @expected(%in, %at) : (memref<512xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<512xi32>
    memref.dealloc %out : memref<520xi32>
    return %status : i32
  }
}
