// An all-gather: a handwritten kernel stores into the peers' memory, so that
// every GPU gets the blocks of all GPUs.
//
//   aircc run samples/multi_gpu/all_gather_kernel.mlir --target gfx942 -n 4
//
// On each rank, workgroup p of the kernel stores the rank's block into the
// memory of rank p, sets a flag there, and waits for the block that rank p
// stores here. A launch therefore has one workgroup per rank. Each of them
// computes the address on its peer: peer = bases[p] + (own - bases[rank]).

module attributes {gpu.container_module} {
  func.func private @mgpuSymmetricHeapInit(i64)
  func.func private @mgpuSymmetricHeapDestroy()
  func.func private @mgpuGetRank() -> i32
  func.func private @mgpuGetWorldSize() -> i32
  func.func private @mgpuSymmetricAlloc(i64, !llvm.ptr) -> !llvm.ptr
  func.func private @mgpuSymmetricFree(!llvm.ptr, !llvm.ptr)
  func.func private @mgpuGetHeapBase(i32) -> !llvm.ptr
  func.func private @mgpuGetHeapBases() -> !llvm.ptr
  func.func private @mgpuMemAlloc(i64, !llvm.ptr, i1) -> !llvm.ptr
  func.func private @mgpuMemFree(!llvm.ptr, !llvm.ptr)
  func.func private @mgpuMemcpy(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
  func.func private @mgpuBarrier()
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @wrong("rank %d: element %ld of rank %ld: got %f, not %f\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @passed("ALL %d RANKS PASSED\0A\00") {addr_space = 0 : i32}

  gpu.module @kernels {
    // %all: the blocks of all ranks, 1000 elements each; %flags: one flag per
    // rank.
    gpu.func @all_gather(%block: !llvm.ptr, %all: !llvm.ptr, %flags: !llvm.ptr, %bases: !llvm.ptr, %rank: i32)
        kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1000 = arith.constant 1000 : index
      %one = arith.constant 1 : i32
      %tid = gpu.thread_id x
      %threads = gpu.block_dim x
      %peer = gpu.block_id x
      %peer64 = arith.index_cast %peer : index to i64

      // The distance from this rank's heap to the peer's.
      %own_slot = llvm.getelementptr %bases[%rank] : (!llvm.ptr, i32) -> !llvm.ptr, i64
      %own_base = llvm.load %own_slot : !llvm.ptr -> i64
      %peer_slot = llvm.getelementptr %bases[%peer64] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %peer_base = llvm.load %peer_slot : !llvm.ptr -> i64
      %distance = arith.subi %peer_base, %own_base : i64
      %peer_all = llvm.getelementptr %all[%distance] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %peer_flags = llvm.getelementptr %flags[%distance] : (!llvm.ptr, i64) -> !llvm.ptr, i8

      %rank_index = arith.index_cast %rank : i32 to index
      %first = arith.muli %rank_index, %c1000 : index
      scf.for %i = %tid to %c1000 step %threads {
        %i64 = arith.index_cast %i : index to i64
        %from = llvm.getelementptr %block[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %j = arith.addi %first, %i : index
        %j64 = arith.index_cast %j : index to i64
        %to = llvm.getelementptr %peer_all[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
      // All waves must have stored their data before one of them sets the flag.
      llvm.fence release
      gpu.barrier
      %leader = arith.cmpi eq, %tid, %c0 : index
      scf.if %leader {
        %flag = llvm.getelementptr %peer_flags[%rank] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %one, %flag atomic release {alignment = 4 : i64} : i32, !llvm.ptr
        %own_flag = llvm.getelementptr %flags[%peer64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        scf.while : () -> () {
          %seen = llvm.load %own_flag atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
          %early = arith.cmpi ne, %seen, %one : i32
          scf.condition(%early)
        } do {
          scf.yield
        }
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
    %false = arith.constant false
    %z32 = arith.constant 0 : i32
    %one32 = arith.constant 1 : i32
    %four = arith.constant 4 : i64
    %block_bytes = arith.constant 4000 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c1000 = arith.constant 1000 : index

    %heap_bytes = arith.constant 16777216 : i64
    call @mgpuSymmetricHeapInit(%heap_bytes) : (i64) -> ()
    %rank = call @mgpuGetRank() : () -> i32
    %size = call @mgpuGetWorldSize() : () -> i32
    %size64 = arith.extui %size : i32 to i64
    %size_index = arith.index_cast %size : i32 to index
    %all_bytes = arith.muli %size64, %block_bytes : i64
    %counts_bytes = arith.muli %size64, %four : i64
    %all = call @mgpuSymmetricAlloc(%all_bytes, %null) : (i64, !llvm.ptr) -> !llvm.ptr
    %flags = call @mgpuSymmetricAlloc(%counts_bytes, %null) : (i64, !llvm.ptr) -> !llvm.ptr
    %counts = call @mgpuSymmetricAlloc(%counts_bytes, %null) : (i64, !llvm.ptr) -> !llvm.ptr
    %block = call @mgpuMemAlloc(%block_bytes, %null, %false) : (i64, !llvm.ptr, i1) -> !llvm.ptr
    %bases = call @mgpuGetHeapBases() : () -> !llvm.ptr

    // Element i of rank r is 1000 r + i / 2. All flags must be 0 before any is
    // set.
    %elements = arith.muli %size_index, %c1000 : index
    %host = memref.alloc(%elements) : memref<?xi32>
    %host_f = memref.alloc(%elements) : memref<?xf32>
    %half = arith.constant 0.5 : f32
    %thousand = arith.constant 1000.0 : f32
    %rank_f = arith.sitofp %rank : i32 to f32
    %start = arith.mulf %rank_f, %thousand : f32
    scf.for %i = %c0 to %c1000 step %c1 {
      memref.store %z32, %host[%i] : memref<?xi32>
      %i32 = arith.index_cast %i : index to i32
      %i_f = arith.sitofp %i32 : i32 to f32
      %part = arith.mulf %i_f, %half : f32
      %v = arith.addf %start, %part : f32
      memref.store %v, %host_f[%i] : memref<?xf32>
    }
    %host_ptr = call @host_pointer(%host) : (memref<?xi32>) -> !llvm.ptr
    %f_index = memref.extract_aligned_pointer_as_index %host_f : memref<?xf32> -> index
    %f_int = arith.index_cast %f_index : index to i64
    %f_ptr = llvm.inttoptr %f_int : i64 to !llvm.ptr
    call @mgpuMemcpy(%flags, %host_ptr, %counts_bytes, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    call @mgpuMemcpy(%block, %f_ptr, %block_bytes, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    call @mgpuBarrier() : () -> ()

    gpu.launch_func @kernels::@all_gather blocks in (%size_index, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%block : !llvm.ptr, %all : !llvm.ptr, %flags : !llvm.ptr, %bases : !llvm.ptr, %rank : i32)

    call @mgpuMemcpy(%f_ptr, %all, %all_bytes, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    %bad = scf.for %r = %c0 to %size_index step %c1 iter_args(%bad_ranks = %z32) -> (i32) {
      %r32 = arith.index_cast %r : index to i32
      %r_f = arith.sitofp %r32 : i32 to f32
      %r_start = arith.mulf %r_f, %thousand : f32
      %wrong = scf.for %i = %c0 to %c1000 step %c1 iter_args(%count = %bad_ranks) -> (i32) {
        %line = arith.muli %r, %c1000 : index
        %j = arith.addi %line, %i : index
        %got = memref.load %host_f[%j] : memref<?xf32>
        %i32 = arith.index_cast %i : index to i32
        %i_f = arith.sitofp %i32 : i32 to f32
        %part = arith.mulf %i_f, %half : f32
        %expected = arith.addf %r_start, %part : f32
        %differs = arith.cmpf une, %got, %expected : f32
        %more = scf.if %differs -> i32 {
          %text = llvm.mlir.addressof @wrong : !llvm.ptr
          %r64 = arith.index_cast %r : index to i64
          %i64 = arith.index_cast %i : index to i64
          %got64 = arith.extf %got : f32 to f64
          %expected64 = arith.extf %expected : f32 to f64
          llvm.call @printf(%text, %rank, %i64, %r64, %got64, %expected64) vararg(!llvm.func<i32 (ptr, ...)>)
              : (!llvm.ptr, i32, i64, i64, f64, f64) -> i32
          %n = arith.addi %count, %one32 : i32
          scf.yield %n : i32
        } else {
          scf.yield %count : i32
        }
        scf.yield %more : i32
      }
      scf.yield %wrong : i32
    }
    memref.dealloc %host_f : memref<?xf32>
    call @mgpuMemFree(%block, %null) : (!llvm.ptr, !llvm.ptr) -> ()

    // Each rank writes its error count to rank 0, which prints the result.
    %counts_at_0 = call @translate(%counts, %rank, %z32) : (!llvm.ptr, i32, i32) -> !llvm.ptr
    %mine = llvm.getelementptr %counts_at_0[%rank] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    memref.store %bad, %host[%c0] : memref<?xi32>
    call @mgpuMemcpy(%mine, %host_ptr, %four, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    call @mgpuBarrier() : () -> ()
    call @mgpuMemcpy(%host_ptr, %counts_at_0, %counts_bytes, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
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
    call @mgpuSymmetricFree(%flags, %null) : (!llvm.ptr, !llvm.ptr) -> ()
    call @mgpuSymmetricFree(%all, %null) : (!llvm.ptr, !llvm.ptr) -> ()
    call @mgpuSymmetricHeapDestroy() : () -> ()
    %status = arith.select %good, %z32, %one32 : i32
    return %status : i32
  }
}
