// Messages between GPUs through a channel.
//
//   aircc run samples/multi_gpu/message_channel.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/message_channel.mlir --target gfx942 -o message_channel && mpirun -n 4 ./message_channel
//
// The ranks form a ring. In each round, a PE adds its rank plus 1 to 31 words,
// puts them into the channel to the next rank, and gets the words of the
// previous rank. The compiler generates the code that is handwritten in
// message_kernel.mlir: a single store writes words and flag as one line, with
// release and acquire ordering at system scope.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  func.func private @exit(i32)
  func.func private @mgpuGetWorldSize() -> i32
  llvm.mlir.global internal constant @wrong("rank %ld: %d of the numbers differ\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @passed("ALL %ld RANKS PASSED\0A\00") {addr_space = 0 : i32}

  // Element i is the channel to rank i.
  air.channel @to [8] {channel_type = "gpu_symmetric_heap"}
  // The number of errors of each rank, for rank 0.
  air.channel @verdict [8] {channel_type = "gpu_symmetric_heap"}

  func.func @main() {
    %world = func.call @mgpuGetWorldSize() : () -> i32
    %ranks = arith.index_cast %world : i32 to index
    air.rank (%r) in (%n = %ranks) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %out = memref.alloc() : memref<20x31xi32, #air.symmetric_heap>
      air.launch () in () args(%lr = %r, %ln = %n, %lout = %out)
          : index, index, memref<20x31xi32, #air.symmetric_heap> {
        air.segment args(%sr = %lr, %sn = %ln, %sout = %lout)
            : index, index, memref<20x31xi32, #air.symmetric_heap> {
          %one_pe = arith.constant 1 : index
          air.herd tile (%x, %y) in (%nx = %one_pe, %ny = %one_pe) args(%me = %sr, %size = %sn, %rounds = %sout)
              : index, index, memref<20x31xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h20 = arith.constant 20 : index
            %h31 = arith.constant 31 : index
            %h1000 = arith.constant 1000 : index
            %up = arith.addi %me, %h1 : index
            %next = arith.remui %up, %size : index
            %number = arith.index_cast %up : index to i32
            %words = memref.alloc() : memref<31xi32, 2>
            scf.parallel (%w) = (%h0) to (%h31) step (%h1) {
              %start = arith.muli %w, %h1000 : index
              %word = arith.index_cast %start : index to i32
              memref.store %word, %words[%w] : memref<31xi32, 2>
            }
            scf.for %k = %h0 to %h20 step %h1 {
              scf.parallel (%w) = (%h0) to (%h31) step (%h1) {
                %word = memref.load %words[%w] : memref<31xi32, 2>
                %more = arith.addi %word, %number : i32
                memref.store %more, %words[%w] : memref<31xi32, 2>
              }
              air.channel.put @to[%next] (%words[] [] []) : (memref<31xi32, 2>)
              air.channel.get @to[%me] (%words[] [] []) : (memref<31xi32, 2>)
              air.dma_memcpy_nd (%rounds[%k, 0] [1, 31] [31, 1], %words[] [] [])
                  : (memref<20x31xi32, #air.symmetric_heap>, memref<31xi32, 2>)
            }
            memref.dealloc %words : memref<31xi32, 2>
          }
        }
      }

      // Every rank checks all received words.
      %host = memref.alloc() : memref<20x31xi32>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<20x31xi32>, memref<20x31xi32, #air.symmetric_heap>)
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c20 = arith.constant 20 : index
      %c31 = arith.constant 31 : index
      %c1000 = arith.constant 1000 : index
      // The words received in round k started k + 1 ranks earlier in the ring.
      // Each rank on the way has added its number.
      %errors = scf.for %k = %c0 to %c20 step %c1 iter_args(%e0 = %zero) -> (i32) {
        %hops = arith.addi %k, %c1 : index
        %last = arith.addi %hops, %c1 : index
        %numbers = scf.for %j = %c1 to %last step %c1 iter_args(%s = %c0) -> (index) {
          %back = arith.remui %j, %n : index
          %plus = arith.addi %r, %n : index
          %diff = arith.subi %plus, %back : index
          %who = arith.remui %diff, %n : index
          %number = arith.addi %who, %c1 : index
          %t = arith.addi %s, %number : index
          scf.yield %t : index
        }
        %e1 = scf.for %w = %c0 to %c31 step %c1 iter_args(%e2 = %e0) -> (i32) {
          %start = arith.muli %w, %c1000 : index
          %sum = arith.addi %start, %numbers : index
          %expected = arith.index_cast %sum : index to i32
          %got = memref.load %host[%k, %w] : memref<20x31xi32>
          %differs = arith.cmpi ne, %got, %expected : i32
          %more = arith.extui %differs : i1 to i32
          %e3 = arith.addi %e2, %more : i32
          scf.yield %e3 : i32
        }
        scf.yield %e1 : i32
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
      memref.dealloc %host : memref<20x31xi32>
      memref.dealloc %out : memref<20x31xi32, #air.symmetric_heap>
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
