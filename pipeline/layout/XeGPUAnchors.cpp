//===- XeGPUAnchors.cpp - User constraints in XeGPU programs --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/XeGPUAnchors.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/layout/OpRules.h"
#include "pipeline/layout/XeGPUOps.h"

#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

FailureOr<OperandConstraints> getUserConstraints(const MatrixOp &op,
                                                 const Workgroup &workgroup) {
  OperandConstraints constraints;
  for (auto [constraint, anchor] :
       llvm::zip(constraints, getXeGPUAnchors(op.op))) {
    auto partial = getPartialLayout(op.op, anchor);
    if (failed(partial))
      return failure();
    constraint = *partial;
    if (constraint)
      constraint->setNumSubgroups(workgroup.waves);
  }
  return constraints;
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

unsigned SubgroupHints::numberOf(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, numbers.size());
  if (isNew)
    classes.grow(numbers.size());
  return it->second;
}

SubgroupHints::SubgroupHints(gpu::GPUFuncOp function) {
  auto join = [&](ValueRange values) {
    std::optional<Value> first;
    for (Value value : values) {
      if (!isa<VectorType>(value.getType()))
        continue;
      unsigned number = numberOf(value);
      if (first && shapeOf(*first) == shapeOf(value))
        classes.join(numberOf(*first), number);
      else if (!first)
        first = value;
    }
  };
  SmallVector<std::pair<Value, PartialLayout>> found;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (const XeGPUAnchor &anchor : getXeGPUAnchors(op)) {
      xegpu::DistributeLayoutAttr layout = anchor.getLayout(op);
      if (!anchor.value || !layout)
        continue;
      Result<PartialLayout> partial = getPartialLayout(layout, anchor.shape);
      if (!partial || !partial->hasSubgroups())
        continue;
      numberOf(anchor.value);
      found.emplace_back(anchor.value, partial->getSubgroups());
    }
    if (isControlFlow(op)) {
      for (const Slot &slot : getSlots(op))
        join(slot.getAllValues());
      return;
    }
    if (auto matrix = MatrixOp::get(op))
      return join({matrix->getAcc(), matrix->getResult()});
    if (OpTrait::hasElementwiseMappableTraits(op) || isa<ToLayoutOp>(op)) {
      SmallVector<Value> all(op->getResults());
      llvm::append_range(all, op->getOperands());
      join(all);
    }
  });
  classes.compress();
  for (auto &[value, partial] : found)
    hints.try_emplace(classes[numbers.lookup(value)], partial);
}

OperandConstraints SubgroupHints::get(const MatrixOp &op,
                                      const Workgroup &workgroup) const {
  OperandConstraints constraints;
  for (auto [constraint, operand] :
       llvm::zip(constraints, op.op->getOperands().take_front(3))) {
    auto number = numbers.find(operand);
    if (number == numbers.end())
      continue;
    auto hint = hints.find(classes[number->second]);
    if (hint == hints.end())
      continue;
    constraint = hint->second;
    constraint->setNumSubgroups(workgroup.waves);
  }
  return constraints;
}

//===----------------------------------------------------------------------===//
// Prefetches, and the attributes for assigned layouts
//===----------------------------------------------------------------------===//

LogicalResult setPrefetchLayouts(gpu::GPUFuncOp function,
                                 const VectorScopes &scopes) {
  WalkResult walked =
      function.walk([&](xegpu::PrefetchNdOp prefetch) -> WalkResult {
        std::optional<Scope> scope = layout::getScope(prefetch);
        if (!scope)
          return success();
        XeGPUAnchor anchor = getXeGPUAnchors(prefetch).front();
        auto constraint = getPartialLayout(prefetch, anchor);
        if (failed(constraint))
          return failure();
        Workgroup workgroup = scopes.getWorkgroup(*scope);
        NestedLayout layout = getBlockLayout(
            anchor.shape,
            getElementBits(prefetch.getTensorDescType().getElementType()),
            workgroup);
        if (*constraint) {
          (*constraint)->setNumSubgroups(workgroup.waves);
          Result<NestedLayout> completed = (*constraint)->complete(layout);
          if (!completed)
            return prefetch.emitOpError("has a layout that cannot be "
                                        "completed: ")
                   << completed.message();
          layout = *completed;
        }
        if (auto error = layout.misfit(workgroup.waves, workgroup.lanes))
          return prefetch.emitOpError("has an invalid layout: ")
                 << error->message;
        prefetch->setAttr(LayoutDialect::AccessAttrHelper::getNameStr(),
                          NestedLayoutAttr::get(function.getContext(), layout));
        return success();
      });
  return failure(walked.wasInterrupted());
}

/// Returns the layout that was assigned to the vector of `anchor`.
static std::optional<NestedLayout> getFound(Operation *op,
                                            const XeGPUAnchor &anchor) {
  auto found = anchor.value
                   ? getLayout(anchor.value)
                   : op->getAttrOfType<NestedLayoutAttr>(
                         LayoutDialect::AccessAttrHelper::getNameStr());
  if (!found)
    return std::nullopt;
  return found.getLayout();
}

void writeXeGPUDefaults(gpu::GPUFuncOp function, const VectorScopes &scopes,
                        bool remarks) {
  function.walk([&](Operation *op) {
    std::optional<Scope> scope = layout::getScope(op);
    if (!scope || isa<xegpu::ConvertLayoutOp>(op))
      return;
    SmallVector<Attribute> defaults;
    for (const XeGPUAnchor &anchor : getXeGPUAnchors(op)) {
      if (anchor.getLayout(op))
        continue;
      std::optional<NestedLayout> found = getFound(op, anchor);
      if (!found)
        continue;
      // XeGPU layouts have no dimension for adjacent blocks.
      auto layout =
          getXeGPULayout(op->getContext(), *found, scopes.getWorkgroup(*scope));
      if (remarks)
        op->emitRemark("anchor: default ")
            << anchor.name << ", "
            << (layout ? Attribute(layout)
                       : NestedLayoutAttr::get(op->getContext(), *found));
      if (!layout)
        continue;
      op->setAttr(anchor.name, layout);
      defaults.push_back(StringAttr::get(op->getContext(), anchor.name));
    }
    if (!defaults.empty())
      op->setAttr(LayoutDialect::DefaultsAttrHelper::getNameStr(),
                  ArrayAttr::get(op->getContext(), defaults));
  });
}

void dropXeGPUConversions(gpu::GPUFuncOp function) {
  SmallVector<xegpu::ConvertLayoutOp> conversions;
  function.walk([&](xegpu::ConvertLayoutOp op) { conversions.push_back(op); });
  for (xegpu::ConvertLayoutOp op : conversions) {
    if (!hasLayouts(op))
      continue;
    op.getResult().replaceAllUsesWith(op.getSource());
    op.erase();
  }
}

} // namespace aircc::layout
