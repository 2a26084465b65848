//===- AttentionLogits.h - How logits depend on scores ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_ATTENTIONLOGITS_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_ATTENTIONLOGITS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::hierarchy {

/// The number that `op` multiplies `scores` by last, if that can be done after
/// the largest score has been found instead: it is positive, and masked scores
/// are -inf. Its product with log2(e) is at most 1, so that products with the
/// largest numbers are finite. Removes the product.
std::optional<double> takeFactor(mlir::linalg::GenericOp op,
                                 mlir::Value scores);

/// Whether `op` replaces the scores of keys after their query by -inf, as the
/// last thing. The loops of `op` are the dimensions of the scores.
bool hasCausalMask(mlir::linalg::GenericOp op, unsigned queryDim,
                   unsigned keyDim);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_ATTENTIONLOGITS_H
