//===- LayoutOps.td - The ops of the layout dialect --------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_LAYOUTOPS_TD
#define AIRCC_DIALECTS_LAYOUT_LAYOUTOPS_TD

include "dialects/layout/LayoutAttrs.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class Layout_Op<string mnemonic, list<Trait> traits = []>
    : Op<Layout_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// layout.to_layout
//===----------------------------------------------------------------------===//

def Layout_ToLayoutOp
    : Layout_Op<"to_layout", [Pure, SameOperandsAndResultType]> {
  let summary = "Fix the layout of a vector";
  let description = [{
    The result is the input in the given layout. In a source program, the op is
    an anchor, from which the layouts of other values are derived. If the input
    has another layout, the op is a conversion: values move between registers,
    between the lanes of a wave, or, between waves, through LDS.

    `shared_memory_conversion` forces the conversion to go through LDS, even if
    a cheaper one is possible.

    Example:

    ```mlir
    #rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                           thread_tile = [8, 8], element_tile = [1, 2],
                           subgroup_strides = [0, 0], thread_strides = [8, 1]>
    func.func @anchor(%v: vector<8x16xf16>) -> vector<8x16xf16> {
      %w = layout.to_layout %v to layout(#rows) {shared_memory_conversion} : vector<8x16xf16>
      return %w : vector<8x16xf16>
    }
    ```

    Errors: a layout whose shape differs from the vector's; a scalable vector.
  }];
  let arguments = (ins AnyVectorOfAnyRank:$input,
                       Layout_NestedLayoutAttr:$layout,
                       UnitAttr:$shared_memory_conversion);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = [{
    $input `to` `layout` `(` qualified($layout) `)` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// layout.async_dma
//===----------------------------------------------------------------------===//

def Layout_AsyncDmaOp
    : Layout_Op<"async_dma",
                [AttrSizedOperandSegments,
                 DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Copy a tile directly to LDS";
  let description = [{
    Copies a tile of the given vector type from `source` at the source indices
    to `dest` in LDS at the destination indices, without using registers. All
    lanes of the workgroup share the copy. The op does not wait: the tile is
    complete after the next `kernel.barrier workgroup`, or after the barrier
    that follows the corresponding `layout.async_wait`.

    The tile has the rank of `dest`. `permutation_map` is a projected
    permutation from the dimensions of the source to those of the tile:
    dimension d of the tile runs along the source dimension in result d of the
    map. By default, source and tile have the same rank and the same order of
    dimensions. Source dimensions that are not in the map stay at their index.

    A source index may be a vector: along that dimension, the tile is gathered
    from these positions instead of consecutive ones. The types of the indices
    are listed after the type of the source.

    If `in_bounds` is false for a dimension of the tile, elements may be outside
    of the source along this dimension; zeros are stored for them. Without
    `in_bounds`, all elements must be inside of the source.

    If `dest` is the result of a `layout.swizzle_hint`, possibly through views,
    the tile is stored swizzled.

    If no direct load supports the memory layout of the source, or the target
    has no loads to LDS, the tile goes through registers, with a warning. Any
    other mismatch is an error, unless the op has the attribute `may_copy`:
    then, the tile also goes through registers.

    For a `counted` transfer, the program guarantees that the tile is accessed
    only after a corresponding `layout.async_wait`; other barriers do not wait
    for the transfer.

    Example:

    ```mlir
    func.func @tile(%a: memref<128x256xf16>, %lds: memref<16x64xf16, #gpu.address_space<workgroup>>,
                    %rows: vector<16xindex>, %i: index, %j: index) {
      %c0 = arith.constant 0 : index
      layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<16x64xf16> in_bounds [false, true]
          : memref<128x256xf16>, memref<16x64xf16, #gpu.address_space<workgroup>>
      layout.async_dma %a[%rows, %j] to %lds[%c0, %c0], vector<16x64xf16>
          : memref<128x256xf16> [vector<16xindex>, index], memref<16x64xf16, #gpu.address_space<workgroup>>
      layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<16x64xf16>
          permutation_map affine_map<(d0, d1) -> (d1, d0)> counted
          : memref<128x256xf16>, memref<16x64xf16, #gpu.address_space<workgroup>>
      return
    }
    ```

    Errors: numbers of indices that differ from the ranks; a tile whose rank
    differs from that of `dest`, or that is larger than `dest`; element types
    that differ; a `dest` that is not in LDS; a map that does not match the
    ranks or names a dimension twice; a vector of indices whose length differs
    from the tile's, or for a dimension that the map does not name.
  }];
  let arguments = (ins
    AnyMemRef:$source,
    Variadic<AnyTypeOf<[Index, FixedVectorOfRankAndType<[1], [Index]>]>>:$source_indices,
    AnyMemRef:$dest,
    Variadic<Index>:$dest_indices,
    TypeAttrOf<AnyFixedVectorOfNonZeroRank>:$transfer_type,
    OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
    OptionalAttr<AffineMapAttr>:$permutation_map,
    UnitAttr:$counted);
  let assemblyFormat = [{
    $source `[` $source_indices `]` `to` $dest `[` $dest_indices `]` `,`
    $transfer_type (`in_bounds` $in_bounds^)?
    (`permutation_map` $permutation_map^)? (`counted` $counted^)? attr-dict
    `:` type($source) `` custom<IndexTypes>(type($source_indices), ref($source_indices))
    `,` type($dest)
  }];
  let extraClassDeclaration = [{
    ::mlir::VectorType getTileType() {
      return ::mlir::cast<::mlir::VectorType>(getTransferType());
    }
    ::mlir::MemRefType getSourceType() {
      return ::mlir::cast<::mlir::MemRefType>(getSource().getType());
    }
    ::mlir::MemRefType getDestType() {
      return ::mlir::cast<::mlir::MemRefType>(getDest().getType());
    }
    /// The map from the dimensions of the source to those of the tile; the
    /// identity by default.
    ::mlir::AffineMap getMap();
    /// The dimension of the source that dimension `dim` of the tile runs along.
    unsigned getSourceDim(unsigned dim) { return getMap().getDimPosition(dim); }
    /// Whether all of the tile lies inside of the source along its dimension
    /// `dim`.
    bool isInBounds(unsigned dim) {
      auto inBounds = getInBounds();
      return !inBounds || (*inBounds)[dim];
    }
    /// Whether a source index is a vector.
    bool isGather();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// layout.async_wait
//===----------------------------------------------------------------------===//

def Layout_AsyncWaitOp : Layout_Op<"async_wait"> {
  let summary = "Wait for all but the last transfers to LDS";
  let description = [{
    Waits until at most the last `max_outstanding` of the `layout.async_dma` ops
    executed by this wave are still in flight. If the next op is a barrier, it
    does not wait for all transfers of the wave, as it would otherwise. The
    tiles of later iterations of a loop can therefore stay in flight while
    earlier ones are used.

    A wave that has copied a tile for itself (scope wave) can read it after this
    op, without a barrier. A tile copied by the workgroup is complete after this
    op and a barrier.

    Example:

    ```mlir
    func.func @next(%a: memref<128x256xf16>, %lds: memref<32x64xf16, #gpu.address_space<workgroup>>,
                    %i: index) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      layout.async_dma %a[%i, %c0] to %lds[%c0, %c0], vector<16x64xf16>
          : memref<128x256xf16>, memref<32x64xf16, #gpu.address_space<workgroup>>
      layout.async_dma %a[%i, %c16] to %lds[%c16, %c0], vector<16x64xf16>
          : memref<128x256xf16>, memref<32x64xf16, #gpu.address_space<workgroup>>
      layout.async_wait 1
      kernel.barrier workgroup  // the first 16 rows are complete
      return
    }
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntNonNegative]>:$max_outstanding);
  let assemblyFormat = "$max_outstanding attr-dict";
}

//===----------------------------------------------------------------------===//
// layout.swizzle_hint
//===----------------------------------------------------------------------===//

def Layout_SwizzleHintOp
    : Layout_Op<"swizzle_hint",
                [Pure, SameOperandsAndResultType,
                 DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "Specify that a buffer is stored swizzled";
  let description = [{
    The result refers to the same memory. Accesses through it use the usual
    indices, but the element at row-major offset o of the buffer is stored at
    the offset to which the swizzle maps o. All accesses to a buffer must go
    through the same hint. The compiler splits accesses that the swizzle makes
    non-contiguous.

    Example:

    ```mlir
    func.func @swizzled(%m: memref<64x64xf16, #gpu.address_space<workgroup>>, %i: index) -> f16 {
      %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>]
          : memref<64x64xf16, #gpu.address_space<workgroup>>
      %v = memref.load %s[%i, %i] : memref<64x64xf16, #gpu.address_space<workgroup>>
      return %v : f16
    }
    ```

    Errors: a buffer that has a dynamic shape, strides or an offset, or that
    does not consist of whole rows.
  }];
  let arguments = (ins AnyMemRef:$source, Layout_XorShuffleAttr:$swizzle);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $source `[` qualified($swizzle) `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// layout.scaled_contract
//===----------------------------------------------------------------------===//

def Layout_ScaledContractOp
    : Layout_Op<"scaled_contract", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "Multiply matrices with per-block scales";
  let description = [{
    Adds the product of two matrices of small floats to `acc`. `lhs` is m x k
    and `rhs` is n x k. Each block of k / b elements in a row has a scale, a
    power of two, in `lhs_scales` (m x b) and `rhs_scales` (n x b):

        result[i, j] = acc[i, j] + sum over k of
            lhs[i, k] * lhs_scales[i, k / b] * rhs[j, k] * rhs_scales[j, k / b]

    Stage `layout` creates it from a `vector.contract` whose operands are
    results of `arith.scaling_extf`, if a matrix instruction of the target
    supports that.

    Example:

    ```mlir
    func.func @scaled(%a: vector<32x128xf4E2M1FN>, %as: vector<32x4xf8E8M0FNU>,
                      %b: vector<16x128xf8E4M3FN>, %bs: vector<16x4xf8E8M0FNU>,
                      %c: vector<32x16xf32>) -> vector<32x16xf32> {
      %r = layout.scaled_contract %a by %as, %b by %bs, %c
          : vector<32x128xf4E2M1FN> by vector<32x4xf8E8M0FNU>,
            vector<16x128xf8E4M3FN> by vector<16x4xf8E8M0FNU> into vector<32x16xf32>
      return %r : vector<32x16xf32>
    }
    ```

    Errors: sizes that do not match; scales that are not f8E8M0FNU.
  }];
  let arguments = (ins
    VectorOfRankAndType<[2], [AnyFloat]>:$lhs,
    VectorOfRankAndType<[2], [AnyFloat]>:$rhs,
    VectorOfRankAndType<[2], [AnyFloat]>:$acc,
    VectorOfRankAndType<[2], [F8E8M0FNU]>:$lhs_scales,
    VectorOfRankAndType<[2], [F8E8M0FNU]>:$rhs_scales);
  let results = (outs VectorOfRankAndType<[2], [AnyFloat]>:$result);
  let assemblyFormat = [{
    $lhs `by` $lhs_scales `,` $rhs `by` $rhs_scales `,` $acc attr-dict
    `:` type($lhs) `by` type($lhs_scales) `,` type($rhs) `by` type($rhs_scales)
    `into` type($acc)
  }];
  let hasVerifier = 1;
}

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTOPS_TD
