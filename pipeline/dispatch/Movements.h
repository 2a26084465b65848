//===- Movements.h - Fold data movement into its users ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_MOVEMENTS_H
#define AIRCC_PIPELINE_DISPATCH_MOVEMENTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace aircc::dispatch {

/// Returns whether `op` only permutes the dimensions of its input.
bool isPermutation(mlir::linalg::LinalgOp op);

/// Adds patterns that read elements from their source instead of moving them
/// first: permutations become indexing maps of contractions, and elements
/// extracted from slices and elementwise ops are extracted from their operands.
void populateMovementPatterns(mlir::RewritePatternSet &patterns);

/// Lowers concatenations to inserted slices. With `fuse`, those that are used
/// only by elementwise ops become an op without inputs that extracts each
/// element from an operand.
void lowerConcatenations(mlir::Operation *function, bool fuse);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_MOVEMENTS_H
