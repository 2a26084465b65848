//===- ConstantEvaluator.h - Values at one point of a space -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_CONSTANTEVALUATOR_H
#define AIRCC_PIPELINE_ANALYSIS_CONSTANTEVALUATOR_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace aircc {

/// Evaluates integers of a program for given values of its ids and induction
/// variables. Looks through the arguments of AIR hierarchy ops.
class ConstantEvaluator {
public:
  /// Sets the value of an id, an induction variable or another block argument.
  void set(mlir::Value value, int64_t number);
  void erase(mlir::Value value) { known.erase(value); }

  /// Returns the value of an integer or index; nullopt if it is unknown. An i1
  /// is 0 or 1.
  std::optional<int64_t> evaluate(mlir::Value value) const;

private:
  using Attributes = llvm::DenseMap<mlir::Value, mlir::Attribute>;
  mlir::Attribute evaluate(mlir::Value value, Attributes &memo) const;

  Attributes known;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_CONSTANTEVALUATOR_H
