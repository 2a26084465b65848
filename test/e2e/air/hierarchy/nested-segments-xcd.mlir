// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: nested_segments_xcd: PASS

// Two nested segments, the outer one for XCDs, the inner one for their compute
// units: each combination of ids runs once, each with L2 of its own. Where an
// instance lands is the hardware's; that nothing is lost is seen here.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("nested_segments_xcd: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("nested_segments_xcd: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<1024xi32>, memref<1024xi32> {
      %c8 = arith.constant 8 : index
      air.segment @xcds unroll (%g) in (%sg = %c8) args(%u = %x, %sa = %a, %sb = %b) : index, memref<1024xi32>, memref<1024xi32> attributes {"backend-granularity" = "XCD"} {
        %c4 = arith.constant 4 : index
        air.segment @cus unroll (%c) in (%sc = %c4) args(%v = %u, %xcd = %g, %nxcd = %sg, %ia = %sa, %ib = %sb) : index, index, index, memref<1024xi32>, memref<1024xi32> {
          %c1 = arith.constant 1 : index
          %t = memref.alloc() : memref<16xi32, 1>
          %v0 = arith.muli %v, %nxcd : index
          %v1 = arith.addi %v0, %xcd : index
          %v2 = arith.muli %v1, %sc : index
          %v3 = arith.addi %v2, %c : index
          %v4 = arith.constant 16 : index
          %o = arith.muli %v3, %v4 : index
          air.dma_memcpy_nd (%t[] [] [], %ia[%o] [16] [1]) : (memref<16xi32, 1>, memref<1024xi32>)
          air.herd @h tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%ht = %t, %hb = %ib, %ho = %o, %hx = %xcd, %hc = %c) : memref<16xi32, 1>, memref<1024xi32>, index, index, index {
            %v6 = arith.constant 0 : index
            %v7 = arith.constant 16 : index
            %v8 = arith.constant 1 : index
            scf.for %e = %v6 to %v7 step %v8 {
              %p = arith.addi %ho, %e : index
              %v10 = memref.load %hb[%p] : memref<1024xi32>
              %v11 = memref.load %ht[%e] : memref<16xi32, 1>
              %v12 = arith.addi %v10, %v11 : i32
              %v13 = arith.constant 100 : index
              %v14 = arith.muli %hx, %v13 : index
              %v15 = arith.addi %v14, %hc : index
              %v16 = arith.index_cast %v15 : index to i32
              %v17 = arith.addi %v12, %v16 : i32
              memref.store %v17, %hb[%p] : memref<1024xi32>
            }
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1024xi32>, %i: index) -> i32 {
    %v18 = arith.constant 16 : index
    %t = arith.divui %i, %v18 : index
    %v20 = memref.load %in[%i] : memref<1024xi32>
    %v22 = arith.constant 1 : i32
    %v23 = arith.subi %v20, %v22 : i32
    %v24 = arith.constant 4 : index
    %v25 = arith.divui %t, %v24 : index
    %v26 = arith.constant 8 : index
    %v27 = arith.remui %v25, %v26 : index
    %v28 = arith.constant 100 : index
    %v29 = arith.muli %v27, %v28 : index
    %v30 = arith.constant 4 : index
    %v31 = arith.remui %t, %v30 : index
    %v32 = arith.addi %v29, %v31 : index
    %v33 = arith.index_cast %v32 : index to i32
    %result = arith.addi %v23, %v33 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<1024xi32>
    %out = memref.alloc() : memref<1024xi32>
    scf.for %i = %c0 to %c1024 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<1024xi32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<1024xi32>
    }
    %din = gpu.alloc () : memref<1024xi32>
    %dout = gpu.alloc () : memref<1024xi32>
    gpu.memcpy %din, %in : memref<1024xi32>, memref<1024xi32>
    gpu.memcpy %dout, %out : memref<1024xi32>, memref<1024xi32>
    call @test(%din, %dout) : (memref<1024xi32>, memref<1024xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xi32>, memref<1024xi32>
    gpu.dealloc %din : memref<1024xi32>
    gpu.dealloc %dout : memref<1024xi32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xi32>
      %want = func.call @expected(%in, %i) : (memref<1024xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<1024xi32>
      %want = func.call @expected(%in, %at) : (memref<1024xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1024xi32>
    memref.dealloc %out : memref<1024xi32>
    return %status : i32
  }
}
