// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: segment_code_runs_once: PASS

// Code of a segment outside its herds executes once for the workgroup: atomics on global memory and
// L2, a read-modify-write, a conditional store, a loop. That holds also with a herd of many waves
// in between.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_code_runs_once: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_code_runs_once: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<96xi32>) {
    %c3 = arith.constant 3 : index
    air.launch (%x) in (%sx = %c3) args(%a = %in, %b = %out) : memref<16xi32>, memref<96xi32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<16xi32>, memref<96xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3_1 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %one = arith.constant 1 : i32
        %v0 = arith.constant 32 : index
        %o = arith.muli %u, %v0 : index
        %count = memref.alloc() : memref<4xi32, 1>
        %v2 = arith.constant 0 : index
        %v3 = arith.constant 4 : index
        %v4 = arith.constant 1 : index
        scf.for %k = %v2 to %v3 step %v4 {
          %v5 = arith.constant 10 : index
          %v6 = arith.muli %k, %v5 : index
          %v7 = arith.index_cast %v6 : index to i32
          memref.store %v7, %count[%k] : memref<4xi32, 1>
        }
        // Once each.
        %r0 = memref.atomic_rmw addi %one, %sb[%o] : (i32, memref<96xi32>) -> i32
        %r1 = memref.atomic_rmw addi %one, %count[%c1] : (i32, memref<4xi32, 1>) -> i32
        %v8 = arith.constant 1 : index
        %o1 = arith.addi %o, %v8 : index
        %v10 = memref.load %sb[%o1] : memref<96xi32>
        %v12 = arith.constant 5 : i32
        %v13 = arith.addi %v10, %v12 : i32
        memref.store %v13, %sb[%o1] : memref<96xi32>
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c2) args(%hc = %count, %hb = %sb, %ho = %o) : memref<4xi32, 1>, memref<96xi32>, index {
          %c2_1 = arith.constant 2 : index
          %lane = gpu.lane_id
          %one_1 = arith.constant 1 : i32
          %v14 = arith.constant 5 : index
          %v15 = arith.cmpi eq, %lane, %v14 : index
          scf.if %v15 {
            %r = memref.atomic_rmw addi %one_1, %hc[%c2_1] : (i32, memref<4xi32, 1>) -> i32
          }
        }
        // The values that atomics returned to the segment, and the values in memory.
        %v17 = arith.constant 100 : i32
        %v18 = arith.addi %r0, %v17 : i32
        %v19 = arith.constant 2 : index
        %v20 = arith.addi %o, %v19 : index
        memref.store %v18, %sb[%v20] : memref<96xi32>
        %v22 = arith.constant 100 : i32
        %v23 = arith.addi %r1, %v22 : i32
        %v24 = arith.constant 3 : index
        %v25 = arith.addi %o, %v24 : index
        memref.store %v23, %sb[%v25] : memref<96xi32>
        %v26 = arith.constant 0 : index
        %v27 = arith.constant 4 : index
        %v28 = arith.constant 1 : index
        scf.for %k = %v26 to %v27 step %v28 {
          %v29 = arith.constant 4 : index
          %v30 = arith.addi %o, %v29 : index
          %p = arith.addi %v30, %k : index
          %v32 = memref.load %sb[%p] : memref<96xi32>
          %v33 = memref.load %count[%k] : memref<4xi32, 1>
          %v34 = arith.addi %v32, %v33 : i32
          memref.store %v34, %sb[%p] : memref<96xi32>
        }
        %v35 = arith.constant 1 : index
        %v36 = arith.cmpi eq, %u, %v35 : index
        scf.if %v36 {
          %v37 = arith.constant 8 : index
          %q = arith.addi %o, %v37 : index
          %v39 = memref.load %sb[%q] : memref<96xi32>
          %v41 = arith.constant 9 : i32
          %v42 = arith.addi %v39, %v41 : i32
          memref.store %v42, %sb[%q] : memref<96xi32>
        }
        %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %one) -> (i32) {
          %v43 = arith.constant 9 : index
          %v44 = arith.addi %o, %v43 : index
          %q = arith.addi %v44, %k : index
          %v47 = arith.constant 2 : i32
          %next = arith.muli %acc, %v47 : i32
          %v49 = memref.load %sb[%q] : memref<96xi32>
          %v50 = arith.addi %v49, %next : i32
          memref.store %v50, %sb[%q] : memref<96xi32>
          scf.yield %next : i32
        }
        %v51 = arith.constant 13 : index
        %v52 = arith.addi %o, %v51 : index
        memref.store %sum, %sb[%v52] : memref<96xi32>
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    %v53 = arith.constant 32 : index
    %x = arith.divui %i, %v53 : index
    %v55 = arith.constant 32 : index
    %k = arith.remui %i, %v55 : index
    %v57 = arith.constant 1 : index
    %v58 = arith.cmpi eq, %x, %v57 : index
    %v59 = arith.constant 9 : index
    %v60 = arith.constant 0 : index
    %c8 = arith.select %v58, %v59, %v60 : index
    %v62 = arith.constant 0 : index
    %v63 = arith.cmpi eq, %k, %v62 : index
    %v64 = arith.constant 1 : index
    %v65 = arith.constant 1 : index
    %v66 = arith.cmpi eq, %k, %v65 : index
    %v67 = arith.constant 5 : index
    %v68 = arith.constant 2 : index
    %v69 = arith.cmpi eq, %k, %v68 : index
    %v70 = arith.constant 100 : index
    %v71 = arith.constant 3 : index
    %v72 = arith.cmpi eq, %k, %v71 : index
    %v73 = arith.constant 110 : index
    %v74 = arith.constant 0 : index
    %v75 = arith.select %v72, %v73, %v74 : index
    %v76 = arith.select %v69, %v70, %v75 : index
    %v77 = arith.select %v66, %v67, %v76 : index
    %v = arith.select %v63, %v64, %v77 : index
    %v79 = arith.constant 4 : index
    %v80 = arith.cmpi eq, %k, %v79 : index
    %v81 = arith.constant 0 : index
    %v82 = arith.constant 5 : index
    %v83 = arith.cmpi eq, %k, %v82 : index
    %v84 = arith.constant 11 : index
    %v85 = arith.constant 6 : index
    %v86 = arith.cmpi eq, %k, %v85 : index
    %v87 = arith.constant 28 : index
    %v88 = arith.constant 7 : index
    %v89 = arith.cmpi eq, %k, %v88 : index
    %v90 = arith.constant 30 : index
    %v91 = arith.select %v89, %v90, %v : index
    %v92 = arith.select %v86, %v87, %v91 : index
    %v93 = arith.select %v83, %v84, %v92 : index
    %v2 = arith.select %v80, %v81, %v93 : index
    %v95 = arith.constant 8 : index
    %v96 = arith.cmpi eq, %k, %v95 : index
    %v97 = arith.constant 9 : index
    %v98 = arith.cmpi eq, %k, %v97 : index
    %v99 = arith.constant 2 : index
    %v100 = arith.constant 10 : index
    %v101 = arith.cmpi eq, %k, %v100 : index
    %v102 = arith.constant 4 : index
    %v103 = arith.constant 11 : index
    %v104 = arith.cmpi eq, %k, %v103 : index
    %v105 = arith.constant 8 : index
    %v106 = arith.constant 12 : index
    %v107 = arith.cmpi eq, %k, %v106 : index
    %v108 = arith.constant 16 : index
    %v109 = arith.constant 13 : index
    %v110 = arith.cmpi eq, %k, %v109 : index
    %v111 = arith.constant 16 : index
    %v112 = arith.select %v110, %v111, %v2 : index
    %v113 = arith.select %v107, %v108, %v112 : index
    %v114 = arith.select %v104, %v105, %v113 : index
    %v115 = arith.select %v101, %v102, %v114 : index
    %v116 = arith.select %v98, %v99, %v115 : index
    %v3 = arith.select %v96, %c8, %v116 : index
    %result = arith.index_cast %v3 : index to i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<96xi32>
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
    scf.for %i = %c0 to %c96 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<96xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<96xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<96xi32>, memref<96xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<96xi32>) -> ()
    gpu.memcpy %out, %dout : memref<96xi32>, memref<96xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<96xi32>

    %wrong, %at = scf.for %i = %c0 to %c96 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<96xi32>
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
      %got = memref.load %out[%at] : memref<96xi32>
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
    memref.dealloc %out : memref<96xi32>
    return %status : i32
  }
}
