// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: segment_values: PASS

// Values that a segment loads are the same for all PEs: from global memory
// before a herd changes it, and after; as bounds of a loop around herds and as
// the condition of one.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_values: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_values: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<320xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<320xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<320xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        // in[0] is 3: the trip count.
        %v0 = arith.constant 0 : index
        %loaded = memref.load %sa[%v0] : memref<64xi32>
        %n = arith.index_cast %loaded : i32 to index
        %v3 = arith.constant 300 : index
        %cell = memref.load %sb[%v3] : memref<320xi32>
        %zero = arith.constant 0 : i32
        scf.for %k = %c0 to %n step %c1_1 {
          air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%hb = %sb, %hk = %k, %hl = %loaded) : memref<320xi32>, index, i32 {
            %c300 = arith.constant 300 : index
            %lane = gpu.lane_id
            %v5 = arith.constant 2 : index
            %v6 = arith.muli %tx, %v5 : index
            %v7 = arith.addi %v6, %ty : index
            %v8 = arith.constant 64 : index
            %v9 = arith.muli %v7, %v8 : index
            %p = arith.addi %v9, %lane : index
            %v11 = memref.load %hb[%p] : memref<320xi32>
            %v12 = arith.addi %v11, %hl : i32
            %v13 = arith.index_cast %hk : index to i32
            %v14 = arith.addi %v12, %v13 : i32
            memref.store %v14, %hb[%p] : memref<320xi32>
            %v15 = arith.addi %tx, %ty : index
            %last = arith.addi %v15, %lane : index
            %v17 = arith.constant 0 : index
            %v18 = arith.cmpi eq, %last, %v17 : index
            scf.if %v18 {
              %v19 = arith.index_cast %hk : index to i32
              %v21 = arith.constant 40 : i32
              %v22 = arith.addi %v19, %v21 : i32
              %v23 = arith.constant 300 : index
              memref.store %v22, %hb[%v23] : memref<320xi32>
            }
          }
          %v24 = arith.constant 300 : index
          %now = memref.load %sb[%v24] : memref<320xi32>
          %v27 = arith.constant 2 : i32
          %odd = arith.remsi %now, %v27 : i32
          %v30 = arith.constant 1 : i32
          %v31 = arith.cmpi eq, %odd, %v30 : i32
          scf.if %v31 {
            air.herd @h2 tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%hb = %sb, %hn = %now, %hc = %cell) : memref<320xi32>, i32, i32 {
              %lane = gpu.lane_id
              %v32 = arith.constant 2 : index
              %v33 = arith.muli %tx, %v32 : index
              %v34 = arith.addi %v33, %ty : index
              %v35 = arith.constant 64 : index
              %v36 = arith.muli %v34, %v35 : index
              %p = arith.addi %v36, %lane : index
              %v38 = memref.load %hb[%p] : memref<320xi32>
              %v40 = arith.constant 10 : i32
              %v41 = arith.muli %v38, %v40 : i32
              %v42 = arith.addi %v41, %hn : i32
              %v43 = arith.addi %v42, %hc : i32
              memref.store %v43, %hb[%p] : memref<320xi32>
            }
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    // 0: 3, 1: 3 + 4 = 7, 41 is odd: 111; 2: 116.
    %v44 = arith.constant 256 : index
    %v45 = arith.cmpi ult, %i, %v44 : index
    %v46 = arith.constant 116 : index
    %v47 = arith.constant 300 : index
    %v48 = arith.cmpi eq, %i, %v47 : index
    %v49 = arith.constant 42 : index
    %v50 = arith.constant 0 : index
    %v51 = arith.select %v48, %v49, %v50 : index
    %v52 = arith.select %v45, %v46, %v51 : index
    %result = arith.index_cast %v52 : index to i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<320xi32>
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
    scf.for %i = %c0 to %c320 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<320xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<320xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<320xi32>, memref<320xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<320xi32>) -> ()
    gpu.memcpy %out, %dout : memref<320xi32>, memref<320xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<320xi32>

    %wrong, %at = scf.for %i = %c0 to %c320 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<320xi32>
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
      %got = memref.load %out[%at] : memref<320xi32>
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
    memref.dealloc %out : memref<320xi32>
    return %status : i32
  }
}
