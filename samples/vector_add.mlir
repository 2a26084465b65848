// c = a + b on vectors of any length.
//
//   aircc samples/vector_add.mlir --target gfx942 -o vector_add && ./vector_add
//   ./vector_add 5000          # another length (default 100000)
//
// Each workgroup adds 1024 elements. A herd of four PEs, which are waves, iterates
// over them. Its body mentions lanes, so every lane executes it.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @atoi(!llvm.ptr) -> i32
  llvm.mlir.global internal constant @passed("vector_add: PASS, %ld elements\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("vector_add: FAIL, %ld of %ld elements differ\0A\00") {addr_space = 0 : i32}

  func.func @vector_add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %n = memref.dim %a, %c0 : memref<?xf32>
    %blocks = arith.ceildivui %n, %c1024 : index
    air.launch (%block) in (%nblocks = %blocks) args(%la = %a, %lb = %b, %lc = %c)
        : memref<?xf32>, memref<?xf32>, memref<?xf32> {
      air.segment @add args(%sblock = %block, %sa = %la, %sb = %lb, %sc = %lc)
          : index, memref<?xf32>, memref<?xf32>, memref<?xf32> {
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        air.herd @add_lanes tile (%pe, %pe_y) in (%npe = %c4, %npe_y = %c1)
            args(%hblock = %sblock, %ha = %sa, %hb = %sb, %hc = %sc)
            : index, memref<?xf32>, memref<?xf32>, memref<?xf32> {
          %h0 = arith.constant 0 : index
          %h1024 = arith.constant 1024 : index
          %len = memref.dim %ha, %h0 : memref<?xf32>
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %lanes = arith.muli %npe, %wave : index
          %pe_first = arith.muli %pe, %wave : index
          %mine = arith.addi %pe_first, %lane : index
          %block_first = arith.muli %hblock, %h1024 : index
          %block_last = arith.addi %block_first, %h1024 : index
          %end = arith.minui %block_last, %len : index
          %first = arith.addi %block_first, %mine : index
          scf.for %i = %first to %end step %lanes {
            %x = memref.load %ha[%i] : memref<?xf32>
            %y = memref.load %hb[%i] : memref<?xf32>
            %sum = arith.addf %x, %y : f32
            memref.store %sum, %hc[%i] : memref<?xf32>
          }
        }
      }
    }
    return
  }

  // The first argument of the command line, or `default` without one.
  func.func private @argument(%argc: i32, %argv: !llvm.ptr, %default: index) -> index {
    %two = arith.constant 2 : i32
    %given = arith.cmpi sge, %argc, %two : i32
    %n = scf.if %given -> index {
      %slot = llvm.getelementptr %argv[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %text = llvm.load %slot : !llvm.ptr -> !llvm.ptr
      %value = llvm.call @atoi(%text) : (!llvm.ptr) -> i32
      %index = arith.index_cast %value : i32 to index
      scf.yield %index : index
    } else {
      scf.yield %default : index
    }
    return %n : index
  }

  func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %default = arith.constant 100000 : index
    %n = call @argument(%argc, %argv, %default) : (i32, !llvm.ptr, index) -> index

    %a = memref.alloc(%n) : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    %c = memref.alloc(%n) : memref<?xf32>
    %half = arith.constant 0.5 : f32
    scf.for %i = %c0 to %n step %c1 {
      %int = arith.index_cast %i : index to i32
      %x = arith.sitofp %int : i32 to f32
      %y = arith.mulf %x, %half : f32
      memref.store %x, %a[%i] : memref<?xf32>
      memref.store %y, %b[%i] : memref<?xf32>
    }

    %da = gpu.alloc (%n) : memref<?xf32>
    %db = gpu.alloc (%n) : memref<?xf32>
    %dc = gpu.alloc (%n) : memref<?xf32>
    gpu.memcpy %da, %a : memref<?xf32>, memref<?xf32>
    gpu.memcpy %db, %b : memref<?xf32>, memref<?xf32>
    call @vector_add(%da, %db, %dc) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> ()
    gpu.memcpy %c, %dc : memref<?xf32>, memref<?xf32>

    %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (index) {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %expected = arith.addf %x, %y : f32
      %got = memref.load %c[%i] : memref<?xf32>
      %differs = arith.cmpf une, %got, %expected : f32
      %one_more = arith.addi %count, %c1 : index
      %next = arith.select %differs, %one_more, %count : index
      scf.yield %next : index
    }

    gpu.dealloc %da : memref<?xf32>
    gpu.dealloc %db : memref<?xf32>
    gpu.dealloc %dc : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    memref.dealloc %c : memref<?xf32>

    %wrong_i64 = arith.index_cast %wrong : index to i64
    %n_i64 = arith.index_cast %n : index to i64
    %good = arith.cmpi eq, %wrong, %c0 : index
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text, %n_i64) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %n_i64) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    return %status : i32
  }
}
