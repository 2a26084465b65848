// All-gather: every rank gets the pieces of all ranks.
//
//   aircc run samples/multi_gpu/all_gather.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/all_gather.mlir --target gfx942 -o all_gather && mpirun -n 4 ./all_gather
//
// A PE puts its piece of 64 numbers into the channel to each rank, then gets
// one piece from each rank.

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
      %out = memref.alloc() : memref<8x64xf32, #air.symmetric_heap>

      air.launch () in () args(%l_r = %r, %l_n = %n, %l_out = %out)
          : index, index, memref<8x64xf32, #air.symmetric_heap> {
        air.segment args(%s_r = %l_r, %s_n = %l_n, %s_out = %l_out)
            : index, index, memref<8x64xf32, #air.symmetric_heap> {
          %one_pe = arith.constant 1 : index
          air.herd tile (%x, %y) in (%nx = %one_pe, %ny = %one_pe)
              args(%h_r = %s_r, %h_n = %s_n, %h_out = %s_out)
              : index, index, memref<8x64xf32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h64 = arith.constant 64 : index
            %h100 = arith.constant 100 : index
            %piece = memref.alloc() : memref<64xf32, 2>
            scf.parallel (%i) = (%h0) to (%h64) step (%h1) {
              %base = arith.muli %h_r, %h100 : index
              %sum = arith.addi %base, %i : index
              %int = arith.index_cast %sum : index to i32
              %value = arith.sitofp %int : i32 to f32
              memref.store %value, %piece[%i] : memref<64xf32, 2>
            }
            scf.for %to = %h0 to %h_n step %h1 {
              air.channel.put @to[%h_r, %to] (%piece[] [] []) : (memref<64xf32, 2>)
            }
            scf.for %from = %h0 to %h_n step %h1 {
              air.channel.get @to[%from, %h_r] (%h_out[%from, 0] [1, 64] [64, 1]) : (memref<8x64xf32, #air.symmetric_heap>)
            }
            memref.dealloc %piece : memref<64xf32, 2>
          }
        }
      }

      // Every rank checks all pieces that it received.
      %host = memref.alloc() : memref<8x64xf32>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<8x64xf32>, memref<8x64xf32, #air.symmetric_heap>)
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c64 = arith.constant 64 : index
      %c100 = arith.constant 100 : index
      %errors = scf.for %i = %c0 to %n step %c1 iter_args(%e0 = %zero) -> (i32) {
        %sum1 = scf.for %j = %c0 to %c64 step %c1 iter_args(%e1 = %e0) -> (i32) {
          %base = arith.muli %i, %c100 : index
          %sum = arith.addi %base, %j : index
          %int = arith.index_cast %sum : index to i32
          %expected = arith.sitofp %int : i32 to f32
          %got = memref.load %host[%i, %j] : memref<8x64xf32>
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
      memref.dealloc %host : memref<8x64xf32>
      memref.dealloc %out : memref<8x64xf32, #air.symmetric_heap>
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
