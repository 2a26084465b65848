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
    The result is the input, and has the given layout. Written by a user it is
    an anchor: the layouts of other values follow from it. Where the input has
    another layout, it is a conversion: values move between registers, between
    the lanes of a wave, or, between waves, through LDS.

    `shared_memory_conversion` says that the conversion is to go through LDS,
    whether or not something cheaper would do.

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

    Errors: a layout of another shape than the vector's; a scalable vector.
  }];
  let arguments = (ins AnyVectorOfAnyRank:$input,
                       Layout_VectorLayoutInterface:$layout,
                       UnitAttr:$shared_memory_conversion);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = [{
    $input `to` `layout` `(` $layout `)` attr-dict `:` type($result)
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
  let summary = "Move a tile straight to LDS";
  let description = [{
    Copies a tile of the given vector type from `source` at the source indices
    to `dest` in LDS at the destination indices, without going through
    registers. All lanes of the workgroup do it together. The op does not wait:
    the tile is there after the workgroup's next `gpu.barrier`.

    The tile has the rank of `dest`. Its dimension d runs along the dimension of
    `source` that `permutation_map` names, a projected permutation from the
    source's dimensions to the tile's; without it, source and tile have the same
    rank and the same order. Dimensions of the source that it does not name stay
    at their index.

    A source index may be a vector: the tile's positions along that dimension
    are then gathered from these places, not from consecutive ones. The list of
    the indices' types follows the source's type.

    Where `in_bounds` is false for a dimension of the tile, elements may lie
    outside of the source along it; zeros are stored for them. Without
    `in_bounds` everything lies inside.

    Where `dest` comes from a `layout.swizzle_hint`, the tile is stored swizzled.

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
          permutation_map affine_map<(d0, d1) -> (d1, d0)>
          : memref<128x256xf16>, memref<16x64xf16, #gpu.address_space<workgroup>>
      return
    }
    ```

    Errors: numbers of indices that are not the ranks; a tile of another rank
    than `dest`, or larger than it; element types that differ; a `dest` that is
    not in LDS; a map that does not fit the ranks or names a dimension twice; a
    vector of indices of another length than the tile, or for a dimension that
    the map does not name.
  }];
  let arguments = (ins
    AnyMemRef:$source,
    Variadic<AnyTypeOf<[Index, FixedVectorOfRankAndType<[1], [Index]>]>>:$source_indices,
    AnyMemRef:$dest,
    Variadic<Index>:$dest_indices,
    TypeAttrOf<AnyFixedVectorOfNonZeroRank>:$transfer_type,
    OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
    OptionalAttr<AffineMapAttr>:$permutation_map);
  let assemblyFormat = [{
    $source `[` $source_indices `]` `to` $dest `[` $dest_indices `]` `,`
    $transfer_type (`in_bounds` $in_bounds^)?
    (`permutation_map` $permutation_map^)? attr-dict
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
    /// The map from the source's dimensions to the tile's; the identity where
    /// none is written.
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
    /// The swizzle of the destination, null where it has none.
    ::aircc::layout::XorShuffleAttr getSwizzle();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// layout.swizzle_hint
//===----------------------------------------------------------------------===//

def Layout_SwizzleHintOp
    : Layout_Op<"swizzle_hint",
                [Pure, SameOperandsAndResultType,
                 DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "Say that a buffer is stored swizzled";
  let description = [{
    The result is the same memory. Accesses through it are to the elements that
    their indices name, and these lie at swizzled places: the element at
    row-major offset o of the buffer is stored at the offset that the swizzle
    gives. All accesses to a buffer must go through the same hint. What the
    compiler cannot keep contiguous under the swizzle it splits.

    Example:

    ```mlir
    func.func @swizzled(%m: memref<64x64xf16, #gpu.address_space<workgroup>>, %i: index) -> f16 {
      %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>]
          : memref<64x64xf16, #gpu.address_space<workgroup>>
      %v = memref.load %s[%i, %i] : memref<64x64xf16, #gpu.address_space<workgroup>>
      return %v : f16
    }
    ```

    Errors: a buffer of dynamic shape, with strides or an offset, or that does
    not consist of whole rows.
  }];
  let arguments = (ins AnyMemRef:$source, Layout_XorShuffleAttr:$swizzle);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $source `[` qualified($swizzle) `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTOPS_TD
