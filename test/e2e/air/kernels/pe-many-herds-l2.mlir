// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: pe_many_herds_l2: PASS

// PE-level herds that pass tiles through L2, of different shapes and with
// different work, in sequence and in a loop; a reduction over all PEs by a
// herd of one.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_many_herds_l2: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_many_herds_l2: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<260xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi32>, memref<260xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi32>, memref<260xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %t = memref.alloc() : memref<16x16xi32, 1>
        %sums = memref.alloc() : memref<8xi32, 1>
        air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<16x16xi32, 1>, memref<256xi32>)
        scf.for %k = %c0 to %c3 step %c1_1 {
          // Two rows per PE.
          air.herd @rows tile (%tx) in (%ntx = %c8) args(%ht = %t, %hk = %k) : memref<16x16xi32, 1>, index {
            %v0 = arith.constant 0 : index
            %v1 = arith.constant 2 : index
            %v2 = arith.constant 1 : index
            scf.for %r = %v0 to %v1 step %v2 {
              %v3 = arith.constant 2 : index
              %v4 = arith.muli %tx, %v3 : index
              %row = arith.addi %v4, %r : index
              %v6 = arith.constant 1 : index
              %v7 = arith.constant 16 : index
              %v8 = arith.constant 1 : index
              scf.for %c = %v6 to %v7 step %v8 {
                %v9 = arith.constant 1 : index
                %left = arith.subi %c, %v9 : index
                %v11 = memref.load %ht[%row, %c] : memref<16x16xi32, 1>
                %v12 = memref.load %ht[%row, %left] : memref<16x16xi32, 1>
                %v14 = arith.constant 5 : i32
                %v15 = arith.remsi %v12, %v14 : i32
                %v16 = arith.addi %v11, %v15 : i32
                %v17 = arith.index_cast %hk : index to i32
                %v18 = arith.addi %v16, %v17 : i32
                memref.store %v18, %ht[%row, %c] : memref<16x16xi32, 1>
              }
            }
          }
          // Four columns per PE.
          air.herd @columns tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ht = %t) : memref<16x16xi32, 1> {
            %v19 = arith.constant 0 : index
            %v20 = arith.constant 4 : index
            %v21 = arith.constant 1 : index
            scf.for %c = %v19 to %v20 step %v21 {
              %v22 = arith.constant 2 : index
              %v23 = arith.muli %tx, %v22 : index
              %v24 = arith.addi %v23, %ty : index
              %v25 = arith.constant 4 : index
              %v26 = arith.muli %v24, %v25 : index
              %column = arith.addi %v26, %c : index
              %v28 = arith.constant 1 : index
              %v29 = arith.constant 16 : index
              %v30 = arith.constant 1 : index
              scf.for %r = %v28 to %v29 step %v30 {
                %v31 = arith.constant 1 : index
                %above = arith.subi %r, %v31 : index
                %v33 = memref.load %ht[%r, %column] : memref<16x16xi32, 1>
                %v34 = memref.load %ht[%above, %column] : memref<16x16xi32, 1>
                %v36 = arith.constant 7 : i32
                %v37 = arith.remsi %v34, %v36 : i32
                %v38 = arith.addi %v33, %v37 : i32
                memref.store %v38, %ht[%r, %column] : memref<16x16xi32, 1>
              }
            }
          }
        }
        air.herd @sums tile (%tx) in (%ntx = %c8) args(%ht = %t, %hs = %sums) : memref<16x16xi32, 1>, memref<8xi32, 1> {
          %c0_1 = arith.constant 0 : index
          %c16 = arith.constant 16 : index
          %c1_2 = arith.constant 1 : index
          %c2_1 = arith.constant 2 : index
          %zero = arith.constant 0 : i32
          %v39 = arith.constant 2 : index
          %r0 = arith.muli %tx, %v39 : index
          %v41 = arith.constant 1 : index
          %r1 = arith.addi %r0, %v41 : index
          %sum = scf.for %c = %c0_1 to %c16 step %c1_2 iter_args(%acc = %zero) -> (i32) {
            %v43 = memref.load %ht[%r0, %c] : memref<16x16xi32, 1>
            %v44 = arith.addi %acc, %v43 : i32
            %v45 = memref.load %ht[%r1, %c] : memref<16x16xi32, 1>
            %w = arith.addi %v44, %v45 : i32
            scf.yield %w : i32
          }
          %v48 = arith.constant 0 : i32
          %v49 = arith.addi %sum, %v48 : i32
          memref.store %v49, %hs[%tx] : memref<8xi32, 1>
        }
        air.herd @total tile (%tx) in (%ntx = %c1_1) args(%hs = %sums, %hb = %sb) : memref<8xi32, 1>, memref<260xi32> {
          %c0_2 = arith.constant 0 : index
          %c1_3 = arith.constant 1 : index
          %c8_1 = arith.constant 8 : index
          %zero = arith.constant 0 : i32
          %sum = scf.for %c = %c0_2 to %c8_1 step %c1_3 iter_args(%acc = %zero) -> (i32) {
            %v50 = memref.load %hs[%c] : memref<8xi32, 1>
            %w = arith.addi %acc, %v50 : i32
            scf.yield %w : i32
          }
          %v53 = arith.constant 0 : i32
          %v54 = arith.addi %sum, %v53 : i32
          %v55 = arith.constant 256 : index
          memref.store %v54, %hb[%v55] : memref<260xi32>
        }
        air.dma_memcpy_nd (%sb[0] [256] [1], %t[] [] []) : (memref<260xi32>, memref<16x16xi32, 1>)
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k16 = arith.constant 16 : index
    %k3 = arith.constant 3 : index
    %k256 = arith.constant 256 : index
    %t = memref.alloc() : memref<256xi32>
    %v56 = arith.constant 0 : index
    %v57 = arith.constant 256 : index
    %v58 = arith.constant 1 : index
    scf.for %e = %v56 to %v57 step %v58 {
      %v59 = memref.load %in[%e] : memref<256xi32>
      memref.store %v59, %t[%e] : memref<256xi32>
    }
    scf.for %k = %k0 to %k3 step %k1 {
      scf.for %r = %k0 to %k16 step %k1 {
        scf.for %c = %k1 to %k16 step %k1 {
          %v60 = arith.constant 16 : index
          %v61 = arith.muli %r, %v60 : index
          %p = arith.addi %v61, %c : index
          %v63 = memref.load %t[%p] : memref<256xi32>
          %v64 = arith.constant 1 : index
          %v65 = arith.subi %p, %v64 : index
          %v66 = memref.load %t[%v65] : memref<256xi32>
          %v68 = arith.constant 5 : i32
          %v69 = arith.remsi %v66, %v68 : i32
          %v70 = arith.addi %v63, %v69 : i32
          %v71 = arith.index_cast %k : index to i32
          %v72 = arith.addi %v70, %v71 : i32
          memref.store %v72, %t[%p] : memref<256xi32>
        }
      }
      scf.for %c = %k0 to %k16 step %k1 {
        scf.for %r = %k1 to %k16 step %k1 {
          %v73 = arith.constant 16 : index
          %v74 = arith.muli %r, %v73 : index
          %p = arith.addi %v74, %c : index
          %v76 = memref.load %t[%p] : memref<256xi32>
          %v77 = arith.constant 16 : index
          %v78 = arith.subi %p, %v77 : index
          %v79 = memref.load %t[%v78] : memref<256xi32>
          %v81 = arith.constant 7 : i32
          %v82 = arith.remsi %v79, %v81 : i32
          %v83 = arith.addi %v76, %v82 : i32
          memref.store %v83, %t[%p] : memref<256xi32>
        }
      }
    }
    %zero = arith.constant 0 : i32
    %sum = scf.for %e = %k0 to %k256 step %k1 iter_args(%acc = %zero) -> (i32) {
      %v84 = memref.load %t[%e] : memref<256xi32>
      %w = arith.addi %acc, %v84 : i32
      scf.yield %w : i32
    }
    %v86 = arith.constant 255 : index
    %place = arith.minui %i, %v86 : index
    %element = memref.load %t[%place] : memref<256xi32>
    memref.dealloc %t : memref<256xi32>
    %v89 = arith.constant 256 : index
    %v90 = arith.cmpi ult, %i, %v89 : index
    %v91 = arith.constant 256 : index
    %v92 = arith.cmpi eq, %i, %v91 : index
    %v93 = arith.constant -1 : index
    %v94 = arith.index_cast %v93 : index to i32
    %v95 = arith.select %v92, %sum, %v94 : i32
    %result = arith.select %v90, %element, %v95 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c260 = arith.constant 260 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<260xi32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 13 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 29 : index
      %v3 = arith.remui %v1, %v2 : index
      %v4 = arith.index_cast %v3 : index to i32
      memref.store %v4, %in[%i] : memref<256xi32>
    }
    scf.for %i = %c0 to %c260 step %c1 {
      %v6 = arith.constant -1 : i32
      memref.store %v6, %out[%i] : memref<260xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<260xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<260xi32>, memref<260xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<260xi32>) -> ()
    gpu.memcpy %out, %dout : memref<260xi32>, memref<260xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<260xi32>

    %wrong, %at = scf.for %i = %c0 to %c260 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<260xi32>
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
      %got = memref.load %out[%at] : memref<260xi32>
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
    memref.dealloc %out : memref<260xi32>
    return %status : i32
  }
}
