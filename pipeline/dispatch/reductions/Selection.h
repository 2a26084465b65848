//===- Selection.h - Reductions that select an index ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_REDUCTIONS_SELECTION_H
#define AIRCC_PIPELINE_DISPATCH_REDUCTIONS_SELECTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::dispatch {

/// The lower half of a key in place of that of an index, and more than each.
constexpr int64_t kNoIndex = 0xFFFFFFFF;

/// What a reduction does with elements that are NaN.
enum class NaNs {
  /// None is selected.
  Skipped,
  /// The first one is selected.
  Selected,
  /// The first one ends the selection: those before it are candidates.
  End,
};

/// A reduction that selects the index of the first largest or smallest element.
struct Selection {
  mlir::linalg::GenericOp op;
  /// The output for the index; the other one is the element.
  unsigned output = 0;
  /// The reduced loop.
  unsigned loop = 0;
  /// The element and its index in the body.
  mlir::Value element, index;
  /// The element and the index before the first one, which are constants.
  mlir::Value firstElement, firstIndex;
  bool isMinimum = false, isSigned = false;
  NaNs nans = NaNs::Skipped;
  /// Whether the last one of equal elements is kept because its index is less.
  bool isKeptIfEqual = false;
  /// The op that combines elements without their indices, as arith.maximumf.
  /// Null if they are selected by the condition that selects the index.
  mlir::Operation *combiner = nullptr;

  bool usesElement() { return !op->getResult(1 - output).use_empty(); }
};

/// Whether the body of `op` computes `value` from inputs and indices alone.
bool isIndependent(mlir::linalg::GenericOp op, mlir::Value value);

/// Matches the forms of such reductions that can be computed by unsigned keys
/// of 64 bits: with elements of at most 32 bits and an index of at most 32, or
/// a loop of known size. The element is not used, or has a combiner.
std::optional<Selection> matchSelection(mlir::linalg::GenericOp op);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_REDUCTIONS_SELECTION_H
