// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: herd_3d: PASS

// A herd of three dimensions: ids and sizes of all three, one wave a PE.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("herd_3d: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("herd_3d: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<24xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<24xi32> {
      air.segment @s args(%sb = %b) : memref<24xi32> {
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty, %tz) in (%ntx = %c2, %nty = %c3, %ntz = %c2) args(%hb = %sb) : memref<24xi32> {
          %v0 = arith.muli %tx, %nty : index
          %v1 = arith.addi %v0, %ty : index
          %v2 = arith.muli %v1, %ntz : index
          %v3 = arith.addi %v2, %tz : index
          %v4 = arith.constant 2 : index
          %p = arith.muli %v3, %v4 : index
          %v6 = arith.constant 100 : index
          %v7 = arith.muli %tx, %v6 : index
          %v8 = arith.constant 10 : index
          %v9 = arith.muli %ty, %v8 : index
          %v10 = arith.addi %v7, %v9 : index
          %v11 = arith.addi %v10, %tz : index
          %v12 = arith.index_cast %v11 : index to i32
          memref.store %v12, %hb[%p] : memref<24xi32>
          %v13 = arith.constant 100 : index
          %v14 = arith.muli %ntx, %v13 : index
          %v15 = arith.constant 10 : index
          %v16 = arith.muli %nty, %v15 : index
          %v17 = arith.addi %v14, %v16 : index
          %v18 = arith.addi %v17, %ntz : index
          %v19 = arith.index_cast %v18 : index to i32
          %v20 = arith.constant 1 : index
          %v21 = arith.addi %p, %v20 : index
          memref.store %v19, %hb[%v21] : memref<24xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    %v22 = arith.constant 2 : index
    %p = arith.divui %i, %v22 : index
    %v24 = arith.constant 6 : index
    %v25 = arith.divui %p, %v24 : index
    %v26 = arith.constant 100 : index
    %v27 = arith.muli %v25, %v26 : index
    %v28 = arith.constant 2 : index
    %v29 = arith.divui %p, %v28 : index
    %v30 = arith.constant 3 : index
    %v31 = arith.remui %v29, %v30 : index
    %v32 = arith.constant 10 : index
    %v33 = arith.muli %v31, %v32 : index
    %v34 = arith.addi %v27, %v33 : index
    %v35 = arith.constant 2 : index
    %v36 = arith.remui %p, %v35 : index
    %a = arith.addi %v34, %v36 : index
    %v38 = arith.constant 2 : index
    %odd = arith.remui %i, %v38 : index
    %v40 = arith.constant 1 : index
    %v41 = arith.cmpi eq, %odd, %v40 : index
    %v42 = arith.constant 232 : index
    %v43 = arith.select %v41, %v42, %a : index
    %result = arith.index_cast %v43 : index to i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<24xi32>
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
    scf.for %i = %c0 to %c24 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<24xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<24xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<24xi32>, memref<24xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<24xi32>) -> ()
    gpu.memcpy %out, %dout : memref<24xi32>, memref<24xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<24xi32>

    %wrong, %at = scf.for %i = %c0 to %c24 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<24xi32>
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
      %got = memref.load %out[%at] : memref<24xi32>
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
    memref.dealloc %out : memref<24xi32>
    return %status : i32
  }
}
