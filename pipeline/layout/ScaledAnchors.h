//===- ScaledAnchors.h - Products of scaled small floats --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Some matrix instructions multiply floats of 4, 6 and 8 bits and take a scale
// for each block of them along the reduced dimension. In programs, this is a
// vector.contract whose factors are results of arith.scaling_extf, with scales
// that are broadcast over the blocks.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_SCALEDANCHORS_H
#define AIRCC_PIPELINE_LAYOUT_SCALEDANCHORS_H

#include "dialects/layout/LayoutOps.h"
#include "pipeline/layout/VectorScopes.h"
#include "pipeline/strategy/ScaledContraction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::layout {

/// Returns the layouts of `op` (see strategy::getScaledLayouts).
Result<strategy::ScaledLayouts>
getScaledLayouts(ScaledContractOp op, const strategy::ScaledStrategy &strategy);

/// Replaces the contractions of undistributed vectors in `function` that a
/// scaled matrix instruction can compute with layout.scaled_contract, and fixes
/// the layouts of their operands.
void anchorScaledContractions(mlir::gpu::GPUFuncOp function,
                              const VectorScopes &scopes,
                              const TargetProfile &profile, bool remarks);

/// Returns whether the vectors of `op` have the layouts of the instruction in
/// its `layout.matrix_instruction`.
bool fitsScaledInstruction(ScaledContractOp op, const TargetProfile &profile);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_SCALEDANCHORS_H
