// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// CHECK: async_herds_l1: PASS

// Async herds and DMAs inside a PE-level herd with its own L1 buffers and
// tokens between the DMAs and the compute.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("async_herds_l1: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("async_herds_l1: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xf32>, %out: memref<256xf32>) {
    %c1 = arith.constant 1 : index
    %l = air.launch async (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xf32>, memref<256xf32> {
      %s = air.segment @s async args(%sa = %a, %sb = %b) : memref<256xf32>, memref<256xf32> {
        %c2 = arith.constant 2 : index
        %h = air.herd @h async tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<256xf32>, memref<256xf32> {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %v2 = arith.addi %v1, %ty : index
          %v3 = arith.constant 64 : index
          %o = arith.muli %v2, %v3 : index
          %ta, %t = air.execute -> (memref<16xf32, 2>) {
            %alloc = memref.alloc() : memref<16xf32, 2>
            air.execute_terminator %alloc : memref<16xf32, 2>
          }
          %end = scf.for %k = %c0 to %c4 step %c1_1 iter_args(%d = %ta) -> (!air.async.token) {
            %v5 = arith.constant 16 : index
            %v6 = arith.muli %k, %v5 : index
            %p = arith.addi %o, %v6 : index
            %in_done = air.dma_memcpy_nd async [%d] (%t[] [] [], %ha[%p] [16] [1]) : (memref<16xf32, 2>, memref<256xf32>)
            %work = air.execute [%in_done] {
              %v8 = arith.constant 0 : index
              %v9 = arith.constant 16 : index
              %v10 = arith.constant 1 : index
              scf.for %e = %v8 to %v9 step %v10 {
                %v11 = memref.load %t[%e] : memref<16xf32, 2>
                %v13 = arith.constant 2.0 : f32
                %v14 = arith.mulf %v11, %v13 : f32
                %v16 = arith.index_cast %k : index to i32
                %v17 = arith.sitofp %v16 : i32 to f32
                %v18 = arith.addf %v14, %v17 : f32
                memref.store %v18, %t[%e] : memref<16xf32, 2>
              }
            }
            %out_done = air.dma_memcpy_nd async [%work] (%hb[%p] [16] [1], %t[] [] []) : (memref<256xf32>, memref<16xf32, 2>)
            scf.yield %out_done : !air.async.token
          }
          %td = air.execute [%end] {
            memref.dealloc %t : memref<16xf32, 2>
          }
        }
      }
    }
    air.wait_all [%l]
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xf32>, %i: index) -> f32 {
    %v19 = memref.load %in[%i] : memref<256xf32>
    %v21 = arith.constant 2.0 : f32
    %v22 = arith.mulf %v19, %v21 : f32
    %v23 = arith.constant 64 : index
    %v24 = arith.remui %i, %v23 : index
    %v25 = arith.constant 16 : index
    %v26 = arith.divui %v24, %v25 : index
    %v28 = arith.index_cast %v26 : index to i32
    %v29 = arith.sitofp %v28 : i32 to f32
    %result = arith.addf %v22, %v29 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<256xf32>
    %out = memref.alloc() : memref<256xf32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<256xf32>
    }
    scf.for %i = %c0 to %c256 step %c1 {
      %v9 = arith.constant -1.0 : f32
      memref.store %v9, %out[%i] : memref<256xf32>
    }
    %din = gpu.alloc () : memref<256xf32>
    %dout = gpu.alloc () : memref<256xf32>
    gpu.memcpy %din, %in : memref<256xf32>, memref<256xf32>
    gpu.memcpy %dout, %out : memref<256xf32>, memref<256xf32>
    call @test(%din, %dout) : (memref<256xf32>, memref<256xf32>) -> ()
    gpu.memcpy %out, %dout : memref<256xf32>, memref<256xf32>
    gpu.dealloc %din : memref<256xf32>
    gpu.dealloc %dout : memref<256xf32>

    %wrong, %at = scf.for %i = %c0 to %c256 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<256xf32>
      %want = func.call @expected(%in, %i) : (memref<256xf32>, index) -> f32
      %differs = arith.cmpf une, %got, %want : f32
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
      %got = memref.load %out[%at] : memref<256xf32>
      %want = func.call @expected(%in, %at) : (memref<256xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xf32>
    memref.dealloc %out : memref<256xf32>
    return %status : i32
  }
}
