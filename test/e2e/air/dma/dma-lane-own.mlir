// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: dma_lane_own: PASS

// DMAs of a SIMT herd whose operands name the lane are each lane's own, L3 to
// L1, L1 to L2 and L2 to L3.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("dma_lane_own: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("dma_lane_own: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<1024xf32>, %out: memref<1024xf32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<1024xf32>, memref<1024xf32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<1024xf32>, memref<1024xf32> {
        %c1 = arith.constant 1 : index
        %c2_1 = arith.constant 2 : index
        %t = memref.alloc() : memref<128x4xf32, 1>
        air.herd @h tile (%tx, %ty) in (%ntx = %c2_1, %nty = %c1) args(%hu = %u, %ha = %sa, %hb = %sb, %ht = %t) : index, memref<1024xf32>, memref<1024xf32>, memref<128x4xf32, 1> {
          %c1_1 = arith.constant 1 : index
          %lane = gpu.lane_id
          %mine = memref.alloc() : memref<4xf32, 2>
          %v0 = arith.constant 64 : index
          %v1 = arith.muli %tx, %v0 : index
          %l = arith.addi %v1, %lane : index
          %v3 = arith.constant 512 : index
          %v4 = arith.muli %hu, %v3 : index
          %start = arith.addi %v4, %l : index
          // Each lane's four elements lie 128 apart.
          air.dma_memcpy_nd (%mine[] [] [], %ha[%start] [4] [128]) : (memref<4xf32, 2>, memref<1024xf32>)
          %v6 = arith.constant 0 : index
          %v7 = arith.constant 4 : index
          %v8 = arith.constant 1 : index
          scf.for %e = %v6 to %v7 step %v8 {
            %v9 = memref.load %mine[%e] : memref<4xf32, 2>
            %v10 = arith.constant 1000 : index
            %v11 = arith.muli %e, %v10 : index
            %v12 = arith.addi %v11, %lane : index
            %v14 = arith.index_cast %v12 : index to i32
            %v15 = arith.sitofp %v14 : i32 to f32
            %v16 = arith.addf %v9, %v15 : f32
            memref.store %v16, %mine[%e] : memref<4xf32, 2>
          }
          air.dma_memcpy_nd (%ht[%l, 0] [4] [1], %mine[] [] []) : (memref<128x4xf32, 1>, memref<4xf32, 2>)
          %v17 = arith.constant 512 : index
          %v18 = arith.muli %hu, %v17 : index
          %v19 = arith.constant 4 : index
          %v20 = arith.muli %l, %v19 : index
          %to = arith.addi %v18, %v20 : index
          air.dma_memcpy_nd (%hb[%to] [4] [1], %ht[%l, 0] [4] [1]) : (memref<1024xf32>, memref<128x4xf32, 1>)
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<1024xf32>, %i: index) -> f32 {
    %v22 = arith.constant 512 : index
    %x = arith.divui %i, %v22 : index
    %v24 = arith.constant 512 : index
    %v25 = arith.remui %i, %v24 : index
    %v26 = arith.constant 4 : index
    %l = arith.divui %v25, %v26 : index
    %v28 = arith.constant 4 : index
    %e = arith.remui %i, %v28 : index
    %v30 = arith.constant 512 : index
    %v31 = arith.muli %x, %v30 : index
    %v32 = arith.constant 128 : index
    %v33 = arith.muli %e, %v32 : index
    %v34 = arith.addi %v31, %v33 : index
    %v35 = arith.addi %v34, %l : index
    %v36 = memref.load %in[%v35] : memref<1024xf32>
    %v37 = arith.constant 1000 : index
    %v38 = arith.muli %e, %v37 : index
    %v39 = arith.constant 64 : index
    %v40 = arith.remui %l, %v39 : index
    %v41 = arith.addi %v38, %v40 : index
    %v43 = arith.index_cast %v41 : index to i32
    %v44 = arith.sitofp %v43 : i32 to f32
    %result = arith.addf %v36, %v44 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<1024xf32>
    %out = memref.alloc() : memref<1024xf32>
    scf.for %i = %c0 to %c1024 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<1024xf32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %v9 = arith.constant -1.0 : f32
      memref.store %v9, %out[%i] : memref<1024xf32>
    }
    %din = gpu.alloc () : memref<1024xf32>
    %dout = gpu.alloc () : memref<1024xf32>
    gpu.memcpy %din, %in : memref<1024xf32>, memref<1024xf32>
    gpu.memcpy %dout, %out : memref<1024xf32>, memref<1024xf32>
    call @test(%din, %dout) : (memref<1024xf32>, memref<1024xf32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xf32>, memref<1024xf32>
    gpu.dealloc %din : memref<1024xf32>
    gpu.dealloc %dout : memref<1024xf32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xf32>
      %want = func.call @expected(%in, %i) : (memref<1024xf32>, index) -> f32
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
      %got = memref.load %out[%at] : memref<1024xf32>
      %want = func.call @expected(%in, %at) : (memref<1024xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<1024xf32>
    memref.dealloc %out : memref<1024xf32>
    return %status : i32
  }
}
