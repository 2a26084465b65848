// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: pe_barrier: PASS

// PEs that exchange values through L2 with a gpu.barrier between, without
// naming a lane.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_barrier: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_barrier: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<8xi32>, %out: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<8xi32>, memref<64xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<8xi32>, memref<64xi32> {
        %c4 = arith.constant 4 : index
        %c2 = arith.constant 2 : index
        %t = memref.alloc() : memref<8x8xi32, 1>
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c2) args(%ha = %sa, %hb = %sb, %ht = %t) : memref<8xi32>, memref<64xi32>, memref<8x8xi32, 1> {
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %pe = arith.addi %v1, %ty : index
          %v3 = arith.constant 0 : index
          %v4 = arith.constant 8 : index
          %v5 = arith.constant 1 : index
          scf.for %k = %v3 to %v4 step %v5 {
            %v6 = memref.load %ha[%pe] : memref<8xi32>
            %v7 = arith.constant 1 : index
            %v8 = arith.addi %k, %v7 : index
            %v9 = arith.index_cast %v8 : index to i32
            %v10 = arith.muli %v6, %v9 : i32
            memref.store %v10, %ht[%pe, %k] : memref<8x8xi32, 1>
          }
          gpu.barrier
          %v11 = arith.constant 0 : index
          %v12 = arith.constant 8 : index
          %v13 = arith.constant 1 : index
          scf.for %k = %v11 to %v12 step %v13 {
            %v14 = arith.constant 8 : index
            %v15 = arith.muli %pe, %v14 : index
            %p = arith.addi %v15, %k : index
            %v17 = memref.load %ht[%k, %pe] : memref<8x8xi32, 1>
            memref.store %v17, %hb[%p] : memref<64xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<8xi32>, %i: index) -> i32 {
    %v18 = arith.constant 8 : index
    %pe = arith.divui %i, %v18 : index
    %v20 = arith.constant 8 : index
    %k = arith.remui %i, %v20 : index
    %v22 = memref.load %in[%k] : memref<8xi32>
    %v23 = arith.constant 1 : index
    %v24 = arith.addi %pe, %v23 : index
    %v25 = arith.index_cast %v24 : index to i32
    %result = arith.muli %v22, %v25 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %in = memref.alloc() : memref<8xi32>
    %out = memref.alloc() : memref<64xi32>
    scf.for %i = %c0 to %c8 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<8xi32>
    }
    scf.for %i = %c0 to %c64 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<64xi32>
    }
    %din = gpu.alloc () : memref<8xi32>
    %dout = gpu.alloc () : memref<64xi32>
    gpu.memcpy %din, %in : memref<8xi32>, memref<8xi32>
    gpu.memcpy %dout, %out : memref<64xi32>, memref<64xi32>
    call @test(%din, %dout) : (memref<8xi32>, memref<64xi32>) -> ()
    gpu.memcpy %out, %dout : memref<64xi32>, memref<64xi32>
    gpu.dealloc %din : memref<8xi32>
    gpu.dealloc %dout : memref<64xi32>

    %wrong, %at = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<64xi32>
      %want = func.call @expected(%in, %i) : (memref<8xi32>, index) -> i32
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
      %want = func.call @expected(%in, %at) : (memref<8xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<8xi32>
    memref.dealloc %out : memref<64xi32>
    return %status : i32
  }
}
