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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/VectorInterfaces.h"

#include <numeric>

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The maximum number of registers of a lane that one vector of the op may use.
constexpr int64_t kMaxRegisters = 32;

bool isElementwiseBody(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &o) { return isVectorizableScalar(&o); });
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

bool isVectorizableType(Type type) {
  return isa<FloatType, IntegerType>(type) &&
         type.getIntOrFloatBitWidth() % 8 == 0 &&
         type.getIntOrFloatBitWidth() <= 64;
}

bool isVectorizableScalar(Operation *op) {
  return isa<linalg::IndexOp>(op) ||
         (OpTrait::hasElementwiseMappableTraits(op) &&
          llvm::all_of(op->getResultTypes(), [](Type type) {
            return isVectorizableType(type) || type.isInteger(1) ||
                   type.isIndex();
          }));
}

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

/// Returns vector sizes for all elements that `op` computes, such that the
/// workers divide them evenly. Pads the last loop if necessary. Returns an
/// empty list if the lanes would need too many registers, or most of them would
/// have no elements.
static SmallVector<int64_t> chooseVectorSizes(linalg::LinalgOp op,
                                              int64_t workers) {
  int64_t bits = countElementBits(op);
  int64_t maxElements = workers * kMaxRegisters * 32 / bits;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (sizes.empty() || llvm::is_contained(sizes, 0))
    return {};
  int64_t elements = llvm::product_of(sizes), last = sizes.back();
  if (elements % workers == 0)
    return elements <= maxElements ? sizes : SmallVector<int64_t>();
  // A loop evaluates a single condition for all accesses of an iteration.
  if (elements < workers && op.getNumReductionLoops() == 0)
    return {};
  // Prefer 128-bit accesses over few padded elements.
  for (int64_t width : {128 / bits, int64_t(1)}) {
    int64_t unit = width * workers / std::gcd(width * workers, elements / last);
    sizes.back() = llvm::alignTo(last, unit);
    int64_t padded = llvm::product_of(sizes);
    int64_t added = padded - elements;
    if (padded <= maxElements && added <= (width > 1 ? padded / 4 : padded / 2))
      return sizes;
  }
  return {};
}

/// Marks the dimensions of a transfer in which all elements of the vector are
/// in bounds. A read yields one for out-of-bounds elements.
static void setInBounds(RewriterBase &rewriter,
                        VectorTransferOpInterface transfer) {
  SmallVector<bool> inBounds;
  ArrayRef<int64_t> buffer = transfer.getShapedType().getShape();
  for (auto [size, result] :
       llvm::zip_equal(transfer.getVectorType().getShape(),
                       transfer.getPermutationMap().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    inBounds.push_back(!dim || size <= buffer[dim.getPosition()]);
  }
  transfer->setAttr(transfer.getInBoundsAttrName(),
                    rewriter.getBoolArrayAttr(inBounds));
  auto read = dyn_cast<vector::TransferReadOp>(transfer.getOperation());
  if (!read || !llvm::is_contained(inBounds, false))
    return;
  // The ops also compute results for the padding. Use one, which divides every
  // number, and not poison, because the code of an op may branch on its
  // operand.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(read);
  Value one = arith::ConstantOp::create(
      rewriter, read.getLoc(),
      rewriter.getOneAttr(read.getVectorType().getElementType()));
  rewriter.modifyOpInPlace(read, [&] { read.getPaddingMutable().assign(one); });
}

/// Handles an op of the vectorized linalg op: moves a transfer out of its
/// vector.mask, which selects the elements within the bounds of the buffer.
static Operation *finishVectorized(RewriterBase &rewriter, Operation *op) {
  auto mask = dyn_cast<vector::MaskOp>(op);
  auto transfer = dyn_cast_or_null<VectorTransferOpInterface>(
      mask ? mask.getMaskableOp() : op);
  if (!transfer)
    return op;
  if (mask) {
    rewriter.moveOpBefore(transfer, mask);
    rewriter.replaceOp(mask, transfer->getResults());
  }
  setInBounds(rewriter, transfer);
  return transfer;
}

std::optional<int64_t> getCooperatingWorkers(linalg::LinalgOp op,
                                             int64_t waveSize) {
  Scope scope = getScope(op);
  if (!op.hasPureBufferSemantics() || !isExecutedCooperatively(op, scope) ||
      !hasVectorizableOperands(op) || !isElementwiseBody(op))
    return std::nullopt;
  std::optional<int64_t> workers = getWorkerCount(op, scope);
  if (!workers || *workers % waveSize)
    return std::nullopt;
  return workers;
}

int64_t countElementBits(linalg::LinalgOp op) {
  int64_t bits = 32;
  for (Value operand : op->getOperands())
    bits = std::max<int64_t>(
        bits, getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth());
  return bits;
}

bool vectorizeUndistributed(RewriterBase &rewriter, linalg::LinalgOp op,
                            ArrayRef<int64_t> sizes) {
  Scope scope = getScope(op);
  bool isPadded = sizes != ArrayRef<int64_t>(op.getStaticLoopRanges());
  Operation *before = op->getPrevNode();
  Block *block = op->getBlock();
  rewriter.setInsertionPoint(op);
  SmallVector<bool> isScalable(sizes.size(), false);
  if (failed(isPadded ? linalg::vectorize(rewriter, op, sizes, isScalable)
                      : linalg::vectorize(rewriter, op)))
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
    Operation *finished = finishVectorized(rewriter, &made);
    if (llvm::any_of(finished->getOperandTypes(), isVector) ||
        llvm::any_of(finished->getResultTypes(), isVector))
      tagUndistributed(finished, scope);
  }
  rewriter.eraseOp(op);
  return true;
}

bool vectorizeCooperatively(RewriterBase &rewriter, linalg::LinalgOp op,
                            int64_t waveSize) {
  std::optional<int64_t> workers = getCooperatingWorkers(op, waveSize);
  if (!workers || op.hasDynamicShape())
    return false;
  SmallVector<int64_t> sizes = chooseVectorSizes(op, *workers);
  return !sizes.empty() && vectorizeUndistributed(rewriter, op, sizes);
}

} // namespace aircc::hierarchy
