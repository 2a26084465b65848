// A matrix product whose right operand is passed around a ring of GPUs.
//
//   aircc run samples/multi_gpu/matmul_ring.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/matmul_ring.mlir --target gfx942 -o matmul_ring && mpirun -n 4 ./matmul_ring
//
// Rank r has 16 rows of A, which are n blocks of 16 columns, and block r of the
// rows of B. In each of n steps, a PE multiplies its current block of B by the
// corresponding block of A (linalg.matmul on L1 tiles) while it passes the
// block of B to the next rank.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  func.func private @exit(i32)
  func.func private @mgpuGetWorldSize() -> i32
  llvm.mlir.global internal constant @wrong("rank %ld: %d of the numbers differ\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @passed("ALL %ld RANKS PASSED\0A\00") {addr_space = 0 : i32}

  // Element i is the channel to rank i.
  air.channel @to [8] {channel_type = "gpu_symmetric_heap", depth = 2 : i64}
  // The number of errors of each rank, for rank 0.
  air.channel @verdict [8] {channel_type = "gpu_symmetric_heap"}

  func.func @main() {
    %world = func.call @mgpuGetWorldSize() : () -> i32
    %ranks = arith.index_cast %world : i32 to index
    air.rank (%r) in (%n = %ranks) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %out = memref.alloc() : memref<16x16xf32, #air.symmetric_heap>

      air.launch () in () args(%l_r = %r, %l_n = %n, %l_out = %out)
          : index, index, memref<16x16xf32, #air.symmetric_heap> {
        air.segment args(%s_r = %l_r, %s_n = %l_n, %s_out = %l_out)
            : index, index, memref<16x16xf32, #air.symmetric_heap> {
          %one_pe = arith.constant 1 : index
          air.herd tile (%x, %y) in (%nx = %one_pe, %ny = %one_pe)
              args(%h_r = %s_r, %h_n = %s_n, %h_out = %s_out)
              : index, index, memref<16x16xf32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h5 = arith.constant 5 : index
            %h7 = arith.constant 7 : index
            %h16 = arith.constant 16 : index
            %zero = arith.constant 0.0 : f32
            %a = memref.alloc() : memref<16x16xf32, 2>
            %b = memref.alloc() : memref<16x16xf32, 2>
            %c = memref.alloc() : memref<16x16xf32, 2>
            linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32, 2>)
            // B(k, j) = (k + 2 * j) mod 5, for the rows from 16 * rank.
            scf.parallel (%k, %j) = (%h0, %h0) to (%h16, %h16) step (%h1, %h1) {
              %block = arith.muli %h_r, %h16 : index
              %row = arith.addi %block, %k : index
              %s0 = arith.addi %row, %j : index
              %s1 = arith.addi %s0, %j : index
              %m = arith.remui %s1, %h5 : index
              %int = arith.index_cast %m : index to i32
              %value = arith.sitofp %int : i32 to f32
              memref.store %value, %b[%k, %j] : memref<16x16xf32, 2>
            }
            %up = arith.addi %h_r, %h1 : index
            %next = arith.remui %up, %h_n : index
            scf.for %step = %h0 to %h_n step %h1 {
              // The original rank of the current block of B.
              %plus = arith.addi %h_r, %h_n : index
              %back = arith.subi %plus, %step : index
              %owner = arith.remui %back, %h_n : index
              air.channel.put @to[%next] (%b[] [] []) : (memref<16x16xf32, 2>)
              // A(i, k) = (3 * i + k) mod 7, where i is the row in the complete
              // A.
              scf.parallel (%i, %k) = (%h0, %h0) to (%h16, %h16) step (%h1, %h1) {
                %block = arith.muli %h_r, %h16 : index
                %row = arith.addi %block, %i : index
                %r2 = arith.addi %row, %row : index
                %r3 = arith.addi %r2, %row : index
                %part = arith.muli %owner, %h16 : index
                %column = arith.addi %part, %k : index
                %s = arith.addi %r3, %column : index
                %m = arith.remui %s, %h7 : index
                %int = arith.index_cast %m : index to i32
                %value = arith.sitofp %int : i32 to f32
                memref.store %value, %a[%i, %k] : memref<16x16xf32, 2>
              }
              linalg.matmul ins(%a, %b : memref<16x16xf32, 2>, memref<16x16xf32, 2>)
                  outs(%c : memref<16x16xf32, 2>)
              air.channel.get @to[%h_r] (%b[] [] []) : (memref<16x16xf32, 2>)
            }
            air.dma_memcpy_nd (%h_out[] [] [], %c[] [] []) : (memref<16x16xf32, #air.symmetric_heap>, memref<16x16xf32, 2>)
            memref.dealloc %a : memref<16x16xf32, 2>
            memref.dealloc %b : memref<16x16xf32, 2>
            memref.dealloc %c : memref<16x16xf32, 2>
          }
        }
      }

      // Every rank checks its rows of C.
      %host = memref.alloc() : memref<16x16xf32>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<16x16xf32>, memref<16x16xf32, #air.symmetric_heap>)
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c16 = arith.constant 16 : index
      %c7 = arith.constant 7 : index
      %c5 = arith.constant 5 : index
      %depth = arith.muli %n, %c16 : index
      %errors = scf.for %i = %c0 to %c16 step %c1 iter_args(%e0 = %zero) -> (i32) {
        %sum1 = scf.for %j = %c0 to %c16 step %c1 iter_args(%e1 = %e0) -> (i32) {
          %block = arith.muli %r, %c16 : index
          %row = arith.addi %block, %i : index
          %r2 = arith.addi %row, %row : index
          %r3 = arith.addi %r2, %row : index
          %j2 = arith.addi %j, %j : index
          %total = scf.for %k = %c0 to %depth step %c1 iter_args(%s = %c0) -> (index) {
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
          %got = memref.load %host[%i, %j] : memref<16x16xf32>
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
      memref.dealloc %host : memref<16x16xf32>
      memref.dealloc %out : memref<16x16xf32, #air.symmetric_heap>
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
