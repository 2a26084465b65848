//===- FuseConvolutions.cpp - Fuse convolutions with elementwise ops ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/WorkgroupLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_FUSECONVOLUTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// The number of elements in a tile: one for each lane of a workgroup, or more,
/// so that the elements of a lane share weights and addresses. The latter is
/// done if all lanes get the same number, or if the result has many elements.
constexpr int64_t kElementsPerTile = 256, kMoreElements = 1024;
constexpr int64_t kManyElements = 1 << 19;
/// The maximum number of elements of a tile.
constexpr int64_t kMaxElementsPerTile = 4096;

/// A convolution or pooling op, and the elementwise op that uses its result.
struct FusedConvolution {
  linalg::GenericOp root;
  linalg::LinalgOp convolution;
};

/// Returns whether `op` computes each element of its results from the elements
/// of its operands at the same indices, in any order of the dimensions.
bool isElementwise(linalg::GenericOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

/// Returns whether `op`, which computes the initial value of a convolution, is
/// recomputed for each tile.
bool isInitialValue(Operation *op) {
  if (isa<linalg::FillOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic->getNumResults() == 1 && isElementwise(generic) &&
         generic.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
}

/// Returns whether `op` is a convolution or pooling that this pass may fuse.
bool isConvolution(linalg::LinalgOp op) {
  return linalg::isaConvolutionOpInterface(op) &&
         !linalg::isaContractionOpInterface(op) &&
         op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         !dispatch::isInKernel(op);
}

/// Returns the elementwise op that is the only user of `convolution`; null if
/// there is none.
linalg::GenericOp findRoot(linalg::LinalgOp convolution) {
  if (!convolution->hasOneUse())
    return nullptr;
  OpOperand &use = *convolution->getUses().begin();
  auto root = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!root || !root.hasPureTensorSemantics() || root->getNumResults() != 1 ||
      root->getBlock() != convolution->getBlock() || !root.isDpsInput(&use) ||
      !isElementwise(root) ||
      !root.getMatchingIndexingMap(&use).isPermutation() ||
      !root.getMatchingIndexingMap(root.getDpsInitOperand(0)).isIdentity())
    return nullptr;
  return root;
}

/// Copies the result of a convolution whose sums are in workgroup memory.
linalg::GenericOp createRoot(IRRewriter &rewriter,
                             linalg::LinalgOp convolution) {
  Value result = convolution->getResult(0);
  rewriter.setInsertionPointAfter(convolution);
  linalg::GenericOp copy =
      dispatch::createCopy(rewriter, convolution.getLoc(), result);
  rewriter.replaceAllUsesExcept(result, copy.getResult(0), copy);
  return copy;
}

/// Returns the op that computes the initial value of a convolution. Copies a
/// tensor from elsewhere to workgroup memory.
Operation *findInitialValue(IRRewriter &rewriter,
                            linalg::LinalgOp convolution) {
  OpOperand &init = convolution.getDpsInitsMutable()[0];
  Operation *producer = init.get().getDefiningOp();
  if (producer && isInitialValue(producer))
    return producer;
  rewriter.setInsertionPoint(convolution);
  linalg::GenericOp copy =
      dispatch::createCopy(rewriter, convolution.getLoc(), init.get());
  rewriter.modifyOpInPlace(convolution, [&] { init.set(copy.getResult(0)); });
  return copy;
}

/// Returns the sizes of a tile: the innermost dimension, and as much of the
/// others as has at most `most` elements.
SmallVector<int64_t> growTile(ArrayRef<int64_t> ranges, int64_t most) {
  SmallVector<int64_t> sizes(ranges.size(), 1);
  sizes.back() = ranges.back();
  int64_t elements = ranges.back();
  for (size_t loop = ranges.size() - 1; loop-- > 0;) {
    // Use only full tiles, because shapes in the kernel are constant.
    for (int64_t size = 1; elements * size <= most; ++size)
      if (ranges[loop] % size == 0)
        sizes[loop] = size;
    elements *= sizes[loop];
  }
  return sizes;
}

/// Returns the sizes of possible tiles, such that a workgroup computes one
/// tile, best ones first. Returns none if sizes are unknown or the op has too
/// few or too many elements.
SmallVector<SmallVector<int64_t>> listTiles(ArrayRef<int64_t> ranges) {
  if (ranges.empty() || llvm::any_of(ranges, ShapedType::isDynamic) ||
      llvm::is_contained(ranges, 0) || ranges.back() > kMaxElementsPerTile)
    return {};
  SmallVector<SmallVector<int64_t>> tiles;
  for (int64_t most = kMoreElements; most > kElementsPerTile; most /= 2) {
    SmallVector<int64_t> tile = growTile(ranges, most);
    if (llvm::product_of(tile) == most)
      tiles.push_back(std::move(tile));
  }
  if (tiles.empty() && llvm::product_of(ranges) >= kManyElements)
    tiles.push_back(growTile(ranges, kMoreElements));
  tiles.push_back(growTile(ranges, kElementsPerTile));
  llvm::erase_if(tiles, [&](ArrayRef<int64_t> tile) {
    unsigned numTiled = 0;
    for (auto [range, size] : llvm::zip_equal(ranges, tile))
      numTiled += range != size;
    return numTiled == 0 || numTiled > dispatch::maxWorkgroupLoops;
  });
  return tiles;
}

/// Returns the number of elements of `operand` that a convolution reads for a
/// tile of its result. `sizes` are those of its loops.
int64_t countElements(linalg::LinalgOp op, OpOperand *operand,
                      ArrayRef<int64_t> sizes) {
  MLIRContext *context = op->getContext();
  SmallVector<AffineExpr> last;
  for (int64_t size : sizes)
    last.push_back(getAffineConstantExpr(size - 1, context));
  AffineMap map = op.getMatchingIndexingMap(operand);
  int64_t elements = 1;
  for (AffineExpr expr : map.getResults()) {
    auto end = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(expr.replaceDims(last), 0, 0));
    if (!end)
      return std::numeric_limits<int32_t>::max();
    elements *= end.getValue() + 1;
  }
  return elements;
}

/// Returns the sizes of the loops of the convolution for a tile of the root.
SmallVector<int64_t> getTileSizes(FusedConvolution &fused,
                                  ArrayRef<int64_t> tile) {
  linalg::LinalgOp op = fused.convolution;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  AffineMap written = op.getIndexingMapMatchingResult(op->getResult(0));
  AffineMap read = fused.root.getMatchingIndexingMap(
      op->getResult(0).getUses().begin().getOperand());
  for (auto [loop, rootLoop] :
       llvm::zip_equal(written.getResults(), read.getResults()))
    sizes[cast<AffineDimExpr>(loop).getPosition()] =
        tile[cast<AffineDimExpr>(rootLoop).getPosition()];
  return sizes;
}

int64_t countBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  return std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
}

class FuseConvolutions
    : public dispatch::impl::FuseConvolutionsBase<FuseConvolutions> {
public:
  using FuseConvolutionsBase::FuseConvolutionsBase;

  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      fuse(function);
  }

private:
  void fuse(func::FuncOp function);
  bool tile(IRRewriter &rewriter, linalg::LinalgOp convolution);
  linalg::GenericOp findPadding(FusedConvolution &fused,
                                ArrayRef<int64_t> tile);
};

/// Returns the op that generates the padded input of the convolution if the
/// part that a tile needs fits into LDS together with the sums.
linalg::GenericOp FuseConvolutions::findPadding(FusedConvolution &fused,
                                                ArrayRef<int64_t> tile) {
  linalg::LinalgOp op = fused.convolution;
  OpOperand *input = op.getDpsInputOperand(0);
  auto padding = input->get().getDefiningOp<linalg::GenericOp>();
  if (!padding || padding.getNumDpsInputs() > 0 ||
      padding->getNumResults() != 1 ||
      padding->getBlock() != fused.root->getBlock())
    return nullptr;
  int64_t sums = 1;
  for (int64_t size : tile)
    sums *= size;
  int64_t bytes = sums * countBytes(op->getResult(0).getType()) +
                  countElements(op, input, getTileSizes(fused, tile)) *
                      countBytes(input->get().getType());
  return bytes <= ldsBytes / 2 ? padding : nullptr;
}

bool FuseConvolutions::tile(IRRewriter &rewriter,
                            linalg::LinalgOp convolution) {
  FusedConvolution fused = {findRoot(convolution), convolution};
  auto type = cast<RankedTensorType>(convolution->getResult(0).getType());
  SmallVector<int64_t> ranges(type.getShape());
  if (fused.root)
    ranges = fused.root.getStaticLoopRanges();
  SmallVector<SmallVector<int64_t>> tiles = listTiles(ranges);
  if (tiles.empty())
    return false;
  if (!fused.root)
    fused.root = createRoot(rewriter, convolution);
  auto fits = [&](ArrayRef<int64_t> tile) { return findPadding(fused, tile); };
  auto best = llvm::find_if(tiles, fits);
  ArrayRef<int64_t> tile = best == tiles.end() ? tiles.front() : *best;
  SmallVector<OpFoldResult> sizes;
  for (auto [size, range] : llvm::zip_equal(tile, ranges))
    sizes.push_back(rewriter.getIndexAttr(size == range ? 0 : size));
  Operation *padding = findPadding(fused, tile);
  Operation *init = findInitialValue(rewriter, convolution);
  auto isFused = [&](Operation *producer) {
    return producer == fused.convolution || producer == padding ||
           producer == init || isa<linalg::FillOp>(producer);
  };
  return succeeded(
      dispatch::tileToWorkgroups(rewriter, fused.root, sizes, isFused));
}

void FuseConvolutions::fuse(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> convolutions;
  function.walk([&](linalg::LinalgOp op) {
    if (isConvolution(op))
      convolutions.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  bool changed = false;
  for (linalg::LinalgOp convolution : llvm::reverse(convolutions))
    changed |= tile(rewriter, convolution);
  if (changed)
    dispatch::finishWorkgroupLoops(function);
}

} // namespace
