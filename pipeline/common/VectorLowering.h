//===- VectorLowering.h - Patterns that lower vector ops --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_VECTORLOWERING_H
#define AIRCC_PIPELINE_COMMON_VECTORLOWERING_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace aircc {

/// Adds patterns that rewrite vector ops without a direct LLVM equivalent. The
/// result has only transfers of rank 0 or 1, FMAs of rank 1, no contractions,
/// and no masks except on masked loads and stores.
void populateVectorLoweringPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that load and store vectors whose element size is not a power
/// of two bytes, in the memory layout of scalar accesses.
void populateNarrowVectorMemoryPatterns(mlir::RewritePatternSet &patterns);

/// Adds a pattern that rewrites contractions of any kind and shape as
/// multiplications and a reduction.
void populateContractionPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that mask out-of-bounds elements of rank-1 transfers along a
/// dimension other than the last of the memory.
void populateTransferBoundsPatterns(mlir::RewritePatternSet &patterns);

/// Adds a pattern for masked writes whose map skips a dimension of the memory
/// between others.
void populateTransferGapPatterns(mlir::RewritePatternSet &patterns);

/// Adds the patterns that upstream lacks: for multidimensional loads and
/// stores, dynamic positions in any dimension, and masks with passthru values.
void populateVectorExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_VECTORLOWERING_H
