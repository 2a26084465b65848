// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: launch_no_segment_herd: PASS

// A herd right in a launch, without a segment between them.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_no_segment_herd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_no_segment_herd: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %c4 = arith.constant 4 : index
    air.launch (%x) in (%sx = %c4) args(%a = %in, %b = %out) : memref<1024xi32>, memref<1024xi32> {
      %c1 = arith.constant 1 : index
      %c4_1 = arith.constant 4 : index
      air.herd @h tile (%tx, %ty) in (%ntx = %c4_1, %nty = %c1) args(%ha = %a, %hb = %b, %hx = %x) : memref<1024xi32>, memref<1024xi32>, index {
        %lane = gpu.lane_id
        %wave = gpu.subgroup_size : index
        %v0 = arith.constant 64 : index
        scf.for %e = %lane to %v0 step %wave {
          %v1 = arith.constant 256 : index
          %v2 = arith.muli %hx, %v1 : index
          %v3 = arith.constant 64 : index
          %v4 = arith.muli %tx, %v3 : index
          %v5 = arith.addi %v2, %v4 : index
          %p = arith.addi %v5, %e : index
          %v7 = memref.load %ha[%p] : memref<1024xi32>
          %v9 = arith.constant 5 : i32
          %v10 = arith.muli %v7, %v9 : i32
          %v11 = arith.constant 10 : index
          %v12 = arith.muli %hx, %v11 : index
          %v13 = arith.addi %v12, %tx : index
          %v14 = arith.index_cast %v13 : index to i32
          %v15 = arith.addi %v10, %v14 : i32
          memref.store %v15, %hb[%p] : memref<1024xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1024xi32>, %i: index) -> i32 {
    %v16 = memref.load %in[%i] : memref<1024xi32>
    %v18 = arith.constant 5 : i32
    %v19 = arith.muli %v16, %v18 : i32
    %v20 = arith.constant 256 : index
    %v21 = arith.divui %i, %v20 : index
    %v22 = arith.constant 10 : index
    %v23 = arith.muli %v21, %v22 : index
    %v24 = arith.constant 64 : index
    %v25 = arith.divui %i, %v24 : index
    %v26 = arith.constant 4 : index
    %v27 = arith.remui %v25, %v26 : index
    %v28 = arith.addi %v23, %v27 : index
    %v29 = arith.index_cast %v28 : index to i32
    %result = arith.addi %v19, %v29 : i32
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
