//===- SlowReductions.cpp - Reductions by few lanes -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/SlowReductions.h"

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/tiles/CooperativeOps.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

/// Fewer elements take no more time than the reduction of a vector.
static constexpr int64_t kManyElements = 64;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Returns why vectors cannot have elements of type `type`.
static std::string explainType(Type type) {
  if (type.isIndex())
    return "elements of type index are reduced one by one; use i64";
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 64)
    return "elements of type " + print(type) +
           " are reduced one by one; extend them to i" +
           std::to_string(llvm::alignTo(type.getIntOrFloatBitWidth(), 8)) +
           " in a preceding op";
  return "elements of type " + print(type) + " are reduced one by one";
}

/// Returns why the lanes cannot each hold a part of a vector of the elements
/// that `op` reduces.
static std::string explain(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    if (!isVectorizableType(element))
      return explainType(element);
    if (!op.getMatchingIndexingMap(&operand).isProjectedPermutation())
      return "an index of operand " +
             std::to_string(operand.getOperandNumber()) +
             " is not a single loop index; copy the elements in a preceding op";
  }
  for (Operation &scalar : op.getBlock()->without_terminator())
    if (!isVectorizableScalar(&scalar))
      return "its body has '" + scalar.getName().getStringRef().str() +
             "', which does not support vectors; compute that in a preceding "
             "op";
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    if (!findCombiner(op, i))
      return "it does not combine the elements of output " + std::to_string(i) +
             " by a single addition, multiplication, minimum, maximum or "
             "bitwise op; use such a reduction for each output";
  return "no vectors of these sizes can be divided equally among the lanes";
}

void hierarchy::remarkSlowReduction(linalg::LinalgOp op) {
  Scope scope = getScope(op);
  if (op.getNumReductionLoops() == 0 || !op.hasPureBufferSemantics() ||
      !isExecutedCooperatively(op, scope))
    return;
  std::optional<int64_t> workers = getWorkerCount(op, scope);
  int64_t results = 1, elements = 1;
  bool isDynamic = false;
  for (auto [size, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (kind == utils::IteratorType::parallel)
      results =
          ShapedType::isDynamic(size) ? workers.value_or(1) : results * size;
    else if (ShapedType::isDynamic(size))
      isDynamic = true;
    else
      elements *= size;
  }
  if (!workers || results * 2 > *workers ||
      (!isDynamic && elements < kManyElements))
    return;
  op->emitRemark("reduces ")
      << (isDynamic ? "many" : std::to_string(elements)) << " elements in only "
      << results << " of " << *workers
      << " lanes, which is slow: " << explain(op);
}
