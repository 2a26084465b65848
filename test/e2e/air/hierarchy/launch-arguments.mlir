// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: launch_arguments: PASS

// Arguments of every type through launch, segment and herd, in an order that
// makes their alignment differ.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("launch_arguments: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("launch_arguments: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<8xi32>, %out: memref<64xf64>) {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %b1 = arith.constant true
    %i8 = arith.constant 100 : i8
    %f64 = arith.constant 0.125 : f64
    %i16 = arith.constant -300 : i16
    %f16 = arith.constant 1.5 : f16
    %i64 = arith.constant 1099511627776 : i64
    %f32 = arith.constant 0.25 : f32
    %i32 = arith.constant 70000 : i32
    %bf = arith.constant 3.0 : bf16
    %v = arith.constant dense<[1.0, 2.0, 4.0, 8.0]> : vector<4xf32>
    %small = memref.reinterpret_cast %in to offset: [2], sizes: [2, 3], strides: [3, 1] : memref<8xi32> to memref<2x3xi32, strided<[3, 1], offset: 2>>
    %dyn = memref.cast %small : memref<2x3xi32, strided<[3, 1], offset: 2>> to memref<?x?xi32, strided<[?, ?], offset: ?>>
    air.launch (%x) in (%sx = %c2) args(%a0 = %b1, %a1 = %f64, %a2 = %i8, %a3 = %dyn, %a4 = %i16, %a5 = %i64, %a6 = %f16, %a7 = %f32, %a8 = %out, %a9 = %i32, %a10 = %bf, %a11 = %v) : i1, f64, i8, memref<?x?xi32, strided<[?, ?], offset: ?>>, i16, i64, f16, f32, memref<64xf64>, i32, bf16, vector<4xf32> {
      air.segment @s args(%s11 = %a11, %s10 = %a10, %s9 = %a9, %s8 = %a8, %s7 = %a7, %s6 = %a6, %s5 = %a5, %s4 = %a4, %s3 = %a3, %s2 = %a2, %s1 = %a1, %s0 = %a0, %u = %x) : vector<4xf32>, bf16, i32, memref<64xf64>, f32, f16, i64, i16, memref<?x?xi32, strided<[?, ?], offset: ?>>, i8, f64, i1, index {
        %c1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%h0 = %s0, %h11 = %s11, %h1 = %s1, %h2 = %s2, %h3 = %s3, %h4 = %s4, %h5 = %s5, %h6 = %s6, %h7 = %s7, %h8 = %s8, %h9 = %s9, %h10 = %s10, %hu = %u) : i1, vector<4xf32>, f64, i8, memref<?x?xi32, strided<[?, ?], offset: ?>>, i16, i64, f16, f32, memref<64xf64>, i32, bf16, index {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %v0 = arith.constant 32 : index
          %o = arith.muli %hu, %v0 : index
          %v2 = arith.constant 1 : index
          %v3 = arith.constant 0 : index
          %w0 = arith.select %h0, %v2, %v3 : index
          %v6 = arith.index_cast %w0 : index to i32
          %v7 = arith.sitofp %v6 : i32 to f64
          memref.store %v7, %h8[%o] : memref<64xf64>
          %v9 = arith.constant 0.0 : f64
          %v10 = arith.addf %h1, %v9 : f64
          %v11 = arith.constant 1 : index
          %v12 = arith.addi %o, %v11 : index
          memref.store %v10, %h8[%v12] : memref<64xf64>
          %v13 = arith.sitofp %h2 : i8 to f64
          %v14 = arith.constant 2 : index
          %v15 = arith.addi %o, %v14 : index
          memref.store %v13, %h8[%v15] : memref<64xf64>
          %v16 = arith.sitofp %h4 : i16 to f64
          %v17 = arith.constant 3 : index
          %v18 = arith.addi %o, %v17 : index
          memref.store %v16, %h8[%v18] : memref<64xf64>
          %v19 = arith.sitofp %h5 : i64 to f64
          %v20 = arith.constant 4 : index
          %v21 = arith.addi %o, %v20 : index
          memref.store %v19, %h8[%v21] : memref<64xf64>
          %v22 = arith.extf %h6 : f16 to f64
          %v23 = arith.constant 5 : index
          %v24 = arith.addi %o, %v23 : index
          memref.store %v22, %h8[%v24] : memref<64xf64>
          %v25 = arith.extf %h7 : f32 to f64
          %v26 = arith.constant 6 : index
          %v27 = arith.addi %o, %v26 : index
          memref.store %v25, %h8[%v27] : memref<64xf64>
          %v28 = arith.sitofp %h9 : i32 to f64
          %v29 = arith.constant 7 : index
          %v30 = arith.addi %o, %v29 : index
          memref.store %v28, %h8[%v30] : memref<64xf64>
          %v31 = arith.extf %h10 : bf16 to f64
          %v32 = arith.constant 8 : index
          %v33 = arith.addi %o, %v32 : index
          memref.store %v31, %h8[%v33] : memref<64xf64>
          %e = vector.extract %h11[2] : f32 from vector<4xf32>
          %v34 = arith.extf %e : f32 to f64
          %v35 = arith.constant 9 : index
          %v36 = arith.addi %o, %v35 : index
          memref.store %v34, %h8[%v36] : memref<64xf64>
          %v37 = arith.constant 1 : index
          %v38 = arith.constant 2 : index
          %m = memref.load %h3[%v37, %v38] : memref<?x?xi32, strided<[?, ?], offset: ?>>
          %v40 = arith.sitofp %m : i32 to f64
          %v41 = arith.constant 10 : index
          %v42 = arith.addi %o, %v41 : index
          memref.store %v40, %h8[%v42] : memref<64xf64>
          %d0 = memref.dim %h3, %c0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
          %d1 = memref.dim %h3, %c1_1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
          %v43 = arith.constant 10 : index
          %v44 = arith.muli %d0, %v43 : index
          %v45 = arith.addi %v44, %d1 : index
          %v47 = arith.index_cast %v45 : index to i32
          %v48 = arith.sitofp %v47 : i32 to f64
          %v49 = arith.constant 11 : index
          %v50 = arith.addi %o, %v49 : index
          memref.store %v48, %h8[%v50] : memref<64xf64>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<8xi32>, %i: index) -> f64 {
    %v51 = arith.constant 32 : index
    %k = arith.remui %i, %v51 : index
    %v53 = arith.constant 7 : index
    %v54 = memref.load %in[%v53] : memref<8xi32>
    %m = arith.sitofp %v54 : i32 to f64
    %v56 = arith.constant 0 : index
    %v57 = arith.cmpi eq, %k, %v56 : index
    %v59 = arith.constant 1.0 : f64
    %v60 = arith.constant 1 : index
    %v61 = arith.cmpi eq, %k, %v60 : index
    %v63 = arith.constant 0.125 : f64
    %v64 = arith.constant 2 : index
    %v65 = arith.cmpi eq, %k, %v64 : index
    %v67 = arith.constant 100.0 : f64
    %v68 = arith.constant 3 : index
    %v69 = arith.cmpi eq, %k, %v68 : index
    %v70 = arith.constant -300 : index
    %v72 = arith.index_cast %v70 : index to i32
    %v73 = arith.sitofp %v72 : i32 to f64
    %v74 = arith.constant 4 : index
    %v75 = arith.cmpi eq, %k, %v74 : index
    %v77 = arith.constant 1099511627776.0 : f64
    %v78 = arith.constant 5 : index
    %v79 = arith.cmpi eq, %k, %v78 : index
    %v81 = arith.constant 1.5 : f64
    %v83 = arith.constant 0.25 : f64
    %v84 = arith.select %v79, %v81, %v83 : f64
    %v85 = arith.select %v75, %v77, %v84 : f64
    %v86 = arith.select %v69, %v73, %v85 : f64
    %v87 = arith.select %v65, %v67, %v86 : f64
    %v88 = arith.select %v61, %v63, %v87 : f64
    %a = arith.select %v57, %v59, %v88 : f64
    %v90 = arith.constant 7 : index
    %v91 = arith.cmpi eq, %k, %v90 : index
    %v93 = arith.constant 70000.0 : f64
    %v94 = arith.constant 8 : index
    %v95 = arith.cmpi eq, %k, %v94 : index
    %v97 = arith.constant 3.0 : f64
    %v98 = arith.constant 9 : index
    %v99 = arith.cmpi eq, %k, %v98 : index
    %v101 = arith.constant 4.0 : f64
    %v102 = arith.constant 10 : index
    %v103 = arith.cmpi eq, %k, %v102 : index
    %v104 = arith.constant 11 : index
    %v105 = arith.cmpi eq, %k, %v104 : index
    %v107 = arith.constant 23.0 : f64
    %v108 = arith.constant -1 : index
    %v110 = arith.index_cast %v108 : index to i32
    %v111 = arith.sitofp %v110 : i32 to f64
    %v112 = arith.select %v105, %v107, %v111 : f64
    %v113 = arith.select %v103, %m, %v112 : f64
    %v114 = arith.select %v99, %v101, %v113 : f64
    %v115 = arith.select %v95, %v97, %v114 : f64
    %b = arith.select %v91, %v93, %v115 : f64
    %v117 = arith.constant 7 : index
    %v118 = arith.cmpi ult, %k, %v117 : index
    %result = arith.select %v118, %a, %b : f64
    return %result : f64
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %in = memref.alloc() : memref<8xi32>
    %out = memref.alloc() : memref<64xf64>
    scf.for %i = %c0 to %c8 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<8xi32>
    }
    scf.for %i = %c0 to %c64 step %c1 {
      %v8 = arith.constant -1.0 : f64
      memref.store %v8, %out[%i] : memref<64xf64>
    }
    %din = gpu.alloc () : memref<8xi32>
    %dout = gpu.alloc () : memref<64xf64>
    gpu.memcpy %din, %in : memref<8xi32>, memref<8xi32>
    gpu.memcpy %dout, %out : memref<64xf64>, memref<64xf64>
    call @test(%din, %dout) : (memref<8xi32>, memref<64xf64>) -> ()
    gpu.memcpy %out, %dout : memref<64xf64>, memref<64xf64>
    gpu.dealloc %din : memref<8xi32>
    gpu.dealloc %dout : memref<64xf64>

    %wrong, %at = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<64xf64>
      %want = func.call @expected(%in, %i) : (memref<8xi32>, index) -> f64
      %differs = arith.cmpf une, %got, %want : f64
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
      %got = memref.load %out[%at] : memref<64xf64>
      %want = func.call @expected(%in, %at) : (memref<8xi32>, index) -> f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got, %want) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<8xi32>
    memref.dealloc %out : memref<64xf64>
    return %status : i32
  }
}
