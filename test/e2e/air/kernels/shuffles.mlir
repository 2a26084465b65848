// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: shuffles: PASS

// gpu.shuffle in all its modes with the lanes' own and other widths, on i32,
// f32 and i64; lanes out of reach downwards say so. The wave is one of 64.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("shuffles: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("shuffles: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<640xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<640xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<640xi32> {
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c1_1, %nty = %c1_1) args(%ha = %sa, %hb = %sb) : memref<64xi32>, memref<640xi32> {
          %lane = gpu.lane_id
          %c3 = arith.constant 3 : i32
          %c5 = arith.constant 5 : i32
          %c16 = arith.constant 16 : i32
          %c64 = arith.constant 64 : i32
          %v = memref.load %ha[%lane] : memref<64xi32>
          %v1 = arith.sitofp %v : i32 to f32
          %v3 = arith.constant 0.5 : f32
          %f = arith.mulf %v1, %v3 : f32
          %v5 = arith.extsi %v : i32 to i64
          %v6 = arith.index_cast %lane : index to i64
          %v7 = arith.muli %v5, %v6 : i64
          %v9 = arith.constant 100000 : i64
          %w = arith.muli %v7, %v9 : i64
          %v11 = arith.constant 63 : index
          %v12 = arith.subi %v11, %lane : index
          %back = arith.index_cast %v12 : index to i32
          %r0, %p0 = gpu.shuffle xor %v, %c5, %c64 : i32
          %r1, %p1 = gpu.shuffle up %v, %c3, %c64 : i32
          %r2, %p2 = gpu.shuffle down %v, %c3, %c64 : i32
          %r3, %p3 = gpu.shuffle idx %v, %back, %c64 : i32
          %r4, %p4 = gpu.shuffle xor %f, %c5, %c16 : f32
          %r5, %p5 = gpu.shuffle idx %w, %c5, %c64 : i64
          %r6, %p6 = gpu.shuffle down %v, %c5, %c16 : i32
          %v15 = arith.constant 0 : i32
          %v16 = arith.muli %v, %v15 : i32
          %v18 = arith.constant 1 : i32
          %low = arith.subi %v16, %v18 : i32
          %v20 = arith.constant 0 : index
          %s0 = arith.addi %lane, %v20 : index
          %v23 = arith.constant 0 : i32
          %v24 = arith.addi %r0, %v23 : i32
          memref.store %v24, %hb[%s0] : memref<640xi32>
          %v25 = arith.constant 64 : index
          %s1 = arith.addi %lane, %v25 : index
          %v27 = arith.constant 2 : index
          %reached = arith.cmpi ugt, %lane, %v27 : index
          %s1v = arith.select %reached, %r1, %low : i32
          %v31 = arith.constant 0 : i32
          %v32 = arith.addi %s1v, %v31 : i32
          memref.store %v32, %hb[%s1] : memref<640xi32>
          %v33 = arith.constant 128 : index
          %s2 = arith.addi %lane, %v33 : index
          %s2v = arith.select %p2, %r2, %low : i32
          %v37 = arith.constant 0 : i32
          %v38 = arith.addi %s2v, %v37 : i32
          memref.store %v38, %hb[%s2] : memref<640xi32>
          %v39 = arith.constant 192 : index
          %s3 = arith.addi %lane, %v39 : index
          %v42 = arith.constant 0 : i32
          %v43 = arith.addi %r3, %v42 : i32
          memref.store %v43, %hb[%s3] : memref<640xi32>
          %v44 = arith.constant 256 : index
          %s4 = arith.addi %lane, %v44 : index
          %v47 = arith.constant 2.0 : f32
          %twice = arith.mulf %r4, %v47 : f32
          %v49 = arith.fptosi %twice : f32 to i32
          memref.store %v49, %hb[%s4] : memref<640xi32>
          %v50 = arith.constant 320 : index
          %s5 = arith.addi %lane, %v50 : index
          %v52 = arith.trunci %r5 : i64 to i32
          memref.store %v52, %hb[%s5] : memref<640xi32>
          %v53 = arith.constant 384 : index
          %s6 = arith.addi %lane, %v53 : index
          %s6v = arith.select %p6, %r6, %low : i32
          %v57 = arith.constant 0 : i32
          %v58 = arith.addi %s6v, %v57 : i32
          memref.store %v58, %hb[%s6] : memref<640xi32>
          %all = gpu.subgroup_reduce add %v uniform : (i32) -> i32
          %v59 = arith.constant 448 : index
          %s7 = arith.addi %lane, %v59 : index
          %v62 = arith.constant 0 : i32
          %v63 = arith.addi %all, %v62 : i32
          memref.store %v63, %hb[%s7] : memref<640xi32>
          %most = gpu.all_reduce maxsi %v uniform {} : (i32) -> i32
          %v64 = arith.constant 512 : index
          %s8 = arith.addi %lane, %v64 : index
          %v67 = arith.constant 0 : i32
          %v68 = arith.addi %most, %v67 : i32
          memref.store %v68, %hb[%s8] : memref<640xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v69 = arith.constant 64 : index
    %g = arith.divui %i, %v69 : index
    %v71 = arith.constant 64 : index
    %l = arith.remui %i, %v71 : index
    %v73 = arith.constant 5 : index
    %five = arith.xori %l, %v73 : index
    %v75 = arith.constant 3 : index
    %v76 = arith.cmpi ult, %l, %v75 : index
    %v77 = arith.constant 0 : index
    %v78 = arith.constant 3 : index
    %v79 = arith.subi %l, %v78 : index
    %up = arith.select %v76, %v77, %v79 : index
    %v81 = arith.constant 3 : index
    %v82 = arith.addi %l, %v81 : index
    %v83 = arith.constant 64 : index
    %v84 = arith.cmpi ult, %v82, %v83 : index
    %v85 = arith.constant 3 : index
    %v86 = arith.addi %l, %v85 : index
    %v87 = arith.constant 0 : index
    %down = arith.select %v84, %v86, %v87 : index
    %v89 = arith.constant 63 : index
    %back = arith.subi %v89, %l : index
    %v91 = arith.constant 16 : index
    %v92 = arith.remui %l, %v91 : index
    %v93 = arith.constant 5 : index
    %v94 = arith.addi %v92, %v93 : index
    %v95 = arith.constant 16 : index
    %within = arith.cmpi ult, %v94, %v95 : index
    %v97 = arith.constant 5 : index
    %v98 = arith.addi %l, %v97 : index
    %v99 = arith.constant 0 : index
    %down16 = arith.select %within, %v98, %v99 : index
    %v101 = arith.constant 0 : index
    %v102 = arith.cmpi eq, %g, %v101 : index
    %v103 = arith.constant 1 : index
    %v104 = arith.cmpi eq, %g, %v103 : index
    %v105 = arith.constant 2 : index
    %v106 = arith.cmpi eq, %g, %v105 : index
    %v107 = arith.constant 3 : index
    %v108 = arith.cmpi eq, %g, %v107 : index
    %v109 = arith.constant 4 : index
    %v110 = arith.cmpi eq, %g, %v109 : index
    %v111 = arith.constant 5 : index
    %v112 = arith.cmpi eq, %g, %v111 : index
    %v113 = arith.constant 5 : index
    %v114 = arith.select %v112, %v113, %down16 : index
    %v115 = arith.select %v110, %five, %v114 : index
    %v116 = arith.select %v108, %back, %v115 : index
    %v117 = arith.select %v106, %down, %v116 : index
    %v118 = arith.select %v104, %up, %v117 : index
    %p = arith.select %v102, %five, %v118 : index
    %v120 = memref.load %in[%p] : memref<64xi32>
    %v122 = arith.constant 0 : i32
    %v = arith.addi %v120, %v122 : i32
    %v125 = arith.constant 500000 : i32
    %big = arith.muli %v, %v125 : i32
    %v127 = arith.constant 1 : index
    %v128 = arith.cmpi eq, %g, %v127 : index
    %v129 = arith.constant 3 : index
    %v130 = arith.cmpi ult, %l, %v129 : index
    %out1 = arith.andi %v128, %v130 : i1
    %v132 = arith.constant 2 : index
    %v133 = arith.cmpi eq, %g, %v132 : index
    %v134 = arith.constant 60 : index
    %v135 = arith.cmpi ugt, %l, %v134 : index
    %out2 = arith.andi %v133, %v135 : i1
    %v137 = arith.constant 16 : index
    %v138 = arith.remui %l, %v137 : index
    %v139 = arith.constant 10 : index
    %far = arith.cmpi ugt, %v138, %v139 : index
    %v141 = arith.constant 6 : index
    %v142 = arith.cmpi eq, %g, %v141 : index
    %out6 = arith.andi %v142, %far : i1
    %v144 = arith.ori %out1, %out2 : i1
    %gone = arith.ori %v144, %out6 : i1
    %v146 = arith.constant 9 : index
    %nine = arith.cmpi eq, %g, %v146 : index
    %none = arith.ori %gone, %nine : i1
    %zero = arith.constant 0 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k64 = arith.constant 64 : index
    %sum = scf.for %e = %k0 to %k64 step %k1 iter_args(%acc = %zero) -> (i32) {
      %v149 = memref.load %in[%e] : memref<64xi32>
      %w = arith.addi %acc, %v149 : i32
      scf.yield %w : i32
    }
    %most = scf.for %e = %k0 to %k64 step %k1 iter_args(%acc = %zero) -> (i32) {
      %v151 = memref.load %in[%e] : memref<64xi32>
      %w = arith.maxsi %acc, %v151 : i32
      scf.yield %w : i32
    }
    %v153 = arith.constant 5 : index
    %v154 = arith.cmpi eq, %g, %v153 : index
    %loaded = arith.select %v154, %big, %v : i32
    %v156 = arith.constant 7 : index
    %v157 = arith.cmpi eq, %g, %v156 : index
    %v158 = arith.constant 8 : index
    %v159 = arith.cmpi eq, %g, %v158 : index
    %v160 = arith.select %v159, %most, %loaded : i32
    %reduced = arith.select %v157, %sum, %v160 : i32
    %v162 = arith.constant -1 : index
    %v163 = arith.index_cast %v162 : index to i32
    %result = arith.select %none, %v163, %reduced : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c640 = arith.constant 640 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<640xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<64xi32>
    }
    scf.for %i = %c0 to %c640 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<640xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<640xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<640xi32>, memref<640xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<640xi32>) -> ()
    gpu.memcpy %out, %dout : memref<640xi32>, memref<640xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<640xi32>

    %wrong, %at = scf.for %i = %c0 to %c640 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<640xi32>
      %want = func.call @expected(%in, %i) : (memref<64xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<640xi32>
      %want = func.call @expected(%in, %at) : (memref<64xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xi32>
    memref.dealloc %out : memref<640xi32>
    return %status : i32
  }
}
