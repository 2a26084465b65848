//===- VectorizeTiles.cpp - Vectorize linalg ops on tiles -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/tiles/CooperativeOps.h"
#include "pipeline/hierarchy/tiles/ForwardTiles.h"
#include "pipeline/hierarchy/tiles/MatchMatmul.h"
#include "pipeline/hierarchy/tiles/SlowReductions.h"
#include "pipeline/hierarchy/tiles/TilePasses.h"

#include "dialects/layout/LayoutDialect.h"
#include "pipeline/common/PassTarget.h"
#include "pipeline/strategy/ContractionBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_VECTORIZETILES
#include "pipeline/hierarchy/tiles/TilePasses.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;
using aircc::strategy::ContractionBlock;

namespace {

/// A contraction of buffers with one dimension each along M, N and K, and any
/// number of batch dimensions.
struct Contraction {
  linalg::LinalgOp op;
  SmallVector<unsigned> batch;
  unsigned m, n, k;
  SmallVector<int64_t> sizes;
};

std::optional<Contraction> matchContraction(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op) || !isProductOfElements(op) ||
      !op.hasPureBufferSemantics() || op.hasDynamicShape())
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1)
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    SmallVector<int64_t> strides;
    int64_t offset;
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || failed(type.getStridesAndOffset(strides, offset)))
      return std::nullopt;
  }
  Contraction contraction{
      op,         SmallVector<unsigned>(dims->batch.begin(), dims->batch.end()),
      dims->m[0], dims->n[0],
      dims->k[0], op.getStaticLoopRanges()};
  llvm::sort(contraction.batch);
  return contraction;
}

std::string getTypeName(Value memref) {
  std::string text;
  llvm::raw_string_ostream(text)
      << cast<MemRefType>(memref.getType()).getElementType();
  return text;
}

int64_t getBits(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementTypeBitWidth();
}

class VectorizeTiles
    : public hierarchy::impl::VectorizeTilesBase<VectorizeTiles> {
public:
  using VectorizeTilesBase::VectorizeTilesBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      const TargetProfile *profile =
          passTarget.get(getArgument(), target, kernel);
      if (!profile)
        return signalPassFailure();
      SmallVector<linalg::LinalgOp> ops;
      kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
      for (linalg::LinalgOp op : ops)
        vectorize(op, *profile);
      forwardTiles(kernel);
      if (failed(tagUndistributedVectors(kernel, *profile)))
        return signalPassFailure();
    }
  }

private:
  void vectorize(linalg::LinalgOp op, const TargetProfile &profile);
  std::optional<ContractionBlock> chooseBlock(const Contraction &contraction,
                                              const TargetProfile &profile);
  void vectorize(const Contraction &contraction, const ContractionBlock &block);

  PassTarget passTarget;
};

void VectorizeTiles::vectorize(linalg::LinalgOp op,
                               const TargetProfile &profile) {
  if (std::optional<Contraction> contraction = matchContraction(op)) {
    if (std::optional<ContractionBlock> block =
            chooseBlock(*contraction, profile))
      vectorize(*contraction, *block);
    return;
  }
  // On Intel GPUs, loops of lanes over elements need fewer barriers than
  // vectors, but a single lane performs a reduction.
  if (profile.backend != Backend::ROCDL && op.getNumReductionLoops() == 0)
    return;
  IRRewriter rewriter(op.getContext());
  if (!vectorizeCooperatively(rewriter, op, profile.waveSize) &&
      !vectorizeInChunks(rewriter, op, profile.waveSize))
    remarkSlowReduction(op);
}

std::optional<ContractionBlock>
VectorizeTiles::chooseBlock(const Contraction &contraction,
                            const TargetProfile &profile) {
  linalg::LinalgOp op = contraction.op;
  Scope scope = getScope(op);
  if (!isExecutedCooperatively(op, scope))
    return std::nullopt;
  Value a = op.getDpsInputs()[0], b = op.getDpsInputs()[1],
        c = op.getDpsInits()[0];
  std::optional<int64_t> workers = getWorkerCount(op, scope);
  if (!workers || *workers % profile.waveSize)
    return std::nullopt;
  auto size = [&](unsigned dim) { return contraction.sizes[dim]; };
  return strategy::chooseContractionBlock(
      {size(contraction.m),
       size(contraction.n),
       size(contraction.k),
       {getTypeName(a), getTypeName(b), getTypeName(c)},
       {getBits(a), getBits(b), getBits(c)},
       *workers},
      profile);
}

/// Returns the block of `memref` at `offsets`, which has one entry for each
/// loop.
Value createPart(OpBuilder &b, Location loc, Value memref, AffineMap map,
                 ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> extents,
                 const llvm::SmallDenseSet<unsigned> &dropped) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> first, sizes, strides;
  SmallVector<int64_t> shape;
  for (AffineExpr result : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(result).getPosition();
    first.push_back(offsets[dim]);
    sizes.push_back(b.getIndexAttr(extents[dim]));
    strides.push_back(b.getIndexAttr(1));
    if (!dropped.contains(dim))
      shape.push_back(extents[dim]);
  }
  if (type.getShape() == ArrayRef(shape))
    return memref;
  auto partType =
      cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
          shape, type, first, sizes, strides));
  return memref::SubViewOp::create(b, loc, partType, memref, first, sizes,
                                   strides);
}

/// Creates loops over batches and blocks, with K innermost, and sets the
/// insertion point to their body. Returns the offsets of a block.
static SmallVector<OpFoldResult> createLoops(OpBuilder &b, Location loc,
                                             const Contraction &contraction,
                                             ArrayRef<int64_t> extents) {
  SmallVector<unsigned> order(contraction.batch);
  order.append({contraction.m, contraction.n, contraction.k});
  SmallVector<OpFoldResult> offsets(contraction.sizes.size(),
                                    b.getIndexAttr(0));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  for (unsigned dim : order) {
    if (contraction.sizes[dim] == extents[dim])
      continue;
    Value zero = constant(0), end = constant(contraction.sizes[dim]),
          step = constant(extents[dim]);
    auto loop = scf::ForOp::create(b, loc, zero, end, step);
    offsets[dim] = loop.getInductionVar();
    b.setInsertionPointToStart(loop.getBody());
  }
  return offsets;
}

/// Reads the entire `memref`.
static vector::TransferReadOp createRead(OpBuilder &b, Location loc,
                                         Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> zeros(type.getRank(), zero);
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get(type.getShape(), type.getElementType()), memref,
      zeros, padding, SmallVector<bool>(type.getRank(), true));
}

void VectorizeTiles::vectorize(const Contraction &contraction,
                               const ContractionBlock &block) {
  linalg::LinalgOp op = contraction.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Scope scope = getScope(op);
  auto tag = [&](Operation *tagged) { tagUndistributed(tagged, scope); };
  SmallVector<int64_t> extents(contraction.sizes.size(), 1);
  extents[contraction.m] = block.m;
  extents[contraction.n] = block.n;
  extents[contraction.k] = block.k;
  SmallVector<OpFoldResult> offsets = createLoops(b, loc, contraction, extents);

  // The vectors have no batch dimensions.
  llvm::SmallDenseSet<unsigned> dropped(contraction.batch.begin(),
                                        contraction.batch.end());
  SmallVector<AffineExpr> renumbered(contraction.sizes.size());
  unsigned kept = 0;
  SmallVector<Attribute> iterators;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  for (unsigned dim = 0; dim < renumbered.size(); ++dim) {
    if (dropped.contains(dim))
      continue;
    renumbered[dim] = b.getAffineDimExpr(kept++);
    iterators.push_back(vector::IteratorTypeAttr::get(
        b.getContext(), types[dim] == utils::IteratorType::reduction
                            ? vector::IteratorType::reduction
                            : vector::IteratorType::parallel));
  }
  SmallVector<vector::TransferReadOp> reads;
  SmallVector<AffineMap> maps;
  for (auto [operand, map] :
       llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    Value part = createPart(b, loc, operand, map, offsets, extents, dropped);
    SmallVector<AffineExpr> results;
    for (AffineExpr result : map.getResults())
      if (unsigned dim = cast<AffineDimExpr>(result).getPosition();
          !dropped.contains(dim))
        results.push_back(renumbered[dim]);
    maps.push_back(AffineMap::get(kept, 0, results, b.getContext()));
    reads.push_back(createRead(b, loc, part));
    tag(reads.back());
  }
  Operation *product = vector::ContractionOp::create(
      b, loc, reads[0], reads[1], reads[2], b.getAffineMapArrayAttr(maps),
      b.getArrayAttr(iterators));
  tag(product);
  vector::TransferReadOp acc = reads[2];
  auto write = vector::TransferWriteOp::create(
      b, loc, product->getResult(0), acc.getBase(), acc.getIndices(),
      SmallVector<bool>(acc.getIndices().size(), true));
  tag(write);
  op->erase();
}

} // namespace

std::unique_ptr<Pass> aircc::hierarchy::createVectorizeTiles(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<VectorizeTiles>();
  pass->setTarget(std::move(profile));
  return pass;
}
