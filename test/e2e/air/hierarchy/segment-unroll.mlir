// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: segment_unroll: PASS

// A segment with a space multiplies the grid: each of its instances is a
// workgroup with an id, sizes and L2 of its own.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_unroll: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_unroll: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<384xi32>, %out: memref<384xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<384xi32>, memref<384xi32> {
      %c3 = arith.constant 3 : index
      air.segment @s unroll (%g) in (%sg = %c3) args(%u = %x, %sa = %a, %sb = %b) : index, memref<384xi32>, memref<384xi32> {
        %c1 = arith.constant 1 : index
        %t = memref.alloc() : memref<64xi32, 1>
        %v0 = arith.muli %u, %sg : index
        %v1 = arith.addi %v0, %g : index
        %v2 = arith.constant 64 : index
        %o = arith.muli %v1, %v2 : index
        air.dma_memcpy_nd (%t[] [] [], %sa[%o] [64] [1]) : (memref<64xi32, 1>, memref<384xi32>)
        air.herd @h tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%ht = %t, %hb = %sb, %ho = %o, %hg = %g, %hsg = %sg) : memref<64xi32, 1>, memref<384xi32>, index, index, index {
          %v4 = arith.constant 0 : index
          %v5 = arith.constant 64 : index
          %v6 = arith.constant 1 : index
          scf.for %e = %v4 to %v5 step %v6 {
            %p = arith.addi %ho, %e : index
            %v8 = arith.constant 63 : index
            %v9 = arith.subi %v8, %e : index
            %v10 = memref.load %ht[%v9] : memref<64xi32, 1>
            %v11 = arith.constant 10 : index
            %v12 = arith.muli %hg, %v11 : index
            %v13 = arith.addi %v12, %hsg : index
            %v14 = arith.index_cast %v13 : index to i32
            %v15 = arith.addi %v10, %v14 : i32
            memref.store %v15, %hb[%p] : memref<384xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<384xi32>, %i: index) -> i32 {
    %v16 = arith.constant 64 : index
    %t = arith.divui %i, %v16 : index
    %v18 = arith.constant 64 : index
    %v19 = arith.muli %t, %v18 : index
    %v20 = arith.constant 63 : index
    %v21 = arith.addi %v19, %v20 : index
    %v22 = arith.constant 64 : index
    %v23 = arith.remui %i, %v22 : index
    %p = arith.subi %v21, %v23 : index
    %v25 = memref.load %in[%p] : memref<384xi32>
    %v26 = arith.constant 3 : index
    %v27 = arith.remui %t, %v26 : index
    %v28 = arith.constant 10 : index
    %v29 = arith.muli %v27, %v28 : index
    %v30 = arith.constant 3 : index
    %v31 = arith.addi %v29, %v30 : index
    %v32 = arith.index_cast %v31 : index to i32
    %result = arith.addi %v25, %v32 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c384 = arith.constant 384 : index
    %in = memref.alloc() : memref<384xi32>
    %out = memref.alloc() : memref<384xi32>
    scf.for %i = %c0 to %c384 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<384xi32>
    }
    scf.for %i = %c0 to %c384 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<384xi32>
    }
    %din = gpu.alloc () : memref<384xi32>
    %dout = gpu.alloc () : memref<384xi32>
    gpu.memcpy %din, %in : memref<384xi32>, memref<384xi32>
    gpu.memcpy %dout, %out : memref<384xi32>, memref<384xi32>
    call @test(%din, %dout) : (memref<384xi32>, memref<384xi32>) -> ()
    gpu.memcpy %out, %dout : memref<384xi32>, memref<384xi32>
    gpu.dealloc %din : memref<384xi32>
    gpu.dealloc %dout : memref<384xi32>

    %wrong, %at = scf.for %i = %c0 to %c384 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<384xi32>
      %want = func.call @expected(%in, %i) : (memref<384xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<384xi32>
      %want = func.call @expected(%in, %at) : (memref<384xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<384xi32>
    memref.dealloc %out : memref<384xi32>
    return %status : i32
  }
}
