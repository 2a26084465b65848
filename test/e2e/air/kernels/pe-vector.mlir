// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// CHECK: pe_vector: PASS

// vector ops in PE-level herds: transfer_read with padding, transfer_write,
// broadcast, multi_reduction, contract, load and store, insert and extract.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_vector: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_vector: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xf32>, %out: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %o = %out) : memref<256xf32>, memref<512xf32> {
      air.segment @s args(%sa = %a, %so = %o) : memref<256xf32>, memref<512xf32> {
        %c2 = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %ho = %so) : memref<256xf32>, memref<512xf32> {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %c60 = arith.constant 60 : index
          %zero = arith.constant 0.0 : f32
          %minus = arith.constant -5.0 : f32
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %pe = arith.addi %v1, %ty : index
          %v3 = arith.constant 64 : index
          %base = arith.muli %pe, %v3 : index
          %v5 = arith.constant 128 : index
          %to = arith.muli %pe, %v5 : index
          %t = memref.alloc() : memref<8x8xf32, 2>
          air.dma_memcpy_nd (%t[] [] [], %ha[%base] [64] [1]) : (memref<8x8xf32, 2>, memref<256xf32>)
          // Out of bounds by 4 rows and 4 columns: -5 there.
          %v = vector.transfer_read %t[%c4, %c4], %minus {in_bounds = [false, false]} : memref<8x8xf32, 2>, vector<8x8xf32>
          %all = vector.transfer_read %t[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x8xf32, 2>, vector<8x8xf32>
          %sum = arith.addf %v, %all : vector<8x8xf32>
          %init = arith.constant dense<1.0> : vector<8xf32>
          %rows = vector.multi_reduction <add>, %sum, %init [1] : vector<8x8xf32> to vector<8xf32>
          %wide = vector.broadcast %rows : vector<8xf32> to vector<8x8xf32>
          %prod = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %sum, %all, %wide : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
          %r = memref.alloc() : memref<8x8xf32, 2>
          vector.transfer_write %prod, %r[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32, 2>
          air.dma_memcpy_nd (%ho[%to] [64] [1], %r[] [] []) : (memref<512xf32>, memref<8x8xf32, 2>)
          // Plain vector loads and stores, and single elements.
          %v7 = arith.constant 0 : index
          %v8 = arith.constant 16 : index
          %v9 = arith.constant 1 : index
          scf.for %k = %v7 to %v8 step %v9 {
            %v10 = arith.constant 4 : index
            %v11 = arith.muli %k, %v10 : index
            %p = arith.addi %base, %v11 : index
            %v13 = arith.constant 64 : index
            %v14 = arith.addi %to, %v13 : index
            %v15 = arith.constant 4 : index
            %v16 = arith.muli %k, %v15 : index
            %q = arith.addi %v14, %v16 : index
            %four = vector.load %ha[%p] : memref<256xf32>, vector<4xf32>
            %first = vector.extract %four[0] : f32 from vector<4xf32>
            %last = vector.extract %four[3] : f32 from vector<4xf32>
            %i0 = vector.insert %last, %four[0] : f32 into vector<4xf32>
            %i1 = vector.insert %first, %i0[3] : f32 into vector<4xf32>
            vector.store %i1, %ho[%q] : memref<512xf32>, vector<4xf32>
          }
        }
      }
    }
    return
  }
  func.func private @summed(%in: memref<256xf32>, %base: index, %r: index, %c: index) -> f32 {
    %v18 = arith.constant 4 : index
    %v19 = arith.cmpi ult, %r, %v18 : index
    %v20 = arith.constant 4 : index
    %v21 = arith.cmpi ult, %c, %v20 : index
    %inside = arith.andi %v19, %v21 : i1
    %v23 = arith.constant 8 : index
    %v24 = arith.muli %r, %v23 : index
    %v25 = arith.addi %base, %v24 : index
    %p = arith.addi %v25, %c : index
    %v27 = arith.constant 36 : index
    %v28 = arith.addi %p, %v27 : index
    %q = arith.select %inside, %v28, %p : index
    %v30 = memref.load %in[%q] : memref<256xf32>
    %v32 = arith.constant 0.0 : f32
    %v = arith.addf %v30, %v32 : f32
    %v34 = arith.constant -5 : index
    %v36 = arith.index_cast %v34 : index to i32
    %v37 = arith.sitofp %v36 : i32 to f32
    %w = arith.select %inside, %v, %v37 : f32
    %v39 = memref.load %in[%p] : memref<256xf32>
    %s = arith.addf %v39, %w : f32
    return %s : f32
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xf32>, %i: index) -> f32 {
    %v41 = arith.constant 128 : index
    %pe = arith.divui %i, %v41 : index
    %v43 = arith.constant 64 : index
    %base = arith.muli %pe, %v43 : index
    %v45 = arith.constant 64 : index
    %e = arith.remui %i, %v45 : index
    %v47 = arith.constant 8 : index
    %r = arith.divui %e, %v47 : index
    %v49 = arith.constant 8 : index
    %c = arith.remui %e, %v49 : index
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k8 = arith.constant 8 : index
    // The broadcast repeats the vector of row sums in every row.
    %sum = scf.for %k = %k0 to %k8 step %k1 iter_args(%acc = %one) -> (f32) {
      %v = func.call @summed(%in, %base, %c, %k) : (memref<256xf32>, index, index, index) -> f32
      %w = arith.addf %acc, %v : f32
      scf.yield %w : f32
    }
    %dot = scf.for %k = %k0 to %k8 step %k1 iter_args(%acc = %sum) -> (f32) {
      %v = func.call @summed(%in, %base, %r, %k) : (memref<256xf32>, index, index, index) -> f32
      %v52 = arith.constant 8 : index
      %v53 = arith.muli %k, %v52 : index
      %v54 = arith.addi %base, %v53 : index
      %p = arith.addi %v54, %c : index
      %v56 = memref.load %in[%p] : memref<256xf32>
      %v57 = arith.mulf %v, %v56 : f32
      %w = arith.addf %acc, %v57 : f32
      scf.yield %w : f32
    }
    %v59 = arith.constant 4 : index
    %place = arith.remui %e, %v59 : index
    %v61 = arith.constant 0 : index
    %v62 = arith.cmpi eq, %place, %v61 : index
    %v63 = arith.constant 3 : index
    %v64 = arith.addi %e, %v63 : index
    %v65 = arith.constant 3 : index
    %v66 = arith.cmpi eq, %place, %v65 : index
    %v67 = arith.constant 3 : index
    %v68 = arith.subi %e, %v67 : index
    %v69 = arith.select %v66, %v68, %e : index
    %other = arith.select %v62, %v64, %v69 : index
    %q = arith.addi %base, %other : index
    %v72 = memref.load %in[%q] : memref<256xf32>
    %v74 = arith.constant 0.0 : f32
    %swapped = arith.addf %v72, %v74 : f32
    %v76 = arith.constant 128 : index
    %v77 = arith.remui %i, %v76 : index
    %v78 = arith.constant 64 : index
    %first = arith.cmpi ult, %v77, %v78 : index
    %result = arith.select %first, %dot, %swapped : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<256xf32>
    %out = memref.alloc() : memref<512xf32>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 17 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v8 = arith.constant 8 : i32
      %v9 = arith.subi %v6, %v8 : i32
      %v10 = arith.sitofp %v9 : i32 to f32
      memref.store %v10, %in[%i] : memref<256xf32>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v12 = arith.constant -1.0 : f32
      memref.store %v12, %out[%i] : memref<512xf32>
    }
    %din = gpu.alloc () : memref<256xf32>
    %dout = gpu.alloc () : memref<512xf32>
    gpu.memcpy %din, %in : memref<256xf32>, memref<256xf32>
    gpu.memcpy %dout, %out : memref<512xf32>, memref<512xf32>
    call @test(%din, %dout) : (memref<256xf32>, memref<512xf32>) -> ()
    gpu.memcpy %out, %dout : memref<512xf32>, memref<512xf32>
    gpu.dealloc %din : memref<256xf32>
    gpu.dealloc %dout : memref<512xf32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xf32>
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
      %got = memref.load %out[%at] : memref<512xf32>
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
    memref.dealloc %out : memref<512xf32>
    return %status : i32
  }
}
