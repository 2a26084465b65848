//===- ProductLoops.cpp - Loops of convolutions ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/convolutions/ProductLoops.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace aircc;

/// Loops over channels are divided into blocks of this many channels if their
/// elements have this many bits; the L2 cache does not limit others.
static constexpr int64_t kChannelsInBlock = 32;
static constexpr unsigned kDividedBits = 16;

/// Tiles have this many channels for each position in a window, or a multiple
/// of it.
static constexpr int64_t kChannelsInTile = 16;

SmallVector<unsigned> dispatch::getLoops(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [](AffineExpr loop) {
    return cast<AffineDimExpr>(loop).getPosition();
  });
}

std::optional<dispatch::ProductLoops> dispatch::sortLoops(linalg::LinalgOp op) {
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputChannel.size() != 1 ||
      dims->inputChannel.size() != 1)
    return std::nullopt;
  AffineMap filter = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (!filter.isProjectedPermutation() || !result.isProjectedPermutation())
    return std::nullopt;
  ProductLoops loops;
  loops.column = dims->outputChannel.front();
  // The sums are consecutive dimensions of the filter.
  SmallVector<unsigned> filterLoops = getLoops(filter);
  std::optional<size_t> lastSum;
  for (auto [position, loop] : llvm::enumerate(filterLoops)) {
    if (!llvm::is_contained(dims->filterLoop, loop) &&
        loop != dims->inputChannel.front())
      continue;
    if (lastSum && *lastSum + 1 != position)
      return std::nullopt;
    lastSum = position;
    loops.sums.push_back(loop);
  }
  // The rows are the last group of consecutive dimensions of the result that
  // are pixels.
  bool isEnded = false;
  for (unsigned loop : llvm::reverse(getLoops(result))) {
    bool isPixel = llvm::is_contained(dims->batch, loop) ||
                   llvm::is_contained(dims->outputImage, loop);
    isEnded |= !isPixel && !loops.rows.empty();
    if (isPixel && !isEnded)
      loops.rows.push_back(loop);
    else if (loop != loops.column)
      loops.outer.push_back(loop);
  }
  std::reverse(loops.rows.begin(), loops.rows.end());
  std::reverse(loops.outer.begin(), loops.outer.end());
  if (loops.rows.empty())
    return std::nullopt;
  return loops;
}

int64_t dispatch::multiplySizes(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t product = 1;
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(sizes[loop]))
      return ShapedType::kDynamic;
    product *= sizes[loop];
  }
  return product;
}

SmallVector<ReassociationIndices> dispatch::groupRows(AffineMap map,
                                                      ArrayRef<unsigned> rows) {
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, loop] : llvm::enumerate(getLoops(map)))
    if (llvm::is_contained(rows, loop) && loop != rows.front())
      groups.back().push_back(dim);
    else
      groups.push_back({int64_t(dim)});
  return groups;
}

static strategy::MatmulOperand describeOperand(Value value) {
  Type element = getElementTypeOrSelf(value);
  strategy::MatmulOperand operand;
  llvm::raw_string_ostream(operand.type) << element;
  operand.bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  return operand;
}

strategy::MatmulProblem
dispatch::describeProduct(linalg::LinalgOp op, const ProductLoops &loops,
                          const TargetProfile &profile) {
  auto getSize = [](int64_t size) -> std::optional<int64_t> {
    return ShapedType::isDynamic(size) ? std::nullopt : std::optional(size);
  };
  strategy::MatmulProblem problem;
  problem.m = getSize(multiplySizes(op, loops.rows));
  problem.n = getSize(multiplySizes(op, loops.column));
  problem.k = getSize(multiplySizes(op, loops.sums));
  problem.a = describeOperand(op.getDpsInputs()[0]);
  problem.a.alongK = problem.a.isComputed = true;
  problem.b = describeOperand(op.getDpsInputs()[1]);
  AffineMap filter = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  problem.b.alongK = getLoops(filter).back() != loops.column;
  strategy::MatmulOperand c = describeOperand(op.getDpsInits()[0]);
  problem.cType = strategy::chooseAccumulator(profile, problem.a.type,
                                              problem.b.type, c.type, c.bits);
  problem.cBits = problem.cType == c.type ? c.bits : 32;
  return problem;
}

void dispatch::orderSums(linalg::LinalgOp op, ProductLoops &loops) {
  unsigned channel = linalg::inferConvolutionDims(op)->inputChannel.front();
  int64_t size = op.getStaticLoopRanges()[channel];
  if (loops.sums.back() == channel || ShapedType::isDynamic(size) ||
      size % kChannelsInTile != 0 || multiplySizes(op, loops.sums) == size)
    return;
  llvm::erase(loops.sums, channel);
  loops.sums.push_back(channel);
}

linalg::LinalgOp dispatch::divideChannels(IRRewriter &b, linalg::LinalgOp op,
                                          ProductLoops &loops) {
  unsigned channel = linalg::inferConvolutionDims(op)->inputChannel.front();
  int64_t size = op.getStaticLoopRanges()[channel];
  AffineMap image = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap filter = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineExpr whole = b.getAffineDimExpr(channel);
  Value weights = op.getDpsInputs()[1];
  auto type = cast<RankedTensorType>(weights.getType());
  if (loops.sums.size() < 2 || loops.sums.back() != channel ||
      image.getResults().back() == whole || size % kChannelsInBlock != 0 ||
      size == kChannelsInBlock || type.getElementTypeBitWidth() != kDividedBits)
    return nullptr;
  // Loop `blocks` counts blocks of channels, and `channel` those of a block.
  unsigned blocks = op.getNumLoops();
  AffineExpr block = b.getAffineDimExpr(blocks);
  b.setInsertionPoint(op);
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> indices;
  for (auto [dim, index] : llvm::enumerate(filter.getResults())) {
    groups.emplace_back();
    auto add = [&](AffineExpr index, OpFoldResult size) {
      groups.back().push_back(indices.size());
      indices.push_back(index);
      sizes.push_back(size);
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    };
    if (index == whole) {
      add(block, b.getIndexAttr(size / kChannelsInBlock));
      add(whole, b.getIndexAttr(kChannelsInBlock));
    } else {
      add(index, tensor::getMixedSize(b, op.getLoc(), weights, dim));
    }
  }
  weights = tensor::ExpandShapeOp::create(b, op.getLoc(), type.clone(shape),
                                          weights, groups, sizes);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[0] =
      image.replace(whole, block * kChannelsInBlock + whole, blocks + 1, 0);
  maps[1] = AffineMap::get(blocks + 1, 0, indices, b.getContext());
  maps[2] = AffineMap::get(blocks + 1, 0, maps[2].getResults(), b.getContext());
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.push_back(utils::IteratorType::reduction);
  auto divided =
      linalg::GenericOp::create(b, op.getLoc(), op->getResultTypes(),
                                ValueRange{op.getDpsInputs()[0], weights},
                                op.getDpsInits(), maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&divided.getRegion(), mapping);
  divided->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  loops.sums.insert(loops.sums.begin(), blocks);
  b.replaceOp(op, divided.getResults());
  return cast<linalg::LinalgOp>(divided.getOperation());
}

void dispatch::chooseParts(linalg::LinalgOp op, ProductLoops &loops,
                           const strategy::MatmulProblem &problem,
                           const strategy::MatmulTiling &tiling,
                           const TargetProfile &profile) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return;
  int64_t best = strategy::chooseSplits(
      problem, multiplySizes(op, loops.outer), tiling, profile,
      [&](int64_t splits) {
        // Only products of the sizes of the outermost loops are possible.
        for (unsigned loop : ArrayRef(loops.sums).drop_back()) {
          if (splits % sizes[loop] != 0)
            return false;
          splits /= sizes[loop];
          if (splits == 1)
            return true;
        }
        return false;
      });
  while (best > 1) {
    unsigned loop = loops.sums.front();
    best /= sizes[loop];
    loops.parts.push_back(loop);
    loops.sums.erase(loops.sums.begin());
  }
}
