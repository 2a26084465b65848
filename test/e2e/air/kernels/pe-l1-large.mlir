// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: pe_l1_large: PASS

// L1 buffers of a PE-level herd that are a good part of LDS, two for each of
// eight PEs, with values carried around in them.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_l1_large: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_l1_large: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<8192xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<8192xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<8192xi32> {
        %c4 = arith.constant 4 : index
        %c2 = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<64xi32>, memref<8192xi32> {
          %c0 = arith.constant 0 : index
          %c512 = arith.constant 512 : index
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %pe = arith.addi %v1, %ty : index
          %t = memref.alloc() : memref<1024xi32, 2>
          %u = memref.alloc() : memref<512xi32, 2>
          %v3 = memref.load %ha[%pe] : memref<64xi32>
          %v4 = arith.constant 0 : index
          memref.store %v3, %t[%v4] : memref<1024xi32, 2>
          %v5 = arith.constant 1 : index
          %v6 = arith.constant 1024 : index
          %v7 = arith.constant 1 : index
          scf.for %k = %v5 to %v6 step %v7 {
            %v8 = arith.constant 1 : index
            %last = arith.subi %k, %v8 : index
            %v10 = memref.load %t[%last] : memref<1024xi32, 2>
            %v12 = arith.constant 5 : i32
            %v13 = arith.muli %v10, %v12 : i32
            %v15 = arith.constant 1 : i32
            %v16 = arith.addi %v13, %v15 : i32
            memref.store %v16, %t[%k] : memref<1024xi32, 2>
          }
          %v17 = arith.constant 0 : index
          %v18 = arith.constant 512 : index
          %v19 = arith.constant 1 : index
          scf.for %k = %v17 to %v18 step %v19 {
            %v20 = arith.constant 1023 : index
            %far = arith.subi %v20, %k : index
            %v22 = memref.load %t[%k] : memref<1024xi32, 2>
            %v23 = memref.load %t[%far] : memref<1024xi32, 2>
            %v24 = arith.xori %v22, %v23 : i32
            memref.store %v24, %u[%k] : memref<512xi32, 2>
          }
          %v25 = arith.constant 1024 : index
          %o = arith.muli %pe, %v25 : index
          air.dma_memcpy_nd (%hb[%o] [512] [1], %u[] [] []) : (memref<8192xi32>, memref<512xi32, 2>)
          %v27 = arith.constant 512 : index
          %o2 = arith.addi %o, %v27 : index
          air.dma_memcpy_nd (%hb[%o2] [512] [1], %t[512] [512] [1]) : (memref<8192xi32>, memref<1024xi32, 2>)
        }
      }
    }
    return
  }
  func.func private @step(%first: i32, %n: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %first) -> (i32) {
      %v30 = arith.constant 5 : i32
      %v31 = arith.muli %acc, %v30 : i32
      %v33 = arith.constant 1 : i32
      %w = arith.addi %v31, %v33 : i32
      scf.yield %w : i32
    }
    return %v : i32
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v35 = arith.constant 1024 : index
    %pe = arith.divui %i, %v35 : index
    %v37 = arith.constant 1024 : index
    %k = arith.remui %i, %v37 : index
    %v39 = memref.load %in[%pe] : memref<64xi32>
    %v41 = arith.constant 0 : i32
    %first = arith.addi %v39, %v41 : i32
    %v43 = arith.constant 1023 : index
    %far = arith.subi %v43, %k : index
    %near_v = func.call @step(%first, %k) : (i32, index) -> i32
    %far_v = func.call @step(%first, %far) : (i32, index) -> i32
    %mixed = arith.xori %near_v, %far_v : i32
    %v46 = arith.constant 512 : index
    %v47 = arith.cmpi ult, %k, %v46 : index
    %result = arith.select %v47, %mixed, %near_v : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c8192 = arith.constant 8192 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<8192xi32>
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
    scf.for %i = %c0 to %c8192 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<8192xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<8192xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<8192xi32>, memref<8192xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<8192xi32>) -> ()
    gpu.memcpy %out, %dout : memref<8192xi32>, memref<8192xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<8192xi32>

    %wrong, %at = scf.for %i = %c0 to %c8192 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<8192xi32>
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
      %got = memref.load %out[%at] : memref<8192xi32>
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
    memref.dealloc %out : memref<8192xi32>
    return %status : i32
  }
}
