// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: launch_3d_herd: PASS

// A 3-D launch of dynamic sizes with a segment and a 2-D herd of lanes in each
// instance: no dimension gets lost on the way to the lanes.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_3d_herd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_3d_herd: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  // 2x3x2 workgroups, 2x1 PEs, and 64 elements each, whatever a wave is.
  func.func @test(%in: memref<1536xi32>, %out: memref<1536xi32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    call @go(%in, %out, %c2, %c3) : (memref<1536xi32>, memref<1536xi32>, index, index) -> ()
    return
  }
  func.func @go(%in: memref<1536xi32>, %out: memref<1536xi32>, %n: index, %m: index) {
    air.launch (%x, %y, %z) in (%sx = %n, %sy = %m, %sz = %n) args(%a = %in, %b = %out) : memref<1536xi32>, memref<1536xi32> {
      air.segment @s args(%a1 = %a, %u = %x, %b1 = %b, %v = %y, %w = %z) : memref<1536xi32>, index, memref<1536xi32>, index, index {
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c1) args(%hu = %u, %hv = %v, %ha = %a1, %hw = %w, %hb = %b1) : index, index, memref<1536xi32>, index, memref<1536xi32> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v0 = arith.constant 3 : index
          %v1 = arith.muli %hu, %v0 : index
          %v2 = arith.addi %v1, %hv : index
          %v3 = arith.constant 2 : index
          %v4 = arith.muli %v2, %v3 : index
          %v5 = arith.addi %v4, %hw : index
          %v6 = arith.constant 2 : index
          %v7 = arith.muli %v5, %v6 : index
          %block = arith.addi %v7, %tx : index
          %v9 = arith.constant 64 : index
          scf.for %e = %lane to %v9 step %wave {
            %v10 = arith.constant 64 : index
            %v11 = arith.muli %block, %v10 : index
            %p = arith.addi %v11, %e : index
            %v13 = memref.load %ha[%p] : memref<1536xi32>
            %v14 = arith.constant 1000 : index
            %v15 = arith.muli %hu, %v14 : index
            %v16 = arith.constant 100 : index
            %v17 = arith.muli %hv, %v16 : index
            %v18 = arith.addi %v15, %v17 : index
            %v19 = arith.constant 10 : index
            %v20 = arith.muli %hw, %v19 : index
            %v21 = arith.addi %v18, %v20 : index
            %v22 = arith.addi %v21, %tx : index
            %v23 = arith.index_cast %v22 : index to i32
            %v24 = arith.addi %v13, %v23 : i32
            memref.store %v24, %hb[%p] : memref<1536xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1536xi32>, %i: index) -> i32 {
    %v25 = arith.constant 64 : index
    %t = arith.divui %i, %v25 : index
    %v27 = memref.load %in[%i] : memref<1536xi32>
    %v28 = arith.constant 12 : index
    %v29 = arith.divui %t, %v28 : index
    %v30 = arith.constant 1000 : index
    %v31 = arith.muli %v29, %v30 : index
    %v32 = arith.constant 4 : index
    %v33 = arith.divui %t, %v32 : index
    %v34 = arith.constant 3 : index
    %v35 = arith.remui %v33, %v34 : index
    %v36 = arith.constant 100 : index
    %v37 = arith.muli %v35, %v36 : index
    %v38 = arith.addi %v31, %v37 : index
    %v39 = arith.constant 2 : index
    %v40 = arith.divui %t, %v39 : index
    %v41 = arith.constant 2 : index
    %v42 = arith.remui %v40, %v41 : index
    %v43 = arith.constant 10 : index
    %v44 = arith.muli %v42, %v43 : index
    %v45 = arith.addi %v38, %v44 : index
    %v46 = arith.constant 2 : index
    %v47 = arith.remui %t, %v46 : index
    %v48 = arith.addi %v45, %v47 : index
    %v49 = arith.index_cast %v48 : index to i32
    %result = arith.addi %v27, %v49 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1536 = arith.constant 1536 : index
    %in = memref.alloc() : memref<1536xi32>
    %out = memref.alloc() : memref<1536xi32>
    scf.for %i = %c0 to %c1536 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<1536xi32>
    }
    scf.for %i = %c0 to %c1536 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<1536xi32>
    }
    %din = gpu.alloc () : memref<1536xi32>
    %dout = gpu.alloc () : memref<1536xi32>
    gpu.memcpy %din, %in : memref<1536xi32>, memref<1536xi32>
    gpu.memcpy %dout, %out : memref<1536xi32>, memref<1536xi32>
    call @test(%din, %dout) : (memref<1536xi32>, memref<1536xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1536xi32>, memref<1536xi32>
    gpu.dealloc %din : memref<1536xi32>
    gpu.dealloc %dout : memref<1536xi32>

    %wrong, %at = scf.for %i = %c0 to %c1536 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1536xi32>
      %want = func.call @expected(%in, %i) : (memref<1536xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<1536xi32>
      %want = func.call @expected(%in, %at) : (memref<1536xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1536xi32>
    memref.dealloc %out : memref<1536xi32>
    return %status : i32
  }
}
