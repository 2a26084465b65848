// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: lds_reuse_herds: PASS

// Two herds with an L2 buffer each that dies before the next begins, in a
// loop: the one that follows in the same LDS may not be overwritten by lanes
// that are late, nor overwrite what they still read.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("lds_reuse_herds: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("lds_reuse_herds: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi32>, memref<256xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi32>, memref<256xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c9 = arith.constant 9 : index
        scf.for %k = %c0 to %c9 step %c1_1 {
          %t = memref.alloc() : memref<256xi32, 1>
          air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<256xi32, 1>, memref<256xi32>)
          air.herd @first tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%hb = %sb, %ht = %t, %hk = %k) : memref<256xi32>, memref<256xi32, 1>, index {
            %lane = gpu.lane_id
            %v0 = arith.constant 64 : index
            %v1 = arith.muli %tx, %v0 : index
            %p = arith.addi %v1, %lane : index
            %v3 = arith.constant 64 : index
            %v4 = arith.addi %p, %v3 : index
            %v5 = arith.addi %v4, %hk : index
            %v6 = arith.constant 256 : index
            %q = arith.remui %v5, %v6 : index
            %v8 = memref.load %hb[%p] : memref<256xi32>
            %v9 = memref.load %ht[%q] : memref<256xi32, 1>
            %v10 = arith.addi %v8, %v9 : i32
            memref.store %v10, %hb[%p] : memref<256xi32>
          }
          memref.dealloc %t : memref<256xi32, 1>
          %u = memref.alloc() : memref<256xi32, 1>
          air.herd @second tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%hb = %sb, %hu = %u) : memref<256xi32>, memref<256xi32, 1> {
            %lane = gpu.lane_id
            %v11 = arith.constant 64 : index
            %v12 = arith.muli %tx, %v11 : index
            %p = arith.addi %v12, %lane : index
            %v14 = memref.load %hb[%p] : memref<256xi32>
            %v16 = arith.constant 2 : i32
            %v17 = arith.muli %v14, %v16 : i32
            memref.store %v17, %hu[%p] : memref<256xi32, 1>
            gpu.barrier
            %v18 = arith.constant 255 : index
            %q = arith.subi %v18, %p : index
            %v20 = memref.load %hu[%q] : memref<256xi32, 1>
            %v22 = arith.constant 1 : i32
            %v23 = arith.addi %v20, %v22 : i32
            memref.store %v23, %hb[%p] : memref<256xi32>
          }
          memref.dealloc %u : memref<256xi32, 1>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    // All elements of the input, walked one step at a time: follow element i backwards.
    %zero = arith.constant 0 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k9 = arith.constant 9 : index
    %old = memref.alloc() : memref<256xi32>
    %new = memref.alloc() : memref<256xi32>
    %v24 = arith.constant 0 : index
    %v25 = arith.constant 256 : index
    %v26 = arith.constant 1 : index
    scf.for %e = %v24 to %v25 step %v26 {
      %v28 = arith.constant 0 : i32
      %v29 = arith.addi %zero, %v28 : i32
      memref.store %v29, %old[%e] : memref<256xi32>
    }
    scf.for %k = %k0 to %k9 step %k1 {
      %v30 = arith.constant 0 : index
      %v31 = arith.constant 256 : index
      %v32 = arith.constant 1 : index
      scf.for %e = %v30 to %v31 step %v32 {
        %v33 = arith.constant 255 : index
        %v34 = arith.subi %v33, %e : index
        %v35 = arith.constant 64 : index
        %v36 = arith.addi %v34, %v35 : index
        %v37 = arith.addi %v36, %k : index
        %v38 = arith.constant 256 : index
        %q = arith.remui %v37, %v38 : index
        %v40 = arith.constant 255 : index
        %v41 = arith.subi %v40, %e : index
        %v42 = memref.load %old[%v41] : memref<256xi32>
        %v43 = memref.load %in[%q] : memref<256xi32>
        %v44 = arith.addi %v42, %v43 : i32
        %v46 = arith.constant 2 : i32
        %v47 = arith.muli %v44, %v46 : i32
        %v49 = arith.constant 1 : i32
        %v50 = arith.addi %v47, %v49 : i32
        memref.store %v50, %new[%e] : memref<256xi32>
      }
      %v51 = arith.constant 0 : index
      %v52 = arith.constant 256 : index
      %v53 = arith.constant 1 : index
      scf.for %e = %v51 to %v52 step %v53 {
        %v54 = memref.load %new[%e] : memref<256xi32>
        memref.store %v54, %old[%e] : memref<256xi32>
      }
    }
    %v55 = memref.load %old[%i] : memref<256xi32>
    %v57 = arith.constant 0 : i32
    %result = arith.addi %v55, %v57 : i32
    memref.dealloc %old : memref<256xi32>
    memref.dealloc %new : memref<256xi32>
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<256xi32>
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
    scf.for %i = %c0 to %c256 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<256xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<256xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<256xi32>, memref<256xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<256xi32>) -> ()
    gpu.memcpy %out, %dout : memref<256xi32>, memref<256xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<256xi32>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xi32>
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
      %got = memref.load %out[%at] : memref<256xi32>
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
    memref.dealloc %out : memref<256xi32>
    return %status : i32
  }
}
