//===- WorkgroupLoops.cpp - Loops whose iterations are workgroups ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/WorkgroupLoops.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace aircc;

bool dispatch::visitsAdjacentElements(linalg::GenericOp op, unsigned loop) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return map.getNumResults() > 0 &&
           map.getResults().back().isFunctionOfDim(loop);
  });
}

int64_t dispatch::countBytes(Type element) {
  return llvm::divideCeil(element.isIndex()
                              ? IndexType::kInternalStorageBitWidth
                              : element.getIntOrFloatBitWidth(),
                          8);
}

LogicalResult aircc::dispatch::tileToWorkgroups(
    RewriterBase &rewriter, linalg::GenericOp root,
    ArrayRef<OpFoldResult> sizes,
    llvm::function_ref<bool(Operation *)> isFused) {
  int64_t numLoops = llvm::count_if(
      sizes, [](OpFoldResult size) { return !isZeroInteger(size); });
  SmallVector<Attribute> mapping;
  for (int64_t i = numLoops; i-- > 0;)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        rewriter.getContext(), static_cast<gpu::MappingId>(i)));
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp)
      .setTileSizes(sizes)
      .setMapping(mapping);
  options.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (isFused(producer.getOwner()))
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        return std::nullopt;
      });
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(tiled))
    return failure();
  rewriter.replaceOp(root,
                     llvm::map_to_vector(root->getResults(), [&](Value result) {
                       return tiled->replacements.lookup(result);
                     }));
  return success();
}

linalg::GenericOp dispatch::createCopy(RewriterBase &rewriter, Location loc,
                                       ValueRange from) {
  SmallVector<Value> empties;
  for (Value tensor : from)
    empties.push_back(tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensor),
        getElementTypeOrSelf(tensor)));
  auto rank = cast<RankedTensorType>(from.front().getType()).getRank();
  SmallVector<AffineMap> maps(2 * from.size(),
                              rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      rewriter, loc, from.getTypes(), from, empties, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange elements) {
        linalg::YieldOp::create(b, loc, elements.take_front(from.size()));
      });
}

/// Ops of a kernel must not overwrite tensors from outside, because
/// bufferization would allocate a copy of them in the kernel. Creates empty and
/// filled tensors again instead.
static void repeatInits(func::FuncOp function) {
  function.walk([](DestinationStyleOpInterface op) {
    auto kernel = op->getParentOfType<scf::ForallOp>();
    if (!kernel)
      return;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      Operation *source = init.get().getDefiningOp();
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      if (!isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(source) ||
          kernel->isAncestor(source) || !type || !type.hasStaticShape())
        continue;
      OpBuilder b(op);
      Value local = tensor::EmptyOp::create(
          b, source->getLoc(), type.getShape(), type.getElementType());
      if (auto fill = dyn_cast<linalg::FillOp>(source))
        local = linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(),
                                       ValueRange{local})
                    .getResult(0);
      init.set(local);
    }
  });
}

/// Places the tensors of a kernel in workgroup memory.
static void placeEmptyTensors(func::FuncOp function) {
  SmallVector<tensor::EmptyOp> empties;
  function.walk([&](tensor::EmptyOp op) {
    if (op->getParentOfType<scf::ForallOp>())
      empties.push_back(op);
  });
  for (tensor::EmptyOp op : empties) {
    OpBuilder b(op);
    // Each use needs its own memory.
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      b.setInsertionPoint(use.getOwner());
      auto local = bufferization::AllocTensorOp::create(
          b, op.getLoc(), op.getType(), op.getDynamicSizes());
      local.setMemorySpaceAttr(b.getI64IntegerAttr(1));
      use.set(local);
    }
    op.erase();
  }
}

/// Removes unused results of loops over tiles. Skips loops without dimensions,
/// which represent other kernels, because their canonicalization would inline
/// them.
static void simplifyKernels(func::FuncOp function) {
  SmallVector<Operation *> kernels;
  function.walk([&](scf::ForallOp loop) {
    if (loop.getRank() > 0)
      kernels.push_back(loop);
  });
  RewritePatternSet patterns(function.getContext());
  scf::ForallOp::getCanonicalizationPatterns(patterns, function.getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  (void)applyOpPatternsGreedily(kernels, std::move(patterns), config);
}

void aircc::dispatch::finishWorkgroupLoops(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  // Otherwise, uses of their sizes would keep fused ops alive.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                      function.getContext());
  (void)applyPatternsGreedily(function, std::move(patterns));
  simplifyKernels(function);
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  repeatInits(function);
  placeEmptyTensors(function);
}
