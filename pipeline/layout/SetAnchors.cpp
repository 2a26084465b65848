//===- SetAnchors.cpp - Layouts that the hardware asks for ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/Passes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/layout/MatrixAnchors.h"
#include "pipeline/layout/PassTarget.h"
#include "pipeline/layout/WholeVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

#define GEN_PASS_DEF_SETANCHORS
#include "pipeline/layout/Passes.h.inc"

namespace {

/// What `value` was before it was made wider for the multiplication, if a
/// matrix instruction does that itself, exactly.
Value getNarrow(Value value) {
  if (auto ext = value.getDefiningOp<arith::ExtFOp>())
    return ext.getIn();
  if (auto ext = value.getDefiningOp<arith::ExtSIOp>())
    return ext.getIn();
  return value;
}

class SetAnchors : public TargetedPass<impl::SetAnchorsBase<SetAnchors>> {
public:
  using TargetedPass::TargetedPass;

private:
  LogicalResult run(gpu::GPUFuncOp function) final;
  void setAnchor(vector::ContractionOp contract, const MatrixAnchor &anchor,
                 Value lhs, Value rhs, const Workgroup &workgroup);
  /// Whether the user has laid out all three operands.
  bool isAnchored(vector::ContractionOp contract) {
    return llvm::all_of(contract->getOperands().take_front(3), [](Value v) {
      return v.getDefiningOp<ToLayoutOp>() != nullptr;
    });
  }
};

} // namespace

LogicalResult SetAnchors::run(gpu::GPUFuncOp function) {
  // Most kernels have no whole vectors, and need no profile to see that.
  if (!mayHaveWholeVectors(function))
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  FailureOr<WholeVectors> whole =
      WholeVectors::get(function, profile->waveSize);
  if (failed(whole))
    return failure();

  SmallVector<vector::ContractionOp> contracts;
  function.walk([&](vector::ContractionOp op) {
    // A mask keeps single elements out, which no instruction does.
    if (whole->getScope(op.getOperation()) &&
        !isa<vector::MaskOp>(op->getParentOp()) &&
        !op->hasAttr(kMatrixInstructionAttr))
      contracts.push_back(op);
  });
  // Asked before anchors come between the ops.
  SmallVector<bool> keepsRows = llvm::map_to_vector(contracts, worksOnRows);
  for (auto [op, keepRows] : llvm::zip_equal(contracts, keepsRows)) {
    Workgroup workgroup =
        whole->getWorkgroup(*whole->getScope(op.getOperation()));
    if (isAnchored(op)) {
      NestedLayout layouts[3];
      bool nested = true;
      for (auto [layout, operand] :
           llvm::zip(layouts, op->getOperands().take_front(3))) {
        auto attr = dyn_cast<NestedLayoutAttr>(
            operand.getDefiningOp<ToLayoutOp>().getLayout());
        nested &= static_cast<bool>(attr);
        if (attr)
          layout = attr.getLayout();
      }
      const MatrixInstruction *match =
          nested ? matchMatrixInstruction(op, "", layouts[0], layouts[1],
                                          layouts[2], *profile)
                 : nullptr;
      if (match) {
        op->setAttr(kMatrixInstructionAttr,
                    StringAttr::get(&getContext(), match->name));
        if (remarks)
          op->emitRemark("anchor: the layouts of the operands are those of ")
              << match->name;
      }
      continue;
    }
    Value lhs = getNarrow(op.getLhs()), rhs = getNarrow(op.getRhs());
    std::optional<MatrixAnchor> found;
    for (auto [a, b] : {std::pair(lhs, rhs),
                        std::pair(Value(op.getLhs()), Value(op.getRhs()))}) {
      found = chooseMatrixAnchor(op, getElementTypeOrSelf(a.getType()),
                                 getElementTypeOrSelf(b.getType()), *profile,
                                 workgroup, keepRows);
      if (found) {
        setAnchor(op, *found, a, b, workgroup);
        break;
      }
    }
    if (!found && remarks)
      op->emitRemark("no anchor: no matrix instruction of ")
          << profile->name << " multiplies " << op.getLhs().getType() << " by "
          << op.getRhs().getType() << " into " << op.getAccType();
  }
  return success();
}

void SetAnchors::setAnchor(vector::ContractionOp op, const MatrixAnchor &anchor,
                           Value lhs, Value rhs, const Workgroup &workgroup) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto fix = [&](Value value, const NestedLayout &layout) -> Value {
    auto fixed =
        ToLayoutOp::create(builder, loc, value.getType(), value,
                           NestedLayoutAttr::get(&getContext(), layout),
                           /*shared_memory_conversion=*/false);
    if (Attribute scope = op->getAttr(kScopeAttr))
      fixed->setAttr(kScopeAttr, scope);
    return fixed;
  };
  op.getLhsMutable().assign(fix(lhs, anchor.lhs));
  op.getRhsMutable().assign(fix(rhs, anchor.rhs));
  op.getAccMutable().assign(fix(op.getAcc(), anchor.acc));
  op->setAttr(kMatrixInstructionAttr,
              builder.getStringAttr(anchor.instruction->name));
  if (!remarks)
    return;
  InFlightDiagnostic remark = op->emitRemark("anchor: ")
                              << anchor.instruction->name;
  if (workgroup.waves > 1) {
    remark << ", " << workgroup.waves << " waves dealt to the dimensions as ";
    llvm::interleave(anchor.waves, remark, " x ");
  }
  remark.attachNote(loc) << "left operand " << anchor.lhs.str();
  remark.attachNote(loc) << "right operand " << anchor.rhs.str();
  remark.attachNote(loc) << "result " << anchor.acc.str();
}

std::unique_ptr<Pass>
createSetAnchors(std::shared_ptr<const TargetProfile> profile, bool remarks) {
  auto pass = std::make_unique<SetAnchors>(SetAnchorsOptions{"", remarks});
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::layout
