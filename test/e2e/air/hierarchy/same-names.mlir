// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: same_names: PASS

// Launches, segments and herds of the same names in two functions and without
// names: no kernel is taken for another.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("same_names: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("same_names: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @add(%b: memref<32xi32>) {
    %c32 = arith.constant 32 : index
    air.launch @kernel (%x) in (%sx = %c32) args(%lb = %b) : memref<32xi32> {
      air.segment @segment args(%u = %x, %sb = %lb) : index, memref<32xi32> {
        %c1 = arith.constant 1 : index
        air.herd @herd tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%hu = %u, %hb = %sb) : index, memref<32xi32> {
          %v0 = memref.load %hb[%hu] : memref<32xi32>
          %v2 = arith.constant 5 : i32
          %v3 = arith.addi %v0, %v2 : i32
          memref.store %v3, %hb[%hu] : memref<32xi32>
        }
      }
    }
    return
  }
  func.func @multiply(%b: memref<32xi32>) {
    %c32 = arith.constant 32 : index
    air.launch @kernel (%x) in (%sx = %c32) args(%lb = %b) : memref<32xi32> {
      air.segment @segment args(%u = %x, %sb = %lb) : index, memref<32xi32> {
        %c1 = arith.constant 1 : index
        air.herd @herd tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%hu = %u, %hb = %sb) : index, memref<32xi32> {
          %v4 = memref.load %hb[%hu] : memref<32xi32>
          %v6 = arith.constant 7 : i32
          %v7 = arith.muli %v4, %v6 : i32
          memref.store %v7, %hb[%hu] : memref<32xi32>
        }
      }
    }
    return
  }
  func.func @kernel(%b: memref<32xi32>) {
    %c32 = arith.constant 32 : index
    air.launch (%x) in (%sx = %c32) args(%lb = %b) : memref<32xi32> {
      %v8 = memref.load %lb[%x] : memref<32xi32>
      %v10 = arith.constant 1 : i32
      %v11 = arith.addi %v8, %v10 : i32
      memref.store %v11, %lb[%x] : memref<32xi32>
    }
    air.launch (%x) in (%sx = %c32) args(%lb = %b) : memref<32xi32> {
      %v12 = memref.load %lb[%x] : memref<32xi32>
      %v14 = arith.constant 2 : i32
      %v15 = arith.muli %v12, %v14 : i32
      memref.store %v15, %lb[%x] : memref<32xi32>
    }
    return
  }
  func.func @test(%in: memref<32xi32>, %out: memref<32xi32>) {
    gpu.memcpy %out, %in : memref<32xi32>, memref<32xi32>
    call @add(%out) : (memref<32xi32>) -> ()
    call @multiply(%out) : (memref<32xi32>) -> ()
    call @kernel(%out) : (memref<32xi32>) -> ()
    call @add(%out) : (memref<32xi32>) -> ()
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<32xi32>, %i: index) -> i32 {
    %v16 = memref.load %in[%i] : memref<32xi32>
    %v18 = arith.constant 5 : i32
    %v19 = arith.addi %v16, %v18 : i32
    %v21 = arith.constant 7 : i32
    %v22 = arith.muli %v19, %v21 : i32
    %v24 = arith.constant 1 : i32
    %v25 = arith.addi %v22, %v24 : i32
    %v27 = arith.constant 2 : i32
    %v28 = arith.muli %v25, %v27 : i32
    %v30 = arith.constant 5 : i32
    %result = arith.addi %v28, %v30 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %in = memref.alloc() : memref<32xi32>
    %out = memref.alloc() : memref<32xi32>
    scf.for %i = %c0 to %c32 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<32xi32>
    }
    scf.for %i = %c0 to %c32 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<32xi32>
    }
    %din = gpu.alloc () : memref<32xi32>
    %dout = gpu.alloc () : memref<32xi32>
    gpu.memcpy %din, %in : memref<32xi32>, memref<32xi32>
    gpu.memcpy %dout, %out : memref<32xi32>, memref<32xi32>
    call @test(%din, %dout) : (memref<32xi32>, memref<32xi32>) -> ()
    gpu.memcpy %out, %dout : memref<32xi32>, memref<32xi32>
    gpu.dealloc %din : memref<32xi32>
    gpu.dealloc %dout : memref<32xi32>

    %wrong, %at = scf.for %i = %c0 to %c32 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<32xi32>
      %want = func.call @expected(%in, %i) : (memref<32xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<32xi32>
      %want = func.call @expected(%in, %at) : (memref<32xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<32xi32>
    memref.dealloc %out : memref<32xi32>
    return %status : i32
  }
}
