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
  let summary = "Give gets that name the rank that puts a channel of pairs";
  let description = [{
    An older form of channels between ranks: the channel has no dimensions, each
    rank puts without indices, and the index of a get says which rank's message
    it is. The channel becomes one with an element for each pair of ranks; a put
    goes to those that get from its rank, which must be known at compile time.

    Example:

    ```mlir
    air.channel @C [] {channel_type = "gpu_symmetric_heap"}
    air.channel.put @C[] (%a[] [] []) : (memref<8xf32>)
    air.channel.get @C[%c0] (%b[] [] []) : (memref<8xf32>)
    // becomes, for two ranks,
    air.channel @C [2, 2] {channel_type = "gpu_symmetric_heap"}
    scf.if %is_rank_0 {
      air.channel.put @C[%c0, %c0] (%a[] [] []) : (memref<8xf32>)
      air.channel.put @C[%c0, %c1] (%a[] [] []) : (memref<8xf32>)
    }
    air.channel.get @C[%c0, %rank] (%b[] [] []) : (memref<8xf32>)
    ```
  }];
  let options = [
    Option<"peIsLane", "pe-is-lane", "bool", "false",
           "Points of herds are lanes, which put and get together">
  ];
  let dependentDialects = ["::aircc::air::AIRDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def CheckChannels : Pass<"channels-check-channels", "::mlir::ModuleOp"> {
  let summary = "Refuse puts and gets that do not meet";
  let description = [{
    Follows the body of each `air.rank` once for each of its ranks, with the ids
    that belong to it, and compares what is put into each element of a channel
    with what is got from it. An error for: a put without a get and the other way
    round, indices that never meet or lie outside of the channel, more puts than
    gets or fewer, messages of different sizes or types, a channel in kernels
    whose ranks or indices cannot be told, and puts and gets that all come to
    wait for each other.

    What cannot be told (a condition or index that is computed at run time) is
    not refused for channels of the host, which need not know it.

    Example:

    ```mlir
    scf.if %is_rank_0 {
      air.channel.put @C[%c0] (%m[] [] []) : (memref<8xf32>)
      // error: puts into @C[0] (as rank 0), which no rank gets from
    } else {
      air.channel.get @C[%c1] (%m[] [] []) : (memref<8xf32>)
      // note: it is got from here, but never with these indices
    }
    ```
  }];
  let options = [
    Option<"peIsLane", "pe-is-lane", "bool", "false",
           "Points of herds are lanes, which put and get together">
  ];
}

def CheckSymmetricHeap : Pass<"channels-check-symmetric-heap", "::mlir::ModuleOp"> {
  let summary = "Refuse allocations that differ between ranks";
  let description = [{
    Follows the body of each `air.rank` once for each of its ranks and compares
    what they allocate in the symmetric heap and free. An allocation that only
    some ranks make, or make with another size, is an error where ranks come to
    a barrier with it, or where it moves a later allocation of theirs to another
    offset. What cannot be told at compile time the runtime checks at barriers.

    Example:

    ```mlir
    scf.if %is_rank_0 {
      // error: allocates 4096 bytes in the symmetric heap on rank 0, where
      // rank 1 does not
      %x = memref.alloc() : memref<1024xi32, #air.symmetric_heap>
    }
    %m = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    ```
  }];
}

def ExpandChannels : Pass<"channels-expand-channels", "::mlir::ModuleOp"> {
  let summary = "Turn channels in kernels into messages through the heap";
  let description = [{
    Each destination of a channel gets a ring in the symmetric heap, on every
    rank: slots for messages on the way, which are used in the heap of the rank
    that gets, and the counts that go with them (see `air.message.send`). Puts
    and gets become messages through the rings of the ranks at their ends, which
    must be known at compile time; where they depend on the index, a constant
    table has them. A put into a channel with a `broadcast_shape` is one message
    for each destination.

    Where several ranks get from one destination, its ring is that of the first
    of them, and each message goes to the one that asks next.

    A single whole `memref<32xi32, #air.symmetric_heap>` that is put once and got
    once, through a channel without `depth`, is a line as it stands: its last
    word is the flag's, which is 1 in the buffer of the one that gets. A warning
    says so at the put.

    Example:

    ```mlir
    air.channel.put @C[%i] (%m[] [] []) : (memref<16xf32, 1>)
    // becomes
    %peer = air.translate %ring, %me, %other, %bases : memref<128xi32>, memref<?xindex>
    air.message.send (%m[] [] []) through %peer, %ring {depth = 1, lines = 1} : …
    ```
  }];
  let options = [
    Option<"peIsLane", "pe-is-lane", "bool", "false",
           "Points of herds are lanes, which put and get together">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def LowerRankTransfers
    : Pass<"channels-lower-rank-transfers", "::mlir::ModuleOp"> {
  let summary = "Turn transfers between ranks into calls of the runtime";
  let description = [{
    In an `air.rank`, outside of kernels: puts and gets of channels become calls
    that move whole messages between ranks, and `air.dma_memcpy_nd` a strided
    copy. An asynchronous put or get is started at its place and waited for
    before the first op that takes its token. A put into a channel with a
    `broadcast_shape` is one for each of its destinations.

    Anywhere in an `air.rank`: the memref of `air.dma_memcpy_nd` that `src_rank`
    or `dst_rank` says to be another rank's becomes an `air.translate` of the own
    one.

    Example:

    ```mlir
    air.channel.put @C[%i] (%buf[] [] []) : (memref<1024xf32>)
    // becomes
    call @mgpuChannelPut(%name, %i, %depth, %transfer, %stream) : …
    ```
  }];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def LowerRanks : Pass<"channels-lower-ranks", "::mlir::ModuleOp"> {
  let summary = "Turn air.rank into calls of the runtime";
  let description = [{
    The body of `air.rank` runs in the processes whose rank lies in its space,
    with the ids that belong to the rank (the first dimension varies fastest). A
    world or a universe that is smaller than the space ends the program. In a
    larger world, `mgpuBarrier` in the body is a barrier of the space's ranks.

    Functions that use ranks or the symmetric heap, themselves or in what they
    call, set up the heap when they begin and tear it down at each return;
    nested calls do so once. The rings of channels are made and freed with it. A
    program that calls `mgpuSymmetricHeapInit` itself
    also tears its heap down itself.

    Example:

    ```mlir
    func.func @main() {
      air.rank (%r) in (%n=%c2) { "use"(%r) : (index) -> () }
      return
    }
    // becomes
    func.func @main() {
      call @air.ranks.enter() : () -> ()
      call @mgpuRequireRanks(%two, %where) : (i64, !llvm.ptr) -> ()
      %rank = call @mgpuGetRank() : () -> i32
      %in = arith.cmpi ult, %r, %c2 : index
      scf.if %in { "use"(%r) : (index) -> () }
      call @air.ranks.leave() : () -> ()
      return
    }
    ```
  }];
  let options = [
    Option<"heapBytes", "heap-bytes", "uint64_t", "uint64_t(1) << 30",
           "Bytes of the symmetric heap">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def LowerTranslate : Pass<"channels-lower-translate", "::mlir::ModuleOp"> {
  let summary = "Compute the addresses of peers' buffers";
  let description = [{
    `air.translate` moves the pointers in a memref's descriptor by the distance
    of two heaps; offset, sizes and strides stay. Where both ranks are the same,
    nothing is left of it. Works on the host and in kernels.

    Example:

    ```mlir
    %peer = air.translate %own, %from, %to, %bases : memref<8xf32>, memref<?xindex>
    // becomes
    %distance = arith.subi %base_of_to, %base_of_from : i64
    %peer = kernel.offset_memref %own by %distance : memref<8xf32>
    ```
  }];
  let dependentDialects = ["::aircc::kernel::KernelDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerSymmetricHeap
    : Pass<"channels-lower-symmetric-heap", "::mlir::ModuleOp"> {
  let summary = "Allocate in the symmetric heap, and drop its tag";
  let description = [{
    `memref.alloc` and `memref.dealloc` in `#air.symmetric_heap` (or with the
    older attribute `air.symmetric`) become calls of the runtime. Then the tag is
    taken out of all types: to what follows, the heap is global memory.

    Example:

    ```mlir
    %m = memref.alloc(%n) : memref<?x4xf32, #air.symmetric_heap>
    // becomes
    %p = call @mgpuSymmetricAlloc(%bytes, %stream) : (i64, !llvm.ptr) -> !llvm.ptr
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // AIRCC_PIPELINE_CHANNELS_PASSES_TD
