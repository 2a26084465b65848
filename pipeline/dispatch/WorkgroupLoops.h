//===- WorkgroupLoops.h - Loops whose iterations are workgroups -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A kernel of several ops on tensors is a loop over tiles of the result
// (`scf.forall` mapped to `#gpu.block`), in which each op computes its part of
// the tile. Intermediate tiles are in workgroup memory (L2).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_WORKGROUPLOOPS_H
#define AIRCC_PIPELINE_DISPATCH_WORKGROUPLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace aircc::dispatch {

/// The maximum number of dimensions of a grid.
constexpr size_t maxWorkgroupLoops = 3;

/// The maximum number of elements that a workgroup reduces at once, in
/// registers.
constexpr int64_t maxReducedElements = 8192;

/// Returns whether a reduction over `size` elements, of a row or of each of at
/// least 32 columns, is too large for a workgroup to perform at once.
constexpr bool isReducedInParts(int64_t size, bool isRow) {
  return size > (isRow ? maxReducedElements : maxReducedElements / 32);
}

/// Returns the number of bytes that an element takes in memory.
int64_t countBytes(mlir::Type element);

/// Returns whether the elements of an input that `loop` visits consecutively
/// are adjacent in memory.
bool visitsAdjacentElements(mlir::linalg::GenericOp op, unsigned loop);

/// Tiles `root` by `sizes` (0: not tiled), and moves into the loop those of its
/// direct and indirect producers for which `isFused` returns true.
mlir::LogicalResult
tileToWorkgroups(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp root,
                 llvm::ArrayRef<mlir::OpFoldResult> sizes,
                 llvm::function_ref<bool(mlir::Operation *)> isFused);

/// Copies tensors of the same sizes, element by element.
mlir::linalg::GenericOp createCopy(mlir::RewriterBase &rewriter,
                                   mlir::Location loc, mlir::ValueRange from);

/// Simplifies the loops that tileToWorkgroups created, and places their
/// intermediate tensors.
void finishWorkgroupLoops(mlir::func::FuncOp function);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_WORKGROUPLOOPS_H
