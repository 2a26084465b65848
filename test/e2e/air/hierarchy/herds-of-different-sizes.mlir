// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: herds_of_different_sizes: PASS

// Four herds of different shapes in one segment, each sees its own sizes and
// ids; the smaller ones do not run on lanes that are not theirs.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("herds_of_different_sizes: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("herds_of_different_sizes: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<64xi32> {
      air.segment @s args(%sb = %b) : memref<64xi32> {
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        air.herd @h0 tile (%tx, %ty) in (%ntx = %c1_1, %nty = %c2) args(%hb = %sb) : memref<64xi32> {
          %c0 = arith.constant 0 : index
          %lane = gpu.lane_id
          %one = arith.constant 1 : i32
          %v0 = arith.muli %tx, %nty : index
          %p = arith.addi %v0, %ty : index
          %old = memref.atomic_rmw addi %one, %hb[%p] : (i32, memref<64xi32>) -> i32
          %v2 = arith.constant 0 : index
          %v3 = arith.cmpi eq, %lane, %v2 : index
          scf.if %v3 {
            %v4 = arith.constant 10 : index
            %v5 = arith.muli %ntx, %v4 : index
            %v6 = arith.addi %v5, %nty : index
            %v7 = arith.index_cast %v6 : index to i32
            %v9 = arith.constant 1000 : i32
            %s = arith.muli %v7, %v9 : i32
            %o2 = memref.atomic_rmw addi %s, %hb[%p] : (i32, memref<64xi32>) -> i32
          }
        }
        air.herd @h1 tile (%tx, %ty) in (%ntx = %c4, %nty = %c2) args(%hb = %sb) : memref<64xi32> {
          %lane = gpu.lane_id
          %one = arith.constant 1 : i32
          %v11 = arith.muli %tx, %nty : index
          %v12 = arith.addi %v11, %ty : index
          %v13 = arith.constant 16 : index
          %p = arith.addi %v12, %v13 : index
          %old = memref.atomic_rmw addi %one, %hb[%p] : (i32, memref<64xi32>) -> i32
          %v15 = arith.constant 0 : index
          %v16 = arith.cmpi eq, %lane, %v15 : index
          scf.if %v16 {
            %v17 = arith.constant 10 : index
            %v18 = arith.muli %ntx, %v17 : index
            %v19 = arith.addi %v18, %nty : index
            %v20 = arith.index_cast %v19 : index to i32
            %v22 = arith.constant 1000 : i32
            %s = arith.muli %v20, %v22 : i32
            %o2 = memref.atomic_rmw addi %s, %hb[%p] : (i32, memref<64xi32>) -> i32
          }
        }
        air.herd @h2 tile (%tx) in (%ntx = %c3) args(%hb = %sb) : memref<64xi32> {
          %lane = gpu.lane_id
          %one = arith.constant 1 : i32
          %v24 = arith.constant 32 : index
          %p = arith.addi %tx, %v24 : index
          %old = memref.atomic_rmw addi %one, %hb[%p] : (i32, memref<64xi32>) -> i32
          %v26 = arith.constant 0 : index
          %v27 = arith.cmpi eq, %lane, %v26 : index
          scf.if %v27 {
            %v28 = arith.constant 10 : index
            %v29 = arith.muli %ntx, %v28 : index
            %v30 = arith.constant 1 : index
            %v31 = arith.addi %v29, %v30 : index
            %v32 = arith.index_cast %v31 : index to i32
            %v34 = arith.constant 1000 : i32
            %s = arith.muli %v32, %v34 : i32
            %o2 = memref.atomic_rmw addi %s, %hb[%p] : (i32, memref<64xi32>) -> i32
          }
        }
        air.herd @h3 tile (%tx, %ty) in (%ntx = %c2, %nty = %c3) args(%hb = %sb) : memref<64xi32> {
          %lane = gpu.lane_id
          %one = arith.constant 1 : i32
          %v36 = arith.muli %tx, %nty : index
          %v37 = arith.addi %v36, %ty : index
          %v38 = arith.constant 48 : index
          %p = arith.addi %v37, %v38 : index
          %old = memref.atomic_rmw addi %one, %hb[%p] : (i32, memref<64xi32>) -> i32
          %v40 = arith.constant 0 : index
          %v41 = arith.cmpi eq, %lane, %v40 : index
          scf.if %v41 {
            %v42 = arith.constant 10 : index
            %v43 = arith.muli %ntx, %v42 : index
            %v44 = arith.addi %v43, %nty : index
            %v45 = arith.index_cast %v44 : index to i32
            %v47 = arith.constant 1000 : i32
            %s = arith.muli %v45, %v47 : i32
            %o2 = memref.atomic_rmw addi %s, %hb[%p] : (i32, memref<64xi32>) -> i32
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    // Every gfx9 wave has 64 lanes.
    %v49 = arith.constant 16 : index
    %g = arith.divui %i, %v49 : index
    %v51 = arith.constant 16 : index
    %p = arith.remui %i, %v51 : index
    %v53 = arith.constant 0 : index
    %v54 = arith.cmpi eq, %g, %v53 : index
    %v55 = arith.constant 2 : index
    %v56 = arith.constant 1 : index
    %v57 = arith.cmpi eq, %g, %v56 : index
    %v58 = arith.constant 8 : index
    %v59 = arith.constant 2 : index
    %v60 = arith.cmpi eq, %g, %v59 : index
    %v61 = arith.constant 3 : index
    %v62 = arith.constant 6 : index
    %v63 = arith.select %v60, %v61, %v62 : index
    %v64 = arith.select %v57, %v58, %v63 : index
    %pes = arith.select %v54, %v55, %v64 : index
    %v66 = arith.constant 0 : index
    %v67 = arith.cmpi eq, %g, %v66 : index
    %v68 = arith.constant 12 : index
    %v69 = arith.constant 1 : index
    %v70 = arith.cmpi eq, %g, %v69 : index
    %v71 = arith.constant 42 : index
    %v72 = arith.constant 2 : index
    %v73 = arith.cmpi eq, %g, %v72 : index
    %v74 = arith.constant 31 : index
    %v75 = arith.constant 23 : index
    %v76 = arith.select %v73, %v74, %v75 : index
    %v77 = arith.select %v70, %v71, %v76 : index
    %sizes = arith.select %v67, %v68, %v77 : index
    %v79 = arith.index_cast %sizes : index to i32
    %v81 = arith.constant 1000 : i32
    %v82 = arith.muli %v79, %v81 : i32
    %v84 = arith.constant 64 : i32
    %all = arith.addi %v82, %v84 : i32
    %v86 = arith.cmpi ult, %p, %pes : index
    %v88 = arith.constant 0 : i32
    %result = arith.select %v86, %all, %v88 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<64xi32>
    scf.for %i = %c0 to %c16 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<16xi32>
    }
    scf.for %i = %c0 to %c64 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<64xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<64xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<64xi32>, memref<64xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<64xi32>) -> ()
    gpu.memcpy %out, %dout : memref<64xi32>, memref<64xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<64xi32>

    %wrong, %at = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<64xi32>
      %want = func.call @expected(%in, %i) : (memref<16xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<64xi32>
      %want = func.call @expected(%in, %at) : (memref<16xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<16xi32>
    memref.dealloc %out : memref<64xi32>
    return %status : i32
  }
}
