//===- LayoutAttrs.td - Layouts, swizzles and scopes -------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_LAYOUTATTRS_TD
#define AIRCC_DIALECTS_LAYOUT_LAYOUTATTRS_TD

include "dialects/layout/LayoutBase.td"

class Layout_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Layout_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Layout_NestedLayoutAttr
    : Layout_Attr<"NestedLayout", "nested"> {
  let summary = "The distribution of a vector over waves, lanes and registers";
  let description = [{
    Each dimension of the vector has six tile sizes, whose product is the size
    of the dimension. They are nested in this order, innermost last:

        cycle, subgroup, batch, outer, thread, element

    `subgroup_tile` distributes over the waves of the workgroup, and
    `thread_tile` over the lanes of a wave. `batch_tile`, `outer_tile` and
    `element_tile` count values held by one lane. `cycle_tile`, which may be
    omitted if it is all ones, also counts values of one lane: it makes waves
    take blocks cyclically. The two strides determine which part of an id
    selects the position in a dimension: with stride s and tile t, it is
    `(id / s) mod t`. If there are more ids than the tiles use, the others hold
    copies.

    Each map has one canonical form, and the attribute is always printed in this
    form: strides of tiles of size 1 are 0, outer tiles are part of the batch
    tile, and if a dimension has no thread tile, all of its values are in the
    element tile. Equal maps are therefore equal attributes.

    The lists may be written in any order. Errors: lists of different lengths, a
    tile below 1, a stride below 0, a tile of more than 1 with stride 0, and
    overlapping strides of two dimensions.

    Example: four waves hold a 64x64 tile in pairs of rows, with 16 lanes down
    and 4 lanes across; a lane holds `vector<2x16xf16>`.

    ```mlir
    #l = #layout.nested<subgroup_tile = [2, 1], batch_tile = [2, 4], outer_tile = [1, 1],
                        thread_tile = [16, 4], element_tile = [1, 4],
                        subgroup_strides = [1, 0], thread_strides = [1, 16]>
    func.func @anchor(%v: vector<64x64xf16>) -> vector<64x64xf16> {
      %w = layout.to_layout %v to layout(#l) : vector<64x64xf16>
      return %w : vector<64x64xf16>
    }
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$subgroupTile,
    ArrayRefParameter<"int64_t">:$batchTile,
    ArrayRefParameter<"int64_t">:$outerTile,
    ArrayRefParameter<"int64_t">:$threadTile,
    ArrayRefParameter<"int64_t">:$elementTile,
    ArrayRefParameter<"int64_t">:$subgroupStrides,
    ArrayRefParameter<"int64_t">:$threadStrides,
    OptionalArrayRefParameter<"int64_t">:$cycleTile);
  let skipDefaultBuilders = 1;
  let builders = [
    AttrBuilder<(ins "const ::aircc::layout::NestedLayout &":$layout)>
  ];
  let extraClassDeclaration = [{
    /// The attribute for tiles and strides as a user writes them; null after an
    /// error if they are not a valid layout (see NestedLayout::get).
    static NestedLayoutAttr
    getChecked(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
               ::mlir::MLIRContext *context,
               const ::aircc::layout::NestedParams &params);

    /// This layout as a NestedLayout.
    ::aircc::layout::NestedLayout getLayout() const;
    int64_t getRank() const { return getThreadTile().size(); }

    /// The shape of the undistributed vector.
    ::llvm::SmallVector<int64_t> getUndistributedShape() const;
    /// The shape of the distributed vector, which has the same rank.
    ::llvm::SmallVector<int64_t> getDistributedShape() const;
    /// Whether different waves hold different elements.
    bool isSpreadOverWaves() const;
    /// Whether every lane of every wave holds every element.
    bool isReplicated() const;
    /// Why a workgroup of `numWaves` waves of `numLanes` lanes cannot hold a
    /// vector with this layout; empty if it can.
    ::std::string getMisfit(int64_t numWaves, int64_t numLanes) const;
    /// How far values move in a conversion from this layout to `target`, and
    /// how many registers a lane holds before and after. Nothing if the shapes
    /// differ or the workgroup cannot hold one of the layouts.
    ::std::optional<::aircc::layout::ConversionCost>
    getConversion(NestedLayoutAttr target, int64_t numWaves,
                  int64_t numLanes) const;

    // Each method below is the counterpart of an op on vectors: if the operand
    // has this layout and every lane applies the op to its distributed vector,
    // the result has the layout that the method returns. They return null if no
    // nested layout describes the result.

    /// `vector.transpose`: dimension i of the result is permutation[i].
    NestedLayoutAttr permute(::llvm::ArrayRef<int64_t> permutation) const;
    /// Drops the dimensions `dims`, in any order. Lanes that differ only in
    /// these dimensions hold copies.
    NestedLayoutAttr project(::llvm::ArrayRef<int64_t> dims) const;
    /// The layout of shape `shape` from which project(dims) returns this one.
    /// Lanes that hold copies take parts of the new dimensions.
    NestedLayoutAttr unproject(::llvm::ArrayRef<int64_t> shape,
                               ::llvm::ArrayRef<int64_t> dims,
                               int64_t numLanes) const;
    /// `vector.broadcast` to `shape`: each lane holds all of every new or
    /// stretched dimension.
    NestedLayoutAttr broadcast(::llvm::ArrayRef<int64_t> shape) const;
    /// The layout that a source of shape `sourceShape` must have for its
    /// `vector.broadcast` to have this one.
    NestedLayoutAttr
    broadcastSource(::llvm::ArrayRef<int64_t> sourceShape) const;
    /// `vector.shape_cast` to `shape`.
    NestedLayoutAttr reshape(::llvm::ArrayRef<int64_t> shape) const;
    /// A slice of `sizes` elements starting at `offsets`, with unit strides
    /// (`vector.extract_strided_slice`, and the source of
    /// `vector.insert_strided_slice` into this layout): each lane takes the
    /// same part of its registers. A dimension that is cut must not be
    /// distributed over waves, unless the cut is a multiple of whole cycles; if
    /// it is distributed over lanes, the cut is a multiple of whole batches.
    NestedLayoutAttr slice(::llvm::ArrayRef<int64_t> offsets,
                           ::llvm::ArrayRef<int64_t> sizes) const;
    /// A layout of the larger vector of shape `shape` whose slice at any
    /// multiple of its own sizes is this one.
    NestedLayoutAttr extend(::llvm::ArrayRef<int64_t> shape) const;
  }];
  let hasCustomAssemblyFormat = 1;
}

def Layout_XorShuffleAttr : Layout_Attr<"XorShuffle", "xor_shuffle"> {
  let summary = "A swizzle of rows in LDS that avoids bank conflicts";
  let description = [{
    In a row-major tile with rows of `row_width` elements, the blocks of
    `access_width` elements in row r are permuted: block b is stored at block
    `b xor (r mod blocks in a row)`. Lanes that read down a column then access
    different banks, and an access within one block stays contiguous. The
    swizzle is its own inverse. With `phases`, block b is stored at
    `b xor (r mod phases)`: there are fewer permutations, which repeat sooner.
    With a `group` of rows, the number of the group also counts,
    `b xor ((r xor r / group) mod phases)`, so that rows at a distance of one
    group also access different banks.

    Errors: a width below 1; an access width that does not divide the row width;
    a number of blocks in a row, or of phases, that is not a power of two; as
    many phases as blocks, or more; a group that is not a power of two.

    Example:

    ```mlir
    func.func @swizzled(%m: memref<4096xf16, #gpu.address_space<workgroup>>) {
      %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>]
          : memref<4096xf16, #gpu.address_space<workgroup>>
      %t = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8, 2>]
          : memref<4096xf16, #gpu.address_space<workgroup>>
      %u = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8 group = 8>]
          : memref<4096xf16, #gpu.address_space<workgroup>>
      return
    }
    ```
  }];
  let parameters = (ins "int64_t":$rowWidth, "int64_t":$accessWidth,
                        DefaultValuedParameter<"int64_t", "0">:$phases,
                        DefaultValuedParameter<"int64_t", "0">:$group);
  let assemblyFormat = [{
    `<` $rowWidth `,` $accessWidth (`,` $phases^)? (`group` `=` $group^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// This swizzle as an XorShuffle.
    ::aircc::layout::XorShuffle getShuffle() const;
  }];
}

def Layout_Scope
    : I32Enum<"Scope", "The workers that hold an undistributed vector together",
              [I32EnumCase<"Wave", 0, "wave">,
               I32EnumCase<"Workgroup", 1, "workgroup">]> {
  let cppNamespace = "::aircc::layout";
}

def Layout_ScopeAttr : EnumAttr<Layout_Dialect, Layout_Scope, "scope"> {
  let summary = "Whether the vectors of an op belong to a wave or a workgroup";
  let description = [{
    On a `gpu.func`, the attribute `layout.scope` applies to all vectors in the
    body. On another op, it applies to the op's operands and results, and to all
    vectors connected with them. Vectors without a scope belong to single lanes,
    as in any other code.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @add(%a: memref<64x64xf32>) kernel
          attributes {known_block_size = array<i32: 256, 1, 1>,
                      layout.scope = #layout.scope<workgroup>} {
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0.0 : f32
        %v = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]}
            : memref<64x64xf32>, vector<64x64xf32>
        %w = arith.addf %v, %v : vector<64x64xf32>
        vector.transfer_write %w, %a[%c0, %c0] {in_bounds = [true, true]}
            : vector<64x64xf32>, memref<64x64xf32>
        gpu.return
      }
    }
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Layout_OperandPath
    : I32Enum<"OperandPath", "How the operands of a contraction are loaded into registers",
              [I32EnumCase<"Staged", 0, "staged">,
               I32EnumCase<"Direct", 1, "direct">,
               I32EnumCase<"Transposed", 2, "transposed">,
               I32EnumCase<"LeftStaged", 3, "left_staged">,
               I32EnumCase<"LeftTransposed", 4, "left_transposed">]> {
  let cppNamespace = "::aircc::layout";
}

def Layout_ContractionStrategyAttr
    : Layout_Attr<"ContractionStrategy", "contraction_strategy"> {
  let summary = "How a workgroup computes the contraction of a matmul kernel";
  let description = [{
    As the attribute `layout.strategy` of a `vector.contract` with one row, one
    column and one depth dimension, it names the matrix instruction to use, and
    how many waves share the rows and the columns. Operands can be loaded in
    three ways:

    - `staged`: they are read from tiles in LDS, which stage `layout` swizzles;
    - `transposed`: they are staged, and tiles of the right operand are
      transposed when they are copied to LDS;
    - `direct`: they are read from memory in the layout of the instruction.

    With `left_staged`, only the left operand is read from LDS, and the right
    one is in registers. With `left_transposed`, tiles of the left operand are
    also transposed when they are copied. The stage that chooses the tiles sets
    the attribute; stage `layout` derives the layouts of operands and
    accumulators from it.

    Errors: an empty name; fewer than one wave.

    Example:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
    #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
    func.func @product(%a: vector<64x32xf16>, %b: vector<32x64xf16>,
                       %c: vector<64x64xf32>) -> vector<64x64xf32> {
      %d = vector.contract {indexing_maps = [#map, #map1, #map2],
          iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %c
          {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 2, direct>}
          : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
      return %d : vector<64x64xf32>
    }
    ```
  }];
  let parameters = (ins StringRefParameter<>:$instruction,
                        "int64_t":$wavesM, "int64_t":$wavesN,
                        EnumParameter<Layout_OperandPath>:$path);
  let assemblyFormat =
      "`<` $instruction `,` $wavesM `x` $wavesN `,` $path `>`";
  let genVerifyDecl = 1;
}

def Layout_TileTransferAttr : Layout_Attr<"TileTransfer", "tile_transfer"> {
  let summary = "A transfer of a tile that several waves share";
  let description = [{
    This is the attribute `layout.strategy` of an op whose result is a tile that
    is copied to LDS through registers (a `vector.transfer_read`, or the last of
    several ops that compute the tile), or of an `xegpu.prefetch_nd` of a tile.
    Stage `layout` derives the part of each wave and lane from it: pieces with
    the widest access for a copy, blocks of the hardware's 2-D messages for a
    prefetch. The lanes of a `transposed` copy hold blocks of rows and columns,
    so that they read rows of the tile and write columns without an exchange.
    Adjacent lanes of a `gathered` copy read elements of adjacent rows, each as
    many columns as it writes at once.

    Errors: fewer than one wave.

    Example:

    ```mlir
    func.func @copy(%a: memref<64x64xf16>, %i: index) -> vector<32x64xf16> {
      %zero = arith.constant 0.0 : f16
      %v = vector.transfer_read %a[%i, %i], %zero
          {layout.strategy = #layout.tile_transfer<4>}
          : memref<64x64xf16>, vector<32x64xf16>
      return %v : vector<32x64xf16>
    }

    func.func @copyTransposed(%a: memref<64x64xf16>, %i: index)
        -> vector<64x32xf16> {
      %zero = arith.constant 0.0 : f16
      %v = vector.transfer_read %a[%i, %i], %zero
          {layout.strategy = #layout.tile_transfer<4, transposed = true>}
          : memref<64x64xf16>, vector<32x64xf16>
      %t = vector.transpose %v, [1, 0]
          : vector<32x64xf16> to vector<64x32xf16>
      return %t : vector<64x32xf16>
    }

    func.func @gather(%a: memref<?xf16>, %at: vector<32x64xi32>,
                      %mask: vector<32x64xi1>, %zeros: vector<32x64xf16>)
        -> vector<32x64xf16> {
      %zero = arith.constant 0 : index
      %v = vector.gather %a[%zero][%at], %mask, %zeros
          {layout.strategy = #layout.tile_transfer<4, gathered = true>}
          : memref<?xf16>, vector<32x64xi32>, vector<32x64xi1>,
            vector<32x64xf16> into vector<32x64xf16>
      return %v : vector<32x64xf16>
    }
    ```
  }];
  let parameters = (ins "int64_t":$waves,
                        DefaultValuedParameter<"bool", "false">:$transposed,
                        DefaultValuedParameter<"bool", "false">:$gathered);
  let assemblyFormat =
      "`<` $waves (`,` struct($transposed, $gathered)^)? `>`";
  let genVerifyDecl = 1;
}

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTATTRS_TD
