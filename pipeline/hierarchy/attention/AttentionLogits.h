//===- AttentionLogits.h - How logits depend on scores ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONLOGITS_H
#define AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONLOGITS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::hierarchy {

/// Removes the last multiplication of `scores` in `op` and returns its factor,
/// if the scores can be multiplied after the largest one has been found. This
/// requires that the factor is positive and masked scores are -inf. The factor
/// times log2(e) is at most 1, so that products with the largest numbers are
/// finite.
std::optional<double> takeFactor(mlir::linalg::GenericOp op,
                                 mlir::Value scores);

/// Returns whether the last operation of `op` replaces the scores of keys after
/// their query with -inf. The loops of `op` are the dimensions of the scores.
bool hasCausalMask(mlir::linalg::GenericOp op, unsigned queryDim,
                   unsigned keyDim);

/// Creates a copy of `op`, which has a causal mask, without the mask.
mlir::linalg::GenericOp removeMask(mlir::OpBuilder &b,
                                   mlir::linalg::GenericOp op);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONLOGITS_H
