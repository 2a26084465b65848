// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: arith_f16: PASS

// Arithmetic on f16 by lanes and by PEs, against the host's.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("arith_f16: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("arith_f16: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<256xf16>, %out: memref<512xf16>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<256xf16>, memref<512xf16> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<256xf16>, memref<512xf16> {
        %c2 = arith.constant 2 : index
        air.herd @lanes tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<256xf16>, memref<512xf16> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v0 = arith.constant 64 : index
          scf.for %e = %lane to %v0 step %wave {
            %v1 = arith.constant 2 : index
            %v2 = arith.muli %tx, %v1 : index
            %v3 = arith.addi %v2, %ty : index
            %v4 = arith.constant 64 : index
            %v5 = arith.muli %v3, %v4 : index
            %p = arith.addi %v5, %e : index
            %v = memref.load %ha[%p] : memref<256xf16>
            %v8 = arith.constant 255 : index
            %v9 = arith.subi %v8, %p : index
            %w = memref.load %ha[%v9] : memref<256xf16>
            %v11 = arith.mulf %v, %v : f16
            %s = arith.addf %v11, %w : f16
            %v13 = arith.maximumf %s, %v : f16
            %v15 = arith.constant 2.0 : f16
            %v16 = arith.mulf %w, %v15 : f16
            %m = arith.minimumf %v13, %v16 : f16
            %v19 = arith.constant 0.5 : f16
            %v20 = arith.mulf %v, %v19 : f16
            %d = arith.subf %m, %v20 : f16
            %big = arith.cmpf ogt, %d, %w : f16
            %v23 = arith.subf %w, %d : f16
            %r = arith.select %big, %d, %v23 : f16
            memref.store %r, %hb[%p] : memref<512xf16>
          }
        }
        air.herd @pes tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<256xf16>, memref<512xf16> {
          %v25 = arith.constant 0 : index
          %v26 = arith.constant 64 : index
          %v27 = arith.constant 1 : index
          scf.for %e = %v25 to %v26 step %v27 {
            %v28 = arith.constant 2 : index
            %v29 = arith.muli %tx, %v28 : index
            %v30 = arith.addi %v29, %ty : index
            %v31 = arith.constant 64 : index
            %v32 = arith.muli %v30, %v31 : index
            %p = arith.addi %v32, %e : index
            %v = memref.load %ha[%p] : memref<256xf16>
            %v35 = arith.constant 255 : index
            %v36 = arith.subi %v35, %p : index
            %w = memref.load %ha[%v36] : memref<256xf16>
            %v38 = arith.mulf %v, %v : f16
            %s = arith.addf %v38, %w : f16
            %v40 = arith.maximumf %s, %v : f16
            %v42 = arith.constant 2.0 : f16
            %v43 = arith.mulf %w, %v42 : f16
            %m = arith.minimumf %v40, %v43 : f16
            %v46 = arith.constant 0.5 : f16
            %v47 = arith.mulf %v, %v46 : f16
            %d = arith.subf %m, %v47 : f16
            %big = arith.cmpf ogt, %d, %w : f16
            %v50 = arith.subf %w, %d : f16
            %r = arith.select %big, %d, %v50 : f16
            %v52 = arith.constant 256 : index
            %to = arith.addi %p, %v52 : index
            memref.store %r, %hb[%to] : memref<512xf16>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<256xf16>, %i: index) -> f16 {
    %v54 = arith.constant 256 : index
    %p = arith.remui %i, %v54 : index
    %v = memref.load %in[%p] : memref<256xf16>
    %v57 = arith.constant 255 : index
    %v58 = arith.subi %v57, %p : index
    %w = memref.load %in[%v58] : memref<256xf16>
    %v60 = arith.mulf %v, %v : f16
    %s = arith.addf %v60, %w : f16
    %v62 = arith.maximumf %s, %v : f16
    %v64 = arith.constant 2.0 : f16
    %v65 = arith.mulf %w, %v64 : f16
    %m = arith.minimumf %v62, %v65 : f16
    %v68 = arith.constant 0.5 : f16
    %v69 = arith.mulf %v, %v68 : f16
    %d = arith.subf %m, %v69 : f16
    %big = arith.cmpf ogt, %d, %w : f16
    %v72 = arith.subf %w, %d : f16
    %r = arith.select %big, %d, %v72 : f16
    %zero = arith.constant 0.0 : f16
    %result = arith.addf %r, %zero : f16
    return %result : f16
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<256xf16>
    %out = memref.alloc() : memref<512xf16>
    scf.for %i = %c0 to %c256 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 11 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v8 = arith.constant 5 : i32
      %v9 = arith.subi %v6, %v8 : i32
      %v10 = arith.sitofp %v9 : i32 to f16
      memref.store %v10, %in[%i] : memref<256xf16>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v12 = arith.constant -1.0 : f16
      memref.store %v12, %out[%i] : memref<512xf16>
    }
    %din = gpu.alloc () : memref<256xf16>
    %dout = gpu.alloc () : memref<512xf16>
    gpu.memcpy %din, %in : memref<256xf16>, memref<256xf16>
    gpu.memcpy %dout, %out : memref<512xf16>, memref<512xf16>
    call @test(%din, %dout) : (memref<256xf16>, memref<512xf16>) -> ()
    gpu.memcpy %out, %dout : memref<512xf16>, memref<512xf16>
    gpu.dealloc %din : memref<256xf16>
    gpu.dealloc %dout : memref<512xf16>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xf16>
      %want = func.call @expected(%in, %i) : (memref<256xf16>, index) -> f16
      %differs = arith.cmpf une, %got, %want : f16
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
      %got = memref.load %out[%at] : memref<512xf16>
      %want = func.call @expected(%in, %at) : (memref<256xf16>, index) -> f16
      %got_shown = arith.extf %got : f16 to f64
      %want_shown = arith.extf %want : f16 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<256xf16>
    memref.dealloc %out : memref<512xf16>
    return %status : i32
  }
}
