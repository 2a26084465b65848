//===- CheckLayouts.cpp - Consistency of layouts --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/Passes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/common/PassTarget.h"
#include "pipeline/layout/MatrixAnchors.h"
#include "pipeline/layout/OpRules.h"
#include "pipeline/layout/ScaledAnchors.h"
#include "pipeline/layout/VectorScopes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

#define GEN_PASS_DEF_CHECKLAYOUTS
#include "pipeline/layout/Passes.h.inc"

namespace {

/// Returns whether `layouts` are those of the vectors of the op.
bool areLayoutsOf(Operation *op, const OpLayouts &layouts) {
  auto fits = [](Value value, Layout layout) {
    return !layout || getLayout(value) == layout;
  };
  for (auto [operand, layout] :
       llvm::zip_equal(op->getOperands(), layouts.operands)) {
    // A descriptor of scattered elements has the layout of its offsets.
    auto scattered = operand.getDefiningOp<xegpu::CreateDescOp>();
    if (!fits(scattered ? scattered.getOffsets() : operand, layout))
      return false;
  }
  for (auto [result, layout] :
       llvm::zip_equal(op->getResults(), layouts.results))
    if (!fits(result, layout))
      return false;
  if (auto mask = dyn_cast<vector::MaskOp>(op->getParentOp()))
    return fits(mask.getMask(), layouts.mask) &&
           (!mask.getPassthru() ||
            fits(mask.getPassthru(), layouts.results[0]));
  return true;
}

/// Returns the layout of the iteration space of a contraction, which depends on
/// more than one operand; null if they disagree.
Layout getIterationLayout(vector::ContractionOp op) {
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  std::vector<std::optional<DimTiles>> known(bounds.size());
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), op.getIndexingMapsArray())) {
    if (!isa<VectorType>(operand.getType()))
      continue;
    NestedLayoutAttr attr = getLayout(operand);
    if (!attr)
      return {};
    NestedLayout layout = attr.getLayout();
    for (unsigned i = 0; i < map.getNumResults(); ++i) {
      std::optional<DimTiles> &dim = known[map.getDimPosition(i)];
      if (dim && *dim != layout.dim(i))
        return {};
      dim = layout.dim(i);
    }
  }
  std::vector<DimTiles> dims;
  dims.reserve(known.size());
  for (const std::optional<DimTiles> &dim : known)
    dims.push_back(*dim);
  auto layout = NestedLayout::ofDims(std::move(dims));
  if (!layout)
    return {};
  return NestedLayoutAttr::get(op.getContext(), *layout);
}

/// Returns whether some key of `rule` yields the layouts of `op`. If one vector
/// does not determine the key completely, tries others.
bool fitsRule(Operation *op, const OpRule &rule, int64_t lanes) {
  auto fits = [&](Layout key) {
    if (!key)
      return false;
    std::optional<OpLayouts> layouts = rule.expand(op, key);
    return layouts && areLayoutsOf(op, *layouts);
  };
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return fits(getIterationLayout(contract));
  for (OpResult result : op->getResults())
    if (Layout layout = getLayout(result))
      if (fits(rule.fromResult(op, result.getResultNumber(), layout, lanes)))
        return true;
  // Without free lanes, dimensions that a vector lacks are within the lane.
  for (int64_t free : {lanes, int64_t(1)})
    for (OpOperand &operand : op->getOpOperands())
      if (Layout layout = getLayout(operand.get()))
        if (fits(
                rule.fromOperand(op, operand.getOperandNumber(), layout, free)))
          return true;
  return false;
}

class CheckLayouts : public TargetedPass<impl::CheckLayoutsBase<CheckLayouts>> {
public:
  using TargetedPass::TargetedPass;

private:
  LogicalResult run(gpu::GPUFuncOp function) final;
  LogicalResult check(Operation *op, const VectorScopes &scopes,
                      const TargetProfile &profile);
  LogicalResult checkValues(Operation *op, const VectorScopes &scopes);
  LogicalResult checkInstruction(Operation *op, const TargetProfile &profile);
};

} // namespace

LogicalResult CheckLayouts::checkValues(Operation *op,
                                        const VectorScopes &scopes) {
  for (OpResult result : op->getResults()) {
    std::optional<Scope> scope = scopes.getScope(result);
    if (!scope)
      continue;
    Layout layout = getLayout(result);
    if (!layout)
      return op->emitOpError("has a ")
             << stringifyScope(*scope) << "-level vector as result "
             << result.getResultNumber() << ", but no layout for it";
    Workgroup workgroup = scopes.getWorkgroup(*scope);
    std::string misfit = layout.getMisfit(workgroup.waves, workgroup.lanes);
    if (!misfit.empty())
      return op->emitOpError("has an invalid layout: ") << misfit;
  }
  return success();
}

LogicalResult CheckLayouts::checkInstruction(Operation *op,
                                             const TargetProfile &profile) {
  auto matrix = MatrixOp::get(op);
  if (!matrix)
    return op->emitOpError("has '")
           << LayoutDialect::MatrixInstructionAttrHelper::getNameStr()
           << "', but is not a contraction with an accumulator";
  auto name = op->getAttrOfType<StringAttr>(
      LayoutDialect::MatrixInstructionAttrHelper::getNameStr());
  NestedLayout layouts[3];
  for (auto [layout, operand] : llvm::zip(layouts, op->getOperands())) {
    NestedLayoutAttr attr = getLayout(operand);
    assert(attr && "values without a layout are rejected before");
    layout = attr.getLayout();
  }
  if (getLayout(matrix->getResult()) == getLayout(matrix->getAcc()) &&
      matchMatrixInstruction(*matrix, name.getValue(), layouts[0], layouts[1],
                             layouts[2], profile))
    return success();
  return op->emitOpError("has operands whose layouts do not match ")
         << name << " of " << profile.name;
}

LogicalResult CheckLayouts::check(Operation *op, const VectorScopes &scopes,
                                  const TargetProfile &profile) {
  std::optional<Scope> scope = scopes.getScope(op);
  if (!scope || isControlFlowTerminator(op) || isa<vector::YieldOp>(op))
    return success();
  if (failed(checkValues(op, scopes)))
    return failure();
  if (isControlFlow(op)) {
    for (const Slot &slot : getSlots(op))
      for (OpOperand *operand : slot.operands)
        if (scopes.contains(operand->get()) &&
            getLayout(operand->get()) != getLayout(slot.values.back()))
          return operand->getOwner()->emitError("'")
                 << operand->getOwner()->getName() << "' op passes "
                 << getLayout(operand->get()) << " as operand "
                 << operand->getOperandNumber() << ", but '" << op->getName()
                 << "' expects the layout " << getLayout(slot.values.back());
    return success();
  }
  if (isa<vector::MaskOp>(op))
    return success(); // Checked with the masked op.
  if (auto anchor = dyn_cast<ToLayoutOp>(op)) {
    if (getLayout(anchor.getResult()) == Layout(anchor.getLayout()))
      return success();
    return op->emitOpError(
        "has a result whose layout differs from its 'layout' attribute");
  }
  if (auto scaled = dyn_cast<ScaledContractOp>(op)) {
    if (fitsScaledInstruction(scaled, profile))
      return success();
    return op->emitOpError("has operands whose layouts match no matrix "
                           "instruction of ")
           << profile.name;
  }
  if (op->hasAttr(LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
    return checkInstruction(op, profile);
  if (isa<xegpu::CreateDescOp>(op))
    return success(); // Checked with the access that uses it.
  const OpRule *rule = findRule(op);
  if (!rule)
    return op->emitOpError("cannot operate on ")
           << stringifyScope(*scope) << "-level vectors";
  if (fitsRule(op, *rule, scopes.getWorkgroup(*scope).lanes))
    return success();
  InFlightDiagnostic error = op->emitOpError(
      "has incompatible layouts: a lane cannot compute its elements of the "
      "result from its elements of the operands");
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (Layout layout = getLayout(operand))
      error.attachNote(operand.getLoc())
          << "operand " << number << " has " << layout;
  for (OpResult result : op->getResults())
    if (Layout layout = getLayout(result))
      error.attachNote() << "result " << result.getResultNumber() << " has "
                         << layout;
  return failure();
}

LogicalResult CheckLayouts::run(gpu::GPUFuncOp function) {
  if (!mayHaveUndistributedVectors(function))
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  FailureOr<VectorScopes> scopes = VectorScopes::get(function, *profile);
  if (failed(scopes))
    return failure();
  WalkResult walked = function.getBody().walk([&](Operation *op) -> WalkResult {
    return check(op, *scopes, *profile);
  });
  return failure(walked.wasInterrupted());
}

std::unique_ptr<Pass>
createCheckLayouts(std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<CheckLayouts>();
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::layout
