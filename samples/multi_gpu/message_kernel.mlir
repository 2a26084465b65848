// Messages between GPUs, sent by a handwritten kernel.
//
//   aircc run samples/multi_gpu/message_kernel.mlir --target gfx942 -n 4
//   aircc samples/multi_gpu/message_kernel.mlir --target gfx942 -o message && mpirun -n 4 ./message
//
// Each rank is a process with its own GPU. On a machine without GPUs, the ranks
// are real processes on simulated devices. The ranks form a ring. In each
// round, a wave stores 31 words into the buffer of the next rank and then sets
// the flag after them, with release ordering at system scope. It waits for the
// flag in its own buffer, with acquire ordering, and copies the words out.

module attributes {gpu.container_module} {
  func.func private @mgpuSymmetricHeapInit(i64)
  func.func private @mgpuSymmetricHeapDestroy()
  func.func private @mgpuGetRank() -> i32
  func.func private @mgpuGetWorldSize() -> i32
  func.func private @mgpuSymmetricAlloc(i64, !llvm.ptr) -> !llvm.ptr
  func.func private @mgpuSymmetricFree(!llvm.ptr, !llvm.ptr)
  func.func private @mgpuGetHeapBase(i32) -> !llvm.ptr
  func.func private @mgpuMemAlloc(i64, !llvm.ptr, i1) -> !llvm.ptr
  func.func private @mgpuMemFree(!llvm.ptr, !llvm.ptr)
  func.func private @mgpuMemcpy(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
  func.func private @mgpuBarrier()
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @wrong("rank %d: round %ld, word %ld: got %d, not %d\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @passed("ALL %d RANKS PASSED\0A\00") {addr_space = 0 : i32}

  gpu.module @kernels {
    // Buffers have a line of 32 words per round; the last word is the flag.
    // %out receives the lines.
    gpu.func @exchange(%own: !llvm.ptr, %next: !llvm.ptr, %out: !llvm.ptr, %rank: i32, %rounds: i32)
        kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c31 = arith.constant 31 : i32
      %c32 = arith.constant 32 : i32
      %c100 = arith.constant 100 : i32
      %c1000 = arith.constant 1000 : i32
      %tid = gpu.thread_id x
      %lane = arith.index_cast %tid : index to i32
      %is_word = arith.cmpi ult, %lane, %c31 : i32
      %is_flag = arith.cmpi eq, %lane, %c31 : i32

      scf.for %round = %c0 to %rounds step %c1 : i32 {
        %line = arith.muli %round, %c32 : i32
        %index = arith.addi %line, %lane : i32
        // The words sent in a round depend on those received in the previous
        // round: they travel around the ring, and every rank adds its number.
        %from_self = arith.muli %lane, %c1000 : i32
        %is_first = arith.cmpi eq, %round, %c0 : i32
        scf.if %is_word {
          %base = scf.if %is_first -> i32 {
            scf.yield %from_self : i32
          } else {
            %before = arith.subi %index, %c32 : i32
            %last = llvm.getelementptr %out[%before] : (!llvm.ptr, i32) -> !llvm.ptr, i32
            %came = llvm.load %last : !llvm.ptr -> i32
            scf.yield %came : i32
          }
          %number = arith.addi %rank, %c1 : i32
          %word = arith.addi %base, %number : i32
          %slot = llvm.getelementptr %next[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          llvm.store %word, %slot : i32, !llvm.ptr
        }
        scf.if %is_flag {
          %flag = arith.addi %round, %c1 : i32
          %slot = llvm.getelementptr %next[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          llvm.store %flag, %slot atomic release {alignment = 4 : i64} : i32, !llvm.ptr
        }

        // Every lane reads the flag, so that all lanes leave the loop together.
        %flag_index = arith.addi %line, %c31 : i32
        %flag_slot = llvm.getelementptr %own[%flag_index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %wanted = arith.addi %round, %c1 : i32
        scf.while : () -> () {
          %seen = llvm.load %flag_slot atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
          %early = arith.cmpi ne, %seen, %wanted : i32
          scf.condition(%early)
        } do {
          scf.yield
        }
        scf.if %is_word {
          %slot = llvm.getelementptr %own[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          %word = llvm.load %slot : !llvm.ptr -> i32
          %to = llvm.getelementptr %out[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          llvm.store %word, %to : i32, !llvm.ptr
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
    %heap_bytes = arith.constant 1048576 : i64
    %bytes = arith.constant 2560 : i64 // 20 rounds of 128 bytes
    %rounds = arith.constant 20 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c640 = arith.constant 640 : index

    call @mgpuSymmetricHeapInit(%heap_bytes) : (i64) -> ()
    %rank = call @mgpuGetRank() : () -> i32
    %size = call @mgpuGetWorldSize() : () -> i32
    %buffer = call @mgpuSymmetricAlloc(%bytes, %null) : (i64, !llvm.ptr) -> !llvm.ptr
    %four = arith.constant 4 : i64
    %size64 = arith.extui %size : i32 to i64
    %counts_bytes = arith.muli %size64, %four : i64
    %counts = call @mgpuSymmetricAlloc(%counts_bytes, %null) : (i64, !llvm.ptr) -> !llvm.ptr
    %out = call @mgpuMemAlloc(%bytes, %null, %false) : (i64, !llvm.ptr, i1) -> !llvm.ptr
    %up = arith.addi %rank, %one32 : i32
    %next_rank = arith.remui %up, %size : i32
    %next = call @translate(%buffer, %rank, %next_rank) : (!llvm.ptr, i32, i32) -> !llvm.ptr

    // All buffers must be zero before any flag is set.
    %host = memref.alloc(%c640) : memref<?xi32>
    scf.for %i = %c0 to %c640 step %c1 {
      memref.store %z32, %host[%i] : memref<?xi32>
    }
    %host_ptr = call @host_pointer(%host) : (memref<?xi32>) -> !llvm.ptr
    call @mgpuMemcpy(%buffer, %host_ptr, %bytes, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    call @mgpuBarrier() : () -> ()

    gpu.launch_func @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%buffer : !llvm.ptr, %next : !llvm.ptr, %out : !llvm.ptr, %rank : i32, %rounds : i32)

    call @mgpuMemcpy(%host_ptr, %out, %bytes, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    // The words received in round r started r + 1 ranks earlier in the ring.
    // Each rank on the way has added its number.
    %bad = scf.for %r = %c0 to %c20 step %c1 iter_args(%bad_rounds = %z32) -> (i32) {
      %r1 = arith.addi %r, %c1 : index
      %sum = scf.for %k = %c0 to %r1 step %c1 iter_args(%s = %z32) -> (i32) {
        %k32 = arith.index_cast %k : index to i32
        %k1 = arith.addi %k32, %one32 : i32
        // (rank - k - 1) mod size, plus 1
        %mod = arith.remui %k1, %size : i32
        %plus = arith.addi %rank, %size : i32
        %diff = arith.subi %plus, %mod : i32
        %who = arith.remui %diff, %size : i32
        %number = arith.addi %who, %one32 : i32
        %t = arith.addi %s, %number : i32
        scf.yield %t : i32
      }
      %wrong = scf.for %w = %c0 to %c31 step %c1 iter_args(%count = %bad_rounds) -> (i32) {
        %line = arith.muli %r, %c32 : index
        %i = arith.addi %line, %w : index
        %got = memref.load %host[%i] : memref<?xi32>
        %w32 = arith.index_cast %w : index to i32
        %c1000 = arith.constant 1000 : i32
        %start = arith.muli %w32, %c1000 : i32
        %expected = arith.addi %start, %sum : i32
        %differs = arith.cmpi ne, %got, %expected : i32
        %more = scf.if %differs -> i32 {
          %text = llvm.mlir.addressof @wrong : !llvm.ptr
          %r64 = arith.index_cast %r : index to i64
          %w64 = arith.index_cast %w : index to i64
          llvm.call @printf(%text, %rank, %r64, %w64, %got, %expected) vararg(!llvm.func<i32 (ptr, ...)>)
              : (!llvm.ptr, i32, i64, i64, i32, i32) -> i32
          %n = arith.addi %count, %one32 : i32
          scf.yield %n : i32
        } else {
          scf.yield %count : i32
        }
        scf.yield %more : i32
      }
      scf.yield %wrong : i32
    }
    call @mgpuMemFree(%out, %null) : (!llvm.ptr, !llvm.ptr) -> ()

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
