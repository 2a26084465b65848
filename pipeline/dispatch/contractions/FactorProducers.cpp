//===- FactorProducers.cpp - Ops that compute factors in a kernel ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/contractions/FactorProducers.h"

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Windows.h"
#include "pipeline/dispatch/KernelRegion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aircc;

namespace {

/// The approximate number of rows or columns in a tile of the kernel: each
/// factor is read once per this many rows or columns of the other one.
constexpr int64_t kTileSize = 128;
/// The assumed value of an unknown size.
constexpr int64_t kUnknownSize = 1024;

int64_t getSize(int64_t size) {
  return ShapedType::isDynamic(size) ? kUnknownSize : size;
}

int64_t countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  int64_t bits = tensor.getElementType().isIndex()
                     ? 64
                     : tensor.getElementType().getIntOrFloatBitWidth();
  int64_t bytes = std::max<int64_t>(1, bits / 8);
  for (int64_t size : tensor.getShape())
    bytes *= getSize(size);
  return bytes;
}

/// Returns how many times each tile of factor `operand` is read.
int64_t countReads(linalg::LinalgOp contraction, OpOperand *operand) {
  AffineMap map = contraction.getMatchingIndexingMap(operand);
  AffineMap mapOfC =
      contraction.getMatchingIndexingMap(contraction.getDpsInitOperand(0));
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  int64_t reads = 1;
  bool isTiled = true;
  // The innermost loop of C that does not index the factor is the one that is
  // tiled.
  for (AffineExpr loop : llvm::reverse(mapOfC.getResults())) {
    if (map.isFunctionOfDim(cast<AffineDimExpr>(loop).getPosition()))
      continue;
    int64_t size = getSize(sizes[cast<AffineDimExpr>(loop).getPosition()]);
    reads *= isTiled ? llvm::divideCeil(size, kTileSize) : size;
    isTiled = false;
  }
  return reads;
}

/// Returns whether less memory traffic results if the kernel computes factor
/// `operand` from the inputs of `producer` for each of its tiles, instead of
/// reading it from memory, where another kernel has stored it.
bool movesFewerBytes(linalg::LinalgOp contraction, OpOperand *operand,
                     linalg::GenericOp producer) {
  int64_t reads = countReads(contraction, operand), inputs = 0;
  for (Value input : producer.getDpsInputs())
    inputs += countBytes(input.getType());
  int64_t stored = countBytes(operand->get().getType());
  return inputs * reads <= inputs + stored + stored * reads;
}

/// Returns whether tiles of `view` are tiles of its source. This holds if each
/// of its dimensions is one dimension of the source, or several with static
/// sizes, all of which except the first are powers of two.
bool hasTilesOfSource(tensor::CollapseShapeOp view) {
  RankedTensorType type = view.getSrcType();
  return llvm::all_of(view.getReassociationIndices(), [&](ArrayRef<int64_t> g) {
    return llvm::all_of(g.drop_front(), [&](int64_t dim) {
      return !type.isDynamicDim(dim) &&
             llvm::isPowerOf2_64(type.getDimSize(dim));
    });
  });
}

/// Returns whether another kernel can compute `producer` together with one of
/// its inputs, which is then not stored. Such kernels are those of
/// contractions, convolutions and reductions of rows.
bool isComputedElsewhere(linalg::GenericOp producer) {
  return llvm::any_of(producer.getDpsInputs(), [&](Value input) {
    auto op = input.getDefiningOp<linalg::LinalgOp>();
    return op && op.getNumReductionLoops() != 0 &&
           (!linalg::isaContractionOpInterface(op) ||
            dispatch::findEpilogue(op) == producer);
  });
}

/// Returns the op that adds zeros around the image from which `windows` copies;
/// null if there is none.
linalg::GenericOp findPadding(linalg::GenericOp windows) {
  Value image = windows.getDpsInputs()[0];
  auto padding = image.getDefiningOp<linalg::GenericOp>();
  return padding && image.hasOneUse() &&
                 padding->getBlock() == windows->getBlock() &&
                 matchPadding(padding)
             ? padding
             : nullptr;
}

} // namespace

SmallVector<Operation *>
dispatch::findFactorProducers(linalg::LinalgOp contraction,
                              OpOperand *operand) {
  SmallVector<Operation *> ops;
  Value value = operand->get();
  auto isOnlyUser = [&] {
    return value.hasOneUse() && value.getDefiningOp() &&
           value.getDefiningOp()->getBlock() == contraction->getBlock();
  };
  if (!isOnlyUser())
    return {};
  if (auto view = value.getDefiningOp<tensor::CollapseShapeOp>()) {
    auto source = view.getSrc().getDefiningOp<linalg::GenericOp>();
    if (!(source && isWindowCopy(source)) && !hasTilesOfSource(view))
      return {};
    ops.push_back(view);
    value = view.getSrc();
  }
  auto producer = value.getDefiningOp<linalg::GenericOp>();
  if (!isOnlyUser() || !producer || !producer.hasPureTensorSemantics())
    return {};
  if (isWindowCopy(producer) && !isElementwiseOnTiles(producer)) {
    ops.insert(ops.begin(), producer);
    if (linalg::GenericOp padding = findPadding(producer))
      ops.insert(ops.begin(), padding);
    return ops;
  }
  if (!isElementwiseOnTiles(producer) || producer.getNumDpsInputs() == 0 ||
      isComputedElsewhere(producer) ||
      !movesFewerBytes(contraction, operand, producer))
    return {};
  ops.insert(ops.begin(), producer);
  return ops;
}
