// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: ids_in_every_place: PASS

// Block ids passed to a segment before, between and after the memrefs, through
// arith.muli and through affine.apply of one, two and three operands, symbols
// too; each names its own dimension.

#two = affine_map<(d0, d1) -> (d0 * 100 + d1)>
#swapped = affine_map<(d0, d1) -> (d1 * 100 + d0)>
#three = affine_map<(d0, d1)[s0] -> (d0 + d1 * 7 + s0 * 49)>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("ids_in_every_place: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("ids_in_every_place: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<480xi32>) {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    air.launch (%x, %y, %z) in (%sx = %c3, %sy = %c4, %sz = %c5) args(%a = %in, %b = %out) : memref<64xi32>, memref<480xi32> {
      %xx = arith.muli %x, %sx : index
      air.segment @s args(%z1 = %z, %sa = %a, %x1 = %x, %sb = %b, %y1 = %y, %xx1 = %xx, %sy1 = %sy) : index, memref<64xi32>, index, memref<480xi32>, index, index, index {
        %c1 = arith.constant 1 : index
        %ap2 = affine.apply #two(%x1, %y1)
        %ap3 = affine.apply #swapped(%x1, %z1)
        %ap4 = affine.apply #three(%y1, %x1)[%z1]
        %v1 = arith.muli %x1, %sy1 : index
        %v2 = arith.addi %v1, %y1 : index
        %v3 = arith.constant 5 : index
        %v4 = arith.muli %v2, %v3 : index
        %v5 = arith.addi %v4, %z1 : index
        %v6 = arith.constant 8 : index
        %place = arith.muli %v5, %v6 : index
        %v8 = arith.index_cast %x1 : index to i32
        memref.store %v8, %sb[%place] : memref<480xi32>
        %v9 = arith.index_cast %y1 : index to i32
        %v10 = arith.constant 1 : index
        %v11 = arith.addi %place, %v10 : index
        memref.store %v9, %sb[%v11] : memref<480xi32>
        %v12 = arith.index_cast %z1 : index to i32
        %v13 = arith.constant 2 : index
        %v14 = arith.addi %place, %v13 : index
        memref.store %v12, %sb[%v14] : memref<480xi32>
        %v15 = arith.index_cast %xx1 : index to i32
        %v16 = arith.constant 3 : index
        %v17 = arith.addi %place, %v16 : index
        memref.store %v15, %sb[%v17] : memref<480xi32>
        %v18 = arith.index_cast %ap2 : index to i32
        %v19 = arith.constant 4 : index
        %v20 = arith.addi %place, %v19 : index
        memref.store %v18, %sb[%v20] : memref<480xi32>
        %v21 = arith.index_cast %ap3 : index to i32
        %v22 = arith.constant 5 : index
        %v23 = arith.addi %place, %v22 : index
        memref.store %v21, %sb[%v23] : memref<480xi32>
        air.herd @h tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%ha = %sa, %hp = %place, %h4 = %ap4, %hb = %sb, %hy = %y1) : memref<64xi32>, index, index, memref<480xi32>, index {
          %v24 = arith.index_cast %h4 : index to i32
          %v25 = arith.constant 6 : index
          %v26 = arith.addi %hp, %v25 : index
          memref.store %v24, %hb[%v26] : memref<480xi32>
          %v27 = memref.load %ha[%hy] : memref<64xi32>
          %v28 = arith.constant 7 : index
          %v29 = arith.addi %hp, %v28 : index
          memref.store %v27, %hb[%v29] : memref<480xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v30 = arith.constant 160 : index
    %x = arith.divui %i, %v30 : index
    %v32 = arith.constant 40 : index
    %v33 = arith.divui %i, %v32 : index
    %v34 = arith.constant 4 : index
    %y = arith.remui %v33, %v34 : index
    %v36 = arith.constant 8 : index
    %v37 = arith.divui %i, %v36 : index
    %v38 = arith.constant 5 : index
    %z = arith.remui %v37, %v38 : index
    %v40 = arith.constant 8 : index
    %k = arith.remui %i, %v40 : index
    %v42 = arith.constant 7 : index
    %v43 = arith.muli %x, %v42 : index
    %v44 = arith.addi %y, %v43 : index
    %v45 = arith.constant 49 : index
    %v46 = arith.muli %z, %v45 : index
    %h4 = arith.addi %v44, %v46 : index
    %v48 = memref.load %in[%y] : memref<64xi32>
    %v50 = arith.constant 0 : i32
    %loaded = arith.addi %v48, %v50 : i32
    %v52 = arith.constant 0 : index
    %v53 = arith.cmpi eq, %k, %v52 : index
    %v54 = arith.constant 1 : index
    %v55 = arith.cmpi eq, %k, %v54 : index
    %v56 = arith.constant 2 : index
    %v57 = arith.cmpi eq, %k, %v56 : index
    %v58 = arith.constant 3 : index
    %v59 = arith.cmpi eq, %k, %v58 : index
    %v60 = arith.constant 3 : index
    %v61 = arith.muli %x, %v60 : index
    %v62 = arith.constant 4 : index
    %v63 = arith.cmpi eq, %k, %v62 : index
    %v64 = arith.constant 100 : index
    %v65 = arith.muli %x, %v64 : index
    %v66 = arith.addi %v65, %y : index
    %v67 = arith.constant 5 : index
    %v68 = arith.cmpi eq, %k, %v67 : index
    %v69 = arith.constant 100 : index
    %v70 = arith.muli %z, %v69 : index
    %v71 = arith.addi %v70, %x : index
    %v72 = arith.select %v68, %v71, %h4 : index
    %v73 = arith.select %v63, %v66, %v72 : index
    %v74 = arith.select %v59, %v61, %v73 : index
    %v75 = arith.select %v57, %z, %v74 : index
    %v76 = arith.select %v55, %y, %v75 : index
    %v77 = arith.select %v53, %x, %v76 : index
    %ids = arith.index_cast %v77 : index to i32
    %v79 = arith.constant 7 : index
    %v80 = arith.cmpi eq, %k, %v79 : index
    %result = arith.select %v80, %loaded, %ids : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c480 = arith.constant 480 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<480xi32>
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
    scf.for %i = %c0 to %c480 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<480xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<480xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<480xi32>, memref<480xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<480xi32>) -> ()
    gpu.memcpy %out, %dout : memref<480xi32>, memref<480xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<480xi32>

    %wrong, %at = scf.for %i = %c0 to %c480 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<480xi32>
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
      %got = memref.load %out[%at] : memref<480xi32>
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
    memref.dealloc %out : memref<480xi32>
    return %status : i32
  }
}
