// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: async_loop: PASS

// A loop that carries a token and double-buffers through two L2 tiles: each
// copy in waits for the herd that still read the tile.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("async_loop: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("async_loop: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<2048xi32>, %out: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<2048xi32>, memref<256xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<2048xi32>, memref<256xi32> {
        %c0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %c256 = arith.constant 256 : index
        %ping = memref.alloc() : memref<256xi32, 1>
        %pong = memref.alloc() : memref<256xi32, 1>
        %start = air.wait_all async
        %end:2 = scf.for %k = %c0 to %c8 step %c2 iter_args(%d0 = %start, %d1 = %start) -> (!air.async.token, !air.async.token) {
          %v0 = arith.constant 256 : index
          %o0 = arith.muli %k, %v0 : index
          %v2 = arith.constant 256 : index
          %o1 = arith.addi %o0, %v2 : index
          %l0 = air.dma_memcpy_nd async [%d0] (%ping[] [] [], %sa[%o0] [%c256] [%c1_1]) : (memref<256xi32, 1>, memref<2048xi32>)
          %l1 = air.dma_memcpy_nd async [%d1] (%pong[] [] [], %sa[%o1] [%c256] [%c1_1]) : (memref<256xi32, 1>, memref<2048xi32>)
          %h0 = air.herd @even async [%l0, %d1] tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ht = %ping, %hb = %sb) : memref<256xi32, 1>, memref<256xi32> {
            %lane = gpu.lane_id
            %v4 = arith.constant 64 : index
            %v5 = arith.muli %tx, %v4 : index
            %p = arith.addi %v5, %lane : index
            %v7 = arith.constant 255 : index
            %q = arith.subi %v7, %p : index
            %v9 = memref.load %hb[%p] : memref<256xi32>
            %v11 = arith.constant 2 : i32
            %v12 = arith.muli %v9, %v11 : i32
            %v13 = memref.load %ht[%q] : memref<256xi32, 1>
            %v14 = arith.addi %v12, %v13 : i32
            memref.store %v14, %hb[%p] : memref<256xi32>
          }
          %h1 = air.herd @odd async [%l1, %h0] tile (%tx, %ty) in (%ntx = %c4, %nty = %c1_1) args(%ht = %pong, %hb = %sb) : memref<256xi32, 1>, memref<256xi32> {
            %lane = gpu.lane_id
            %v15 = arith.constant 64 : index
            %v16 = arith.muli %tx, %v15 : index
            %p = arith.addi %v16, %lane : index
            %v18 = arith.constant 128 : index
            %v19 = arith.addi %p, %v18 : index
            %v20 = arith.constant 256 : index
            %q = arith.remui %v19, %v20 : index
            %v22 = memref.load %hb[%p] : memref<256xi32>
            %v24 = arith.constant 2 : i32
            %v25 = arith.muli %v22, %v24 : i32
            %v26 = memref.load %ht[%q] : memref<256xi32, 1>
            %v27 = arith.addi %v25, %v26 : i32
            memref.store %v27, %hb[%p] : memref<256xi32>
          }
          scf.yield %h0, %h1 : !air.async.token, !air.async.token
        }
        air.wait_all [%end#0, %end#1]
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<2048xi32>, %i: index) -> i32 {
    %zero = arith.constant 0 : i32
    %k0 = arith.constant 0 : index
    %k2 = arith.constant 2 : index
    %k8 = arith.constant 8 : index
    %result = scf.for %k = %k0 to %k8 step %k2 iter_args(%v = %zero) -> (i32) {
      %v28 = arith.constant 256 : index
      %v29 = arith.muli %k, %v28 : index
      %v30 = arith.constant 255 : index
      %v31 = arith.addi %v29, %v30 : index
      %e = arith.subi %v31, %i : index
      %v33 = arith.constant 256 : index
      %v34 = arith.muli %k, %v33 : index
      %v35 = arith.constant 256 : index
      %v36 = arith.addi %v34, %v35 : index
      %v37 = arith.constant 128 : index
      %v38 = arith.addi %i, %v37 : index
      %v39 = arith.constant 256 : index
      %v40 = arith.remui %v38, %v39 : index
      %d = arith.addi %v36, %v40 : index
      %v43 = arith.constant 2 : i32
      %v44 = arith.muli %v, %v43 : i32
      %v45 = memref.load %in[%e] : memref<2048xi32>
      %v46 = arith.addi %v44, %v45 : i32
      %v48 = arith.constant 2 : i32
      %v49 = arith.muli %v46, %v48 : i32
      %v50 = memref.load %in[%d] : memref<2048xi32>
      %w = arith.addi %v49, %v50 : i32
      scf.yield %w : i32
    }
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2048 = arith.constant 2048 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<2048xi32>
    %out = memref.alloc() : memref<256xi32>
    scf.for %i = %c0 to %c2048 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<2048xi32>
    }
    scf.for %i = %c0 to %c256 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<256xi32>
    }
    %din = gpu.alloc () : memref<2048xi32>
    %dout = gpu.alloc () : memref<256xi32>
    gpu.memcpy %din, %in : memref<2048xi32>, memref<2048xi32>
    gpu.memcpy %dout, %out : memref<256xi32>, memref<256xi32>
    call @test(%din, %dout) : (memref<2048xi32>, memref<256xi32>) -> ()
    gpu.memcpy %out, %dout : memref<256xi32>, memref<256xi32>
    gpu.dealloc %din : memref<2048xi32>
    gpu.dealloc %dout : memref<256xi32>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xi32>
      %want = func.call @expected(%in, %i) : (memref<2048xi32>, index) -> i32
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
      %want = func.call @expected(%in, %at) : (memref<2048xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<2048xi32>
    memref.dealloc %out : memref<256xi32>
    return %status : i32
  }
}
