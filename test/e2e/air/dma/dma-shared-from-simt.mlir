// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: dma_shared_from_simt: PASS

// DMAs of a SIMT herd with wave-uniform operands into L2: once the PE's own rows, once the same
// tile for all PEs. Then the lanes read the data.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_shared_from_simt: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_shared_from_simt: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<512xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<512xi32>, memref<512xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<512xi32>, memref<512xi32> {
        %c1_1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %t = memref.alloc() : memref<4x64xi32, 1>
        %all = memref.alloc() : memref<256xi32, 1>
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ha = %sa, %hb = %sb, %ht = %t, %hall = %all) : memref<512xi32>, memref<512xi32>, memref<4x64xi32, 1>, memref<256xi32, 1> {
          %c0 = arith.constant 0 : index
          %c64 = arith.constant 64 : index
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v0 = arith.constant 64 : index
          %o = arith.muli %tx, %v0 : index
          air.dma_memcpy_nd (%ht[%tx, %c0] [1, 64] [64, 1], %ha[%o] [%c64] [1]) : (memref<4x64xi32, 1>, memref<512xi32>)
          air.dma_memcpy_nd (%hall[] [] [], %ha[256] [256] [1]) : (memref<256xi32, 1>, memref<512xi32>)
          gpu.barrier
          %v2 = arith.constant 64 : index
          scf.for %e = %lane to %v2 step %wave {
            // From another PE's row and backwards.
            %v3 = arith.constant 3 : index
            %other = arith.subi %v3, %tx : index
            %v5 = arith.constant 63 : index
            %back = arith.subi %v5, %e : index
            %v7 = memref.load %ht[%other, %back] : memref<4x64xi32, 1>
            %v8 = arith.index_cast %tx : index to i32
            %v9 = arith.addi %v7, %v8 : i32
            %v10 = arith.addi %o, %e : index
            memref.store %v9, %hb[%v10] : memref<512xi32>
            %v11 = arith.constant 255 : index
            %v12 = arith.subi %v11, %o : index
            %p = arith.subi %v12, %e : index
            %v14 = memref.load %hall[%p] : memref<256xi32, 1>
            %v15 = arith.index_cast %tx : index to i32
            %v16 = arith.addi %v14, %v15 : i32
            %v17 = arith.constant 256 : index
            %v18 = arith.addi %v17, %o : index
            %v19 = arith.addi %v18, %e : index
            memref.store %v16, %hb[%v19] : memref<512xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %v20 = arith.constant 256 : index
    %v21 = arith.remui %i, %v20 : index
    %v22 = arith.constant 64 : index
    %tx = arith.divui %v21, %v22 : index
    %v24 = arith.constant 64 : index
    %e = arith.remui %i, %v24 : index
    %v26 = arith.constant 3 : index
    %v27 = arith.subi %v26, %tx : index
    %v28 = arith.constant 64 : index
    %v29 = arith.muli %v27, %v28 : index
    %v30 = arith.constant 63 : index
    %v31 = arith.addi %v29, %v30 : index
    %first = arith.subi %v31, %e : index
    %v33 = arith.constant 256 : index
    %v34 = arith.constant 255 : index
    %v35 = arith.addi %v33, %v34 : index
    %v36 = arith.constant 64 : index
    %v37 = arith.muli %tx, %v36 : index
    %v38 = arith.subi %v35, %v37 : index
    %second = arith.subi %v38, %e : index
    %v40 = arith.constant 256 : index
    %v41 = arith.cmpi ult, %i, %v40 : index
    %p = arith.select %v41, %first, %second : index
    %v43 = memref.load %in[%p] : memref<512xi32>
    %v44 = arith.index_cast %tx : index to i32
    %result = arith.addi %v43, %v44 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<512xi32>
    %out = memref.alloc() : memref<512xi32>
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
    scf.for %i = %c0 to %c512 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<512xi32>
    }
    %din = gpu.alloc () : memref<512xi32>
    %dout = gpu.alloc () : memref<512xi32>
    gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
    gpu.memcpy %dout, %out : memref<512xi32>, memref<512xi32>
    call @test(%din, %dout) : (memref<512xi32>, memref<512xi32>) -> ()
    gpu.memcpy %out, %dout : memref<512xi32>, memref<512xi32>
    gpu.dealloc %din : memref<512xi32>
    gpu.dealloc %dout : memref<512xi32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xi32>
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
      %got = memref.load %out[%at] : memref<512xi32>
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
    memref.dealloc %out : memref<512xi32>
    return %status : i32
  }
}
