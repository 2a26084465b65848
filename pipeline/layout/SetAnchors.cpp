//===- SetAnchors.cpp - Layouts that the hardware requires ----------------===//
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
#include "pipeline/layout/OuterProducts.h"
#include "pipeline/layout/ScaledAnchors.h"
#include "pipeline/layout/VectorScopes.h"
#include "pipeline/layout/XeGPUAnchors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

#define GEN_PASS_DEF_SETANCHORS
#include "pipeline/layout/Passes.h.inc"

namespace {

class SetAnchors : public TargetedPass<impl::SetAnchorsBase<SetAnchors>> {
public:
  using TargetedPass::TargetedPass;

private:
  LogicalResult run(gpu::GPUFuncOp function) final;
  LogicalResult anchorDpas(const MatrixOp &op, bool keepRows,
                           const SubgroupHints &hints,
                           const VectorScopes &scopes,
                           const TargetProfile &profile);
  void anchorContract(const MatrixOp &op, bool keepRows,
                      const SubgroupHints &hints, const VectorScopes &scopes,
                      const TargetProfile &profile);
  void takeAnchors(const MatrixOp &op, const TargetProfile &profile);
  void setAnchor(const MatrixOp &op, const ContractionStrategy &anchor,
                 Value lhs, Value rhs, const Workgroup &workgroup);
  /// Returns whether the user specified the layouts of all three operands.
  bool isAnchored(const MatrixOp &op) {
    return llvm::all_of(op.op->getOperands().take_front(3), [](Value v) {
      return v.getDefiningOp<ToLayoutOp>() != nullptr;
    });
  }
};

/// Adds an explicit accumulator of zeros to a dpas without accumulator.
void addAccumulator(xegpu::DpasOp dpas, VectorScopes &scopes) {
  if (dpas.hasAcc())
    return;
  OpBuilder builder(dpas);
  auto type = dpas.getResultType();
  auto zero = arith::ConstantOp::create(builder, dpas.getLoc(), type,
                                        builder.getZeroAttr(type));
  dpas.getAccMutable().assign(zero);
  scopes.add(zero.getResult(), *scopes.getScope(dpas.getOperation()));
}

} // namespace

LogicalResult SetAnchors::run(gpu::GPUFuncOp function) {
  // Most kernels have no undistributed vectors and do not need a profile.
  if (!mayHaveUndistributedVectors(function))
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  expandOuterProducts(function);
  FailureOr<VectorScopes> scopes = VectorScopes::get(function, *profile);
  if (failed(scopes))
    return failure();
  if (scopes->empty())
    return setPrefetchLayouts(function, *scopes);

  anchorScaledContractions(function, *scopes, *profile, remarks);

  function.walk([&](xegpu::DpasOp dpas) {
    if (scopes->getScope(dpas.getOperation()))
      addAccumulator(dpas, *scopes);
  });
  SmallVector<MatrixOp> ops;
  function.walk([&](Operation *op) {
    // A mask excludes individual elements, which no instruction supports.
    auto matrix = MatrixOp::get(op);
    if (matrix && scopes->getScope(op) &&
        !isa<vector::MaskOp>(op->getParentOp()) &&
        !op->hasAttr(LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
      ops.push_back(*matrix);
  });
  // Determine this before anchors are inserted between the ops.
  SmallVector<bool> keepsRows = llvm::map_to_vector(ops, worksOnRows);
  SubgroupHints hints(function);
  for (auto [op, keepRows] : llvm::zip_equal(ops, keepsRows)) {
    if (isa<xegpu::DpasOp>(op.op)) {
      if (failed(anchorDpas(op, keepRows, hints, *scopes, *profile)))
        return failure();
    } else if (isAnchored(op)) {
      takeAnchors(op, *profile);
    } else {
      anchorContract(op, keepRows, hints, *scopes, *profile);
    }
  }
  return setPrefetchLayouts(function, *scopes);
}

/// Checks whether the layouts that the user specified for all operands match an
/// instruction.
void SetAnchors::takeAnchors(const MatrixOp &op, const TargetProfile &profile) {
  NestedLayout layouts[3];
  for (auto [layout, operand] :
       llvm::zip(layouts, op.op->getOperands().take_front(3)))
    layout = operand.getDefiningOp<ToLayoutOp>().getLayout().getLayout();
  const MatrixInstruction *match = matchMatrixInstruction(
      op, "", layouts[0], layouts[1], layouts[2], profile);
  if (!match)
    return;
  op.op->setAttr(LayoutDialect::MatrixInstructionAttrHelper::getNameStr(),
                 StringAttr::get(&getContext(), match->name));
  if (remarks)
    op.op->emitRemark(
        "anchor: the layouts of the operands are taken from the instruction ")
        << match->name;
}

/// Chooses according to `request` and the hints, or without the hints if they
/// do not fit.
static Result<ContractionStrategy> chooseWithHints(const MatrixOp &op,
                                                   AnchorRequest request,
                                                   const SubgroupHints &hints,
                                                   const TargetProfile &profile,
                                                   const Workgroup &workgroup) {
  OperandConstraints written = request.constraints,
                     wanted = hints.get(op, workgroup);
  // Then try the hints of the result alone, because they avoid the most moves.
  for (bool isResultOnly : {false, true}) {
    bool any = false;
    for (unsigned i = 0; i < 3; ++i) {
      request.constraints[i] = written[i];
      if (!written[i] && wanted[i] && (i == 2 || !isResultOnly)) {
        request.constraints[i] = wanted[i];
        any = true;
      }
    }
    if (!any)
      continue;
    auto found = chooseMatrixAnchor(op, request, profile, workgroup);
    if (found)
      return found;
  }
  request.constraints = written;
  return chooseMatrixAnchor(op, request, profile, workgroup);
}

LogicalResult SetAnchors::anchorDpas(const MatrixOp &op, bool keepRows,
                                     const SubgroupHints &hints,
                                     const VectorScopes &scopes,
                                     const TargetProfile &profile) {
  Workgroup workgroup = scopes.getWorkgroup(*scopes.getScope(op.op));
  FailureOr<OperandConstraints> written = getUserConstraints(op, workgroup);
  if (failed(written))
    return failure();
  AnchorRequest request{getElementTypeOrSelf(op.getLhs().getType()),
                        getElementTypeOrSelf(op.getRhs().getType()), keepRows,
                        *written};
  auto found = chooseWithHints(op, request, hints, profile, workgroup);
  if (!found)
    return op.op->emitOpError("cannot be distributed: ") << found.message();
  for (const NestedLayout *layout : {&found->a, &found->b, &found->c})
    if (auto error = layout->misfit(workgroup.waves, workgroup.lanes))
      return op.op->emitOpError("has an invalid layout: ") << error->message;
  setAnchor(op, *found, op.getLhs(), op.getRhs(), workgroup);
  return success();
}

void SetAnchors::anchorContract(const MatrixOp &op, bool keepRows,
                                const SubgroupHints &hints,
                                const VectorScopes &scopes,
                                const TargetProfile &profile) {
  Workgroup workgroup = scopes.getWorkgroup(*scopes.getScope(op.op));
  bool isUnsigned = multipliesUnsigned(op, profile);
  Value lhs = getNarrow(op.getLhs(), isUnsigned);
  Value rhs = getNarrow(op.getRhs(), isUnsigned);
  for (auto [a, b] :
       {std::pair(lhs, rhs), std::pair(op.getLhs(), op.getRhs())}) {
    AnchorRequest request{getElementTypeOrSelf(a.getType()),
                          getElementTypeOrSelf(b.getType()),
                          keepRows,
                          {}};
    auto found = chooseWithHints(op, request, hints, profile, workgroup);
    if (found && isUnsigned)
      return setAnchor(op, *found, op.getLhs(), op.getRhs(), workgroup);
    if (found)
      return setAnchor(op, *found, a, b, workgroup);
  }
  if (remarks)
    op.op->emitRemark("no anchor: no matrix instruction of ")
        << profile.name << " multiplies " << op.getLhs().getType() << " by "
        << op.getRhs().getType() << " into " << op.getAcc().getType();
}

void SetAnchors::setAnchor(const MatrixOp &op,
                           const ContractionStrategy &anchor, Value lhs,
                           Value rhs, const Workgroup &workgroup) {
  OpBuilder builder(op.op);
  Location loc = op.op->getLoc();
  auto fix = [&](Value value, const NestedLayout &layout) -> Value {
    auto fixed =
        ToLayoutOp::create(builder, loc, value.getType(), value,
                           NestedLayoutAttr::get(&getContext(), layout),
                           /*shared_memory_conversion=*/false);
    if (Attribute scope =
            op.op->getAttr(LayoutDialect::ScopeAttrHelper::getNameStr()))
      fixed->setAttr(LayoutDialect::ScopeAttrHelper::getNameStr(), scope);
    return fixed;
  };
  op.op->setOperand(0, fix(lhs, anchor.a));
  op.op->setOperand(1, fix(rhs, anchor.b));
  op.op->setOperand(2, fix(op.getAcc(), anchor.c));
  op.op->setAttr(LayoutDialect::MatrixInstructionAttrHelper::getNameStr(),
                 builder.getStringAttr(anchor.instruction->name));
  if (!remarks)
    return;
  InFlightDiagnostic remark = op.op->emitRemark("anchor: ")
                              << anchor.instruction->name;
  if (workgroup.waves > 1) {
    remark << ", " << workgroup.waves
           << " waves distributed over the dimensions as ";
    llvm::interleave(anchor.waves, remark, " x ");
  }
  remark.attachNote(loc) << "left operand " << anchor.a.str();
  remark.attachNote(loc) << "right operand " << anchor.b.str();
  remark.attachNote(loc) << "result " << anchor.c.str();
}

std::unique_ptr<Pass>
createSetAnchors(std::shared_ptr<const TargetProfile> profile, bool remarks) {
  auto pass = std::make_unique<SetAnchors>(SetAnchorsOptions{"", remarks});
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::layout
