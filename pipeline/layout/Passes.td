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
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">
  ] # moreOptions;
  let dependentDialects = [
    "::aircc::kernel::KernelDialect", "::aircc::layout::LayoutDialect",
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
    "::mlir::xegpu::XeGPUDialect"];
}

def ApplyStrategies : LayoutPass<"layout-apply-strategies"> {
  let summary = "Derive the layouts of kernels whose tiles have been chosen";
  let description = [{
    Stage `hierarchy` chooses the tiles, waves and matrix instruction of matmul
    kernels and records that choice as `layout.strategy`. This pass derives the
    layouts: `layout.to_layout` for the operands of a contraction and for the
    accumulators that enter its loop, `layout.swizzle_hint` for the LDS buffers
    that stage its operands, `layout.to_layout` for tiles that are copied
    through registers, and the `layout` of prefetches. The contraction gets
    `layout.matrix_instruction`, and `layout.strategy` is removed.

    Errors: an instruction that the target does not have, or whose types differ;
    a tile that is not divisible by the instruction and the waves; a staged
    operand that is not read from LDS.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%a: vector<64x32xf16>, %b: vector<32x64xf16>, %c: vector<64x64xf32>)
          kernel attributes {known_block_size = array<i32: 256, 1, 1>,
                             layout.scope = #layout.scope<workgroup>} {
        %d = vector.contract {
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                           affine_map<(m, n, k) -> (k, n)>,
                           affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %c
          {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 2, direct>}
          : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
        gpu.return
      }
    }
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
    Users may write a layout in several places: as the attribute `layout` of an
    op (`layout_a`, … of a dpas), as `anchor_layout`, in the type of the
    descriptor, or on any op as `layout_result_0` or `layout_operand_0`. After
    this pass, the layout is the `layout` of the op, or an
    `xegpu.convert_layout` to it. Different layouts in two of these places are
    an error.

    Ops whose vectors belong to a subgroup or a workgroup, not to a lane, get a
    `layout.scope`. This is the scope of the function, if it has one. Otherwise,
    it is workgroup if layouts have an sg_layout, and subgroup if there are
    layouts without sg_layout, or if the code uses the id of the subgroup or
    thread. Otherwise, the size of the workgroup determines the scope. A kernel
    without `known_block_size` gets the block size of its launches, or of its
    layouts.

    The offsets of descriptors move to the accesses, so that loops carry offsets
    instead of descriptors.

    With `remarks`, there is a remark at each anchor written by the user.

    Example:
    ```mlir
    // --layout-prepare-xegpu=target=targets/bmg.json
    #l = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
    gpu.module @kernels {
      gpu.func @k(%m: memref<256x256xf16>, %i: index, %j: index) kernel {
        %d = xegpu.create_nd_tdesc %m[%i, %j]
            : memref<256x256xf16> -> !xegpu.tensor_desc<32x32xf16, #l>
        %v = xegpu.load_nd %d : !xegpu.tensor_desc<32x32xf16, #l> -> vector<32x32xf16>
        gpu.return
      }
    }
    // becomes
    %d = xegpu.create_nd_tdesc %m : memref<256x256xf16> -> !xegpu.tensor_desc<32x32xf16>
    %v = xegpu.load_nd %d[%i, %j] <{layout = #l}> {layout.scope = #layout.scope<workgroup>}
        : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    ```
  }];
}

def SetAnchors : LayoutPass<"layout-set-anchors", [RemarksOption]> {
  let summary = "Fix the layouts that the hardware requires";
  let description = [{
    Inserts `layout.to_layout` around each `vector.contract` of undistributed
    vectors that a matrix instruction of the target can compute. It selects the
    instruction by element types and shape, distributes the waves of the
    workgroup over rows and columns, and gives the operands the layouts of the
    instruction, repeated. It adds the name of the instruction as
    `layout.matrix_instruction`.

    The layouts of contractions that no instruction supports are derived from
    other ops. Outer products are first converted to broadcasts and elementwise
    ops.

    Example, with one wave:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%a: vector<32x16xf16>, %b: vector<16x32xf16>, %c: vector<32x32xf32>)
          kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                             layout.scope = #layout.scope<workgroup>} {
        %d = vector.contract {
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                           affine_map<(m, n, k) -> (k, n)>,
                           affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %c
          : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
        gpu.return
      }
    }
    // becomes
    %0 = layout.to_layout %a to layout(#layout.nested<…>) : vector<32x16xf16>
    %1 = layout.to_layout %b to layout(#layout.nested<…>) : vector<16x32xf16>
    %2 = layout.to_layout %c to layout(#layout.nested<…>) : vector<32x32xf32>
    %3 = vector.contract {…} %0, %1, %2 {layout.matrix_instruction = "mfma.f32.32x32x8f16"}
        : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
    %d = layout.to_layout %3 to layout(#layout.nested<…>) : vector<32x32xf32>
    ```
  }];
}

def PropagateLayouts : LayoutPass<"layout-propagate-layouts", [RemarksOption]> {
  let summary = "Assign a layout to every undistributed vector";
  let description = [{
    Starting at anchors, layouts propagate forward to results and backward to
    operands, through elementwise ops, shape ops, reductions, transfers and
    control flow, until nothing changes. Vectors that no anchor reaches get the
    layouts of transfers: adjacent lanes access adjacent memory, 128 bits each.

    If a value is used in a layout other than its own, a conversion
    (`layout.to_layout`) is inserted. Constants, broadcasts and similar ops are
    rematerialized in the required layout instead. At the end, each op whose
    results are undistributed vectors has the attribute `layout.results`.

    Example:
    ```mlir
    #l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                        thread_tile = [8, 8], element_tile = [1, 2],
                        subgroup_strides = [0, 0], thread_strides = [8, 1]>
    gpu.module @kernels {
      gpu.func @k(%a: memref<8x16xf16>) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>,
                      layout.scope = #layout.scope<wave>} {
        %c0 = arith.constant 0 : index
        %v = vector.load %a[%c0, %c0] : memref<8x16xf16>, vector<8x16xf16>
        %w = layout.to_layout %v to layout(#l) : vector<8x16xf16>
        %x = arith.addf %w, %w : vector<8x16xf16>
        vector.store %x, %a[%c0, %c0] : memref<8x16xf16>, vector<8x16xf16>
        gpu.return
      }
    }
    // becomes
    %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf16>, vector<8x16xf16>
    %x = arith.addf %v, %v {layout.results = [#l]} : vector<8x16xf16>
    ```
  }];
}

def CheckLayouts : LayoutPass<"layout-check-layouts"> {
  let summary = "Check that the layouts of a kernel are consistent";
  let description = [{
    Reports an error at each op for which a lane cannot compute its part of the
    results from its parts of the operands, and at undistributed vectors without
    a layout.

    Example:
    ```mlir
    #l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                        thread_tile = [8, 8], element_tile = [1, 2],
                        subgroup_strides = [0, 0], thread_strides = [8, 1]>
    #t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                        thread_tile = [8, 8], element_tile = [1, 2],
                        subgroup_strides = [0, 0], thread_strides = [1, 8]>
    gpu.module @kernels {
      gpu.func @k(%a: memref<8x16xf32>) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>,
                      layout.scope = #layout.scope<wave>} {
        %c0 = arith.constant 0 : index
        %v = vector.load %a[%c0, %c0] {layout.results = [#l]} : memref<8x16xf32>, vector<8x16xf32>
        // error: has incompatible layouts
        %w = arith.addf %v, %v {layout.results = [#t]} : vector<8x16xf32>
        gpu.return
      }
    }
    ```
  }];
}

#endif // AIRCC_PIPELINE_LAYOUT_PASSES_TD
