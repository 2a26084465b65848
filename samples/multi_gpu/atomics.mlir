// Atomics across GPUs: all lanes of all ranks update counters in the memory of
// every rank.
//
//   aircc run samples/multi_gpu/atomics.mlir --target gfx942 -n 4
//
// On every rank, each lane adds its rank plus 1 to a sum and updates a maximum
// with its own number. No update is lost, although all lanes run concurrently.

module attributes {gpu.container_module} {
  func.func private @mgpuSymmetricHeapInit(i64)
  func.func private @mgpuSymmetricHeapDestroy()
  func.func private @mgpuGetRank() -> i32
  func.func private @mgpuGetWorldSize() -> i32
  func.func private @mgpuSymmetricAlloc(i64, !llvm.ptr) -> !llvm.ptr
  func.func private @mgpuSymmetricFree(!llvm.ptr, !llvm.ptr)
  func.func private @mgpuGetHeapBase(i32) -> !llvm.ptr
  func.func private @mgpuGetHeapBases() -> !llvm.ptr
  func.func private @mgpuMemcpy(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
  func.func private @mgpuBarrier()
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @wrong("rank %d: the sum is %d, not %d; the maximum is %d, not %d\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @passed("ALL %d RANKS PASSED\0A\00") {addr_space = 0 : i32}

  gpu.module @kernels {
    // %counters: a sum and a maximum.
    gpu.func @count(%counters: !llvm.ptr, %bases: !llvm.ptr, %rank: i32, %size: i32)
        kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c1000 = arith.constant 1000 : i32
      %number = arith.addi %rank, %c1 : i32
      %own_slot = llvm.getelementptr %bases[%rank] : (!llvm.ptr, i32) -> !llvm.ptr, i64
      %own_base = llvm.load %own_slot : !llvm.ptr -> i64
      %tid = gpu.thread_id x
      %block = gpu.block_id x
      %threads = gpu.block_dim x
      %first = arith.muli %block, %threads : index
      %lane = arith.addi %first, %tid : index
      %lane32 = arith.index_cast %lane : index to i32
      %thousands = arith.muli %rank, %c1000 : i32
      %mine = arith.addi %thousands, %lane32 : i32
      scf.for %r = %c0 to %size step %c1 : i32 {
        %slot = llvm.getelementptr %bases[%r] : (!llvm.ptr, i32) -> !llvm.ptr, i64
        %base = llvm.load %slot : !llvm.ptr -> i64
        %distance = arith.subi %base, %own_base : i64
        %sum = llvm.getelementptr %counters[%distance] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %max = llvm.getelementptr %sum[1] : (!llvm.ptr) -> !llvm.ptr, i32
        %before = llvm.atomicrmw add %sum, %number monotonic : !llvm.ptr, i32
        %highest = llvm.atomicrmw umax %max, %mine monotonic : !llvm.ptr, i32
      }
      gpu.return
    }
  }

  // Translates `ptr`, an address in this rank's heap, to the heap of rank `to`.
  func.func private @translate(%ptr: !llvm.ptr, %from: i32, %to: i32) -> !llvm.ptr {
    %from_base = call @mgpuGetHeapBase(%from) : (i32) -> !llvm.ptr
    %to_base = call @mgpuGetHeapBase(%to) : (i32) -> !llvm.ptr
    %a = llvm.ptrtoint %ptr : !llvm.ptr to i64
    %b = llvm.ptrtoint %from_base : !llvm.ptr to i64
    %offset = arith.subi %a, %b : i64
    %result = llvm.getelementptr %to_base[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    return %result : !llvm.ptr
  }

  func.func private @host_pointer(%buffer: memref<?xi32>) -> !llvm.ptr {
    %index = memref.extract_aligned_pointer_as_index %buffer : memref<?xi32> -> index
    %int = arith.index_cast %index : index to i64
    %ptr = llvm.inttoptr %int : i64 to !llvm.ptr
    return %ptr : !llvm.ptr
  }

  func.func @main() -> i32 {
    %null = llvm.mlir.zero : !llvm.ptr
    %z32 = arith.constant 0 : i32
    %one32 = arith.constant 1 : i32
    %two32 = arith.constant 2 : i32
    %four = arith.constant 4 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %c640 = arith.constant 640 : index

    %heap_bytes = arith.constant 65536 : i64
    call @mgpuSymmetricHeapInit(%heap_bytes) : (i64) -> ()
    %rank = call @mgpuGetRank() : () -> i32
    %size = call @mgpuGetWorldSize() : () -> i32
    %size64 = arith.extui %size : i32 to i64
    %counts_bytes = arith.muli %size64, %four : i64
    %eight = arith.constant 8 : i64
    %buffer = call @mgpuSymmetricAlloc(%eight, %null) : (i64, !llvm.ptr) -> !llvm.ptr
    %counts = call @mgpuSymmetricAlloc(%counts_bytes, %null) : (i64, !llvm.ptr) -> !llvm.ptr
    %bases = call @mgpuGetHeapBases() : () -> !llvm.ptr

    %host = memref.alloc(%c640) : memref<?xi32>
    memref.store %z32, %host[%c0] : memref<?xi32>
    memref.store %z32, %host[%c1] : memref<?xi32>
    %host_ptr = call @host_pointer(%host) : (memref<?xi32>) -> !llvm.ptr
    call @mgpuMemcpy(%buffer, %host_ptr, %eight, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    call @mgpuBarrier() : () -> ()

    // Three workgroups of 128 lanes on each rank.
    gpu.launch_func @kernels::@count blocks in (%c3, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%buffer : !llvm.ptr, %bases : !llvm.ptr, %rank : i32, %size : i32)
    call @mgpuBarrier() : () -> ()

    call @mgpuMemcpy(%host_ptr, %buffer, %eight, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    %sum = memref.load %host[%c0] : memref<?xi32>
    %max = memref.load %host[%c1] : memref<?xi32>
    // The sum is 384 * (1 + 2 + … + size), with 384 lanes per rank; the maximum
    // is from the last lane of the last rank.
    %size1 = arith.addi %size, %one32 : i32
    %product = arith.muli %size, %size1 : i32
    %numbers = arith.divui %product, %two32 : i32
    %c384 = arith.constant 384 : i32
    %c383 = arith.constant 383 : i32
    %c1000 = arith.constant 1000 : i32
    %expected_sum = arith.muli %numbers, %c384 : i32
    %last = arith.subi %size, %one32 : i32
    %thousands = arith.muli %last, %c1000 : i32
    %expected_max = arith.addi %thousands, %c383 : i32
    %sum_differs = arith.cmpi ne, %sum, %expected_sum : i32
    %max_differs = arith.cmpi ne, %max, %expected_max : i32
    %differs = arith.ori %sum_differs, %max_differs : i1
    scf.if %differs {
      %text = llvm.mlir.addressof @wrong : !llvm.ptr
      llvm.call @printf(%text, %rank, %sum, %expected_sum, %max, %expected_max) vararg(!llvm.func<i32 (ptr, ...)>)
          : (!llvm.ptr, i32, i32, i32, i32, i32) -> i32
    }
    %bad = arith.extui %differs : i1 to i32

    // Each rank writes its error count to rank 0, which prints the result.
    %counts_at_0 = call @translate(%counts, %rank, %z32) : (!llvm.ptr, i32, i32) -> !llvm.ptr
    %mine = llvm.getelementptr %counts_at_0[%rank] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    memref.store %bad, %host[%c0] : memref<?xi32>
    call @mgpuMemcpy(%mine, %host_ptr, %four, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    call @mgpuBarrier() : () -> ()
    call @mgpuMemcpy(%host_ptr, %counts_at_0, %counts_bytes, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    %size_index = arith.index_cast %size : i32 to index
    %total = scf.for %i = %c0 to %size_index step %c1 iter_args(%s = %z32) -> (i32) {
      %v = memref.load %host[%i] : memref<?xi32>
      %t = arith.addi %s, %v : i32
      scf.yield %t : i32
    }
    %good = arith.cmpi eq, %total, %z32 : i32
    %first = arith.cmpi eq, %rank, %z32 : i32
    %tell = arith.andi %good, %first : i1
    scf.if %tell {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text, %size) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    }
    memref.dealloc %host : memref<?xi32>
    call @mgpuSymmetricFree(%counts, %null) : (!llvm.ptr, !llvm.ptr) -> ()
    call @mgpuSymmetricFree(%buffer, %null) : (!llvm.ptr, !llvm.ptr) -> ()
    call @mgpuSymmetricHeapDestroy() : () -> ()
    %status = arith.select %good, %z32, %one32 : i32
    return %status : i32
  }
}
