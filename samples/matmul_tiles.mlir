// C = A * B on square f32 matrices, written with tiles, without per-lane code.
//
//   aircc samples/matmul_tiles.mlir --target gfx942 -o matmul_tiles && ./matmul_tiles
//   ./matmul_tiles 512         # another size, a multiple of 64 (default 256)
//
// The same decomposition as matmul.mlir, at a higher level. A workgroup
// computes a 64x64 tile of C, staged through L2. Each PE of the 2x2 herd works
// on its own 32x32 tile in L1; the compiler distributes the work over its
// lanes.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @atoi(!llvm.ptr) -> i32
  llvm.mlir.global internal constant @passed("matmul_tiles: PASS, %ldx%ld f32\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("matmul_tiles: FAIL, %ld of the elements differ\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @bad_size("matmul_tiles: the size must be a positive multiple of 64, not %ld\0A\00") {addr_space = 0 : i32}

  func.func @matmul(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = memref.dim %C, %c0 : memref<?x?xf32>
    %n = memref.dim %C, %c1 : memref<?x?xf32>
    %tiles_m = arith.divui %m, %c64 : index
    %tiles_n = arith.divui %n, %c64 : index
    air.launch (%tile_n, %tile_m) in (%ntiles_n = %tiles_n, %ntiles_m = %tiles_m)
        args(%la = %A, %lb = %B, %lc = %C)
        : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
      air.segment @tile args(%si = %tile_m, %sj = %tile_n, %sa = %la, %sb = %lb, %sc = %lc)
          : index, index, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
        %s0 = arith.constant 0 : index
        %s1 = arith.constant 1 : index
        %s2 = arith.constant 2 : index
        %s16 = arith.constant 16 : index
        %s64 = arith.constant 64 : index
        %row = arith.muli %si, %s64 : index
        %col = arith.muli %sj, %s64 : index
        %k = memref.dim %sa, %s1 : memref<?x?xf32>
        %width = memref.dim %sb, %s1 : memref<?x?xf32>

        %a_tile = memref.alloc() : memref<64x16xf32, 1>
        %b_tile = memref.alloc() : memref<16x64xf32, 1>
        %sums = memref.alloc() : memref<32x32xf32, 2>

        air.herd @clear tile (%px, %py) in (%npx = %s2, %npy = %s2)
            args(%hsums = %sums) : memref<32x32xf32, 2> {
          %zero = arith.constant 0.0 : f32
          linalg.fill ins(%zero : f32) outs(%hsums : memref<32x32xf32, 2>)
        }

        scf.for %k0 = %s0 to %k step %s16 {
          air.dma_memcpy_nd (%a_tile[] [] [], %sa[%row, %k0] [%s64, %s16] [%k, %s1])
              : (memref<64x16xf32, 1>, memref<?x?xf32>)
          air.dma_memcpy_nd (%b_tile[] [] [], %sb[%k0, %col] [%s16, %s64] [%width, %s1])
              : (memref<16x64xf32, 1>, memref<?x?xf32>)
          air.herd @multiply tile (%px, %py) in (%npx = %s2, %npy = %s2)
              args(%ha = %a_tile, %hb = %b_tile, %hsums = %sums)
              : memref<64x16xf32, 1>, memref<16x64xf32, 1>, memref<32x32xf32, 2> {
            %h32 = arith.constant 32 : index
            %r = arith.muli %py, %h32 : index
            %c = arith.muli %px, %h32 : index
            %a = memref.subview %ha[%r, 0] [32, 16] [1, 1]
                : memref<64x16xf32, 1> to memref<32x16xf32, strided<[16, 1], offset: ?>, 1>
            %b = memref.subview %hb[0, %c] [16, 32] [1, 1]
                : memref<16x64xf32, 1> to memref<16x32xf32, strided<[64, 1], offset: ?>, 1>
            linalg.matmul ins(%a, %b : memref<32x16xf32, strided<[16, 1], offset: ?>, 1>,
                                       memref<16x32xf32, strided<[64, 1], offset: ?>, 1>)
                          outs(%hsums : memref<32x32xf32, 2>)
          }
        }

        air.herd @write tile (%px, %py) in (%npx = %s2, %npy = %s2)
            args(%hc = %sc, %hrow = %row, %hcol = %col, %hwidth = %width, %hsums = %sums)
            : memref<?x?xf32>, index, index, index, memref<32x32xf32, 2> {
          %h1 = arith.constant 1 : index
          %h32 = arith.constant 32 : index
          %pe_row = arith.muli %py, %h32 : index
          %pe_col = arith.muli %px, %h32 : index
          %r = arith.addi %hrow, %pe_row : index
          %c = arith.addi %hcol, %pe_col : index
          air.dma_memcpy_nd (%hc[%r, %c] [%h32, %h32] [%hwidth, %h1], %hsums[] [] [])
              : (memref<?x?xf32>, memref<32x32xf32, 2>)
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

  // m[i, j] = ((i * p + j * q) mod 17 - 8) / 8: all products and sums of the
  // multiplication are exact in f32, in any order.
  func.func private @fill(%m: memref<?x?xf32>, %p: index, %q: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c17 = arith.constant 17 : index
    %c8 = arith.constant 8 : i32
    %eighth = arith.constant 0.125 : f32
    %rows = memref.dim %m, %c0 : memref<?x?xf32>
    %cols = memref.dim %m, %c1 : memref<?x?xf32>
    scf.for %i = %c0 to %rows step %c1 {
      scf.for %j = %c0 to %cols step %c1 {
        %ip = arith.muli %i, %p : index
        %jq = arith.muli %j, %q : index
        %s = arith.addi %ip, %jq : index
        %r = arith.remui %s, %c17 : index
        %int = arith.index_cast %r : index to i32
        %centerd = arith.subi %int, %c8 : i32
        %float = arith.sitofp %centerd : i32 to f32
        %value = arith.mulf %float, %eighth : f32
        memref.store %value, %m[%i, %j] : memref<?x?xf32>
      }
    }
    return
  }

  // Counts the elements of C that differ from A * B computed by three plain
  // loops.
  func.func private @count_wrong(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %C, %c0 : memref<?x?xf32>
    %row = memref.alloc(%n) : memref<?xf32>
    %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count_i = %c0) -> (index) {
      scf.for %j = %c0 to %n step %c1 {
        memref.store %zero, %row[%j] : memref<?xf32>
      }
      scf.for %k = %c0 to %n step %c1 {
        %a = memref.load %A[%i, %k] : memref<?x?xf32>
        scf.for %j = %c0 to %n step %c1 {
          %b = memref.load %B[%k, %j] : memref<?x?xf32>
          %old = memref.load %row[%j] : memref<?xf32>
          %product = arith.mulf %a, %b : f32
          %new = arith.addf %old, %product : f32
          memref.store %new, %row[%j] : memref<?xf32>
        }
      }
      %count_row = scf.for %j = %c0 to %n step %c1 iter_args(%count = %count_i) -> (index) {
        %expected = memref.load %row[%j] : memref<?xf32>
        %got = memref.load %C[%i, %j] : memref<?x?xf32>
        %differs = arith.cmpf une, %got, %expected : f32
        %one_more = arith.addi %count, %c1 : index
        %next = arith.select %differs, %one_more, %count : index
        scf.yield %next : index
      }
      scf.yield %count_row : index
    }
    memref.dealloc %row : memref<?xf32>
    return %wrong : index
  }

  func.func private @run(%n: index) -> i32 {
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c11 = arith.constant 11 : index
    %A = memref.alloc(%n, %n) : memref<?x?xf32>
    %B = memref.alloc(%n, %n) : memref<?x?xf32>
    %C = memref.alloc(%n, %n) : memref<?x?xf32>
    call @fill(%A, %c3, %c7) : (memref<?x?xf32>, index, index) -> ()
    call @fill(%B, %c5, %c11) : (memref<?x?xf32>, index, index) -> ()

    %dA = gpu.alloc (%n, %n) : memref<?x?xf32>
    %dB = gpu.alloc (%n, %n) : memref<?x?xf32>
    %dC = gpu.alloc (%n, %n) : memref<?x?xf32>
    gpu.memcpy %dA, %A : memref<?x?xf32>, memref<?x?xf32>
    gpu.memcpy %dB, %B : memref<?x?xf32>, memref<?x?xf32>
    call @matmul(%dA, %dB, %dC) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
    gpu.memcpy %C, %dC : memref<?x?xf32>, memref<?x?xf32>
    gpu.dealloc %dA : memref<?x?xf32>
    gpu.dealloc %dB : memref<?x?xf32>
    gpu.dealloc %dC : memref<?x?xf32>

    %wrong = call @count_wrong(%A, %B, %C)
        : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> index
    memref.dealloc %A : memref<?x?xf32>
    memref.dealloc %B : memref<?x?xf32>
    memref.dealloc %C : memref<?x?xf32>

    %c0 = arith.constant 0 : index
    %n_i64 = arith.index_cast %n : index to i64
    %wrong_i64 = arith.index_cast %wrong : index to i64
    %good = arith.cmpi eq, %wrong, %c0 : index
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text, %n_i64, %n_i64) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    return %status : i32
  }

  func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %default = arith.constant 256 : index
    %n = call @argument(%argc, %argv, %default) : (i32, !llvm.ptr, index) -> index
    %rest = arith.remui %n, %c64 : index
    %whole = arith.cmpi eq, %rest, %c0 : index
    %positive = arith.cmpi sgt, %n, %c0 : index
    %usable = arith.andi %whole, %positive : i1
    %status = scf.if %usable -> i32 {
      %ran = func.call @run(%n) : (index) -> i32
      scf.yield %ran : i32
    } else {
      %n_i64 = arith.index_cast %n : index to i64
      %text = llvm.mlir.addressof @bad_size : !llvm.ptr
      llvm.call @printf(%text, %n_i64) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
      %bad = arith.constant 2 : i32
      scf.yield %bad : i32
    }
    return %status : i32
  }
}
