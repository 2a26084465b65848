//===- VectorLowering.h - Vector patterns for all code ----------*- C++ -*-===//
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

/// Patterns that rewrite vector ops without a direct LLVM form into ones that
/// have it: at most rank-1 transfers, rank-1 FMAs, no contractions, no masks
/// other than those of masked loads and stores.
void populateVectorLoweringPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that move vectors whose elements are no whole bytes, or no power of
/// two of them, to and from memory in the layout that scalar accesses use.
void populateNarrowVectorMemoryPatterns(mlir::RewritePatternSet &patterns);

/// A pattern for contractions of every kind and shape, as multiplications and a
/// reduction.
void populateContractionPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that mask what transfers of rank 1 along another dimension than the
/// memory's last would access outside of it.
void populateTransferBoundsPatterns(mlir::RewritePatternSet &patterns);

/// A pattern for masked writes whose map leaves out a dimension of memory
/// between others.
void populateTransferGapPatterns(mlir::RewritePatternSet &patterns);

/// The part of these that upstream does not have: loads and stores of several
/// dimensions, positions of run time in any dimension, what passes a mask by.
void populateVectorExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_VECTORLOWERING_H
