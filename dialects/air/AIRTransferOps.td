//===- AIRTransferOps.td - DMA and channels ----------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRTRANSFEROPS_TD
#define AIRCC_DIALECTS_AIR_AIRTRANSFEROPS_TD

include "dialects/air/AIRHierarchyOps.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// air.dma_memcpy_nd
//===----------------------------------------------------------------------===//

def AIR_DmaMemcpyNdOp
    : AIR_Op<"dma_memcpy_nd",
             [AIR_AsyncOpInterface,
              DeclareOpInterfaceMethods<AIR_TransferInterface>,
              AttrSizedOperandSegments,
              DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
              DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Copy between two memrefs with an access pattern for each";
  let description = [{
    Copies a sequence of elements from the second memref to the first. On each
    side, three lists specify the elements and their order: offsets, sizes,
    strides. An entry is an SSA value or an integer.

    - Sizes and strides: the element with the coordinates `(i0, i1, ...)`, of
      which the last varies fastest, is `i0 * stride0 + i1 * stride1 + ...`
      ELEMENTS after the base. There may be more or fewer of them than
      dimensions of the memref.
    - Offsets: if there are as many as dimensions, they are in units of the
      dimensions of the memref; otherwise there are as many as strides, and each
      is in units of its stride.
    - No strides: unit steps in the dimensions of the memref. No sizes: those of
      the other side, or the whole memref in row-major order.

    Both sides have the same number of elements. `pad_before` and `pad_after`
    add that many zeros around the data in each dimension, so that the target
    receives more elements than the source has.

    `src_rank` and `dst_rank` specify that the memref is the copy of a buffer in
    the symmetric heap that belongs to that rank. `channel` and
    `channel_indices` name the channel that the transfer was created from; they
    and `id` do not affect the data. If that channel is a packet channel of an
    NPU, `dest` selects the consumer that gets the data, as in
    `air.channel.put`.

    Example:

    ```mlir
    func.func @tile(%l3: memref<64x64xf32>, %row: index) {
      %l2 = memref.alloc() : memref<16x18xf32, 1>
      // Sixteen rows of sixteen elements, a zero at each end of each row.
      %t = air.dma_memcpy_nd async (%l2[] [] [], %l3[%row, 0] [16, 16] [64, 1])
          {id = 1 : i32, pad_before = array<i32: 0, 1>, pad_after = array<i32: 0, 1>}
          : (memref<16x18xf32, 1>, memref<64x64xf32>)
      air.wait_all [%t]
      return
    }
    ```

    Errors: sizes and strides of different lengths; padding that is negative or
    of different lengths before and after; a negative constant size; `src_rank`
    or `dst_rank` negative, outside an `air.rank`, or on a buffer that is
    allocated outside the symmetric heap; `channel_indices` that do not fit the
    channel.
  }];
  let arguments = (ins
    Variadic<AIR_AsyncToken>:$async_dependencies,
    AnyRankedOrUnrankedMemRef:$dst,
    Variadic<Index>:$dynamic_dst_offsets,
    Variadic<Index>:$dynamic_dst_sizes,
    Variadic<Index>:$dynamic_dst_strides,
    AnyRankedOrUnrankedMemRef:$src,
    Variadic<Index>:$dynamic_src_offsets,
    Variadic<Index>:$dynamic_src_sizes,
    Variadic<Index>:$dynamic_src_strides,
    Optional<Index>:$dest,
    DenseI64ArrayAttr:$static_dst_offsets,
    DenseI64ArrayAttr:$static_dst_sizes,
    DenseI64ArrayAttr:$static_dst_strides,
    DenseI64ArrayAttr:$static_src_offsets,
    DenseI64ArrayAttr:$static_src_sizes,
    DenseI64ArrayAttr:$static_src_strides,
    OptionalAttr<DenseI32ArrayAttr>:$pad_before,
    OptionalAttr<DenseI32ArrayAttr>:$pad_after,
    OptionalAttr<I64Attr>:$src_rank,
    OptionalAttr<I64Attr>:$dst_rank,
    OptionalAttr<FlatSymbolRefAttr>:$channel,
    OptionalAttr<DenseI64ArrayAttr>:$channel_indices);
  let results = (outs Optional<AIR_AsyncToken>:$async_token);
  let assemblyFormat = [{
    `` custom<AsyncDependencies>(type($async_token), $async_dependencies)
    ` ` `(` $dst ``
        custom<IndexList>($dynamic_dst_offsets, $static_dst_offsets)
        custom<IndexList>($dynamic_dst_sizes, $static_dst_sizes)
        custom<IndexList>($dynamic_dst_strides, $static_dst_strides) `,`
        $src ``
        custom<IndexList>($dynamic_src_offsets, $static_src_offsets)
        custom<IndexList>($dynamic_src_sizes, $static_src_sizes)
        custom<IndexList>($dynamic_src_strides, $static_src_strides) `)`
    (`dest` `(` $dest^ `)`)?
    attr-dict `:` `(` type($dst) `,` type($src) `)`
  }];
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$dependencies,
                   "const ::aircc::air::AccessPattern &":$dst,
                   "const ::aircc::air::AccessPattern &":$src,
                   CArg<"bool", "false">:$isAsync)>
  ];
  let extraClassDeclaration = [{
    /// Whether one of the memrefs belongs to another rank.
    bool isCrossRank() { return getSrcRank() || getDstRank(); }
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// air.channel
//===----------------------------------------------------------------------===//

def AIR_ChannelOp : AIR_Op<"channel", [Symbol]> {
  let summary = "Declare a channel, or an array of channels";
  let description = [{
    A channel carries data from an `air.channel.put` to an `air.channel.get`, in
    order. The list after the name makes an array of channels; without it, or
    with an empty one, there is one channel.

    `channel_type` specifies how the data is transferred:

    | type                 | transfers data through                             |
    | -------------------- | -------------------------------------------------- |
    | `npu_dma_stream`     | NPU DMA engines and a circuit-switched stream (the default) |
    | `npu_dma_packet`     | NPU DMA engines and a packet-switched stream       |
    | `npu_cascade`        | the cascade wires between neighboring NPU tiles    |
    | `npu_mmio`           | writes of the host into the L1 memory of a tile    |
    | `gpu_symmetric_heap` | stores into the symmetric heap of a peer GPU       |

    With `broadcast_shape`, a put reaches several gets: a dimension of size 1 is
    broadcast to that many destinations, by NumPy's rules. `depth` is the maximum
    number of transfers in flight. `packet_ids` fixes the routing ids of an
    `npu_dma_packet` channel.

    Example:

    ```mlir
    air.channel @one
    air.channel @grid [4, 4] {channel_type = "npu_dma_stream"}
    air.channel @rows [1, 4] {broadcast_shape = [4, 4]}
    air.channel @packets [] {channel_type = "npu_dma_packet", packet_ids = [1, 4]}
    air.channel @peers [2] {channel_type = "gpu_symmetric_heap", depth = 2 : i64}
    ```

    Errors: an unknown type; a size, depth or refeed count below 1; a
    `broadcast_shape` that the sizes do not broadcast to; `packet_ids` on
    another type of channel, outside 0 to 31, or duplicate.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    DefaultValuedAttr<I64ArrayAttr, "{}">:$size,
    DefaultValuedAttr<StrAttr, "\"npu_dma_stream\"">:$channel_type,
    OptionalAttr<ArrayAttr>:$broadcast_shape,
    OptionalAttr<ArrayAttr>:$packet_ids);
  let assemblyFormat = "$sym_name custom<ChannelSizes>($size) attr-dict";
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kNpuDmaStream = "npu_dma_stream";
    static constexpr ::llvm::StringLiteral kNpuDmaPacket = "npu_dma_packet";
    static constexpr ::llvm::StringLiteral kNpuCascade = "npu_cascade";
    static constexpr ::llvm::StringLiteral kNpuMmio = "npu_mmio";
    static constexpr ::llvm::StringLiteral kGpuSymmetricHeap =
        "gpu_symmetric_heap";

    /// Whether the channel is a connection of an NPU.
    bool isNpu() { return getChannelType().starts_with("npu_"); }

    /// The sizes of the array of channels; empty for a single one.
    ::llvm::SmallVector<int64_t> getSizes();

    /// The shape of the array of gets: the broadcast shape, or the sizes.
    ::llvm::SmallVector<int64_t> getTargetSizes();

    /// Whether one put reaches several gets.
    bool isBroadcast() { return getSizes() != getTargetSizes(); }

    /// The maximum number of transfers in flight, if specified.
    ::std::optional<int64_t> getDepth();
  }];
  let hasVerifier = 1;
}

class AIR_ChannelAccessOp<string mnemonic>
    : AIR_Op<mnemonic,
             [AIR_AsyncOpInterface, AIR_ChannelAccessInterface,
              DeclareOpInterfaceMethods<AIR_TransferInterface>,
              AttrSizedOperandSegments,
              DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
              DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let results = (outs Optional<AIR_AsyncToken>:$async_token);
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def AIR_ChannelPutOp : AIR_ChannelAccessOp<"channel.put"> {
  let summary = "Send data into a channel";
  let description = [{
    Reads elements of a memref, chosen and ordered as in `air.dma_memcpy_nd`,
    and sends them into a channel. The indices select a channel of an array.
    For a packet channel, `dest` selects the consumer that gets the data.

    Example:

    ```mlir
    air.channel @c [2]
    func.func @send(%m: memref<16x16xf32>, %i: index) {
      air.channel.put @c[%i] (%m[] [] []) : (memref<16x16xf32>)
      %t0 = air.wait_all async
      %t1 = air.channel.put async [%t0] @c[%i] (%m[8, 0] [4, 4] [16, 1])
          {pad_before = array<i32: 0, 1>} : (memref<16x16xf32>)
      return
    }
    ```

    Errors: those of `air.dma_memcpy_nd` about the lists; a symbol that is not a
    channel; `npu_mmio` with a source outside L3; `gpu_symmetric_heap` outside
    an `air.rank`.
  }];
  let arguments = (ins
    Variadic<AIR_AsyncToken>:$async_dependencies,
    FlatSymbolRefAttr:$chan_name,
    Variadic<Index>:$indices,
    AnyRankedOrUnrankedMemRef:$src,
    Variadic<Index>:$dynamic_src_offsets,
    Variadic<Index>:$dynamic_src_sizes,
    Variadic<Index>:$dynamic_src_strides,
    Optional<Index>:$dest,
    DenseI64ArrayAttr:$static_src_offsets,
    DenseI64ArrayAttr:$static_src_sizes,
    DenseI64ArrayAttr:$static_src_strides,
    OptionalAttr<DenseI32ArrayAttr>:$pad_before,
    OptionalAttr<DenseI32ArrayAttr>:$pad_after);
  let assemblyFormat = [{
    `` custom<AsyncDependencies>(type($async_token), $async_dependencies)
    $chan_name `` custom<ChannelIndices>($indices)
    `(` $src ``
        custom<IndexList>($dynamic_src_offsets, $static_src_offsets)
        custom<IndexList>($dynamic_src_sizes, $static_src_sizes)
        custom<IndexList>($dynamic_src_strides, $static_src_strides) `)`
    (`dest` `(` $dest^ `)`)?
    attr-dict `:` `(` type($src) `)`
  }];
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$dependencies,
                   "::mlir::FlatSymbolRefAttr":$channel,
                   "::mlir::ValueRange":$indices,
                   "const ::aircc::air::AccessPattern &":$src,
                   CArg<"bool", "false">:$isAsync)>
  ];
  let extraClassDeclaration = [{
    ::mlir::TypedValue<::mlir::BaseMemRefType> getMemref() { return getSrc(); }
    ::aircc::air::AccessPattern getPattern() { return getSourcePattern(); }
  }];
}

def AIR_ChannelGetOp : AIR_ChannelAccessOp<"channel.get"> {
  let summary = "Receive data from a channel";
  let description = [{
    Takes the data of the oldest put that has not been taken, waiting for one if
    necessary, and writes it to elements of a memref, chosen and ordered as in
    `air.dma_memcpy_nd`. The indices select a channel of an array, or a
    destination of a broadcast.

    Example:

    ```mlir
    air.channel @c [2]
    func.func @receive(%m: memref<16x16xf32, 1>, %i: index) {
      air.channel.get @c[%i] (%m[] [] []) : (memref<16x16xf32, 1>)
      %t0 = air.wait_all async
      %t1 = air.channel.get async [%t0] @c[%i] (%m[8, 0] [4, 4] [16, 1])
          : (memref<16x16xf32, 1>)
      return
    }
    ```

    Errors: as for `air.channel.put`; `npu_mmio` with a target outside L1.
  }];
  let arguments = (ins
    Variadic<AIR_AsyncToken>:$async_dependencies,
    FlatSymbolRefAttr:$chan_name,
    Variadic<Index>:$indices,
    AnyRankedOrUnrankedMemRef:$dst,
    Variadic<Index>:$dynamic_dst_offsets,
    Variadic<Index>:$dynamic_dst_sizes,
    Variadic<Index>:$dynamic_dst_strides,
    DenseI64ArrayAttr:$static_dst_offsets,
    DenseI64ArrayAttr:$static_dst_sizes,
    DenseI64ArrayAttr:$static_dst_strides,
    OptionalAttr<DenseI32ArrayAttr>:$pad_before,
    OptionalAttr<DenseI32ArrayAttr>:$pad_after);
  let assemblyFormat = [{
    `` custom<AsyncDependencies>(type($async_token), $async_dependencies)
    $chan_name `` custom<ChannelIndices>($indices)
    `(` $dst ``
        custom<IndexList>($dynamic_dst_offsets, $static_dst_offsets)
        custom<IndexList>($dynamic_dst_sizes, $static_dst_sizes)
        custom<IndexList>($dynamic_dst_strides, $static_dst_strides) `)`
    attr-dict `:` `(` type($dst) `)`
  }];
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$dependencies,
                   "::mlir::FlatSymbolRefAttr":$channel,
                   "::mlir::ValueRange":$indices,
                   "const ::aircc::air::AccessPattern &":$dst,
                   CArg<"bool", "false">:$isAsync)>
  ];
  let extraClassDeclaration = [{
    ::mlir::TypedValue<::mlir::BaseMemRefType> getMemref() { return getDst(); }
    ::aircc::air::AccessPattern getPattern() { return getTargetPattern(); }
  }];
}

#endif // AIRCC_DIALECTS_AIR_AIRTRANSFEROPS_TD
