//===- Passes.td - The passes of the layout stage ----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_PASSES_TD
#define AIRCC_PIPELINE_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def RemarksOption
    : Option<"remarks", "remarks", "bool", "false",
             "Explain each anchor and each conversion">;

class LayoutPass<string name, list<Option> moreOptions = [],
                 string on = "::mlir::gpu::GPUModuleOp">
    : Pass<name, on> {
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "File of the target profile that kernels are for (then, after "
           "colons, folders of the profiles that it extends)">
  ] # moreOptions;
  let dependentDialects = [
    "::aircc::kernel::KernelDialect", "::aircc::layout::LayoutDialect",
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
    "::mlir::xegpu::XeGPUDialect"];
}

def ApplyStrategies : LayoutPass<"layout-apply-strategies"> {
  let summary = "Derive the layouts of kernels whose tiles have been chosen";
  let description = [{
    Stage hierarchy chooses the tiles, waves and matrix instruction of matmul
    kernels and stores that choice as `layout.strategy`. This pass derives the
    layouts: `layout.to_layout` for the operands of a contraction and for the
    accumulators that enter its loop, `layout.swizzle_hint` for the LDS buffers
    that its factors are staged in, `layout.to_layout` for tiles that are copied
    through registers, and the `layout` of prefetches. The contraction gets
    `layout.matrix_instruction`, and `layout.strategy` is removed.

    Errors: an instruction that the target does not have, or that has other
    types; a tile that it and the waves do not divide; a staged factor that is
    not read from LDS.

    Example:

    ```mlir
    %d = vector.contract {…} %a, %b, %c
        {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 2, staged>} : …
    // becomes
    %0 = layout.to_layout %a to layout(#layout.nested<…>) : vector<64x32xf16>
    %1 = layout.to_layout %b to layout(#layout.nested<…>) : vector<32x64xf16>
    %2 = layout.to_layout %c to layout(#layout.nested<…>) : vector<64x64xf32>
    %d = vector.contract {…} %0, %1, %2 {layout.matrix_instruction = "mfma.f32.16x16x16f16"} : …
    ```
  }];
}

def PrepareXeGPU
    : LayoutPass<"layout-prepare-xegpu", [RemarksOption], "::mlir::ModuleOp"> {
  let summary = "Normalize the layouts in XeGPU programs";
  let description = [{
    A user may write a layout as the attribute `layout` of an op (`layout_a`, …
    of a dpas), as `anchor_layout`, in the type of the descriptor, or at any op
    as `layout_result_0` or `layout_operand_0`. After this pass it is the
    `layout` of the op, or an `xegpu.convert_layout` to it. Two that differ are
    an error.

    Ops whose vectors belong to a subgroup or a workgroup, not to a lane, get a
    `layout.scope`. It is that of the function, if it has one; otherwise
    workgroup if layouts have an sg_layout; otherwise subgroup if there are
    layouts without sg_layout, or if the code uses the subgroup's or thread's
    id; otherwise the size of the workgroup determines it. A kernel without
    `known_block_size` gets that of its launches, or of its layouts.

    The offsets of descriptors move to the accesses, so that loops carry only
    offsets.

    With `remarks`, there is a remark at each anchor of the user.

    Example:

    ```mlir
    %d = xegpu.create_nd_tdesc %m[%i, %j] : memref<256x256xf16>
           -> !xegpu.tensor_desc<32x32xf16, #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>>
    %v = xegpu.load_nd %d : … -> vector<32x32xf16>
    // becomes
    %d = xegpu.create_nd_tdesc %m : …
    %v = xegpu.load_nd %d[%i, %j] <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>}>
           {layout.scope = #layout.scope<workgroup>} : … -> vector<32x32xf16>
    ```
  }];
}

def SetAnchors : LayoutPass<"layout-set-anchors", [RemarksOption]> {
  let summary = "Fix the layouts that the hardware requires";
  let description = [{
    Inserts `layout.to_layout` around each `vector.contract` of undistributed
    vectors that a matrix instruction of the target can compute. The instruction
    is chosen by element types and shape, the waves of the workgroup are
    distributed over rows and columns, and the operands get the layouts of the
    instruction, repeated. The op gets the name of the instruction as
    `layout.matrix_instruction`.

    The layouts of contractions that fit no instruction follow from other ops.
    Outer products become broadcasts and elementwise ops first.
    elsewhere. Outer products become broadcasts and elementwise ops first.

    Example (one wave, gfx942):

    ```mlir
    %d = vector.contract {…} %a, %b, %c
        : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
    // becomes
    %0 = layout.to_layout %a to layout(#layout.nested<…>) : vector<32x16xf16>
    %1 = layout.to_layout %b to layout(#layout.nested<…>) : vector<16x32xf16>
    %2 = layout.to_layout %c to layout(#layout.nested<…>) : vector<32x32xf32>
    %3 = vector.contract {…, layout.matrix_instruction = "mfma.f32.32x32x8f16"} %0, %1, %2
        : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
    %d = layout.to_layout %3 to layout(#layout.nested<…>) : vector<32x32xf32>
    ```
  }];
}

def PropagateLayouts : LayoutPass<"layout-propagate-layouts", [RemarksOption]> {
  let summary = "Assign a layout to every undistributed vector";
  let description = [{
    From the anchors, layouts propagate forward to results and backward to
    operands, through elementwise ops, shape ops, reductions, transfers and
    control flow, until nothing changes. Vectors that no anchor reaches get the
    layouts of transfers: adjacent lanes access adjacent memory, 128 bits each.

    If a value is used in a layout other than its own, a `layout.to_layout` is
    inserted: it is a conversion. Constants, broadcasts and the like are
    rematerialized in the required layout instead. In the end, each op with
    undistributed vectors as results has the attribute `layout.results`.

    Example:

    ```mlir
    %w = layout.to_layout %v to layout(#l) : vector<8x16xf16>
    %x = arith.addf %w, %w : vector<8x16xf16>
    // becomes
    %w = layout.to_layout %v to layout(#l) {layout.results = [#l]} : vector<8x16xf16>
    %x = arith.addf %w, %w {layout.results = [#l]} : vector<8x16xf16>
    ```
  }];
}

def CheckLayouts : LayoutPass<"layout-check-layouts"> {
  let summary = "Check that the layouts of a kernel are consistent";
  let description = [{
    Reports an error at each op for which a lane cannot compute its part of the
    results from its parts of the operands, and at undistributed vectors without
    layout.

    Example:

    ```mlir
    %x = arith.addf %v, %w {layout.results = [#l]} : vector<8x16xf16>
    // error if %v has another layout than #l
    ```
  }];
}

#endif // AIRCC_PIPELINE_LAYOUT_PASSES_TD
