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
  let summary = "How vectors are spread over the lanes of a workgroup";
  let description = [{
    A program may work on whole vectors: a value of type `vector<64x64xf16>` is
    one tile that all lanes of a workgroup, or of a wave, hold together. A
    layout says which lane holds which of its elements, and in which register.
    The attributes of this dialect are layouts; its ops fix the layout of a
    value (`layout.to_layout`), move a tile straight to LDS (`layout.async_dma`)
    and say how a tile is stored there (`layout.swizzle_hint`).

    Between the stage that finds layouts and the stage that makes code of lanes
    out of whole vectors, ops carry three discardable attributes:

    | attribute                   | on                   | says                                |
    | --------------------------- | -------------------- | ----------------------------------- |
    | `layout.scope`              | a `gpu.func`, an op  | its vectors are whole vectors of a workgroup or of a wave |
    | `layout.results`            | an op                | the layout of each result; `unit` where it has none |
    | `layout.matrix_instruction` | `vector.contract`    | the target's instruction that its layouts are made for |

    Stage hierarchy leaves `layout.strategy` on contractions and transfers of
    kernels whose tiles it chooses: from it, the stage that finds layouts derives
    those of the operands.

    The dialect verifies them wherever they stand.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTBASE_TD
