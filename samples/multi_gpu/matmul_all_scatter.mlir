// A matrix product that sends each tile to all GPUs as soon as it is ready.
//
//   aircc run samples/multi_gpu/matmul_all_scatter.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/matmul_all_scatter.mlir --target gfx942 -o matmul_all_scatter && mpirun -n 4 ./matmul_all_scatter
//
// Rank r computes 16 rows of C = A * B (linalg.matmul on L1 tiles) and puts
// them into the channels to all ranks. At the end, each rank has all of C.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  func.func private @exit(i32)
  func.func private @mgpuGetWorldSize() -> i32
  llvm.mlir.global internal constant @wrong("rank %ld: %d of the numbers differ\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @passed("ALL %ld RANKS PASSED\0A\00") {addr_space = 0 : i32}

  // Element [i, j] is the channel from rank i to rank j.
  air.channel @to [8, 8] {channel_type = "gpu_symmetric_heap", depth = 1 : i64}
  // The number of errors of each rank, for rank 0.
  air.channel @verdict [8] {channel_type = "gpu_symmetric_heap"}

  func.func @main() {
    %world = func.call @mgpuGetWorldSize() : () -> i32
    %ranks = arith.index_cast %world : i32 to index
    air.rank (%r) in (%n = %ranks) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %out = memref.alloc() : memref<128x16xf32, #air.symmetric_heap>

      air.launch () in () args(%l_r = %r, %l_n = %n, %l_out = %out)
          : index, index, memref<128x16xf32, #air.symmetric_heap> {
        air.segment args(%s_r = %l_r, %s_n = %l_n, %s_out = %l_out)
            : index, index, memref<128x16xf32, #air.symmetric_heap> {
          %one_pe = arith.constant 1 : index
          air.herd tile (%x, %y) in (%nx = %one_pe, %ny = %one_pe)
              args(%h_r = %s_r, %h_n = %s_n, %h_out = %s_out)
              : index, index, memref<128x16xf32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h5 = arith.constant 5 : index
            %h7 = arith.constant 7 : index
            %h16 = arith.constant 16 : index
            %h32 = arith.constant 32 : index
            %zero = arith.constant 0.0 : f32
            %a = memref.alloc() : memref<16x32xf32, 2>
            %b = memref.alloc() : memref<32x16xf32, 2>
            %c = memref.alloc() : memref<16x16xf32, 2>
            linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32, 2>)
            %block = arith.muli %h_r, %h16 : index
            // A(i, k) = (3 * i + k) mod 7, B(k, j) = (k + 2 * j) mod 5.
            scf.parallel (%i, %k) = (%h0, %h0) to (%h16, %h32) step (%h1, %h1) {
              %row = arith.addi %block, %i : index
              %r2 = arith.addi %row, %row : index
              %r3 = arith.addi %r2, %row : index
              %s = arith.addi %r3, %k : index
              %m = arith.remui %s, %h7 : index
              %int = arith.index_cast %m : index to i32
              %value = arith.sitofp %int : i32 to f32
              memref.store %value, %a[%i, %k] : memref<16x32xf32, 2>
            }
            scf.parallel (%k, %j) = (%h0, %h0) to (%h32, %h16) step (%h1, %h1) {
              %s0 = arith.addi %k, %j : index
              %s1 = arith.addi %s0, %j : index
              %m = arith.remui %s1, %h5 : index
              %int = arith.index_cast %m : index to i32
              %value = arith.sitofp %int : i32 to f32
              memref.store %value, %b[%k, %j] : memref<32x16xf32, 2>
            }
            linalg.matmul ins(%a, %b : memref<16x32xf32, 2>, memref<32x16xf32, 2>)
                outs(%c : memref<16x16xf32, 2>)
            scf.for %to = %h0 to %h_n step %h1 {
              air.channel.put @to[%h_r, %to] (%c[] [] []) : (memref<16x16xf32, 2>)
            }
            scf.for %from = %h0 to %h_n step %h1 {
              %row = arith.muli %from, %h16 : index
              air.channel.get @to[%from, %h_r] (%h_out[%row, 0] [16, 16] [16, 1]) : (memref<128x16xf32, #air.symmetric_heap>)
            }
            memref.dealloc %a : memref<16x32xf32, 2>
            memref.dealloc %b : memref<32x16xf32, 2>
            memref.dealloc %c : memref<16x16xf32, 2>
          }
        }
      }

      // Every rank checks all of C.
      %host = memref.alloc() : memref<128x16xf32>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<128x16xf32>, memref<128x16xf32, #air.symmetric_heap>)
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c16 = arith.constant 16 : index
      %c7 = arith.constant 7 : index
      %c5 = arith.constant 5 : index
      %c32 = arith.constant 32 : index
      %rows = arith.muli %n, %c16 : index
      %errors = scf.for %i = %c0 to %rows step %c1 iter_args(%e0 = %zero) -> (i32) {
        %sum1 = scf.for %j = %c0 to %c16 step %c1 iter_args(%e1 = %e0) -> (i32) {
          %r2 = arith.addi %i, %i : index
          %r3 = arith.addi %r2, %i : index
          %j2 = arith.addi %j, %j : index
          %total = scf.for %k = %c0 to %c32 step %c1 iter_args(%s = %c0) -> (index) {
            %a0 = arith.addi %r3, %k : index
            %a = arith.remui %a0, %c7 : index
            %b0 = arith.addi %k, %j2 : index
            %b = arith.remui %b0, %c5 : index
            %p = arith.muli %a, %b : index
            %t = arith.addi %s, %p : index
            scf.yield %t : index
          }
          %int = arith.index_cast %total : index to i32
          %expected = arith.sitofp %int : i32 to f32
          %got = memref.load %host[%i, %j] : memref<128x16xf32>
          %differs = arith.cmpf une, %got, %expected : f32
          %more = arith.extui %differs : i1 to i32
          %count = arith.addi %e1, %more : i32
          scf.yield %count : i32
        }
        scf.yield %sum1 : i32
      }

      // Rank 0 collects the error counts.
      %mine = memref.alloc() : memref<1xi32>
      memref.store %errors, %mine[%c0] : memref<1xi32>
      air.channel.put @verdict[%r] (%mine[] [] []) : (memref<1xi32>)
      %is_first = arith.cmpi eq, %r, %c0 : index
      scf.if %is_first {
        %theirs = memref.alloc() : memref<1xi32>
        %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
          air.channel.get @verdict[%i] (%theirs[] [] []) : (memref<1xi32>)
          %v = memref.load %theirs[%c0] : memref<1xi32>
          %next = arith.addi %sum, %v : i32
          scf.yield %next : i32
        }
        memref.dealloc %theirs : memref<1xi32>
        %all_good = arith.cmpi eq, %total, %zero : i32
        scf.if %all_good {
          %text = llvm.mlir.addressof @passed : !llvm.ptr
          %n64 = arith.index_cast %n : index to i64
          llvm.call @printf(%text, %n64) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
        }
      }
      memref.dealloc %mine : memref<1xi32>
      memref.dealloc %host : memref<128x16xf32>
      memref.dealloc %out : memref<128x16xf32, #air.symmetric_heap>
      %bad = arith.cmpi ne, %errors, %zero : i32
      scf.if %bad {
        %text = llvm.mlir.addressof @wrong : !llvm.ptr
        %r64 = arith.index_cast %r : index to i64
        llvm.call @printf(%text, %r64, %errors) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i32) -> i32
        func.call @exit(%one) : (i32) -> ()
      }
    }
    return
  }
}
