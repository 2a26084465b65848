//===- StagedAttention.cpp - Attention kernels with tiles in LDS ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Scores are the product of keys and queries, and results are the product of
// values and weights; in both, each query is a column. In LDS, rows run along
// the dimension that the product reduces: the depth of a head for keys, and the
// keys for values, which the copy to LDS transposes. If the target has
// transposing reads from LDS, rows there are as in memory.
//
// A lane has the scores of several contiguous ranges of keys, for example of
// the keys 4 to 7 and 12 to 15 out of 16, which are the ranges 1 and 3. In LDS,
// values are in lane order: ranges 0, 2, 1, 3. So a lane reads the values for
// its weights with one access. The order of the weights changes as well, but
// they remain in their registers. A read that transposes values reads one
// range.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/attention/AttentionBuilder.h"
#include "pipeline/hierarchy/tiles/BufferedLoop.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/LaneOps.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

class StagedAttention : public AttentionBuilder {
public:
  using AttentionBuilder::AttentionBuilder;

protected:
  SmallVector<Type> getBufferTypes() final {
    SmallVector<int64_t> keys{tiling.keys, tiling.depth},
        values{tiling.features, getNumGroups(), tiling.rangeLanes,
               tiling.ranges, tiling.rangeKeys};
    if (tiling.readsTransposedK)
      keys = {tiling.depth, tiling.keys};
    if (tiling.readsTransposedV)
      values = {tiling.keys, tiling.features};
    return {getBufferType(keys, attention.k),
            getBufferType(values, attention.v)};
  }
  State createLoop(const State &start, Value end) final;

private:
  /// Multiplies tiles: queries by keys for the scores, or weights by values.
  /// Adds the products to sums.
  Value multiplyKeys(const Factor &queries, const Factor &keys, Value scores) {
    return multiply(keys, queries, scores, tiling.scores,
                    transposesKeys() ? layout::OperandPath::LeftTransposed
                                     : layout::OperandPath::LeftStaged);
  }
  Value multiplyValues(Value weights, const Factor &values, Value sums) {
    return multiply(values, {sortKeys(weights), /*isAlongK=*/false}, sums,
                    tiling.sums,
                    transposesValues() ? layout::OperandPath::LeftTransposed
                                       : layout::OperandPath::LeftStaged);
  }
  /// Keys or values, with their tiles in LDS.
  struct Staged : Operand {
    Value lds;
    /// The shape of a tile in LDS.
    SmallVector<int64_t> shape;
    /// Whether the copy to LDS transposes, and whether the read from LDS does.
    bool isTransposed, isReadTransposed;
    /// Whether it is copied directly to LDS.
    bool isMovedDirectly;
  };

  bool transposesKeys() {
    return !hasHeadRows(getKeys()) && !tiling.readsTransposedK;
  }
  bool transposesValues() {
    return hasHeadRows(getValues()) && !tiling.readsTransposedV;
  }

  /// Returns the number of groups of keys in a tile. Each lane has `ranges`
  /// ranges of keys in each group.
  int64_t getNumGroups() {
    return tiling.keys / (tiling.ranges * tiling.rangeLanes * tiling.rangeKeys);
  }
  MemRefType getBufferType(SmallVector<int64_t> shape, OpOperand *operand) {
    shape[0] *= tiling.buffers;
    return MemRefType::get(shape, getType(operand).getElementType(),
                           MemRefLayoutAttrInterface(),
                           gpu::AddressSpaceAttr::get(
                               b.getContext(), gpu::AddressSpace::Workgroup));
  }
  /// Multiplies. A wave that multiplies has priority over the other wave of its
  /// SIMD, which then computes weights.
  Value multiply(const Factor &lhs, const Factor &rhs, Value sums,
                 const MatrixInstruction *instruction,
                 layout::OperandPath path) {
    kernel::SetPriorityOp::create(b, loc, 1);
    vector::ContractionOp product = createProduct(b, loc, lhs, rhs, sums);
    product->setAttr(
        layout::LayoutDialect::StrategyAttrHelper::getNameStr(),
        layout::ContractionStrategyAttr::get(b.getContext(), instruction->name,
                                             /*wavesM=*/1, tiling.waves, path));
    kernel::SetPriorityOp::create(b, loc, 0);
    return product;
  }
  /// Starts to copy the tile at `key` to LDS. Returns null if no registers are
  /// needed.
  Value fetch(const Staged &staged, Value key, Value buffer);
  /// Stores a fetched tile in LDS.
  void write(const Staged &staged, Value tile, Value buffer);
  Factor readKeys(const Staged &keys, Value buffer) {
    return {read(keys, buffer), /*isAlongK=*/!keys.isReadTransposed};
  }
  Factor readValues(const Staged &values, Value buffer);
  Value read(const Staged &staged, Value buffer);
  Staged stage(const Operand &operand, Value lds, bool isTransposed,
               bool isReadTransposed) {
    SmallVector<int64_t> shape(cast<MemRefType>(lds.getType()).getShape());
    shape[0] /= tiling.buffers;
    bool isMovedDirectly = !isTransposed && canMove(operand, shape);
    return {operand,          lds,
            std::move(shape), isTransposed,
            isReadTransposed, isMovedDirectly};
  }
  /// Returns whether a tile, which has shape `shape` in LDS, is copied there
  /// directly, with the widest access.
  bool canMove(const Operand &operand, ArrayRef<int64_t> shape);
  SmallVector<Value> getIndices(const Staged &staged, Value buffer) {
    SmallVector<Value> indices(staged.shape.size(), constant(0));
    indices[0] =
        b.createOrFold<arith::MulIOp>(loc, buffer, constant(staged.shape[0]));
    return indices;
  }
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    auto type = cast<VectorType>(value.getType());
    return vector::ShapeCastOp::create(
        b, loc, VectorType::get(shape, type.getElementType()), value);
  }
  Value sortKeys(Value tile);

  /// Whether keys and values are both copied directly to LDS, so that their
  /// transfers can be counted.
  bool isAllDirect = false;
};

bool StagedAttention::canMove(const Operand &operand, ArrayRef<int64_t> shape) {
  MemRefType type = getType(operand.operand);
  if (shape.size() != 2 || !strategy::hasWideDma(profile) ||
      !hasFullRows(operand) || !type.isLastDimUnitStride())
    return false;
  auto copy =
      strategy::getTileCopy({shape[0], shape[1]}, type.getElementTypeBitWidth(),
                            tiling.waves, profile);
  return copy && copy->width == profile.costModel.accessBits;
}

/// Reorders the ranges of keys, which are the rows of `tile`, by lane.
Value StagedAttention::sortKeys(Value tile) {
  int64_t columns = cast<VectorType>(tile.getType()).getDimSize(1);
  tile = reshape(tile, {getNumGroups(), tiling.ranges, tiling.rangeLanes,
                        tiling.rangeKeys, columns});
  tile = vector::TransposeOp::create(b, loc, tile,
                                     ArrayRef<int64_t>{0, 2, 1, 3, 4});
  return reshape(tile, {tiling.keys, columns});
}

Value StagedAttention::fetch(const Staged &staged, Value key, Value buffer) {
  if (staged.isMovedDirectly) {
    moveTile(staged, key, staged.lds, getIndices(staged, buffer), isAllDirect);
    return {};
  }
  Value tile = readTile(staged, key);
  tile.getDefiningOp()->setAttr(
      layout::LayoutDialect::StrategyAttrHelper::getNameStr(),
      layout::TileTransferAttr::get(b.getContext(), tiling.waves,
                                    staged.isTransposed, /*gathered=*/false));
  return tile;
}

void StagedAttention::write(const Staged &staged, Value tile, Value buffer) {
  if (!tile)
    return;
  if (staged.isTransposed)
    tile = vector::TransposeOp::create(b, loc, tile, ArrayRef<int64_t>{1, 0});
  SmallVector<unsigned> order(
      llvm::to_vector(llvm::seq<unsigned>(staged.shape.size())));
  if (order.size() > 2) {
    SmallVector<int64_t> shape(staged.shape);
    std::swap(shape[2], shape[3]);
    std::swap(order[2], order[3]);
    tile = reshape(tile, shape);
  }
  vector::TransferWriteOp::create(
      b, loc, tile, staged.lds, getIndices(staged, buffer),
      AffineMap::getPermutationMap(order, b.getContext()),
      SmallVector<bool>(order.size(), true));
}

Value StagedAttention::read(const Staged &staged, Value buffer) {
  auto type =
      VectorType::get(staged.shape, getType(staged.operand).getElementType());
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  unsigned rank = type.getRank();
  return vector::TransferReadOp::create(
      b, loc, type, staged.lds, getIndices(staged, buffer), zero,
      b.getMultiDimIdentityMap(rank), SmallVector<bool>(rank, true));
}

Factor StagedAttention::readValues(const Staged &values, Value buffer) {
  Value tile = read(values, buffer);
  if (values.isReadTransposed)
    return {sortKeys(tile), /*isAlongK=*/false};
  return {reshape(tile, {tiling.features, tiling.keys}), /*isAlongK=*/true};
}

AttentionBuilder::State StagedAttention::createLoop(const State &start,
                                                    Value end) {
  Factor queries = readQueries(getQueries());
  auto buffers = launch.getWorkgroupAttributions();
  Staged keys = stage(getKeys(), buffers[0], transposesKeys(),
                      tiling.readsTransposedK),
         values = stage(getValues(), buffers[1], transposesValues(),
                        tiling.readsTransposedV);
  isAllDirect = keys.isMovedDirectly && values.isMovedDirectly;
  BufferedLoop along;
  along.lower = constant(0);
  along.upper = end;
  along.step = constant(tiling.keys);
  Value last = b.createOrFold<arith::SubIOp>(loc, end, constant(1));
  last = b.createOrFold<arith::MaxSIOp>(loc, last, constant(0));
  last = b.createOrFold<arith::DivUIOp>(loc, last, along.step);
  along.last = b.createOrFold<arith::MulIOp>(loc, last, along.step);
  SmallVector<Value> inits{start.sums, start.max, start.weights};
  along.inits = inits;
  along.count = {tiling.buffers, 1};
  along.buffers = {keys.lds, values.lds};
  along.transfers = isAllDirect ? 2 : 0;

  auto fetchBoth = [&](Value key, Value buffer) {
    for (const Staged *staged : {&keys, &values})
      write(*staged, fetch(*staged, key, buffer), buffer);
  };
  auto stopReads = [&] {
    amdgpu::SchedBarrierOp::create(b, loc,
                                   amdgpu::sched_barrier_opt_enum::none);
  };
  auto build = [&](const BufferedIteration &iteration) -> SmallVector<Value> {
    // Start accesses to global memory first, because they have the longest
    // latency.
    Value nextKeys = fetch(keys, iteration.fetchedIv, iteration.fetchedBuffer);
    Value nextValues =
        fetch(values, iteration.fetchedIv, iteration.fetchedBuffer);
    stopReads();
    auto carried = iteration.carried;
    Value scores = multiplyKeys(queries, readKeys(keys, iteration.buffer),
                                createNoScores());
    SmallVector<Value> weights;
    State next = createStep(scores, iteration.iv,
                            {carried[0], carried[1], carried[2]}, weights);
    // Until here, registers hold scores.
    stopReads();
    next.sums = multiplyValues(weights.front(),
                               readValues(values, iteration.buffer), next.sums);
    write(keys, nextKeys, iteration.fetchedBuffer);
    write(values, nextValues, iteration.fetchedBuffer);
    return {next.sums, next.max, next.weights};
  };
  auto loop = createBufferedLoop(b, loc, along, fetchBoth, build);
  return {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
}

} // namespace

std::unique_ptr<AttentionBuilder>
hierarchy::createStagedAttention(OpBuilder &b, const AttentionProblem &problem,
                                 const AttentionTiling &tiling,
                                 const TargetProfile &profile) {
  return std::make_unique<StagedAttention>(b, problem, tiling, profile);
}
