// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: upstream_ops_in_segment: PASS

// memref.copy, linalg and vector ops in segment code outside herds: they
// happen once, and the barriers around them are there.

#id = affine_map<(d0) -> (d0)>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("upstream_ops_in_segment: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("upstream_ops_in_segment: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xi32>, %out: memref<1024xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xi32>, memref<1024xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xi32>, memref<1024xi32> {
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %three = arith.constant 3 : i32
        %t = memref.alloc() : memref<256xi32, 1>
        %u = memref.alloc() : memref<256xi32, 1>
        memref.copy %sa, %t : memref<256xi32> to memref<256xi32, 1>
        linalg.fill ins(%three : i32) outs(%u : memref<256xi32, 1>)
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ht = %t, %hu = %u) : memref<256xi32, 1>, memref<256xi32, 1> {
          %lane = gpu.lane_id
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %v2 = arith.addi %v1, %ty : index
          %v3 = arith.constant 64 : index
          %v4 = arith.muli %v2, %v3 : index
          %p = arith.addi %v4, %lane : index
          %v6 = arith.constant 255 : index
          %q = arith.subi %v6, %p : index
          %v8 = memref.load %hu[%p] : memref<256xi32, 1>
          %v9 = memref.load %ht[%q] : memref<256xi32, 1>
          %v10 = arith.addi %v8, %v9 : i32
          memref.store %v10, %hu[%p] : memref<256xi32, 1>
        }
        // In place: the result would be wrong if this were executed more than once.
        linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%u : memref<256xi32, 1>) outs(%t : memref<256xi32, 1>) {
        ^bb0(%v: i32, %old: i32):
          %v12 = arith.constant 2 : i32
          %v13 = arith.muli %old, %v12 : i32
          %w = arith.addi %v13, %v : i32
          linalg.yield %w : i32
        }
        %first = memref.subview %sb[0] [256] [1] : memref<1024xi32> to memref<256xi32, strided<[1]>>
        %second = memref.subview %sb[256] [256] [1] : memref<1024xi32> to memref<256xi32, strided<[1], offset: 256>>
        memref.copy %t, %first : memref<256xi32, 1> to memref<256xi32, strided<[1]>>
        linalg.copy ins(%u : memref<256xi32, 1>) outs(%second : memref<256xi32, strided<[1], offset: 256>>)
        // Vectors: eight elements are added to the contents.
        %v = vector.load %t[%c8] : memref<256xi32, 1>, vector<8xi32>
        %old = vector.load %sb[%c0] : memref<1024xi32>, vector<8xi32>
        %sum = arith.addi %v, %old : vector<8xi32>
        vector.store %sum, %sb[%c0] : memref<1024xi32>, vector<8xi32>
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xi32>, %i: index) -> i32 {
    %v15 = arith.constant 256 : index
    %e = arith.remui %i, %v15 : index
    %v17 = arith.constant 255 : index
    %v18 = arith.subi %v17, %e : index
    %v19 = memref.load %in[%v18] : memref<256xi32>
    %v21 = arith.constant 3 : i32
    %u = arith.addi %v19, %v21 : i32
    %v23 = memref.load %in[%e] : memref<256xi32>
    %v25 = arith.constant 2 : i32
    %v26 = arith.muli %v23, %v25 : i32
    %t = arith.addi %v26, %u : i32
    %v28 = arith.constant 8 : index
    %f = arith.addi %e, %v28 : index
    %v30 = arith.constant 255 : index
    %g = arith.minui %f, %v30 : index
    %v32 = memref.load %in[%g] : memref<256xi32>
    %v34 = arith.constant 2 : i32
    %v35 = arith.muli %v32, %v34 : i32
    %v36 = arith.constant 255 : index
    %v37 = arith.subi %v36, %g : index
    %v38 = memref.load %in[%v37] : memref<256xi32>
    %v39 = arith.addi %v35, %v38 : i32
    %v41 = arith.constant 3 : i32
    %t8 = arith.addi %v39, %v41 : i32
    %both = arith.addi %t, %t8 : i32
    %v44 = arith.constant 8 : index
    %v45 = arith.cmpi ult, %i, %v44 : index
    %v46 = arith.constant 256 : index
    %v47 = arith.cmpi ult, %i, %v46 : index
    %v48 = arith.constant 512 : index
    %v49 = arith.cmpi ult, %i, %v48 : index
    %v51 = arith.constant 0 : i32
    %v52 = arith.select %v49, %u, %v51 : i32
    %v53 = arith.select %v47, %t, %v52 : i32
    %result = arith.select %v45, %both, %v53 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<1024xi32>
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
    scf.for %i = %c0 to %c1024 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<1024xi32>
    }
    %din = gpu.alloc () : memref<256xi32>
    %dout = gpu.alloc () : memref<1024xi32>
    gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
    gpu.memcpy %dout, %out : memref<1024xi32>, memref<1024xi32>
    call @test(%din, %dout) : (memref<256xi32>, memref<1024xi32>) -> ()
    gpu.memcpy %out, %dout : memref<1024xi32>, memref<1024xi32>
    gpu.dealloc %din : memref<256xi32>
    gpu.dealloc %dout : memref<1024xi32>

    %wrong, %at = scf.for %i = %c0 to %c1024 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1024xi32>
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
      %got = memref.load %out[%at] : memref<1024xi32>
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
    memref.dealloc %out : memref<1024xi32>
    return %status : i32
  }
}
