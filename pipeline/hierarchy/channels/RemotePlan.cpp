//===- RemotePlan.cpp - Which put belongs to a get ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/Forwarding.h"

#include "dialects/air/AIRInterfaces.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

using namespace mlir;

namespace aircc::hierarchy {

/// The maximum number of values of a variable for which cases are created.
static constexpr size_t kMaxCases = 64;
/// The maximum depth of nested cases.
static constexpr unsigned kMaxDepth = 3;

/// Returns candidates for divisors of local variables: the number and step of
/// the values of the remote op's variables, and products of these.
static SmallVector<int64_t> getDivisors(ArrayRef<EventPair> pairs) {
  std::set<int64_t> divisors;
  size_t numVariables = pairs.front().remote->variables.size();
  int64_t product = 1;
  for (size_t i = numVariables; i-- > 0;) {
    std::set<int64_t> values;
    for (const EventPair &pair : pairs)
      values.insert(pair.remote->variables[i]);
    if (values.size() == 1)
      continue;
    int64_t step = *std::next(values.begin()) - *values.begin();
    product *= int64_t(values.size());
    divisors.insert(
        {int64_t(values.size()), product, step, step * int64_t(values.size())});
  }
  return SmallVector<int64_t>(divisors.begin(), divisors.end());
}

static std::optional<RemotePlan> findFunctions(ArrayRef<EventPair> pairs) {
  RemotePlan plan;
  plan.remote = pairs.front().remote->access;
  SmallVector<ArrayRef<int64_t>> points;
  for (const EventPair &pair : pairs) {
    if (pair.remote->access != plan.remote)
      return std::nullopt;
    points.push_back(pair.local->variables);
  }
  SmallVector<int64_t> divisors = getDivisors(pairs);
  for (size_t i = 0; i < pairs.front().remote->variables.size(); ++i) {
    SmallVector<int64_t> values;
    for (const EventPair &pair : pairs)
      values.push_back(pair.remote->variables[i]);
    std::optional<AffineFunction> function =
        fitAffine(points, values, divisors);
    if (!function)
      return std::nullopt;
    plan.functions.push_back(*function);
  }
  return plan;
}

static std::optional<RemotePlan> findPlan(ArrayRef<EventPair> pairs,
                                          unsigned depth) {
  if (std::optional<RemotePlan> plan = findFunctions(pairs))
    return plan;
  if (depth == kMaxDepth)
    return std::nullopt;
  std::optional<RemotePlan> best;
  size_t numVariables = pairs.front().local->variables.size();
  for (unsigned variable = 0; variable < numVariables; ++variable) {
    std::map<int64_t, SmallVector<EventPair>> groups;
    for (const EventPair &pair : pairs)
      groups[pair.local->variables[variable]].push_back(pair);
    if (groups.size() < 2 || groups.size() > kMaxCases ||
        (best && groups.size() >= best->cases.size()))
      continue;
    RemotePlan plan;
    plan.selector = variable;
    for (auto &[value, group] : groups) {
      std::optional<RemotePlan> part = findPlan(group, depth + 1);
      if (!part)
        break;
      plan.caseValues.push_back(value);
      plan.cases.push_back(std::move(*part));
    }
    if (plan.cases.size() == groups.size())
      best = std::move(plan);
  }
  return best;
}

std::optional<RemotePlan> findRemotePlan(ArrayRef<EventPair> pairs) {
  return findPlan(pairs, 0);
}

//===----------------------------------------------------------------------===//
// Values of other program points
//===----------------------------------------------------------------------===//

/// Returns the operand that corresponds to a block argument of a hierarchy op;
/// null for ids and other values.
static Value getTiedOperand(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  auto level =
      arg ? dyn_cast<air::HierarchyInterface>(arg.getOwner()->getParentOp())
          : air::HierarchyInterface();
  if (!level || arg.getArgNumber() < level.getNumDims())
    return {};
  if (arg.getArgNumber() < 2 * level.getNumDims())
    return level.getSizeOperands()[arg.getArgNumber() - level.getNumDims()];
  return level.getTiedKernelOperand(arg);
}

/// Returns true if `value` is defined before `at` in an enclosing block,
/// possibly outside hierarchy ops.
static bool isDefinedBefore(Value value, Operation *at) {
  Operation *ancestor = value.getParentBlock()->findAncestorOpInBlock(*at);
  if (!ancestor)
    return false;
  Operation *def = value.getDefiningOp();
  return !def || (def != ancestor && def->isBeforeInBlock(ancestor));
}

bool ValueCloner::canClone(Value value, ArrayRef<Value> variables,
                           Operation *at) {
  if (llvm::is_contained(variables, value) || isDefinedBefore(value, at))
    return true;
  if (Value outside = getTiedOperand(value))
    return canClone(outside, variables, at);
  Operation *def = value.getDefiningOp();
  return def && !def->getNumRegions() && isMemoryEffectFree(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) {
           return canClone(operand, variables, at);
         });
}

bool ValueCloner::canClone(const air::AccessPattern &pattern,
                           ArrayRef<Value> variables, Operation *at) {
  auto canCloneAll = [&](ArrayRef<OpFoldResult> list) {
    return llvm::all_of(list, [&](OpFoldResult entry) {
      auto value = dyn_cast<Value>(entry);
      return !value || canClone(value, variables, at);
    });
  };
  return canClone(pattern.memref, variables, at) &&
         canCloneAll(pattern.offsets) && canCloneAll(pattern.sizes) &&
         canCloneAll(pattern.strides);
}

Value ValueCloner::bring(Value value, Operation *at) {
  Region *home = value.getParentRegion();
  SmallVector<air::HierarchyInterface> levels;
  for (Operation *op = at->getParentOp(); op && op->isAncestor(at);
       op = op->getParentOp()) {
    if (home->getParentOp() == op)
      break;
    if (auto level = dyn_cast<air::HierarchyInterface>(op))
      levels.push_back(level);
  }
  for (air::HierarchyInterface level : llvm::reverse(levels)) {
    Value &argument = inside[{level, value}];
    if (!argument) {
      auto found = llvm::find(level.getKernelOperands(), value);
      argument =
          found != level.getKernelOperands().end()
              ? Value(
                    level.getKernelArguments()[found - level.getKernelOperands()
                                                           .begin()])
              : Value(level.appendKernelOperands(value).front());
    }
    value = argument;
  }
  return value;
}

Value ValueCloner::clone(Value value, Operation *at, OpBuilder &b,
                         IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *def = value.getDefiningOp();
  bool isConstant = def && def->hasTrait<OpTrait::ConstantLike>();
  Value result;
  if (!isConstant && isDefinedBefore(value, at)) {
    result = bring(value, at);
  } else if (Value outside = getTiedOperand(value)) {
    result = clone(outside, at, b, mapping);
  } else {
    assert(def && "the variables must be mapped");
    IRMapping operands;
    for (Value operand : def->getOperands())
      operands.map(operand, clone(operand, at, b, mapping));
    Operation *copy = b.clone(*def, operands);
    result = copy->getResult(cast<OpResult>(value).getResultNumber());
  }
  mapping.map(value, result);
  return result;
}

air::AccessPattern ValueCloner::clone(const air::AccessPattern &pattern,
                                      Operation *at, OpBuilder &b,
                                      IRMapping &mapping) {
  air::AccessPattern result;
  result.memref = clone(pattern.memref, at, b, mapping);
  auto cloneAll = [&](ArrayRef<OpFoldResult> list) {
    SmallVector<OpFoldResult> values;
    for (OpFoldResult entry : list) {
      if (auto value = dyn_cast<Value>(entry))
        entry = getAsOpFoldResult(clone(value, at, b, mapping));
      values.push_back(entry);
    }
    return values;
  };
  result.offsets = cloneAll(pattern.offsets);
  result.sizes = cloneAll(pattern.sizes);
  result.strides = cloneAll(pattern.strides);
  return result;
}

} // namespace aircc::hierarchy
