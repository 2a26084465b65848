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

/// An index as a constant plus multiples of values. The values are those that
/// the expression cannot be divided into: block arguments, and results of ops
/// other than sums, products with constants, casts and linear affine.apply.
class LinearIndex {
public:
  /// Constants and coefficients are below this in absolute value, so that sums
  /// of their products do not overflow. What exceeds it is an opaque value.
  static constexpr int64_t kMaxFactor = int64_t(1) << 31;

  LinearIndex(int64_t constant = 0) : constant(constant) {}

  /// Divides `index` into its terms.
  static LinearIndex get(mlir::OpFoldResult index);
  static LinearIndex get(mlir::Value value);

  bool isConstant() const { return terms.empty(); }
  bool isZero() const { return terms.empty() && constant == 0; }
  int64_t getConstant() const { return constant; }
  /// The value of the expression per unit of `value`; 0 if it is not a term.
  int64_t getCoefficient(mlir::Value value) const;
  /// The values with their coefficients, none of which is 0.
  llvm::ArrayRef<std::pair<mlir::Value, int64_t>> getTerms() const {
    return terms;
  }

  LinearIndex operator+(const LinearIndex &rhs) const;
  LinearIndex operator*(int64_t factor) const;
  bool operator==(const LinearIndex &rhs) const;

  /// The expression with `value` replaced by `replacement`.
  LinearIndex substitute(mlir::Value value,
                         const LinearIndex &replacement) const;

  /// Returns an attribute for a constant and the value for a single value;
  /// otherwise creates an affine.apply.
  mlir::OpFoldResult materialize(mlir::OpBuilder &b, mlir::Location loc) const;

  /// Whether all numbers are below kMaxFactor.
  bool isTractable() const;

private:
  void add(mlir::Value value, int64_t coefficient);

  int64_t constant;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> terms;
};

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_LINEARINDEX_H
