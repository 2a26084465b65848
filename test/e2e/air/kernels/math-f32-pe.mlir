// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: math_f32_pe: PASS

// The functions of the math dialect on f32 in a PE-level herd against the
// host's, element by element.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("math_f32_pe: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("math_f32_pe: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xf32>, %out: memref<1408xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xf32>, memref<1408xf32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xf32>, memref<1408xf32> {
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c1_1, %nty = %c1_1) args(%ha = %sa, %hb = %sb) : memref<64xf32>, memref<1408xf32> {
          %v0 = arith.constant 0 : index
          %v1 = arith.constant 64 : index
          %v2 = arith.constant 1 : index
          scf.for %e = %v0 to %v1 step %v2 {
            %x_1 = memref.load %ha[%e] : memref<64xf32>
            %v5 = arith.constant 2.0 : f32
            %p = arith.addf %x_1, %v5 : f32
            %v7 = math.exp %x_1 : f32
            %v8 = arith.constant 0 : index
            %v9 = arith.addi %e, %v8 : index
            memref.store %v7, %hb[%v9] : memref<1408xf32>
            %v10 = math.exp2 %x_1 : f32
            %v11 = arith.constant 64 : index
            %v12 = arith.addi %e, %v11 : index
            memref.store %v10, %hb[%v12] : memref<1408xf32>
            %v13 = math.sin %x_1 : f32
            %v14 = arith.constant 128 : index
            %v15 = arith.addi %e, %v14 : index
            memref.store %v13, %hb[%v15] : memref<1408xf32>
            %v16 = math.cos %x_1 : f32
            %v17 = arith.constant 192 : index
            %v18 = arith.addi %e, %v17 : index
            memref.store %v16, %hb[%v18] : memref<1408xf32>
            %v19 = math.tanh %x_1 : f32
            %v20 = arith.constant 256 : index
            %v21 = arith.addi %e, %v20 : index
            memref.store %v19, %hb[%v21] : memref<1408xf32>
            %v22 = math.erf %x_1 : f32
            %v23 = arith.constant 320 : index
            %v24 = arith.addi %e, %v23 : index
            memref.store %v22, %hb[%v24] : memref<1408xf32>
            %v25 = math.log %p : f32
            %v26 = arith.constant 384 : index
            %v27 = arith.addi %e, %v26 : index
            memref.store %v25, %hb[%v27] : memref<1408xf32>
            %v28 = math.log2 %p : f32
            %v29 = arith.constant 448 : index
            %v30 = arith.addi %e, %v29 : index
            memref.store %v28, %hb[%v30] : memref<1408xf32>
            %v31 = math.log10 %p : f32
            %v32 = arith.constant 512 : index
            %v33 = arith.addi %e, %v32 : index
            memref.store %v31, %hb[%v33] : memref<1408xf32>
            %v34 = math.sqrt %p : f32
            %v35 = arith.constant 576 : index
            %v36 = arith.addi %e, %v35 : index
            memref.store %v34, %hb[%v36] : memref<1408xf32>
            %v37 = math.rsqrt %p : f32
            %v38 = arith.constant 640 : index
            %v39 = arith.addi %e, %v38 : index
            memref.store %v37, %hb[%v39] : memref<1408xf32>
            %v40 = math.log1p %p : f32
            %v41 = arith.constant 704 : index
            %v42 = arith.addi %e, %v41 : index
            memref.store %v40, %hb[%v42] : memref<1408xf32>
            %v43 = math.expm1 %x_1 : f32
            %v44 = arith.constant 768 : index
            %v45 = arith.addi %e, %v44 : index
            memref.store %v43, %hb[%v45] : memref<1408xf32>
            %v46 = math.atan %x_1 : f32
            %v47 = arith.constant 832 : index
            %v48 = arith.addi %e, %v47 : index
            memref.store %v46, %hb[%v48] : memref<1408xf32>
            %v49 = math.floor %x_1 : f32
            %v50 = arith.constant 896 : index
            %v51 = arith.addi %e, %v50 : index
            memref.store %v49, %hb[%v51] : memref<1408xf32>
            %v52 = math.ceil %x_1 : f32
            %v53 = arith.constant 960 : index
            %v54 = arith.addi %e, %v53 : index
            memref.store %v52, %hb[%v54] : memref<1408xf32>
            %v55 = math.absf %x_1 : f32
            %v56 = arith.constant 1024 : index
            %v57 = arith.addi %e, %v56 : index
            memref.store %v55, %hb[%v57] : memref<1408xf32>
            %v58 = math.powf %p, %x_1 : f32
            %v59 = arith.constant 1088 : index
            %v60 = arith.addi %e, %v59 : index
            memref.store %v58, %hb[%v60] : memref<1408xf32>
            %v61 = math.atan2 %x_1, %p : f32
            %v62 = arith.constant 1152 : index
            %v63 = arith.addi %e, %v62 : index
            memref.store %v61, %hb[%v63] : memref<1408xf32>
            %v64 = math.round %x_1 : f32
            %v65 = arith.constant 1216 : index
            %v66 = arith.addi %e, %v65 : index
            memref.store %v64, %hb[%v66] : memref<1408xf32>
            %v67 = math.tan %x_1 : f32
            %v68 = arith.constant 1280 : index
            %v69 = arith.addi %e, %v68 : index
            memref.store %v67, %hb[%v69] : memref<1408xf32>
            %v70 = math.cbrt %p : f32
            %v71 = arith.constant 1344 : index
            %v72 = arith.addi %e, %v71 : index
            memref.store %v70, %hb[%v72] : memref<1408xf32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xf32>, %i: index) -> f32 {
    %v73 = arith.constant 64 : index
    %e = arith.remui %i, %v73 : index
    %v75 = arith.constant 64 : index
    %g = arith.divui %i, %v75 : index
    %x32 = memref.load %in[%e] : memref<64xf32>
    %x = arith.extf %x32 : f32 to f64
    %v79 = arith.constant 2.0 : f64
    %p = arith.addf %x, %v79 : f64
    %r0 = math.exp %x : f64
    %r1 = math.exp2 %x : f64
    %r2 = math.sin %x : f64
    %r3 = math.cos %x : f64
    %r4 = math.tanh %x : f64
    %r5 = math.erf %x : f64
    %r6 = math.log %p : f64
    %r7 = math.log2 %p : f64
    %r8 = math.log10 %p : f64
    %r9 = math.sqrt %p : f64
    %r10 = math.rsqrt %p : f64
    %r11 = math.log1p %p : f64
    %r12 = math.expm1 %x : f64
    %r13 = math.atan %x : f64
    %r14 = math.floor %x : f64
    %r15 = math.ceil %x : f64
    %r16 = math.absf %x : f64
    %r17 = math.powf %p, %x : f64
    %r18 = math.atan2 %x, %p : f64
    %r19 = math.round %x : f64
    %r20 = math.tan %x : f64
    %r21 = math.cbrt %p : f64
    %v103 = arith.constant 0 : index
    %v104 = arith.cmpi eq, %g, %v103 : index
    %v105 = arith.constant 1 : index
    %v106 = arith.cmpi eq, %g, %v105 : index
    %v107 = arith.constant 2 : index
    %v108 = arith.cmpi eq, %g, %v107 : index
    %v109 = arith.constant 3 : index
    %v110 = arith.cmpi eq, %g, %v109 : index
    %v111 = arith.constant 4 : index
    %v112 = arith.cmpi eq, %g, %v111 : index
    %v113 = arith.constant 5 : index
    %v114 = arith.cmpi eq, %g, %v113 : index
    %v115 = arith.constant 6 : index
    %v116 = arith.cmpi eq, %g, %v115 : index
    %v117 = arith.constant 7 : index
    %v118 = arith.cmpi eq, %g, %v117 : index
    %v119 = arith.constant 8 : index
    %v120 = arith.cmpi eq, %g, %v119 : index
    %v121 = arith.constant 9 : index
    %v122 = arith.cmpi eq, %g, %v121 : index
    %v123 = arith.constant 10 : index
    %v124 = arith.cmpi eq, %g, %v123 : index
    %v125 = arith.constant 11 : index
    %v126 = arith.cmpi eq, %g, %v125 : index
    %v127 = arith.constant 12 : index
    %v128 = arith.cmpi eq, %g, %v127 : index
    %v129 = arith.constant 13 : index
    %v130 = arith.cmpi eq, %g, %v129 : index
    %v131 = arith.constant 14 : index
    %v132 = arith.cmpi eq, %g, %v131 : index
    %v133 = arith.constant 15 : index
    %v134 = arith.cmpi eq, %g, %v133 : index
    %v135 = arith.constant 16 : index
    %v136 = arith.cmpi eq, %g, %v135 : index
    %v137 = arith.constant 17 : index
    %v138 = arith.cmpi eq, %g, %v137 : index
    %v139 = arith.constant 18 : index
    %v140 = arith.cmpi eq, %g, %v139 : index
    %v141 = arith.constant 19 : index
    %v142 = arith.cmpi eq, %g, %v141 : index
    %v143 = arith.constant 20 : index
    %v144 = arith.cmpi eq, %g, %v143 : index
    %v145 = arith.select %v144, %r20, %r21 : f64
    %v146 = arith.select %v142, %r19, %v145 : f64
    %v147 = arith.select %v140, %r18, %v146 : f64
    %v148 = arith.select %v138, %r17, %v147 : f64
    %v149 = arith.select %v136, %r16, %v148 : f64
    %v150 = arith.select %v134, %r15, %v149 : f64
    %v151 = arith.select %v132, %r14, %v150 : f64
    %v152 = arith.select %v130, %r13, %v151 : f64
    %v153 = arith.select %v128, %r12, %v152 : f64
    %v154 = arith.select %v126, %r11, %v153 : f64
    %v155 = arith.select %v124, %r10, %v154 : f64
    %v156 = arith.select %v122, %r9, %v155 : f64
    %v157 = arith.select %v120, %r8, %v156 : f64
    %v158 = arith.select %v118, %r7, %v157 : f64
    %v159 = arith.select %v116, %r6, %v158 : f64
    %v160 = arith.select %v114, %r5, %v159 : f64
    %v161 = arith.select %v112, %r4, %v160 : f64
    %v162 = arith.select %v110, %r3, %v161 : f64
    %v163 = arith.select %v108, %r2, %v162 : f64
    %v164 = arith.select %v106, %r1, %v163 : f64
    %all = arith.select %v104, %r0, %v164 : f64
    %result = arith.truncf %all : f64 to f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c1408 = arith.constant 1408 : index
    %in = memref.alloc() : memref<64xf32>
    %out = memref.alloc() : memref<1408xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 61 : index
      %v1 = arith.remui %i, %v0 : index
      %v2 = arith.index_cast %v1 : index to i32
      %v3 = arith.sitofp %v2 : i32 to f32
      %v5 = arith.constant 0.0625 : f32
      %v6 = arith.mulf %v3, %v5 : f32
      %v8 = arith.constant 1.75 : f32
      %v9 = arith.subf %v6, %v8 : f32
      memref.store %v9, %in[%i] : memref<64xf32>
    }
    scf.for %i = %c0 to %c1408 step %c1 {
      %v11 = arith.constant -1.0 : f32
      memref.store %v11, %out[%i] : memref<1408xf32>
    }
    %din = gpu.alloc () : memref<64xf32>
    %dout = gpu.alloc () : memref<1408xf32>
    gpu.memcpy %din, %in : memref<64xf32>, memref<64xf32>
    gpu.memcpy %dout, %out : memref<1408xf32>, memref<1408xf32>
    call @test(%din, %dout) : (memref<64xf32>, memref<1408xf32>) -> ()
    gpu.memcpy %out, %dout : memref<1408xf32>, memref<1408xf32>
    gpu.dealloc %din : memref<64xf32>
    gpu.dealloc %dout : memref<1408xf32>

    %wrong, %at = scf.for %i = %c0 to %c1408 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1408xf32>
      %want = func.call @expected(%in, %i) : (memref<64xf32>, index) -> f32
      %v12 = arith.extf %got : f32 to f64
      %v13 = arith.extf %want : f32 to f64
      %v14 = arith.subf %v12, %v13 : f64
      %diff = math.absf %v14 : f64
      %v16 = arith.extf %want : f32 to f64
      %v17 = math.absf %v16 : f64
      %v19 = arith.constant 1.0 : f64
      %scale = arith.maximumf %v17, %v19 : f64
      %v22 = arith.constant 4.0e-06 : f64
      %bound = arith.mulf %scale, %v22 : f64
      %within = arith.cmpf ole, %diff, %bound : f64
      %true = arith.constant true
      %differs = arith.xori %within, %true : i1
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
      %got = memref.load %out[%at] : memref<1408xf32>
      %want = func.call @expected(%in, %at) : (memref<64xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xf32>
    memref.dealloc %out : memref<1408xf32>
    return %status : i32
  }
}
