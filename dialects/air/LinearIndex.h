//===- LinearIndex.h - Index values as linear expressions -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_LINEARINDEX_H
#define AIRCC_DIALECTS_AIR_LINEARINDEX_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

#include <utility>

namespace aircc::air {

/// An index as the sum of a constant and multiples of values. These values
/// cannot be decomposed further: they are block arguments, or results of ops
/// other than sums, products with constants, casts and linear affine.apply.
class LinearIndex {
public:
  /// Constants and coefficients are below this limit in absolute value, so that
  /// sums of their products do not overflow. Larger terms are opaque values.
  static constexpr int64_t kMaxFactor = int64_t(1) << 31;

  LinearIndex(int64_t constant = 0) : constant(constant) {}

  /// Decomposes `index` into its terms.
  static LinearIndex get(mlir::OpFoldResult index);
  static LinearIndex get(mlir::Value value);

  bool isConstant() const { return terms.empty(); }
  bool isZero() const { return terms.empty() && constant == 0; }
  int64_t getConstant() const { return constant; }
  /// Returns the coefficient of `value`, or 0 if it is not a term.
  int64_t getCoefficient(mlir::Value value) const;
  /// Returns the values with their coefficients, none of which is 0.
  llvm::ArrayRef<std::pair<mlir::Value, int64_t>> getTerms() const {
    return terms;
  }

  LinearIndex operator+(const LinearIndex &rhs) const;
  LinearIndex operator*(int64_t factor) const;
  bool operator==(const LinearIndex &rhs) const;

  /// Returns the expression with `value` replaced by `replacement`.
  LinearIndex substitute(mlir::Value value,
                         const LinearIndex &replacement) const;

  /// Returns an attribute for a constant and the value for a single value;
  /// otherwise creates an affine.apply.
  mlir::OpFoldResult materialize(mlir::OpBuilder &b, mlir::Location loc) const;

  /// Returns whether all numbers are below kMaxFactor.
  bool isTractable() const;

private:
  void add(mlir::Value value, int64_t coefficient);

  int64_t constant;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> terms;
};

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_LINEARINDEX_H
