// All-to-all: rank i sends its block j to rank j.
//
//   aircc run samples/multi_gpu/all_to_all.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/all_to_all.mlir --target gfx942 -o all_to_all && mpirun -n 4 ./all_to_all
//
// The blocks are parts of matrices and therefore not contiguous: puts and gets
// specify offsets, sizes and strides. The numbers have 16 bits.

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
      %in = memref.alloc() : memref<12x80xi16, #air.symmetric_heap>
      %out = memref.alloc() : memref<12x80xi16, #air.symmetric_heap>

      air.launch () in () args(%l_r = %r, %l_n = %n, %l_in = %in, %l_out = %out)
          : index, index, memref<12x80xi16, #air.symmetric_heap>, memref<12x80xi16, #air.symmetric_heap> {
        air.segment args(%s_r = %l_r, %s_n = %l_n, %s_in = %l_in, %s_out = %l_out)
            : index, index, memref<12x80xi16, #air.symmetric_heap>, memref<12x80xi16, #air.symmetric_heap> {
          %one_pe = arith.constant 1 : index
          air.herd tile (%x, %y) in (%nx = %one_pe, %ny = %one_pe)
              args(%h_r = %s_r, %h_n = %s_n, %h_in = %s_in, %h_out = %s_out)
              : index, index, memref<12x80xi16, #air.symmetric_heap>, memref<12x80xi16, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h10 = arith.constant 10 : index
            %h12 = arith.constant 12 : index
            %h80 = arith.constant 80 : index
            %h1000 = arith.constant 1000 : index
            scf.parallel (%i, %j) = (%h0, %h0) to (%h12, %h80) step (%h1, %h1) {
              %rank = arith.muli %h_r, %h1000 : index
              %row = arith.muli %i, %h80 : index
              %place = arith.addi %row, %j : index
              %sum = arith.addi %rank, %place : index
              %value = arith.index_cast %sum : index to i16
              memref.store %value, %h_in[%i, %j] : memref<12x80xi16, #air.symmetric_heap>
            }
            // Block b consists of the columns from 10 * b.
            scf.for %to = %h0 to %h_n step %h1 {
              %column = arith.muli %to, %h10 : index
              air.channel.put @to[%h_r, %to] (%h_in[0, %column] [12, 10] [80, 1]) : (memref<12x80xi16, #air.symmetric_heap>)
            }
            scf.for %from = %h0 to %h_n step %h1 {
              %column = arith.muli %from, %h10 : index
              air.channel.get @to[%from, %h_r] (%h_out[0, %column] [12, 10] [80, 1]) : (memref<12x80xi16, #air.symmetric_heap>)
            }
          }
        }
      }
      memref.dealloc %in : memref<12x80xi16, #air.symmetric_heap>

      // Every rank checks all blocks that it received.
      %host = memref.alloc() : memref<12x80xi16>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<12x80xi16>, memref<12x80xi16, #air.symmetric_heap>)
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c10 = arith.constant 10 : index
      %c12 = arith.constant 12 : index
      %c80 = arith.constant 80 : index
      %c1000 = arith.constant 1000 : index
      %errors = scf.for %b = %c0 to %n step %c1 iter_args(%e0 = %zero) -> (i32) {
        %sum1 = scf.for %i = %c0 to %c12 step %c1 iter_args(%e1 = %e0) -> (i32) {
          %sum2 = scf.for %j = %c0 to %c10 step %c1 iter_args(%e2 = %e1) -> (i32) {
            %rank = arith.muli %b, %c1000 : index
            %row = arith.muli %i, %c80 : index
            %block = arith.muli %r, %c10 : index
            %s0 = arith.addi %rank, %row : index
            %s1 = arith.addi %s0, %block : index
            %s2 = arith.addi %s1, %j : index
            %expected = arith.index_cast %s2 : index to i16
            %own = arith.muli %b, %c10 : index
            %column = arith.addi %own, %j : index
            %got = memref.load %host[%i, %column] : memref<12x80xi16>
            %differs = arith.cmpi ne, %got, %expected : i16
            %more = arith.extui %differs : i1 to i32
            %count = arith.addi %e2, %more : i32
            scf.yield %count : i32
          }
          scf.yield %sum2 : i32
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
      memref.dealloc %host : memref<12x80xi16>
      memref.dealloc %out : memref<12x80xi16, #air.symmetric_heap>
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
