// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: pe_atomics: PASS

// Atomic operations from PE-level and SIMT herds on global memory and L2: each
// PE's atomic counts once, each lane's once.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_atomics: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_atomics: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<64xi32>) {
    %c4 = arith.constant 4 : index
    air.launch (%x) in (%sx = %c4) args(%a = %in, %b = %out) : memref<64xi32>, memref<64xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<64xi32> {
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        %c4_1 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %zero = arith.constant 0 : i32
        %n = memref.alloc() : memref<8xi32, 1>
        %v0 = arith.constant 0 : index
        %v1 = arith.constant 8 : index
        %v2 = arith.constant 1 : index
        scf.for %k = %v0 to %v1 step %v2 {
          %v4 = arith.constant 0 : i32
          %v5 = arith.addi %zero, %v4 : i32
          memref.store %v5, %n[%k] : memref<8xi32, 1>
        }
        air.herd @pes tile (%tx, %ty) in (%ntx = %c4_1, %nty = %c2) args(%ha = %sa, %hb = %sb, %hn = %n) : memref<64xi32>, memref<64xi32>, memref<8xi32, 1> {
          %c0_1 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2_1 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %c4_2 = arith.constant 4 : index
          %c5 = arith.constant 5 : index
          %c6 = arith.constant 6 : index
          %c7 = arith.constant 7 : index
          %one = arith.constant 1 : i32
          %v6 = arith.constant 2 : index
          %v7 = arith.muli %tx, %v6 : index
          %v8 = arith.addi %v7, %ty : index
          %id = arith.index_cast %v8 : index to i32
          %a0 = memref.atomic_rmw addi %one, %hb[%c0_1] : (i32, memref<64xi32>) -> i32
          %a1 = memref.atomic_rmw maxs %id, %hb[%c1] : (i32, memref<64xi32>) -> i32
          %a2 = memref.atomic_rmw addi %one, %hn[%c0_1] : (i32, memref<8xi32, 1>) -> i32
          %v10 = arith.constant 0 : index
          %v11 = arith.constant 5 : index
          %v12 = arith.constant 1 : index
          scf.for %k = %v10 to %v11 step %v12 {
            %a3 = memref.atomic_rmw addi %id, %hn[%c1] : (i32, memref<8xi32, 1>) -> i32
          }
          // Only the order differs between runs: each of 0 to 7 occurs once.
          %v13 = arith.index_cast %a2 : i32 to index
          %v14 = arith.constant 16 : index
          %q = arith.addi %v13, %v14 : index
          %a4 = memref.atomic_rmw addi %one, %hb[%q] : (i32, memref<64xi32>) -> i32
        }
        air.herd @lanes tile (%tx, %ty) in (%ntx = %c4_1, %nty = %c2) args(%hb = %sb, %hn = %n) : memref<64xi32>, memref<8xi32, 1> {
          %c2_2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %c4_3 = arith.constant 4 : index
          %c5 = arith.constant 5 : index
          %lane = gpu.lane_id
          %l = arith.index_cast %lane : index to i32
          %v18 = arith.constant 0 : i32
          %minus = arith.subi %v18, %l : i32
          %one = arith.constant 1 : i32
          %b0 = memref.atomic_rmw addi %one, %hn[%c2_2] : (i32, memref<8xi32, 1>) -> i32
          %b1 = memref.atomic_rmw maxs %l, %hn[%c3] : (i32, memref<8xi32, 1>) -> i32
          %b2 = memref.atomic_rmw mins %minus, %hn[%c4_3] : (i32, memref<8xi32, 1>) -> i32
          %b3 = memref.atomic_rmw ori %l, %hb[%c2_2] : (i32, memref<64xi32>) -> i32
          // The old values of 512 lanes are 0 to 511.
          %b4 = memref.atomic_rmw addi %b0, %hb[%c3] : (i32, memref<64xi32>) -> i32
        }
        %v20 = arith.constant 0 : index
        %v21 = arith.constant 8 : index
        %v22 = arith.constant 1 : index
        scf.for %k = %v20 to %v21 step %v22 {
          %v = memref.load %n[%k] : memref<8xi32, 1>
          %v24 = arith.constant 8 : index
          %p = arith.addi %k, %v24 : index
          %old = memref.atomic_rmw addi %v, %sb[%p] : (i32, memref<64xi32>) -> i32
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v26 = arith.constant 0 : index
    %v27 = arith.cmpi eq, %i, %v26 : index
    %v28 = arith.constant 32 : index
    %v29 = arith.constant 1 : index
    %v30 = arith.cmpi eq, %i, %v29 : index
    %v31 = arith.constant 7 : index
    %v32 = arith.constant 2 : index
    %v33 = arith.cmpi eq, %i, %v32 : index
    %v34 = arith.constant 63 : index
    %v35 = arith.constant 3 : index
    %v36 = arith.cmpi eq, %i, %v35 : index
    %v37 = arith.constant 523264 : index
    %v38 = arith.constant 0 : index
    %v39 = arith.select %v36, %v37, %v38 : index
    %v40 = arith.select %v33, %v34, %v39 : index
    %v41 = arith.select %v30, %v31, %v40 : index
    %counters = arith.select %v27, %v28, %v41 : index
    %v43 = arith.constant 8 : index
    %v44 = arith.cmpi eq, %i, %v43 : index
    %v45 = arith.constant 32 : index
    %v46 = arith.constant 9 : index
    %v47 = arith.cmpi eq, %i, %v46 : index
    %v48 = arith.constant 560 : index
    %v49 = arith.constant 10 : index
    %v50 = arith.cmpi eq, %i, %v49 : index
    %v51 = arith.constant 2048 : index
    %v52 = arith.constant 11 : index
    %v53 = arith.cmpi eq, %i, %v52 : index
    %v54 = arith.constant 252 : index
    %v55 = arith.select %v53, %v54, %counters : index
    %v56 = arith.select %v50, %v51, %v55 : index
    %v57 = arith.select %v47, %v48, %v56 : index
    %shared = arith.select %v44, %v45, %v57 : index
    %v59 = arith.constant 16 : index
    %v60 = arith.cmpi uge, %i, %v59 : index
    %v61 = arith.constant 24 : index
    %v62 = arith.cmpi ult, %i, %v61 : index
    %ranks = arith.andi %v60, %v62 : i1
    %v64 = arith.constant 4 : index
    %v65 = arith.select %ranks, %v64, %shared : index
    %all = arith.index_cast %v65 : index to i32
    %v67 = arith.constant 12 : index
    %v68 = arith.cmpi eq, %i, %v67 : index
    %v69 = arith.constant -252 : index
    %v70 = arith.index_cast %v69 : index to i32
    %result = arith.select %v68, %v70, %all : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<64xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<64xi32>
    }
    scf.for %i = %c0 to %c64 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<64xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<64xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<64xi32>, memref<64xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<64xi32>) -> ()
    gpu.memcpy %out, %dout : memref<64xi32>, memref<64xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<64xi32>

    %wrong, %at = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<64xi32>
      %want = func.call @expected(%in, %i) : (memref<64xi32>, index) -> i32
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
      %want = func.call @expected(%in, %at) : (memref<64xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xi32>
    memref.dealloc %out : memref<64xi32>
    return %status : i32
  }
}
