//===- FuseContractions.cpp - Fuse elementwise ops with contractions ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Windows.h"
#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_FUSECONTRACTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// The elementwise op that computes the initial value of the contraction in the
/// kernel; null if the initial value is a fill or in memory.
linalg::GenericOp findInit(linalg::LinalgOp contraction) {
  auto init = contraction.getDpsInits()[0].getDefiningOp<linalg::GenericOp>();
  return init && init->hasOneUse() && isElementwiseOnTiles(init) ? init
                                                                 : nullptr;
}

/// The approximate number of rows or columns of a tile of the kernel: each
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

/// How many times each tile of factor `operand` is read.
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

/// Whether fewer bytes are moved if the kernel computes factor `operand` from
/// the inputs of `producer` for each of its tiles, instead of reading it from
/// memory, where another kernel has stored it.
bool movesFewerBytes(linalg::LinalgOp contraction, OpOperand *operand,
                     linalg::GenericOp producer) {
  int64_t reads = countReads(contraction, operand), inputs = 0;
  for (Value input : producer.getDpsInputs())
    inputs += countBytes(input.getType());
  int64_t stored = countBytes(operand->get().getType());
  return inputs * reads <= inputs + stored + stored * reads;
}

/// Whether tiles of `view` are tiles of its source: each of its dimensions is a
/// dimension of the source, or several ones with static sizes, all of which
/// except the first are powers of two.
bool hasTilesOfSource(tensor::CollapseShapeOp view) {
  RankedTensorType type = view.getSrcType();
  if (!type.hasStaticShape())
    return false;
  return llvm::all_of(view.getReassociationIndices(), [&](ArrayRef<int64_t> g) {
    return llvm::all_of(g.drop_front(), [&](int64_t dim) {
      return llvm::isPowerOf2_64(type.getDimSize(dim));
    });
  });
}

/// Whether another kernel can compute `producer` together with one of its
/// inputs, which is then not stored: the kernel of a contraction, of a
/// convolution, or of a reduction of rows.
bool isComputedElsewhere(linalg::GenericOp producer) {
  return llvm::any_of(producer.getDpsInputs(), [&](Value input) {
    auto op = input.getDefiningOp<linalg::LinalgOp>();
    return op && op.getNumReductionLoops() != 0 &&
           (!linalg::isaContractionOpInterface(op) ||
            dispatch::findEpilogue(op) == producer);
  });
}

/// The op that adds zeros around the image from which `windows` copies; null if
/// there is none.
linalg::GenericOp findPadding(linalg::GenericOp windows) {
  Value image = windows.getDpsInputs()[0];
  auto padding = image.getDefiningOp<linalg::GenericOp>();
  return padding && image.hasOneUse() &&
                 padding->getBlock() == windows->getBlock() &&
                 matchPadding(padding)
             ? padding
             : nullptr;
}

/// The ops that compute factor `operand` in the kernel: an elementwise op, or
/// one that copies windows of an image, and possibly the padding of the image
/// and a reshape of the result. Empty if the kernel should read the factor from
/// memory.
SmallVector<Operation *> findProducer(linalg::LinalgOp contraction,
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

/// Gives a contraction its own fill, which its kernel computes. The result of a
/// shared fill would be stored and copied.
void separateFill(linalg::LinalgOp contraction) {
  OpOperand *init = contraction.getDpsInitOperand(0);
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  if (!fill || fill->hasOneUse())
    return;
  OpBuilder b(contraction);
  Value empty = tensor::EmptyOp::create(
      b, fill.getLoc(), tensor::getMixedSizes(b, fill.getLoc(), init->get()),
      getElementTypeOrSelf(init->get()));
  init->set(linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), empty)
                .getResult(0));
}

class FuseContractions
    : public dispatch::impl::FuseContractionsBase<FuseContractions> {
public:
  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      fuse(function);
  }

private:
  void fuse(func::FuncOp function) {
    dispatch::resolveSizes(function);
    SmallVector<linalg::LinalgOp> contractions;
    function.walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isMatrixProduct(op) &&
          !dispatch::isInKernel(op))
        contractions.push_back(op);
    });
    // If several contractions have the same user, the last one, which runs
    // after the others, is fused with it.
    bool changed = false;
    for (linalg::LinalgOp op : llvm::reverse(contractions)) {
      linalg::GenericOp epilogue = dispatch::findEpilogue(op);
      SmallVector<Operation *> ops;
      for (OpOperand *factor : op.getDpsInputOperands())
        ops.append(findProducer(op, factor));
      if (!epilogue && ops.empty()) {
        separateFill(op);
        continue;
      }
      ops.append({findInit(op), op, epilogue});
      llvm::erase(ops, nullptr);
      dispatch::createKernelRegion(ops);
      changed = true;
    }
    if (changed)
      dispatch::resolveSizes(function);
  }
};

} // namespace
