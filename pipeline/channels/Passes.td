//===- Passes.td - The passes of the channels stage --------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_PASSES_TD
#define AIRCC_PIPELINE_CHANNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandPublications
    : Pass<"channels-expand-publications", "::mlir::ModuleOp"> {
  let summary = "Expand channels whose gets name the sending rank to pairs of ranks";
  let description = [{
    Rewrites an older form of channels between ranks, in which the channel has
    no dimensions, each rank puts without indices, and the index of a get names
    the rank that puts. The new channel has one element for each pair of ranks.
    A put becomes one put for each rank that gets from this rank; these ranks
    must be known at compile time.

    Example:
    ```mlir
    air.channel @C [] {channel_type = "gpu_symmetric_heap"}
    func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) {
      %c2 = arith.constant 2 : index
      air.rank (%rank) in (%n=%c2) args(%from=%a, %to=%b)
          : memref<8xf32>, memref<8xf32> {
        %c0 = arith.constant 0 : index
        air.channel.put @C[] (%from[] [] []) : (memref<8xf32>)
        air.channel.get @C[%c0] (%to[] [] []) : (memref<8xf32>)
      }
      return
    }
    // becomes
    air.channel @C [2, 2] {channel_type = "gpu_symmetric_heap"}
    ...
        scf.if %is_rank_0 {
          air.channel.put @C[%c0, %c0] (%from[] [] []) : (memref<8xf32>)
          air.channel.put @C[%c0, %c1] (%from[] [] []) : (memref<8xf32>)
        }
        air.channel.get @C[%c0, %rank] (%to[] [] []) : (memref<8xf32>)
    ```
  }];
  let options = [
    Option<"peIsLane", "pe-is-lane", "bool", "false",
           "PEs of herds are lanes, which execute puts and gets together">
  ];
  let dependentDialects = ["::aircc::air::AIRDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def CheckChannels : Pass<"channels-check-channels", "::mlir::ModuleOp"> {
  let summary = "Check that puts and gets match";
  let description = [{
    Interprets the body of each `air.rank` once for each of its ranks, with the
    ids of that rank, and compares the puts to each element of a channel with
    the gets from it. The following are errors:

    - a put without a get, or a get without a put;
    - indices outside of the channel;
    - different numbers of puts and gets;
    - messages of different sizes or types;
    - a channel in kernels whose ranks or indices are unknown at compile time;
    - puts and gets that deadlock.

    Conditions and indices that are computed at run time are accepted for
    channels in host code, whose lowering does not need to know them.

    Example:
    ```mlir
    air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
    func.func @main(%a: memref<8xf32>) {
      %c2 = arith.constant 2 : index
      air.rank (%rank) in (%n=%c2) args(%m=%a) : memref<8xf32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %is_rank_0 = arith.cmpi eq, %rank, %c0 : index
        scf.if %is_rank_0 {
          air.channel.put @C[%c0] (%m[] [] []) : (memref<8xf32>)
          // error: puts into @C[0] (as rank 0), but no rank gets from it
        } else {
          air.channel.get @C[%c1] (%m[] [] []) : (memref<8xf32>)
        }
      }
      return
    }
    ```
  }];
  let options = [
    Option<"peIsLane", "pe-is-lane", "bool", "false",
           "PEs of herds are lanes, which execute puts and gets together">
  ];
}

def CheckSymmetricHeap : Pass<"channels-check-symmetric-heap", "::mlir::ModuleOp"> {
  let summary = "Check that all ranks make the same symmetric heap allocations";
  let description = [{
    Interprets the body of each `air.rank` once for each of its ranks and
    compares the allocations in the symmetric heap. It is an error if the
    allocations of two ranks differ at a barrier, or if a difference causes a
    later common allocation to have different offsets. The runtime checks
    at barriers whatever is unknown at compile time.

    Example:
    ```mlir
    func.func @main() {
      %c2 = arith.constant 2 : index
      air.rank (%rank) in (%n=%c2) {
        %c0 = arith.constant 0 : index
        %is_rank_0 = arith.cmpi eq, %rank, %c0 : index
        scf.if %is_rank_0 {
          // error: allocates 4096 bytes in the symmetric heap on rank 0, where
          // rank 1 allocates 256 bytes
          %x = memref.alloc() : memref<1024xi32, #air.symmetric_heap>
        }
        %m = memref.alloc() : memref<64xi32, #air.symmetric_heap>
      }
      return
    }
    ```
  }];
}

def ExpandChannels : Pass<"channels-expand-channels", "::mlir::ModuleOp"> {
  let summary = "Lower channels in kernels to messages through the symmetric heap";
  let description = [{
    Each destination of a channel gets a ring in the symmetric heap of every
    rank. A ring contains slots for messages in flight, which are used in the
    heap of the rank that gets, and the counts of sent and received messages
    (see `air.message.send`). Puts and gets become messages through the rings of
    the ranks at both ends. These ranks must be known at compile time; if they
    depend on the index, a constant table contains them. A put to a channel with
    a `broadcast_shape` becomes one message for each destination.

    If several ranks get from one destination, they share the ring of the first
    of these ranks, and each message is delivered to the rank that asks next.

    If a whole `memref<32xi32, #air.symmetric_heap>` is put once and got once,
    through a channel without `depth`, it is sent as a single line: its last
    word is the flag, which is 1 in the received buffer. A warning at the put
    reports this.

    Example:
    ```mlir
    air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
    func.func @main(%a: memref<16xf32>) {
      %c2 = arith.constant 2 : index
      air.rank (%rank) in (%n=%c2) args(%b=%a) : memref<16xf32> {
        air.launch () in () args(%m=%b, %me=%rank) : memref<16xf32>, index {
          %c1 = arith.constant 1 : index
          %other = arith.subi %c1, %me : index
          air.channel.put @C[%other] (%m[] [] []) : (memref<16xf32>)
          air.channel.get @C[%me] (%m[] [] []) : (memref<16xf32>)
        }
      }
      return
    }
    // becomes, for the put,
    %peer = air.translate %ring, %me, %other, %bases : memref<448xi32>, memref<?xindex>
    %slots = memref.subview %peer[%start] [224] [1] : …
    %credits = memref.subview %ring[%start] [224] [1] : …
    air.message.send (%m[] [] []) through %slots, %credits {depth = 4, lines = 1} : …
    ```
  }];
  let options = [
    Option<"peIsLane", "pe-is-lane", "bool", "false",
           "PEs of herds are lanes, which execute puts and gets together">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def LowerRankTransfers
    : Pass<"channels-lower-rank-transfers", "::mlir::ModuleOp"> {
  let summary = "Lower transfers between ranks to runtime calls";
  let description = [{
    In an `air.rank`, outside of kernels, channel puts and gets become calls
    that transfer whole messages between ranks, and `air.dma_memcpy_nd` becomes
    a strided copy. An asynchronous put or get starts at the op, and the wait is
    inserted before the first user of its token. A put to a channel with a
    `broadcast_shape` becomes one call for each destination.

    Anywhere in an `air.rank`, a memref of `air.dma_memcpy_nd` that `src_rank`
    or `dst_rank` assigns to another rank is replaced with an `air.translate` of
    the local memref.

    Example:
    ```mlir
    air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
    func.func @main(%a: memref<1024xf32>) {
      %c2 = arith.constant 2 : index
      air.rank (%rank) in (%n=%c2) args(%m=%a) : memref<1024xf32> {
        air.channel.put @C[%rank] (%m[] [] []) : (memref<1024xf32>)
      }
      return
    }
    // becomes, for the put,
    func.call @mgpuChannelPut(%name, %index, %depth, %transfer, %stream) : …
    ```
  }];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def LowerRanks : Pass<"channels-lower-ranks", "::mlir::ModuleOp"> {
  let summary = "Lower air.rank to runtime calls";
  let description = [{
    The processes whose rank is in the space of the `air.rank` execute its body,
    with the ids of that rank (the first dimension varies fastest). The program
    ends with an error if its world or universe is smaller than the space. In a
    larger world, `mgpuBarrier` in the body only synchronizes the ranks in the
    space.

    Functions that use ranks or the symmetric heap, directly or through calls,
    create the heap on entry and destroy it at each return; nested calls have no
    effect. The rings of channels are allocated and freed with the heap. A
    program that calls `mgpuSymmetricHeapInit` itself must also destroy the heap
    itself.

    Example:
    ```mlir
    func.func @main() {
      %c2 = arith.constant 2 : index
      air.rank (%rank) in (%n=%c2) {
        "use"(%rank) : (index) -> ()
      }
      return
    }
    // becomes
    func.func @main() {
      call @air.ranks.enter() : () -> ()
      call @mgpuRequireRanks(%two, %where) : (i64, !llvm.ptr) -> ()
      %number = call @mgpuGetRank() : () -> i32
      %rank = arith.index_cast %number : i32 to index
      %inside = arith.cmpi ult, %rank, %c2 : index
      scf.if %inside {
        "use"(%rank) : (index) -> ()
      }
      call @air.ranks.leave() : () -> ()
      return
    }
    ```
  }];
  let options = [
    Option<"heapBytes", "heap-bytes", "uint64_t", "uint64_t(1) << 30",
           "The size of the symmetric heap in bytes">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def LowerTranslate : Pass<"channels-lower-translate", "::mlir::ModuleOp"> {
  let summary = "Compute the addresses of buffers in other ranks' heaps";
  let description = [{
    Adds the distance between two heaps to the pointers in a memref's
    descriptor; offset, sizes and strides are unchanged. If both ranks are the
    same value, the op is replaced with its operand. The pass works on host code
    and on kernels.

    Example:
    ```mlir
    func.func @translate(%own: memref<8xf32>, %from: index, %to: index,
                         %bases: memref<?xindex>) -> memref<8xf32> {
      %peer = air.translate %own, %from, %to, %bases : memref<8xf32>, memref<?xindex>
      return %peer : memref<8xf32>
    }
    // becomes
      %base_of_to = memref.load %bases[%to] : memref<?xindex>
      %base_of_from = memref.load %bases[%from] : memref<?xindex>
      ...
      %distance = arith.subi %to_i64, %from_i64 : i64
      %peer = kernel.offset_memref %own by %distance : memref<8xf32>
    ```
  }];
  let dependentDialects = ["::aircc::kernel::KernelDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerSymmetricHeap
    : Pass<"channels-lower-symmetric-heap", "::mlir::ModuleOp"> {
  let summary = "Lower allocations in the symmetric heap and remove its memory space";
  let description = [{
    `memref.alloc` and `memref.dealloc` in `#air.symmetric_heap` (or with the
    older attribute `air.symmetric`) become runtime calls. The memory space is
    then removed from all types: later passes treat the heap as global memory.

    Example:
    ```mlir
    func.func @allocate(%n: index) -> memref<?x4xf32, #air.symmetric_heap> {
      %m = memref.alloc(%n) : memref<?x4xf32, #air.symmetric_heap>
      return %m : memref<?x4xf32, #air.symmetric_heap>
    }
    // becomes
      %p = call @mgpuSymmetricAlloc(%bytes, %stream) : (i64, !llvm.ptr) -> !llvm.ptr
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // AIRCC_PIPELINE_CHANNELS_PASSES_TD
