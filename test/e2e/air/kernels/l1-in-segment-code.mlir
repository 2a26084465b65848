// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: l1_in_segment_code: PASS

// Segment code that touches an L1 buffer of SIMT herds is run by every lane -
// stores, a loop, a DMA from L3 - so that each lane's buffer has it.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("l1_in_segment_code: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("l1_in_segment_code: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<1024xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<1024xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<1024xi32> {
        %c1_1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %t = memref.alloc() : memref<4xi32, 2>
        %u = memref.alloc() : memref<4xi32, 2>
        %v0 = arith.constant 0 : index
        %v1 = arith.constant 4 : index
        %v2 = arith.constant 1 : index
        scf.for %k = %v0 to %v1 step %v2 {
          %v3 = arith.constant 100 : index
          %v4 = arith.muli %k, %v3 : index
          %v5 = arith.index_cast %v4 : index to i32
          memref.store %v5, %t[%k] : memref<4xi32, 2>
        }
        air.dma_memcpy_nd (%u[] [] [], %sa[7] [4] [1]) : (memref<4xi32, 2>, memref<64xi32>)
        %v6 = arith.constant 3 : index
        %v7 = memref.load %sa[%v6] : memref<64xi32>
        %v8 = arith.constant 2 : index
        memref.store %v7, %t[%v8] : memref<4xi32, 2>
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ht = %t, %hu = %u, %hb = %sb) : memref<4xi32, 2>, memref<4xi32, 2>, memref<1024xi32> {
          %lane = gpu.lane_id
          %v9 = arith.constant 0 : index
          %v10 = arith.constant 4 : index
          %v11 = arith.constant 1 : index
          scf.for %k = %v9 to %v10 step %v11 {
            %v12 = arith.constant 64 : index
            %v13 = arith.muli %tx, %v12 : index
            %v14 = arith.addi %v13, %lane : index
            %v15 = arith.constant 4 : index
            %v16 = arith.muli %v14, %v15 : index
            %p = arith.addi %v16, %k : index
            %v18 = memref.load %ht[%k] : memref<4xi32, 2>
            %v20 = arith.constant 1000 : i32
            %v21 = arith.muli %v18, %v20 : i32
            %v22 = memref.load %hu[%k] : memref<4xi32, 2>
            %v23 = arith.addi %v21, %v22 : i32
            memref.store %v23, %hb[%p] : memref<1024xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v24 = arith.constant 4 : index
    %k = arith.remui %i, %v24 : index
    %v26 = arith.constant 3 : index
    %v27 = memref.load %in[%v26] : memref<64xi32>
    %v29 = arith.constant 0 : i32
    %loaded = arith.addi %v27, %v29 : i32
    %v31 = arith.constant 100 : index
    %v32 = arith.muli %k, %v31 : index
    %plain = arith.index_cast %v32 : index to i32
    %v34 = arith.constant 2 : index
    %v35 = arith.cmpi eq, %k, %v34 : index
    %t = arith.select %v35, %loaded, %plain : i32
    %v38 = arith.constant 1000 : i32
    %v39 = arith.muli %t, %v38 : i32
    %v40 = arith.constant 7 : index
    %v41 = arith.addi %v40, %k : index
    %v42 = memref.load %in[%v41] : memref<64xi32>
    %result = arith.addi %v39, %v42 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<1024xi32>
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
    scf.for %i = %c0 to %c1024 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<1024xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<1024xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<1024xi32>, memref<1024xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<1024xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xi32>, memref<1024xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<1024xi32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xi32>
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
      %got = memref.load %out[%at] : memref<1024xi32>
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
    memref.dealloc %out : memref<1024xi32>
    return %status : i32
  }
}
