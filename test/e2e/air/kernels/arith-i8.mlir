// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: arith_i8: PASS

// Arithmetic on i8 by lanes and by PEs, against the host's.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("arith_i8: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("arith_i8: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi8>, %out: memref<512xi8>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi8>, memref<512xi8> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi8>, memref<512xi8> {
        %c2 = arith.constant 2 : index
        air.herd @lanes tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<256xi8>, memref<512xi8> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v0 = arith.constant 64 : index
          scf.for %e = %lane to %v0 step %wave {
            %v1 = arith.constant 2 : index
            %v2 = arith.muli %tx, %v1 : index
            %v3 = arith.addi %v2, %ty : index
            %v4 = arith.constant 64 : index
            %v5 = arith.muli %v3, %v4 : index
            %p = arith.addi %v5, %e : index
            %v = memref.load %ha[%p] : memref<256xi8>
            %v8 = arith.constant 255 : index
            %v9 = arith.subi %v8, %p : index
            %w = memref.load %ha[%v9] : memref<256xi8>
            %v11 = arith.muli %v, %v : i8
            %s = arith.subi %v11, %w : i8
            %v13 = arith.maxsi %s, %v : i8
            %v15 = arith.constant 2 : i8
            %v16 = arith.muli %w, %v15 : i8
            %m = arith.minsi %v13, %v16 : i8
            %v18 = arith.xori %m, %v : i8
            %v20 = arith.constant 15 : i8
            %v21 = arith.andi %s, %v20 : i8
            %d = arith.addi %v18, %v21 : i8
            %v24 = arith.constant 3 : i8
            %v25 = arith.divsi %d, %v24 : i8
            %v27 = arith.constant 7 : i8
            %v28 = arith.remsi %d, %v27 : i8
            %q = arith.addi %v25, %v28 : i8
            %big = arith.cmpi sgt, %q, %w : i8
            %v31 = arith.subi %w, %q : i8
            %r = arith.select %big, %q, %v31 : i8
            memref.store %r, %hb[%p] : memref<512xi8>
          }
        }
        air.herd @pes tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<256xi8>, memref<512xi8> {
          %v33 = arith.constant 0 : index
          %v34 = arith.constant 64 : index
          %v35 = arith.constant 1 : index
          scf.for %e = %v33 to %v34 step %v35 {
            %v36 = arith.constant 2 : index
            %v37 = arith.muli %tx, %v36 : index
            %v38 = arith.addi %v37, %ty : index
            %v39 = arith.constant 64 : index
            %v40 = arith.muli %v38, %v39 : index
            %p = arith.addi %v40, %e : index
            %v = memref.load %ha[%p] : memref<256xi8>
            %v43 = arith.constant 255 : index
            %v44 = arith.subi %v43, %p : index
            %w = memref.load %ha[%v44] : memref<256xi8>
            %v46 = arith.muli %v, %v : i8
            %s = arith.subi %v46, %w : i8
            %v48 = arith.maxsi %s, %v : i8
            %v50 = arith.constant 2 : i8
            %v51 = arith.muli %w, %v50 : i8
            %m = arith.minsi %v48, %v51 : i8
            %v53 = arith.xori %m, %v : i8
            %v55 = arith.constant 15 : i8
            %v56 = arith.andi %s, %v55 : i8
            %d = arith.addi %v53, %v56 : i8
            %v59 = arith.constant 3 : i8
            %v60 = arith.divsi %d, %v59 : i8
            %v62 = arith.constant 7 : i8
            %v63 = arith.remsi %d, %v62 : i8
            %q = arith.addi %v60, %v63 : i8
            %big = arith.cmpi sgt, %q, %w : i8
            %v66 = arith.subi %w, %q : i8
            %r = arith.select %big, %q, %v66 : i8
            %v68 = arith.constant 256 : index
            %to = arith.addi %p, %v68 : index
            memref.store %r, %hb[%to] : memref<512xi8>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi8>, %i: index) -> i8 {
    %v70 = arith.constant 256 : index
    %p = arith.remui %i, %v70 : index
    %v = memref.load %in[%p] : memref<256xi8>
    %v73 = arith.constant 255 : index
    %v74 = arith.subi %v73, %p : index
    %w = memref.load %in[%v74] : memref<256xi8>
    %v76 = arith.muli %v, %v : i8
    %s = arith.subi %v76, %w : i8
    %v78 = arith.maxsi %s, %v : i8
    %v80 = arith.constant 2 : i8
    %v81 = arith.muli %w, %v80 : i8
    %m = arith.minsi %v78, %v81 : i8
    %v83 = arith.xori %m, %v : i8
    %v85 = arith.constant 15 : i8
    %v86 = arith.andi %s, %v85 : i8
    %d = arith.addi %v83, %v86 : i8
    %v89 = arith.constant 3 : i8
    %v90 = arith.divsi %d, %v89 : i8
    %v92 = arith.constant 7 : i8
    %v93 = arith.remsi %d, %v92 : i8
    %q = arith.addi %v90, %v93 : i8
    %big = arith.cmpi sgt, %q, %w : i8
    %v96 = arith.subi %w, %q : i8
    %r = arith.select %big, %q, %v96 : i8
    %zero = arith.constant 0 : i8
    %result = arith.addi %r, %zero : i8
    return %result : i8
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<256xi8>
    %out = memref.alloc() : memref<512xi8>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 11 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v8 = arith.constant 5 : i32
      %v9 = arith.subi %v6, %v8 : i32
      %v10 = arith.trunci %v9 : i32 to i8
      memref.store %v10, %in[%i] : memref<256xi8>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v12 = arith.constant -1 : i8
      memref.store %v12, %out[%i] : memref<512xi8>
    }
    %din = gpu.alloc () : memref<256xi8>
    %dout = gpu.alloc () : memref<512xi8>
    gpu.memcpy %din, %in : memref<256xi8>, memref<256xi8>
    gpu.memcpy %dout, %out : memref<512xi8>, memref<512xi8>
    call @test(%din, %dout) : (memref<256xi8>, memref<512xi8>) -> ()
    gpu.memcpy %out, %dout : memref<512xi8>, memref<512xi8>
    gpu.dealloc %din : memref<256xi8>
    gpu.dealloc %dout : memref<512xi8>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xi8>
      %want = func.call @expected(%in, %i) : (memref<256xi8>, index) -> i8
      %differs = arith.cmpi ne, %got, %want : i8
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
      %got = memref.load %out[%at] : memref<512xi8>
      %want = func.call @expected(%in, %at) : (memref<256xi8>, index) -> i8
      %got_shown = arith.extsi %got : i8 to i64
      %want_shown = arith.extsi %want : i8 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xi8>
    memref.dealloc %out : memref<512xi8>
    return %status : i32
  }
}
