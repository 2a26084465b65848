//===- LayoutValues.cpp - Layouts of values -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

static NestedLayoutAttr getResultLayout(OpResult result) {
  auto layouts = result.getOwner()->getAttrOfType<ArrayAttr>(
      LayoutDialect::ResultsAttrHelper::getNameStr());
  if (!layouts || result.getResultNumber() >= layouts.size())
    return {};
  return dyn_cast<NestedLayoutAttr>(layouts[result.getResultNumber()]);
}

NestedLayoutAttr getLayout(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return getResultLayout(result);
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent)) {
    OpResult tied = loop.getTiedLoopResult(argument);
    return tied ? getResultLayout(tied) : NestedLayoutAttr();
  }
  if (auto loop = dyn_cast_or_null<scf::WhileOp>(parent)) {
    unsigned number = argument.getArgNumber();
    if (argument.getOwner() == loop.getAfterBody())
      return getResultLayout(loop->getResult(number));
    return getLayout(loop.getInits()[number]);
  }
  return {};
}

bool hasLayouts(Operation *op) {
  auto hasLayout = [](Value value) {
    return static_cast<bool>(getLayout(value));
  };
  return llvm::any_of(op->getResults(), hasLayout) ||
         llvm::any_of(op->getOperands(), hasLayout);
}

void setLayout(OpResult result, NestedLayoutAttr layout) {
  SmallVector<NestedLayoutAttr> layouts;
  for (OpResult other : result.getOwner()->getResults())
    layouts.push_back(other == result ? layout : getResultLayout(other));
  setLayouts(result.getOwner(), layouts);
}

void setLayouts(Operation *op, ArrayRef<NestedLayoutAttr> layouts) {
  assert(layouts.size() == op->getNumResults() && "one entry a result");
  SmallVector<Attribute> entries;
  for (NestedLayoutAttr layout : layouts)
    entries.push_back(layout ? Attribute(layout)
                             : UnitAttr::get(op->getContext()));
  op->setAttr(LayoutDialect::ResultsAttrHelper::getNameStr(),
              ArrayAttr::get(op->getContext(), entries));
}

VectorType getDistributedType(VectorType type, NestedLayoutAttr layout) {
  return VectorType::get(layout.getDistributedShape(), type.getElementType());
}

std::optional<Scope> getScope(Operation *op) {
  if (auto scope = op->getAttrOfType<ScopeAttr>(
          LayoutDialect::ScopeAttrHelper::getNameStr()))
    return scope.getValue();
  return std::nullopt;
}

void dropLayoutAttrs(Operation *op) {
  op->removeAttr(LayoutDialect::ResultsAttrHelper::getNameStr());
  op->removeAttr(LayoutDialect::ScopeAttrHelper::getNameStr());
  op->removeAttr(LayoutDialect::MatrixInstructionAttrHelper::getNameStr());
  op->removeAttr(LayoutDialect::AccessAttrHelper::getNameStr());
  op->removeAttr(LayoutDialect::DefaultsAttrHelper::getNameStr());
}

} // namespace aircc::layout
