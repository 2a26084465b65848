//===- UpperBound.cpp - Upper bounds of sizes -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/execution/UpperBound.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <limits>

using namespace mlir;

namespace aircc::hierarchy {

std::optional<int64_t> getUpperBound(Value size) {
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  if (succeeded(bound))
    return bound;

  Operation *root = size.getParentRegion()->getParentOp();
  while (root->getParentOp() && !isa<FunctionOpInterface>(root))
    root = root->getParentOp();
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(root)))
    return std::nullopt;
  auto *range = solver.lookupState<dataflow::IntegerValueRangeLattice>(size);
  if (!range || range->getValue().isUninitialized())
    return std::nullopt;
  const APInt &largest = range->getValue().getValue().smax();
  // The full range of a type of 32 bits or more is not a bound that the program
  // has set.
  if (largest.isMaxSignedValue() ||
      largest.sge(std::numeric_limits<int32_t>::max()))
    return std::nullopt;
  return largest.getSExtValue();
}

} // namespace aircc::hierarchy
