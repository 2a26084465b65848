//===- CooperativeOps.cpp - Ops that workers run together -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/CooperativeOps.h"
#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The registers of a lane that one vector of the op may use.
constexpr int64_t kMaxRegisters = 32;

bool isVectorizableType(Type type) {
  return isa<FloatType, IntegerType>(type) &&
         type.getIntOrFloatBitWidth() % 8 == 0 &&
         type.getIntOrFloatBitWidth() <= 64;
}

bool isElementwiseBody(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &o) {
    return OpTrait::hasElementwiseMappableTraits(&o) &&
           llvm::all_of(o.getResultTypes(), [](Type type) {
             return isVectorizableType(type) || type.isInteger(1);
           });
  });
}

bool hasVectorizableOperands(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type) {
      if (!isVectorizableType(operand.get().getType()))
        return false;
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!map.isProjectedPermutation() ||
        !isVectorizableType(type.getElementType()) ||
        failed(type.getStridesAndOffset(strides, offset)))
      return false;
    if (op.isDpsInit(&operand) && type.getRank() == 0)
      return false;
  }
  return true;
}

} // namespace

bool isExecutedCooperatively(Operation *op, Scope scope) {
  if (scope == Scope::Lane)
    return false;
  for (Operation *parent = op->getParentOp();
       parent &&
       !parent->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr());
       parent = parent->getParentOp())
    if (isSharedLoop(parent) || isa<scf::ForallOp>(parent))
      return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    if (!isa<BaseMemRefType>(operand.getType()))
      return true;
    BufferLevel level = getBufferLevel(operand);
    return level == BufferLevel::Global || level == BufferLevel::Workgroup ||
           (level == BufferLevel::PerWave && scope == Scope::Wave);
  });
}

void tagUndistributed(Operation *op, Scope scope) {
  op->setAttr(
      layout::LayoutDialect::ScopeAttrHelper::getNameStr(),
      layout::ScopeAttr::get(op->getContext(), scope == Scope::Wave
                                                   ? layout::Scope::Wave
                                                   : layout::Scope::Workgroup));
}

bool vectorizeCooperatively(RewriterBase &rewriter, linalg::LinalgOp op,
                            int64_t waveSize) {
  Scope scope = getScope(op);
  if (!op.hasPureBufferSemantics() || op.hasDynamicShape() ||
      !isExecutedCooperatively(op, scope) || !hasVectorizableOperands(op) ||
      !isElementwiseBody(op))
    return false;
  std::optional<int64_t> workers = getWorkerCount(op, scope);
  if (!workers || *workers % waveSize)
    return false;
  int64_t elements = 1, bits = 32;
  for (int64_t size : op.getStaticLoopRanges())
    elements *= size;
  for (Value operand : op->getOperands())
    bits = std::max<int64_t>(
        bits, getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth());
  if (elements < *workers || elements % *workers ||
      elements / *workers * bits / 32 > kMaxRegisters)
    return false;

  Operation *before = op->getPrevNode();
  Block *block = op->getBlock();
  rewriter.setInsertionPoint(op);
  if (failed(linalg::vectorize(rewriter, op)))
    return false;
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  Block::iterator first =
      before ? std::next(Block::iterator(before)) : block->begin();
  for (Operation &made :
       llvm::make_early_inc_range(llvm::make_range(first, op->getIterator()))) {
    // The vectorizer also reads outputs that are only written.
    if (isOpTriviallyDead(&made)) {
      rewriter.eraseOp(&made);
      continue;
    }
    // The shapes are static, so all accesses are in bounds.
    auto inside = [&](auto transfer) {
      transfer.setInBoundsAttr(rewriter.getBoolArrayAttr(
          SmallVector<bool>(transfer.getTransferRank(), true)));
    };
    if (auto read = dyn_cast<vector::TransferReadOp>(made))
      inside(read);
    else if (auto write = dyn_cast<vector::TransferWriteOp>(made))
      inside(write);
    if (llvm::any_of(made.getOperandTypes(), isVector) ||
        llvm::any_of(made.getResultTypes(), isVector))
      tagUndistributed(&made, scope);
  }
  rewriter.eraseOp(op);
  return true;
}

} // namespace aircc::hierarchy
