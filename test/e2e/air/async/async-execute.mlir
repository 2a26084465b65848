// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: async_execute: PASS

// air.execute with results and dependencies - an allocation, an index
// computed, a load - in a launch, a segment and a herd.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("async_execute: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("async_execute: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<256xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<256xi32>, memref<256xi32> {
      %te, %half = air.execute -> (index) {
        %c128 = arith.constant 128 : index
        %v0 = arith.constant 128 : index
        %product = arith.muli %x, %v0 : index
        air.execute_terminator %product : index
      }
      %s = air.segment @s async [%te] args(%o = %half, %sa = %a, %sb = %b) : index, memref<256xi32>, memref<256xi32> {
        %c1 = arith.constant 1 : index
        %c2_1 = arith.constant 2 : index
        %ta, %t = air.execute -> (memref<128xi32, 1>) {
          %alloc = memref.alloc() : memref<128xi32, 1>
          air.execute_terminator %alloc : memref<128xi32, 1>
        }
        %tl, %first = air.execute -> (i32) {
          %v = memref.load %sa[%o] : memref<256xi32>
          air.execute_terminator %v : i32
        }
        %d = air.dma_memcpy_nd async [%ta] (%t[] [] [], %sa[%o] [128] [1]) : (memref<128xi32, 1>, memref<256xi32>)
        %h = air.herd @h async [%d, %tl] tile (%tx, %ty) in (%ntx = %c2_1, %nty = %c1) args(%ht = %t, %hf = %first) : memref<128xi32, 1>, i32 {
          %lane = gpu.lane_id
          %tp, %p = air.execute -> (index) {
            %v2 = arith.constant 64 : index
            %v3 = arith.muli %tx, %v2 : index
            %sum = arith.addi %v3, %lane : index
            air.execute_terminator %sum : index
          }
          %ts = air.execute [%tp] {
            %v5 = memref.load %ht[%p] : memref<128xi32, 1>
            %v6 = arith.addi %v5, %hf : i32
            memref.store %v6, %ht[%p] : memref<128xi32, 1>
          }
          air.wait_all [%ts]
        }
        %w = air.dma_memcpy_nd async [%h] (%sb[%o] [128] [1], %t[] [] []) : (memref<256xi32>, memref<128xi32, 1>)
        %td = air.execute [%w] {
          memref.dealloc %t : memref<128xi32, 1>
        }
        air.wait_all [%td]
      }
      air.wait_all [%s]
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v7 = arith.constant 128 : index
    %v8 = arith.divui %i, %v7 : index
    %v9 = arith.constant 128 : index
    %f = arith.muli %v8, %v9 : index
    %v11 = memref.load %in[%i] : memref<256xi32>
    %v12 = memref.load %in[%f] : memref<256xi32>
    %result = arith.addi %v11, %v12 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<256xi32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<256xi32>
    }
    scf.for %i = %c0 to %c256 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<256xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<256xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<256xi32>, memref<256xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<256xi32>) -> ()
    gpu.memcpy %out, %dout : memref<256xi32>, memref<256xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<256xi32>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xi32>
      %want = func.call @expected(%in, %i) : (memref<256xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<256xi32>
      %want = func.call @expected(%in, %at) : (memref<256xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xi32>
    memref.dealloc %out : memref<256xi32>
    return %status : i32
  }
}
