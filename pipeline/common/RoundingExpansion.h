//===- RoundingExpansion.h - Expand rounding operations ---------*- C++ -*-===//
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

/// Adds patterns that compute `math.fma` on bf16 and on floats narrower than
/// f16 in f32, and round the result only once.
void populateFmaExpansion(mlir::RewritePatternSet &patterns);

/// Adds patterns that implement the rounding mode of `arith.truncf` by
/// correcting the result of rounding to nearest.
void populateRoundingModeExpansion(mlir::RewritePatternSet &patterns);

/// Emits an error at an `arith.truncf` whose rounding mode these patterns do
/// not support.
mlir::LogicalResult verifyRoundingMode(mlir::arith::TruncFOp op);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_ROUNDINGEXPANSION_H
