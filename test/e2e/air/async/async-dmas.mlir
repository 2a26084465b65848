// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: async_dmas: PASS

// Async DMAs and herds with tokens from one to the next, wait_all with and
// without async, and dependencies without async.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("async_dmas: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("async_dmas: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<512xi32>, %out: memref<512xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<512xi32>, memref<512xi32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<512xi32>, memref<512xi32> {
        %c2_1 = arith.constant 2 : index
        %v0 = arith.constant 256 : index
        %o = arith.muli %u, %v0 : index
        %v2 = arith.constant 128 : index
        %o2 = arith.addi %o, %v2 : index
        %t0 = memref.alloc() : memref<128xi32, 1>
        %t1 = memref.alloc() : memref<128xi32, 1>
        %e0 = air.dma_memcpy_nd async (%t0[] [] [], %sa[%o] [128] [1]) : (memref<128xi32, 1>, memref<512xi32>)
        %e1 = air.dma_memcpy_nd async (%t1[] [] [], %sa[%o2] [128] [1]) : (memref<128xi32, 1>, memref<512xi32>)
        %both = air.wait_all async [%e0, %e1]
        %h = air.herd @h async [%both] tile (%tx, %ty) in (%ntx = %c2_1, %nty = %c2_1) args(%h0 = %t0, %h1 = %t1) : memref<128xi32, 1>, memref<128xi32, 1> {
          %lane = gpu.lane_id
          %v4 = arith.constant 64 : index
          %v5 = arith.muli %tx, %v4 : index
          %p = arith.addi %v5, %lane : index
          %v7 = arith.constant 0 : index
          %v8 = arith.cmpi eq, %ty, %v7 : index
          scf.if %v8 {
            %v9 = arith.constant 127 : index
            %q = arith.subi %v9, %p : index
            %v = memref.load %h0[%p] : memref<128xi32, 1>
            %v13 = arith.constant 10 : i32
            %v14 = arith.muli %v, %v13 : i32
            memref.store %v14, %h0[%p] : memref<128xi32, 1>
          }
          %v15 = arith.constant 1 : index
          %v16 = arith.cmpi eq, %ty, %v15 : index
          scf.if %v16 {
            %v17 = memref.load %h1[%p] : memref<128xi32, 1>
            %v19 = arith.constant 100 : i32
            %v20 = arith.muli %v17, %v19 : i32
            memref.store %v20, %h1[%p] : memref<128xi32, 1>
          }
        }
        %w0 = air.dma_memcpy_nd async [%h] (%sb[%o] [128] [1], %t0[] [] []) : (memref<512xi32>, memref<128xi32, 1>)
        air.dma_memcpy_nd [%h, %w0] (%sb[%o2] [128] [1], %t1[] [] []) : (memref<512xi32>, memref<128xi32, 1>)
        air.wait_all [%w0]
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xi32>, %i: index) -> i32 {
    %v21 = arith.constant 256 : index
    %v22 = arith.remui %i, %v21 : index
    %v23 = arith.constant 128 : index
    %v24 = arith.cmpi ult, %v22, %v23 : index
    %v26 = arith.constant 10 : i32
    %v28 = arith.constant 100 : i32
    %f = arith.select %v24, %v26, %v28 : i32
    %v30 = memref.load %in[%i] : memref<512xi32>
    %result = arith.muli %v30, %f : i32
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
