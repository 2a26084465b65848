// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: math_f64_simt: PASS

// The functions of the math dialect on f64 in a SIMT herd against the host's,
// element by element.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("math_f64_simt: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("math_f64_simt: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xf64>, %out: memref<1408xf64>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xf64>, memref<1408xf64> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xf64>, memref<1408xf64> {
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c1_1, %nty = %c1_1) args(%ha = %sa, %hb = %sb) : memref<64xf64>, memref<1408xf64> {
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %v0 = arith.constant 64 : index
          scf.for %e = %lane to %v0 step %wave {
            %x_1 = memref.load %ha[%e] : memref<64xf64>
            %v3 = arith.constant 2.0 : f64
            %p = arith.addf %x_1, %v3 : f64
            %v5 = math.exp %x_1 : f64
            %v6 = arith.constant 0 : index
            %v7 = arith.addi %e, %v6 : index
            memref.store %v5, %hb[%v7] : memref<1408xf64>
            %v8 = math.exp2 %x_1 : f64
            %v9 = arith.constant 64 : index
            %v10 = arith.addi %e, %v9 : index
            memref.store %v8, %hb[%v10] : memref<1408xf64>
            %v11 = math.sin %x_1 : f64
            %v12 = arith.constant 128 : index
            %v13 = arith.addi %e, %v12 : index
            memref.store %v11, %hb[%v13] : memref<1408xf64>
            %v14 = math.cos %x_1 : f64
            %v15 = arith.constant 192 : index
            %v16 = arith.addi %e, %v15 : index
            memref.store %v14, %hb[%v16] : memref<1408xf64>
            %v17 = math.tanh %x_1 : f64
            %v18 = arith.constant 256 : index
            %v19 = arith.addi %e, %v18 : index
            memref.store %v17, %hb[%v19] : memref<1408xf64>
            %v20 = math.erf %x_1 : f64
            %v21 = arith.constant 320 : index
            %v22 = arith.addi %e, %v21 : index
            memref.store %v20, %hb[%v22] : memref<1408xf64>
            %v23 = math.log %p : f64
            %v24 = arith.constant 384 : index
            %v25 = arith.addi %e, %v24 : index
            memref.store %v23, %hb[%v25] : memref<1408xf64>
            %v26 = math.log2 %p : f64
            %v27 = arith.constant 448 : index
            %v28 = arith.addi %e, %v27 : index
            memref.store %v26, %hb[%v28] : memref<1408xf64>
            %v29 = math.log10 %p : f64
            %v30 = arith.constant 512 : index
            %v31 = arith.addi %e, %v30 : index
            memref.store %v29, %hb[%v31] : memref<1408xf64>
            %v32 = math.sqrt %p : f64
            %v33 = arith.constant 576 : index
            %v34 = arith.addi %e, %v33 : index
            memref.store %v32, %hb[%v34] : memref<1408xf64>
            %v35 = math.rsqrt %p : f64
            %v36 = arith.constant 640 : index
            %v37 = arith.addi %e, %v36 : index
            memref.store %v35, %hb[%v37] : memref<1408xf64>
            %v38 = math.log1p %p : f64
            %v39 = arith.constant 704 : index
            %v40 = arith.addi %e, %v39 : index
            memref.store %v38, %hb[%v40] : memref<1408xf64>
            %v41 = math.expm1 %x_1 : f64
            %v42 = arith.constant 768 : index
            %v43 = arith.addi %e, %v42 : index
            memref.store %v41, %hb[%v43] : memref<1408xf64>
            %v44 = math.atan %x_1 : f64
            %v45 = arith.constant 832 : index
            %v46 = arith.addi %e, %v45 : index
            memref.store %v44, %hb[%v46] : memref<1408xf64>
            %v47 = math.floor %x_1 : f64
            %v48 = arith.constant 896 : index
            %v49 = arith.addi %e, %v48 : index
            memref.store %v47, %hb[%v49] : memref<1408xf64>
            %v50 = math.ceil %x_1 : f64
            %v51 = arith.constant 960 : index
            %v52 = arith.addi %e, %v51 : index
            memref.store %v50, %hb[%v52] : memref<1408xf64>
            %v53 = math.absf %x_1 : f64
            %v54 = arith.constant 1024 : index
            %v55 = arith.addi %e, %v54 : index
            memref.store %v53, %hb[%v55] : memref<1408xf64>
            %v56 = math.powf %p, %x_1 : f64
            %v57 = arith.constant 1088 : index
            %v58 = arith.addi %e, %v57 : index
            memref.store %v56, %hb[%v58] : memref<1408xf64>
            %v59 = math.atan2 %x_1, %p : f64
            %v60 = arith.constant 1152 : index
            %v61 = arith.addi %e, %v60 : index
            memref.store %v59, %hb[%v61] : memref<1408xf64>
            %v62 = math.round %x_1 : f64
            %v63 = arith.constant 1216 : index
            %v64 = arith.addi %e, %v63 : index
            memref.store %v62, %hb[%v64] : memref<1408xf64>
            %v65 = math.tan %x_1 : f64
            %v66 = arith.constant 1280 : index
            %v67 = arith.addi %e, %v66 : index
            memref.store %v65, %hb[%v67] : memref<1408xf64>
            %v68 = math.cbrt %p : f64
            %v69 = arith.constant 1344 : index
            %v70 = arith.addi %e, %v69 : index
            memref.store %v68, %hb[%v70] : memref<1408xf64>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xf64>, %i: index) -> f64 {
    %v71 = arith.constant 64 : index
    %e = arith.remui %i, %v71 : index
    %v73 = arith.constant 64 : index
    %g = arith.divui %i, %v73 : index
    %x = memref.load %in[%e] : memref<64xf64>
    %v76 = arith.constant 2.0 : f64
    %p = arith.addf %x, %v76 : f64
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
    %v100 = arith.constant 0 : index
    %v101 = arith.cmpi eq, %g, %v100 : index
    %v102 = arith.constant 1 : index
    %v103 = arith.cmpi eq, %g, %v102 : index
    %v104 = arith.constant 2 : index
    %v105 = arith.cmpi eq, %g, %v104 : index
    %v106 = arith.constant 3 : index
    %v107 = arith.cmpi eq, %g, %v106 : index
    %v108 = arith.constant 4 : index
    %v109 = arith.cmpi eq, %g, %v108 : index
    %v110 = arith.constant 5 : index
    %v111 = arith.cmpi eq, %g, %v110 : index
    %v112 = arith.constant 6 : index
    %v113 = arith.cmpi eq, %g, %v112 : index
    %v114 = arith.constant 7 : index
    %v115 = arith.cmpi eq, %g, %v114 : index
    %v116 = arith.constant 8 : index
    %v117 = arith.cmpi eq, %g, %v116 : index
    %v118 = arith.constant 9 : index
    %v119 = arith.cmpi eq, %g, %v118 : index
    %v120 = arith.constant 10 : index
    %v121 = arith.cmpi eq, %g, %v120 : index
    %v122 = arith.constant 11 : index
    %v123 = arith.cmpi eq, %g, %v122 : index
    %v124 = arith.constant 12 : index
    %v125 = arith.cmpi eq, %g, %v124 : index
    %v126 = arith.constant 13 : index
    %v127 = arith.cmpi eq, %g, %v126 : index
    %v128 = arith.constant 14 : index
    %v129 = arith.cmpi eq, %g, %v128 : index
    %v130 = arith.constant 15 : index
    %v131 = arith.cmpi eq, %g, %v130 : index
    %v132 = arith.constant 16 : index
    %v133 = arith.cmpi eq, %g, %v132 : index
    %v134 = arith.constant 17 : index
    %v135 = arith.cmpi eq, %g, %v134 : index
    %v136 = arith.constant 18 : index
    %v137 = arith.cmpi eq, %g, %v136 : index
    %v138 = arith.constant 19 : index
    %v139 = arith.cmpi eq, %g, %v138 : index
    %v140 = arith.constant 20 : index
    %v141 = arith.cmpi eq, %g, %v140 : index
    %v142 = arith.select %v141, %r20, %r21 : f64
    %v143 = arith.select %v139, %r19, %v142 : f64
    %v144 = arith.select %v137, %r18, %v143 : f64
    %v145 = arith.select %v135, %r17, %v144 : f64
    %v146 = arith.select %v133, %r16, %v145 : f64
    %v147 = arith.select %v131, %r15, %v146 : f64
    %v148 = arith.select %v129, %r14, %v147 : f64
    %v149 = arith.select %v127, %r13, %v148 : f64
    %v150 = arith.select %v125, %r12, %v149 : f64
    %v151 = arith.select %v123, %r11, %v150 : f64
    %v152 = arith.select %v121, %r10, %v151 : f64
    %v153 = arith.select %v119, %r9, %v152 : f64
    %v154 = arith.select %v117, %r8, %v153 : f64
    %v155 = arith.select %v115, %r7, %v154 : f64
    %v156 = arith.select %v113, %r6, %v155 : f64
    %v157 = arith.select %v111, %r5, %v156 : f64
    %v158 = arith.select %v109, %r4, %v157 : f64
    %v159 = arith.select %v107, %r3, %v158 : f64
    %v160 = arith.select %v105, %r2, %v159 : f64
    %v161 = arith.select %v103, %r1, %v160 : f64
    %result = arith.select %v101, %r0, %v161 : f64
    return %result : f64
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c1408 = arith.constant 1408 : index
    %in = memref.alloc() : memref<64xf64>
    %out = memref.alloc() : memref<1408xf64>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 61 : index
      %v1 = arith.remui %i, %v0 : index
      %v2 = arith.index_cast %v1 : index to i32
      %v3 = arith.sitofp %v2 : i32 to f64
      %v5 = arith.constant 0.0625 : f64
      %v6 = arith.mulf %v3, %v5 : f64
      %v8 = arith.constant 1.75 : f64
      %v9 = arith.subf %v6, %v8 : f64
      memref.store %v9, %in[%i] : memref<64xf64>
    }
    scf.for %i = %c0 to %c1408 step %c1 {
      %v11 = arith.constant -1.0 : f64
      memref.store %v11, %out[%i] : memref<1408xf64>
    }
    %din = gpu.alloc () : memref<64xf64>
    %dout = gpu.alloc () : memref<1408xf64>
    gpu.memcpy %din, %in : memref<64xf64>, memref<64xf64>
    gpu.memcpy %dout, %out : memref<1408xf64>, memref<1408xf64>
    call @test(%din, %dout) : (memref<64xf64>, memref<1408xf64>) -> ()
    gpu.memcpy %out, %dout : memref<1408xf64>, memref<1408xf64>
    gpu.dealloc %din : memref<64xf64>
    gpu.dealloc %dout : memref<1408xf64>

    %wrong, %at = scf.for %i = %c0 to %c1408 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<1408xf64>
      %want = func.call @expected(%in, %i) : (memref<64xf64>, index) -> f64
      %v12 = arith.subf %got, %want : f64
      %diff = math.absf %v12 : f64
      %v14 = math.absf %want : f64
      %v16 = arith.constant 1.0 : f64
      %scale = arith.maximumf %v14, %v16 : f64
      %v19 = arith.constant 1.0e-14 : f64
      %bound = arith.mulf %scale, %v19 : f64
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
      %got = memref.load %out[%at] : memref<1408xf64>
      %want = func.call @expected(%in, %at) : (memref<64xf64>, index) -> f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got, %want) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xf64>
    memref.dealloc %out : memref<1408xf64>
    return %status : i32
  }
}
