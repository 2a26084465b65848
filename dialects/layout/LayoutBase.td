//===- LayoutBase.td - The layout dialect ------------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_LAYOUTBASE_TD
#define AIRCC_DIALECTS_LAYOUT_LAYOUTBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Layout_Dialect : Dialect {
  let name = "layout";
  let cppNamespace = "::aircc::layout";
  let summary = "How vectors are distributed over the lanes of a workgroup";
  let description = [{
    A program may compute on undistributed vectors: a value of type
    `vector<64x64xf16>` is a tile that all lanes of a workgroup, or of a wave,
    hold together. A layout specifies which lane holds each element, and in
    which register. The attributes of this dialect are layouts. Its ops fix the
    layout of a value (`layout.to_layout`), copy a tile directly to LDS
    (`layout.async_dma`) and specify how a tile is stored there
    (`layout.swizzle_hint`).

    Between the stage that assigns layouts and the stage that distributes the
    vectors, ops have discardable attributes:

    | attribute                   | on                   | value and meaning                   |
    | --------------------------- | -------------------- | ----------------------------------- |
    | `layout.scope`              | a `gpu.func`, an op  | `#layout.scope`: its vectors are undistributed vectors of a workgroup or of a wave |
    | `layout.results`            | an op                | list: the layout of each result; `unit` for a result without a layout |
    | `layout.matrix_instruction` | `vector.contract`, `xegpu.dpas`, `layout.scaled_contract` | string: the instruction of the target profile that its layouts are made for |
    | `layout.access`             | an op that accesses a block of memory without a vector, such as a prefetch | layout: the part of the block that each worker accesses |
    | `layout.defaults`           | an op with layout attributes of its own dialect | list of strings: the names of the attributes that aircc added |
    | `layout.counted`            | `amdgpu.gather_to_lds` | unit: the load is part of a `counted` `layout.async_dma` |
    | `layout.placed_waits`       | a `gpu.func`         | unit: all its loads to LDS come from `layout.async_dma`, and the waits for them have been placed |

    Stage `hierarchy` sets `layout.strategy` on contractions and transfers in
    kernels whose tiles it chooses. The stage that assigns layouts derives the
    layouts of the operands from it.

    The dialect verifies these attributes on every op. Any other attribute that
    begins with `layout.` is an error.
  }];
  let discardableAttrs = (ins
    "::aircc::layout::ScopeAttr":$scope,
    "::mlir::ArrayAttr":$results,
    "::mlir::StringAttr":$matrix_instruction,
    "::mlir::Attribute":$strategy,
    "::aircc::layout::NestedLayoutAttr":$access,
    "::mlir::ArrayAttr":$defaults,
    "::mlir::UnitAttr":$counted,
    "::mlir::UnitAttr":$placed_waits
  );
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTBASE_TD
