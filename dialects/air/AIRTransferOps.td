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
  let summary = "Copy between two memrefs, each with an access pattern";
  let description = [{
    Copies a sequence of elements from the second memref to the first. For each
    memref, three lists specify the elements and their order: offsets, sizes,
    strides. An entry is an SSA value or an integer.

    - Sizes and strides: the element with the coordinates `(i0, i1, ...)`, of
      which the last varies fastest, is `i0 * stride0 + i1 * stride1 + ...`
      ELEMENTS after the base. The lists may be longer or shorter than the
      memref's rank.
    - Offsets: if their number equals the memref's rank, they are in units of
      its dimensions. Otherwise, there must be as many offsets as strides, and
      each is in units of its stride.
    - If strides are omitted, they are unit steps in the dimensions of the
      memref. If sizes are omitted, they are those of the other memref, or the
      whole memref in row-major order.

    Both sides must have the same number of elements. `pad_before` and
    `pad_after` add that many zeros around the data in each dimension, so that
    the target receives more elements than the source has.

    `src_rank` and `dst_rank` specify that the memref is that rank's copy of a
    buffer in the symmetric heap. `channel` and `channel_indices` name the
    channel that the transfer was created from; they and `id` do not affect the
    data. If that channel is an NPU packet channel, `dest` selects the consumer
    that receives the data, as in `air.channel.put`.

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
    has different lengths before and after; a negative constant size; `src_rank`
    or `dst_rank` if negative, outside of an `air.rank`, or on a buffer that is
    allocated outside of the symmetric heap; `channel_indices` that do not match
    the channel.
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
    A channel transfers data from an `air.channel.put` to an `air.channel.get`,
    in order. The list after the name declares an array of channels; without it,
    or if it is empty, there is one channel.

    `channel_type` specifies how the data is transferred:

    | type                 | transfers data through                             |
    | -------------------- | -------------------------------------------------- |
    | `npu_dma_stream`     | NPU DMA engines and a circuit-switched stream (the default) |
    | `npu_dma_packet`     | NPU DMA engines and a packet-switched stream       |
    | `npu_cascade`        | the cascade wires between neighboring NPU tiles    |
    | `npu_mmio`           | host writes to the L1 memory of a tile             |
    | `gpu_symmetric_heap` | stores into the symmetric heap of a peer GPU       |

    With `broadcast_shape`, a put reaches several gets: a dimension of size 1 is
    broadcast to that many destinations, following NumPy's rules. `depth` is the
    maximum number of transfers in flight. `packet_ids` sets the routing ids of
    an `npu_dma_packet` channel.

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
    Reads elements of a memref, selected and ordered as in `air.dma_memcpy_nd`,
    and sends them to a channel. The indices select a channel in an array. For a
    packet channel, `dest` selects the consumer that receives the data.

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

    Errors: those of `air.dma_memcpy_nd` concerning the lists; a symbol that is
    not a channel; `npu_mmio` with a source outside of L3; `gpu_symmetric_heap`
    outside of an `air.rank`.
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
    Receives the data of the oldest put that has not been received yet, waiting
    for one if necessary. Writes the data to elements of a memref, selected and
    ordered as in `air.dma_memcpy_nd`. The indices select a channel in an array,
    or a destination of a broadcast.

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

    Errors: as for `air.channel.put`; `npu_mmio` with a target outside of L1.
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
