//===- AIRMessageOps.td - Messages through lines of a heap -*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRMESSAGEOPS_TD
#define AIRCC_DIALECTS_AIR_AIRMESSAGEOPS_TD

include "dialects/air/AIRHierarchyOps.td"

// Puts and gets in kernels, of channels between ranks, are lowered to these ops
// once the ranks at both ends are known. Users do not write them.
class AIR_MessageOp<string mnemonic>
    : AIR_Op<"message." # mnemonic,
             [DeclareOpInterfaceMethods<AIR_TransferInterface>,
              AttrSizedOperandSegments,
              DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let hasVerifier = 1;
}

def AIR_MessageSendOp : AIR_MessageOp<"send"> {
  let summary = "Send a message through a ring in a peer's heap";
  let description = [{
    Sends a message through a ring buffer in the symmetric heap. A ring has
    `depth` slots, each of which holds one message. It is an array of 32-bit
    words, at the same offset on every rank, and is divided into lines of 128
    bytes:

    | lines               | contents                                           |
    | ------------------- | -------------------------------------------------- |
    | 1                   | word 0: number of messages whose put has begun     |
    | 1                   | word 0: number of messages whose get has begun     |
    | ceil(depth / 32)    | word s: how often slot s has been emptied          |
    | depth * lines       | the slots: lines of 31 payload words and a flag    |

    A slot has `lines` lines; a shorter message uses the first of them.

    Message number n (from 0) uses slot n mod depth. The sender waits until the
    slot has been emptied n / depth times. For each line, it then writes the
    payload and the flag n + 1 with a single store of a wave, with release at
    system scope. All numbers wrap around at 2^32. `depth` must be a power of
    two.

    Each rank has a copy of the ring in its heap. `lines_ring` is the copy whose
    slots are used. `credit_ring` is the copy whose counts are used: the
    sender's number of messages, and how often each slot has been emptied.
    `shared` specifies that senders on several ranks share these copies.
    `single_line` specifies that the memref already has the format of a line: 31
    payload words, and a last word that is reserved for the flag and not sent.

    Example:

    ```mlir
    func.func @send(%src: memref<16xf32>, %peer: memref<128xi32>,
                    %own: memref<128xi32>) {
      air.message.send (%src[] [] []) through %peer, %own {depth = 1, lines = 1}
          : (memref<16xf32>), memref<128xi32>, memref<128xi32>
      return
    }
    ```

    Errors: a depth that is not a power of two; fewer than one line.
  }];
  let arguments = (ins
    AnyRankedOrUnrankedMemRef:$src,
    Variadic<Index>:$dynamic_src_offsets,
    Variadic<Index>:$dynamic_src_sizes,
    Variadic<Index>:$dynamic_src_strides,
    MemRefRankOf<[I32], [1]>:$lines_ring,
    MemRefRankOf<[I32], [1]>:$credit_ring,
    DenseI64ArrayAttr:$static_src_offsets,
    DenseI64ArrayAttr:$static_src_sizes,
    DenseI64ArrayAttr:$static_src_strides,
    OptionalAttr<DenseI32ArrayAttr>:$pad_before,
    OptionalAttr<DenseI32ArrayAttr>:$pad_after,
    I64Attr:$depth,
    I64Attr:$lines,
    UnitAttr:$single_line,
    UnitAttr:$shared);
  let assemblyFormat = [{
    `(` $src ``
        custom<IndexList>($dynamic_src_offsets, $static_src_offsets)
        custom<IndexList>($dynamic_src_sizes, $static_src_sizes)
        custom<IndexList>($dynamic_src_strides, $static_src_strides) `)`
    `through` $lines_ring `,` $credit_ring
    attr-dict `:` `(` type($src) `)` `,` type($lines_ring) `,`
    type($credit_ring)
  }];
  let builders = [
    OpBuilder<(ins "const ::aircc::air::AccessPattern &":$src,
                   "const ::aircc::air::MessageRing &":$ring)>
  ];
}

def AIR_MessageReceiveOp : AIR_MessageOp<"receive"> {
  let summary = "Receive a message from a ring in the local heap";
  let description = [{
    The other end of `air.message.send`. Waits until the flags of all lines in
    the next slot equal the number of the message, acquires at system scope,
    copies the payload, and reports the slot as emptied, with release.

    `lines_ring` is the copy of the ring whose slots are used: the local one,
    unless receivers on several ranks share it (`shared`). `credit_ring` is the
    copy in which the sender looks for emptied slots. With `single_line`, the
    flag is written to the last word of the memref.

    Example:

    ```mlir
    func.func @receive(%dst: memref<16xf32>, %own: memref<128xi32>,
                       %peer: memref<128xi32>) {
      air.message.receive (%dst[] [] []) through %own, %peer {depth = 1, lines = 1}
          : (memref<16xf32>), memref<128xi32>, memref<128xi32>
      return
    }
    ```

    Errors: as for `air.message.send`; padding.
  }];
  let arguments = (ins
    AnyRankedOrUnrankedMemRef:$dst,
    Variadic<Index>:$dynamic_dst_offsets,
    Variadic<Index>:$dynamic_dst_sizes,
    Variadic<Index>:$dynamic_dst_strides,
    MemRefRankOf<[I32], [1]>:$lines_ring,
    MemRefRankOf<[I32], [1]>:$credit_ring,
    DenseI64ArrayAttr:$static_dst_offsets,
    DenseI64ArrayAttr:$static_dst_sizes,
    DenseI64ArrayAttr:$static_dst_strides,
    OptionalAttr<DenseI32ArrayAttr>:$pad_before,
    OptionalAttr<DenseI32ArrayAttr>:$pad_after,
    I64Attr:$depth,
    I64Attr:$lines,
    UnitAttr:$single_line,
    UnitAttr:$shared);
  let assemblyFormat = [{
    `(` $dst ``
        custom<IndexList>($dynamic_dst_offsets, $static_dst_offsets)
        custom<IndexList>($dynamic_dst_sizes, $static_dst_sizes)
        custom<IndexList>($dynamic_dst_strides, $static_dst_strides) `)`
    `through` $lines_ring `,` $credit_ring
    attr-dict `:` `(` type($dst) `)` `,` type($lines_ring) `,`
    type($credit_ring)
  }];
  let builders = [
    OpBuilder<(ins "const ::aircc::air::AccessPattern &":$dst,
                   "const ::aircc::air::MessageRing &":$ring)>
  ];
}

#endif // AIRCC_DIALECTS_AIR_AIRMESSAGEOPS_TD
