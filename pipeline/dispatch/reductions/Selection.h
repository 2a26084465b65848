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

/// The lower half of a key without an index. It is greater than the lower half
/// of any key with an index.
constexpr int64_t kNoIndex = 0xFFFFFFFF;

/// The same in keys that contain the sign of the element as well.
constexpr int64_t kNoSignedIndex = 0x7FFFFFFF;

/// How a reduction treats NaN elements.
enum class NaNs {
  /// NaNs are never selected.
  Skipped,
  /// The first NaN is selected.
  Selected,
  /// The first NaN ends the selection, so that only elements before it are
  /// candidates.
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
  /// The initial element and index, which are constants.
  mlir::Value firstElement, firstIndex;
  bool isMinimum = false, isSigned = false;
  NaNs nans = NaNs::Skipped;
  /// Whether the last of several equal elements is kept because its index is
  /// smaller.
  bool isKeptIfEqual = false;
  /// The op that combines elements without their indices, such as
  /// arith.maximumf. Null if they are selected by the condition that selects
  /// the index.
  mlir::Operation *combiner = nullptr;

  bool usesElement() { return !op->getResult(1 - output).use_empty(); }
};

/// Returns whether the body of `op` computes `value` only from inputs and
/// indices.
bool isIndependent(mlir::linalg::GenericOp op, mlir::Value value);

/// Matches the forms of such reductions that can be computed with unsigned
/// 64-bit keys: elements of at most 32 bits, and an index of at most 32 bits or
/// a loop of known size. The element is either unused or has a combiner.
std::optional<Selection> matchSelection(mlir::linalg::GenericOp op);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_REDUCTIONS_SELECTION_H
