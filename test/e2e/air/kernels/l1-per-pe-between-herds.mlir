// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: l1_per_pe_between_herds: PASS

// If a segment allocates an L1 buffer and passes it to PE-level herds, each PE has one, which keeps
// its contents from herd to herd.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("l1_per_pe_between_herds: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("l1_per_pe_between_herds: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<64xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<64xi32> {
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %t = memref.alloc() : memref<16xi32, 2>
        air.herd @load tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %ht = %t) : memref<64xi32>, memref<16xi32, 2> {
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %v2 = arith.addi %v1, %ty : index
          %v3 = arith.constant 16 : index
          %o = arith.muli %v2, %v3 : index
          air.dma_memcpy_nd (%ht[] [] [], %ha[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32>)
        }
        air.herd @scan tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ht = %t) : memref<16xi32, 2> {
          %v5 = arith.constant 1 : index
          %v6 = arith.constant 16 : index
          %v7 = arith.constant 1 : index
          scf.for %k = %v5 to %v6 step %v7 {
            %v8 = arith.constant 1 : index
            %last = arith.subi %k, %v8 : index
            %v10 = memref.load %ht[%k] : memref<16xi32, 2>
            %v11 = memref.load %ht[%last] : memref<16xi32, 2>
            %v12 = arith.addi %v10, %v11 : i32
            memref.store %v12, %ht[%k] : memref<16xi32, 2>
          }
        }
        air.herd @store tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%hb = %sb, %ht = %t) : memref<64xi32>, memref<16xi32, 2> {
          %v13 = arith.constant 2 : index
          %v14 = arith.muli %tx, %v13 : index
          %v15 = arith.addi %v14, %ty : index
          %v16 = arith.constant 16 : index
          %o = arith.muli %v15, %v16 : index
          air.dma_memcpy_nd (%hb[%o] [16] [1], %ht[] [] []) : (memref<64xi32>, memref<16xi32, 2>)
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v18 = arith.constant 16 : index
    %v19 = arith.divui %i, %v18 : index
    %v20 = arith.constant 16 : index
    %start = arith.muli %v19, %v20 : index
    %v22 = arith.constant 1 : index
    %end = arith.addi %i, %v22 : index
    %zero = arith.constant 0 : i32
    %k1 = arith.constant 1 : index
    %result = scf.for %k = %start to %end step %k1 iter_args(%v = %zero) -> (i32) {
      %v24 = memref.load %in[%k] : memref<64xi32>
      %w = arith.addi %v, %v24 : i32
      scf.yield %w : i32
    }
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
      %v8 = arith.constant -1 : i32
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
