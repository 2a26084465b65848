//===- TagUndistributedVectors.cpp - Tag wave vectors ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A vector in wave-level code belongs to the wave, but without a tag every lane
// would compute all of it. Tags vectors that a matrix instruction multiplies,
// or that have a layout, so that they are distributed over the lanes.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/CooperativeOps.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/analysis/UndistributedVectors.h"
#include "pipeline/strategy/MatrixInstructions.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// Vectors that are connected by ops, and these ops.
struct Group {
  SmallVector<Operation *> ops;
  std::optional<Scope> scope;
  bool hasMatrixProduct = false; ///< Whether it has a matrix product.
  Operation *request = nullptr;  ///< An op with a layout or scope set by the
                                 ///< user.
  Operation *obstacle = nullptr; ///< An op that cannot be executed
                                 ///< cooperatively.
};

} // namespace

/// Returns the names of the element types of `value` and of the values from
/// which it was extended, because an instruction may take any of them.
static SmallVector<std::string> getTypeNames(Value value) {
  SmallVector<std::string> names;
  while (true) {
    llvm::raw_string_ostream(names.emplace_back())
        << getElementTypeOrSelf(value.getType());
    Operation *def = value.getDefiningOp();
    if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(def))
      return names;
    value = def->getOperand(0);
  }
}

/// Returns whether the target has an instruction that multiplies the op's
/// types.
static bool hasMatrixInstruction(vector::ContractionOp op,
                                 const TargetProfile &profile) {
  if (op.getKind() != vector::CombiningKind::ADD)
    return false;
  for (const std::string &a : getTypeNames(op.getLhs()))
    for (const std::string &b : getTypeNames(op.getRhs()))
      for (const std::string &c : getTypeNames(op.getAcc()))
        if (strategy::hasMatrixInstruction(profile, {a, b, c}))
          return true;
  return false;
}

LogicalResult tagUndistributedVectors(gpu::GPUFuncOp kernel,
                                      const TargetProfile &profile) {
  layout::VectorGroups vectors(kernel);
  SmallVector<Group> groups(vectors.size());
  kernel.walk([&](Operation *op) {
    if (layout::isControlFlow(op) || layout::isControlFlowTerminator(op) ||
        op->hasTrait<OpTrait::ConstantLike>() || isa<vector::YieldOp>(op))
      return;
    SmallVector<Value> own = layout::getVectors(op);
    llvm::erase_if(own, [](Value value) {
      return value.getDefiningOp() &&
             value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
    });
    if (own.empty())
      return;
    Group &group = groups[vectors[own.front()]];
    group.ops.push_back(op);
    Scope scope = getScope(op);
    bool isCooperative = isExecutedCooperatively(op, scope) &&
                         group.scope.value_or(scope) == scope &&
                         (isa<vector::MaskOp, layout::ToLayoutOp>(op) ||
                          layout::supportsUndistributedVectors(op));
    if (!isCooperative && !group.obstacle)
      group.obstacle = op;
    group.scope = scope;
    auto product = dyn_cast<vector::ContractionOp>(op);
    group.hasMatrixProduct |= product && hasMatrixInstruction(product, profile);
    if (!group.request && (isa<layout::ToLayoutOp>(op) || layout::getScope(op)))
      group.request = op;
  });
  for (const Group &group : groups) {
    if (group.request && group.obstacle) {
      InFlightDiagnostic error = group.request->emitOpError(
          "requests a vector that is distributed over lanes, but is in code "
          "that not all lanes execute together, or involves ops that cannot be "
          "distributed; use such vectors outside parallel loops, on shared "
          "memory");
      error.attachNote(group.obstacle->getLoc())
          << "'" << group.obstacle->getName() << "' prevents the distribution";
      return failure();
    }
    if (!group.obstacle && (group.request || group.hasMatrixProduct))
      for (Operation *op : group.ops)
        if (!layout::getScope(op))
          tagUndistributed(op, *group.scope);
  }
  return success();
}

} // namespace aircc::hierarchy
