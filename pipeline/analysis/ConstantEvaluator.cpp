//===- ConstantEvaluator.cpp - Values at one point of a space -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ConstantEvaluator.h"

#include "dialects/air/AIROps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc {

void ConstantEvaluator::set(Value value, int64_t number) {
  known[value] = IntegerAttr::get(value.getType(), number);
}

std::optional<int64_t> ConstantEvaluator::evaluate(Value value) const {
  Attributes memo;
  auto number = dyn_cast_or_null<IntegerAttr>(evaluate(value, memo));
  if (!number)
    return std::nullopt;
  return number.getType().isInteger(1) ? number.getValue().getZExtValue()
                                       : number.getInt();
}

Attribute ConstantEvaluator::evaluate(Value value, Attributes &memo) const {
  if (Attribute attr = known.lookup(value))
    return attr;
  if (auto it = memo.find(value); it != memo.end())
    return it->second;
  memo[value] = {};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto level =
        dyn_cast<air::HierarchyInterface>(argument.getOwner()->getParentOp());
    if (!level)
      return {};
    unsigned number = argument.getArgNumber(), dims = level.getNumDims();
    if (number < dims)
      return {};
    return memo[value] = evaluate(number < 2 * dims
                                      ? level.getSizeOperands()[number - dims]
                                      : level.getTiedKernelOperand(argument),
                                  memo);
  }
  Operation *def = value.getDefiningOp();
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return memo[value] = constant;
  if (def->getNumRegions() || !isMemoryEffectFree(def))
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : def->getOperands())
    operands.push_back(evaluate(operand, memo));
  if (llvm::none_of(operands, [](Attribute attr) { return bool(attr); }))
    return {};
  // Fold a copy, because the result is valid only at this point.
  Operation *copy = def->cloneWithoutRegions();
  SmallVector<OpFoldResult> results;
  Attribute result;
  if (succeeded(copy->fold(operands, results)) && !results.empty()) {
    OpFoldResult own = results[cast<OpResult>(value).getResultNumber()];
    if (auto attr = dyn_cast<Attribute>(own))
      result = attr;
    else if (cast<Value>(own).getDefiningOp() != copy)
      result = evaluate(cast<Value>(own), memo);
  }
  copy->destroy();
  return memo[value] = result;
}

} // namespace aircc
