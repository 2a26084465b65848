//===- ScaledAnchors.h - Products of scaled small floats -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions that multiply floats of 4, 6 and 8 bits take a factor for
// each block of them along the reduced dimension. Programs say that with a
// vector.contract whose factors are arith.scaling_extf, of scales that are
// broadcast over the blocks.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_SCALEDANCHORS_H
#define AIRCC_PIPELINE_LAYOUT_SCALEDANCHORS_H

#include "dialects/layout/LayoutOps.h"
#include "pipeline/layout/WholeVectors.h"
#include "pipeline/strategy/ScaledContraction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::layout {

/// The layouts of `op` (see strategy::getScaledLayouts).
Result<strategy::ScaledLayouts>
getScaledLayouts(ScaledContractOp op, const strategy::ScaledStrategy &strategy);

/// Makes layout.scaled_contract of the contractions of whole vectors in
/// `function` that a scaled matrix instruction computes, and fixes the layouts
/// of their operands.
void anchorScaledContractions(mlir::gpu::GPUFuncOp function,
                              const WholeVectors &whole,
                              const TargetProfile &profile, bool remarks);

/// Whether the vectors of `op` have the layouts of the instruction that it
/// names.
bool fitsScaledInstruction(ScaledContractOp op, const TargetProfile &profile);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_SCALEDANCHORS_H
