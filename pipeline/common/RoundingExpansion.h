//===- RoundingExpansion.h - Operations that round their own way -*- C++
//-*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_ROUNDINGEXPANSION_H
#define AIRCC_PIPELINE_COMMON_ROUNDINGEXPANSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace aircc {

/// Adds patterns that compute `math.fma` on floats narrower than f16, and on
/// bf16, in f32 such that the result is rounded once.
void populateFmaExpansion(mlir::RewritePatternSet &patterns);

/// Adds patterns that round `arith.truncf` as its rounding mode says, by
/// correcting what rounding to nearest gives.
void populateRoundingModeExpansion(mlir::RewritePatternSet &patterns);

/// Emits an error at an `arith.truncf` whose rounding mode those patterns do
/// not expand.
mlir::LogicalResult verifyRoundingMode(mlir::arith::TruncFOp op);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_ROUNDINGEXPANSION_H
