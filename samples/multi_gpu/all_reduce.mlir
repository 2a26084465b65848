// All-reduce: every rank gets the sums over all ranks.
//
//   aircc run samples/multi_gpu/all_reduce.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/all_reduce.mlir --target gfx942 -o all_reduce && mpirun -n 4 ./all_reduce
//
// The ranks form a ring. First the sum of each chunk is accumulated (as in
// reduce_scatter.mlir), then the sums are passed around the ring.

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
      %out = memref.alloc() : memref<8x128xf32, #air.symmetric_heap>

      air.launch () in () args(%l_r = %r, %l_n = %n, %l_out = %out)
          : index, index, memref<8x128xf32, #air.symmetric_heap> {
        air.segment args(%s_r = %l_r, %s_n = %l_n, %s_out = %l_out)
            : index, index, memref<8x128xf32, #air.symmetric_heap> {
          %one_pe = arith.constant 1 : index
          air.herd tile (%x, %y) in (%nx = %one_pe, %ny = %one_pe)
              args(%h_r = %s_r, %h_n = %s_n, %h_out = %s_out)
              : index, index, memref<8x128xf32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h10 = arith.constant 10 : index
            %h128 = arith.constant 128 : index
            // Chunk c of this rank: rank + 10 * c + index.
            scf.parallel (%c, %i) = (%h0, %h0) to (%h_n, %h128) step (%h1, %h1) {
              %ten = arith.muli %c, %h10 : index
              %s0 = arith.addi %ten, %h_r : index
              %s1 = arith.addi %s0, %i : index
              %int = arith.index_cast %s1 : index to i32
              %value = arith.sitofp %int : i32 to f32
              memref.store %value, %h_out[%c, %i] : memref<8x128xf32, #air.symmetric_heap>
            }
            %up = arith.addi %h_r, %h1 : index
            %next = arith.remui %up, %h_n : index
            %less = arith.subi %h_n, %h1 : index
            %came = memref.alloc() : memref<128xf32, 2>
            // Each step passes on a chunk with its partial sum and adds this
            // rank's numbers to the received chunk. At the end, rank r has the
            // sum of chunk r.
            scf.for %step = %h0 to %less step %h1 {
              %far = arith.addi %h_r, %less : index
              %two = arith.addi %far, %h_n : index
              %d0 = arith.subi %two, %step : index
              %send = arith.remui %d0, %h_n : index
              %d1 = arith.addi %send, %less : index
              %take = arith.remui %d1, %h_n : index
              air.channel.put @to[%next] (%h_out[%send, 0] [1, 128] [128, 1]) : (memref<8x128xf32, #air.symmetric_heap>)
              air.channel.get @to[%h_r] (%came[] [] []) : (memref<128xf32, 2>)
              scf.parallel (%i) = (%h0) to (%h128) step (%h1) {
                %a = memref.load %came[%i] : memref<128xf32, 2>
                %b = memref.load %h_out[%take, %i] : memref<8x128xf32, #air.symmetric_heap>
                %sum = arith.addf %a, %b : f32
                memref.store %sum, %h_out[%take, %i] : memref<8x128xf32, #air.symmetric_heap>
              }
            }
            // Pass the sums around the ring.
            scf.for %step = %h0 to %less step %h1 {
              %far = arith.addi %h_r, %h_n : index
              %d0 = arith.subi %far, %step : index
              %send = arith.remui %d0, %h_n : index
              %d1 = arith.addi %send, %less : index
              %take = arith.remui %d1, %h_n : index
              air.channel.put @to[%next] (%h_out[%send, 0] [1, 128] [128, 1]) : (memref<8x128xf32, #air.symmetric_heap>)
              air.channel.get @to[%h_r] (%h_out[%take, 0] [1, 128] [128, 1]) : (memref<8x128xf32, #air.symmetric_heap>)
            }
            memref.dealloc %came : memref<128xf32, 2>
          }
        }
      }

      // Every rank checks all sums.
      %host = memref.alloc() : memref<8x128xf32>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<8x128xf32>, memref<8x128xf32, #air.symmetric_heap>)
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c2 = arith.constant 2 : index
      %c10 = arith.constant 10 : index
      %c128 = arith.constant 128 : index
      %errors = scf.for %c = %c0 to %n step %c1 iter_args(%e0 = %zero) -> (i32) {
        %sum1 = scf.for %i = %c0 to %c128 step %c1 iter_args(%e1 = %e0) -> (i32) {
          // The sum over all ranks of (rank + 10 * chunk + index).
          %less = arith.subi %n, %c1 : index
          %pairs = arith.muli %n, %less : index
          %numbers = arith.divui %pairs, %c2 : index
          %ten = arith.muli %c, %c10 : index
          %place = arith.addi %ten, %i : index
          %all = arith.muli %place, %n : index
          %sum = arith.addi %all, %numbers : index
          %int = arith.index_cast %sum : index to i32
          %expected = arith.sitofp %int : i32 to f32
          %got = memref.load %host[%c, %i] : memref<8x128xf32>
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
      memref.dealloc %host : memref<8x128xf32>
      memref.dealloc %out : memref<8x128xf32, #air.symmetric_heap>
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
