//===- FuseContractions.cpp - Fuse elementwise ops with contractions ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_FUSECONTRACTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Ops that become one kernel: the op that creates the initial value of the
/// contraction (null if that value is in memory), the contraction, and its user
/// (null if there is none to fuse).
struct Group {
  Operation *init = nullptr;
  linalg::LinalgOp contraction;
  linalg::GenericOp epilogue;
};

/// Whether a contraction with this initial value can start from it in
/// registers.
Operation *findInit(linalg::LinalgOp contraction) {
  Operation *init = contraction.getDpsInits()[0].getDefiningOp();
  if (auto generic = dyn_cast_or_null<linalg::GenericOp>(init))
    return init->hasOneUse() && isElementwiseOnTiles(generic) ? init : nullptr;
  return isa_and_nonnull<linalg::FillOp>(init) ? init : nullptr;
}

/// The only user of the contraction, if the kernel can compute it on its tile.
linalg::GenericOp findEpilogue(linalg::LinalgOp contraction) {
  if (!contraction->hasOneUse())
    return nullptr;
  OpOperand &use = *contraction->getUses().begin();
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!user || user->getBlock() != contraction->getBlock() ||
      !user.isDpsInput(&use) || !user.hasPureTensorSemantics() ||
      !isElementwiseOnTiles(user) ||
      !user.getMatchingIndexingMap(&use).isPermutation())
    return nullptr;
  return user;
}

/// An empty tensor for the result of `op`.
Value createEmpty(OpBuilder &b, linalg::LinalgOp op) {
  Value init = op.getDpsInits()[0];
  return tensor::EmptyOp::create(
      b, op.getLoc(), tensor::getMixedSizes(b, op.getLoc(), init),
      getElementTypeOrSelf(init));
}

/// An uninitialized tensor in the memory of the workgroup. The kernel keeps it
/// in registers.
Value createTile(OpBuilder &b, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, loc, like, dim));
  auto tile = bufferization::AllocTensorOp::create(b, loc, type, sizes);
  tile.setMemorySpaceAttr(b.getI64IntegerAttr(1));
  return tile;
}

/// Clones `op` with another tensor for its result.
Operation *cloneInto(OpBuilder &b, Operation *op, Value destination,
                     IRMapping &mapping) {
  Operation *copy = b.clone(*op, mapping);
  cast<DestinationStyleOpInterface>(copy).getDpsInitsMutable()[0].set(
      destination);
  return copy;
}

/// Moves the ops of the group into a loop of one iteration that stands for the
/// kernel.
void createKernel(Group group) {
  Operation *last = group.epilogue;
  OpBuilder b(last);
  Location loc = last->getLoc();
  Value empty = createEmpty(b, group.epilogue);
  Value init = group.contraction.getDpsInits()[0];
  auto body = [&](OpBuilder &b, Location, ValueRange outputs) {
    IRMapping mapping;
    Value tile = createTile(b, init.getLoc(), init);
    if (group.init)
      tile = cloneInto(b, group.init, tile, mapping)->getResult(0);
    else
      tile = linalg::CopyOp::create(b, init.getLoc(), init, tile).getResult(0);
    cloneInto(b, group.contraction, tile, mapping);
    Operation *result = cloneInto(b, last, outputs[0], mapping);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, outputs[0]);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    auto end = scf::InParallelOp::create(b, loc);
    b.setInsertionPointToStart(end.getBody());
    tensor::ParallelInsertSliceOp::create(b, loc, result->getResult(0),
                                          outputs[0], zeros, sizes, ones);
  };
  auto kernel =
      scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>(), ValueRange{empty},
                            b.getArrayAttr({}), body);
  last->replaceAllUsesWith(kernel);
  last->erase();
  group.contraction->erase();
  if (group.init && group.init->use_empty())
    group.init->erase();
}

class FuseContractions
    : public dispatch::impl::FuseContractionsBase<FuseContractions> {
public:
  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      fuse(function);
  }

private:
  /// The sizes of a result are no uses of it.
  void resolveSizes(func::FuncOp function) {
    RewritePatternSet patterns(function.getContext());
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    (void)applyPatternsGreedily(function, std::move(patterns));
  }

  void fuse(func::FuncOp function) {
    resolveSizes(function);
    SmallVector<linalg::LinalgOp> contractions;
    function.walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isMatrixProduct(op))
        contractions.push_back(op);
    });
    // Of several contractions with one user, the last is fused with it, after
    // the others.
    for (linalg::LinalgOp op : llvm::reverse(contractions)) {
      Group group{findInit(op), op, findEpilogue(op)};
      if (group.epilogue)
        createKernel(group);
    }
    resolveSizes(function);
  }
};

} // namespace
