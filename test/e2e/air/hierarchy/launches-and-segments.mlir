// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: launches_and_segments: PASS

// Two launches in a function, the second with two segments, each with a herd
// of another size, and a plain store between them: everything runs, in order,
// at its own size.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launches_and_segments: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launches_and_segments: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<1024xi32>, memref<1024xi32> {
      air.segment @first args(%u = %x, %sa = %a, %sb = %b) : index, memref<1024xi32>, memref<1024xi32> {
        %c1 = arith.constant 1 : index
        %c4_1 = arith.constant 4 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c4_1, %nty = %c1) args(%hu = %u, %ha = %sa, %hb = %sb) : index, memref<1024xi32>, memref<1024xi32> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v0 = arith.constant 128 : index
          scf.for %e = %lane to %v0 step %wave {
            %v1 = arith.constant 4 : index
            %v2 = arith.muli %hu, %v1 : index
            %v3 = arith.addi %v2, %tx : index
            %v4 = arith.constant 128 : index
            %v5 = arith.muli %v3, %v4 : index
            %p = arith.addi %v5, %e : index
            %v7 = memref.load %ha[%p] : memref<1024xi32>
            %v9 = arith.constant 7 : i32
            %v10 = arith.addi %v7, %v9 : i32
            memref.store %v10, %hb[%p] : memref<1024xi32>
          }
        }
      }
    }
    air.launch (%x, %y) in (%sx = %c4, %sy = %c2) args(%b = %out) : memref<1024xi32> {
      air.segment @second args(%u = %x, %v = %y, %sb = %b) : index, index, memref<1024xi32> {
        %c1 = arith.constant 1 : index
        %c2_1 = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c1, %nty = %c2_1) args(%hu = %u, %hv = %v, %hb = %sb) : index, index, memref<1024xi32> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v11 = arith.constant 64 : index
          scf.for %e = %lane to %v11 step %wave {
            %v12 = arith.constant 2 : index
            %v13 = arith.muli %hu, %v12 : index
            %v14 = arith.addi %v13, %hv : index
            %v15 = arith.constant 128 : index
            %v16 = arith.muli %v14, %v15 : index
            %v17 = arith.constant 64 : index
            %v18 = arith.muli %ty, %v17 : index
            %v19 = arith.addi %v16, %v18 : index
            %p = arith.addi %v19, %e : index
            %v21 = memref.load %hb[%p] : memref<1024xi32>
            %v23 = arith.constant 2 : i32
            %v24 = arith.muli %v21, %v23 : i32
            memref.store %v24, %hb[%p] : memref<1024xi32>
          }
        }
      }
      air.segment @third args(%u = %x, %v = %y, %sb = %b) : index, index, memref<1024xi32> {
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c3, %nty = %c1) args(%hu = %u, %hv = %v, %hb = %sb) : index, index, memref<1024xi32> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          // 42 elements each: 126 of the 128, the last two stay as they were.
          %v25 = arith.constant 42 : index
          scf.for %e = %lane to %v25 step %wave {
            %v26 = arith.constant 2 : index
            %v27 = arith.muli %hu, %v26 : index
            %v28 = arith.addi %v27, %hv : index
            %v29 = arith.constant 128 : index
            %v30 = arith.muli %v28, %v29 : index
            %v31 = arith.constant 42 : index
            %v32 = arith.muli %tx, %v31 : index
            %v33 = arith.addi %v30, %v32 : index
            %p = arith.addi %v33, %e : index
            %v35 = memref.load %hb[%p] : memref<1024xi32>
            %v36 = arith.index_cast %tx : index to i32
            %v37 = arith.addi %v35, %v36 : i32
            memref.store %v37, %hb[%p] : memref<1024xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1024xi32>, %i: index) -> i32 {
    %v38 = arith.constant 128 : index
    %q = arith.remui %i, %v38 : index
    %v40 = arith.constant 126 : index
    %v41 = arith.cmpi ult, %q, %v40 : index
    %v42 = arith.constant 42 : index
    %v43 = arith.divui %q, %v42 : index
    %v44 = arith.constant 0 : index
    %t = arith.select %v41, %v43, %v44 : index
    %v46 = memref.load %in[%i] : memref<1024xi32>
    %v48 = arith.constant 7 : i32
    %v49 = arith.addi %v46, %v48 : i32
    %v51 = arith.constant 2 : i32
    %v52 = arith.muli %v49, %v51 : i32
    %v53 = arith.index_cast %t : index to i32
    %result = arith.addi %v52, %v53 : i32
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
