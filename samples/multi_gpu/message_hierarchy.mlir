// Messages between GPUs, sent by the lanes of a herd that store into a peer's
// heap.
//
//   aircc run samples/multi_gpu/message_hierarchy.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/message_hierarchy.mlir --target gfx942 -o message_hierarchy && mpirun -n 4 ./message_hierarchy
//
// The same ring as in message_kernel.mlir and message_channel.mlir.
// `air.translate` returns the next rank's copy of the line buffer. Lane 31
// stores the round as a flag. The same store instruction of the wave writes the
// words of lanes 0 to 30, so the words are visible whenever the flag is.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  func.func private @exit(i32)
  func.func private @mgpuGetWorldSize() -> i32
  llvm.mlir.global internal constant @wrong("rank %ld: %d of the numbers differ\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @passed("ALL %ld RANKS PASSED\0A\00") {addr_space = 0 : i32}


  // The number of errors of each rank, for rank 0.
  air.channel @verdict [8] {channel_type = "gpu_symmetric_heap"}

  func.func private @mgpuBarrier()
  func.func private @mgpuGetHeapBases() -> !llvm.ptr
  // Returns the base addresses of the heaps of `n` ranks, for kernels and the
  // host.
  func.func private @heap_bases(%n: index) -> memref<?xindex> {
    %bases = func.call @mgpuGetHeapBases() : () -> !llvm.ptr
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %size = arith.index_cast %n : index to i64
    %d0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d1 = llvm.insertvalue %bases, %d0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d2 = llvm.insertvalue %bases, %d1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d3 = llvm.insertvalue %zero, %d2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d4 = llvm.insertvalue %size, %d3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d5 = llvm.insertvalue %one, %d4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %memref = builtin.unrealized_conversion_cast %d5
        : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xindex>
    return %memref : memref<?xindex>
  }

  func.func @main() {
    %world = func.call @mgpuGetWorldSize() : () -> i32
    %ranks = arith.index_cast %world : i32 to index
    air.rank (%r) in (%n = %ranks) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c20 = arith.constant 20 : index
      %c31 = arith.constant 31 : index
      %out = memref.alloc() : memref<20x31xi32, #air.symmetric_heap>
      %lines = memref.alloc() : memref<20x32xi32, #air.symmetric_heap>
      // All buffers must be zero before any flag is set.
      %zeros = memref.alloc() : memref<20x32xi32>
      %c32 = arith.constant 32 : index
      %nothing = arith.constant 0 : i32
      scf.for %i = %c0 to %c20 step %c1 {
        scf.for %j = %c0 to %c32 step %c1 {
          memref.store %nothing, %zeros[%i, %j] : memref<20x32xi32>
        }
      }
      air.dma_memcpy_nd (%lines[] [] [], %zeros[] [] []) : (memref<20x32xi32, #air.symmetric_heap>, memref<20x32xi32>)
      memref.dealloc %zeros : memref<20x32xi32>
      func.call @mgpuBarrier() : () -> ()
      %bases = func.call @heap_bases(%n) : (index) -> memref<?xindex>

      air.launch () in () args(%lr = %r, %ln = %n, %llines = %lines, %lout = %out, %lbases = %bases)
          : index, index, memref<20x32xi32, #air.symmetric_heap>,
            memref<20x31xi32, #air.symmetric_heap>, memref<?xindex> {
        air.segment args(%sr = %lr, %sn = %ln, %slines = %llines, %sout = %lout, %sbases = %lbases)
            : index, index, memref<20x32xi32, #air.symmetric_heap>,
              memref<20x31xi32, #air.symmetric_heap>, memref<?xindex> {
          %one_pe = arith.constant 1 : index
          air.herd tile (%x, %y) in (%nx = %one_pe, %ny = %one_pe)
              args(%me = %sr, %size = %sn, %own = %slines, %rounds = %sout, %heaps = %sbases)
              : index, index, memref<20x32xi32, #air.symmetric_heap>,
                memref<20x31xi32, #air.symmetric_heap>, memref<?xindex> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h20 = arith.constant 20 : index
            %h31 = arith.constant 31 : index
            %h32 = arith.constant 32 : index
            %h1000 = arith.constant 1000 : index
            %none = arith.constant 0 : i32
            %up = arith.addi %me, %h1 : index
            %next = arith.remui %up, %size : index
            %number = arith.index_cast %up : index to i32
            %peer = air.translate %own, %me, %next, %heaps
                : memref<20x32xi32, #air.symmetric_heap>, memref<?xindex>
            %lane = gpu.lane_id
            %in_line = arith.cmpi ult, %lane, %h32 : index
            %is_flag = arith.cmpi eq, %lane, %h31 : index
            %is_word = arith.cmpi ult, %lane, %h31 : index
            %start = arith.muli %lane, %h1000 : index
            %first = arith.index_cast %start : index to i32
            %last = scf.for %k = %h0 to %h20 step %h1 iter_args(%word = %first) -> (i32) {
              %k1 = arith.addi %k, %h1 : index
              %flag = arith.index_cast %k1 : index to i32
              %more = arith.addi %word, %number : i32
              %value = arith.select %is_flag, %flag, %more : i32
              llvm.fence release
              scf.if %in_line {
                memref.store %value, %peer[%k, %lane] : memref<20x32xi32, #air.symmetric_heap>
              }
              // Every lane reads the flag by an atomic addition of 0.
              scf.while : () -> () {
                %seen = memref.atomic_rmw addi %none, %own[%k, %h31]
                    : (i32, memref<20x32xi32, #air.symmetric_heap>) -> i32
                %early = arith.cmpi ne, %seen, %flag : i32
                scf.condition(%early)
              } do {
                scf.yield
              }
              llvm.fence acquire
              %came = scf.if %is_word -> i32 {
                %got = memref.load %own[%k, %lane] : memref<20x32xi32, #air.symmetric_heap>
                memref.store %got, %rounds[%k, %lane] : memref<20x31xi32, #air.symmetric_heap>
                scf.yield %got : i32
              } else {
                scf.yield %none : i32
              }
              scf.yield %came : i32
            }
          }
        }
      }
      // No rank may free its lines while others may store into them.
      func.call @mgpuBarrier() : () -> ()
      memref.dealloc %lines : memref<20x32xi32, #air.symmetric_heap>

      // Every rank checks all received words.
      %host = memref.alloc() : memref<20x31xi32>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<20x31xi32>, memref<20x31xi32, #air.symmetric_heap>)
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
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
