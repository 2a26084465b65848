//===- AffineFit.h - Affine functions through given points ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_CHANNELS_AFFINEFIT_H
#define AIRCC_PIPELINE_HIERARCHY_CHANNELS_AFFINEFIT_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace aircc::hierarchy {

/// A function of integer variables:
///   (constant + sum of factor * term) / denominator,
/// where a term is a variable, or its quotient or remainder by a constant. The
/// division is exact at the points that the function was made for.
struct AffineFunction {
  struct Term {
    enum Kind { Variable, Quotient, Remainder } kind = Variable;
    unsigned variable = 0; ///< Its position in the list of variables.
    int64_t divisor = 1;
    int64_t factor = 0;

    bool operator==(const Term &) const = default;
  };
  llvm::SmallVector<Term> terms;
  int64_t constant = 0;
  int64_t denominator = 1;

  bool operator==(const AffineFunction &) const = default;

  /// Creates ops that compute the function. `getVariable` returns the index
  /// value of a variable, given its number.
  mlir::Value
  create(mlir::OpBuilder &b, mlir::Location loc,
         llvm::function_ref<mlir::Value(unsigned)> getVariable) const;
};

/// Returns the affine function with `function(points[i]) == values[i]` for all
/// i, if there is one. Quotients and remainders by `divisors` are used only if
/// the function needs them. All points have the same number of coordinates.
std::optional<AffineFunction>
fitAffine(llvm::ArrayRef<llvm::ArrayRef<int64_t>> points,
          llvm::ArrayRef<int64_t> values, llvm::ArrayRef<int64_t> divisors);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_CHANNELS_AFFINEFIT_H
