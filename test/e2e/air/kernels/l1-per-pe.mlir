// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: l1_per_pe: PASS

// In a herd that names no lane an L1 buffer is one for the PE: a scalar loop
// that carries a value through it gives what sequential execution gives; the
// buffers of different PEs are different.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("l1_per_pe: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("l1_per_pe: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<16xi32>, %out: memref<128xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<16xi32>, memref<128xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<16xi32>, memref<128xi32> {
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c4) args(%ha = %sa, %hb = %sb) : memref<16xi32>, memref<128xi32> {
          %c0 = arith.constant 0 : index
          %t = memref.alloc() : memref<17xi32, 2>
          %v0 = arith.constant 4 : index
          %v1 = arith.muli %tx, %v0 : index
          %pe = arith.addi %v1, %ty : index
          %v3 = memref.load %ha[%pe] : memref<16xi32>
          %v4 = arith.constant 0 : index
          memref.store %v3, %t[%v4] : memref<17xi32, 2>
          %v5 = arith.constant 0 : index
          %v6 = arith.constant 16 : index
          %v7 = arith.constant 1 : index
          scf.for %k = %v5 to %v6 step %v7 {
            %v8 = arith.constant 1 : index
            %next = arith.addi %k, %v8 : index
            %v10 = memref.load %t[%k] : memref<17xi32, 2>
            %v12 = arith.constant 3 : i32
            %v13 = arith.muli %v10, %v12 : i32
            %v14 = arith.index_cast %k : index to i32
            %v15 = arith.addi %v13, %v14 : i32
            memref.store %v15, %t[%next] : memref<17xi32, 2>
          }
          %v16 = arith.constant 0 : index
          %v17 = arith.constant 16 : index
          %v18 = arith.constant 1 : index
          scf.for %k = %v16 to %v17 step %v18 {
            %v19 = arith.constant 16 : index
            %v20 = arith.muli %pe, %v19 : index
            %p = arith.addi %v20, %k : index
            %v22 = arith.constant 16 : index
            %v23 = arith.subi %v22, %k : index
            %v24 = memref.load %t[%v23] : memref<17xi32, 2>
            memref.store %v24, %hb[%p] : memref<128xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<16xi32>, %i: index) -> i32 {
    %v25 = arith.constant 16 : index
    %pe = arith.divui %i, %v25 : index
    %v27 = arith.constant 16 : index
    %v28 = arith.constant 16 : index
    %v29 = arith.remui %i, %v28 : index
    %steps = arith.subi %v27, %v29 : index
    %v31 = memref.load %in[%pe] : memref<16xi32>
    %v33 = arith.constant 0 : i32
    %first = arith.addi %v31, %v33 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %result = scf.for %k = %k0 to %steps step %k1 iter_args(%v = %first) -> (i32) {
      %v36 = arith.constant 3 : i32
      %v37 = arith.muli %v, %v36 : i32
      %v38 = arith.index_cast %k : index to i32
      %w = arith.addi %v37, %v38 : i32
      scf.yield %w : i32
    }
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<128xi32>
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
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<16xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<16xi32>, memref<16xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<16xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<16xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
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
      %got = memref.load %out[%at] : memref<128xi32>
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
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
