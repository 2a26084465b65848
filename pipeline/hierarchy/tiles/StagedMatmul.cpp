//===- StagedMatmul.cpp - Matmul kernels with tiles in LDS ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/BufferedLoop.h"
#include "pipeline/hierarchy/tiles/MatmulKernel.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

class StagedMatmul : public MatmulKernelBuilder {
public:
  using MatmulKernelBuilder::MatmulKernelBuilder;

protected:
  SmallVector<Type> getBufferTypes() final;
  Value createLoop(ArrayRef<Operand> operands, Value accumulators) final;

private:
  /// An operand that is staged in LDS.
  struct Staged : Operand {
    Value lds;
    /// The shape of the tile in LDS, and whether its rows are along K.
    layout::Ints stagedShape;
    bool isStagedAlongK;
    /// Whether it is loaded directly to LDS. This requires full rows, because
    /// the access of a lane cannot be partially out of bounds.
    bool isMovedDirectly;
    /// The number of tiles along K that are fetched together: all tiles of an
    /// iteration for scales, otherwise 1.
    int64_t tiles;
  };

  MemRefType getBufferType(ArrayRef<int64_t> shape, Value memref) {
    return MemRefType::get({tiling.buffers * shape[0], shape[1]},
                           getMemRefType(memref).getElementType(),
                           MemRefLayoutAttrInterface(),
                           gpu::AddressSpaceAttr::get(
                               b.getContext(), gpu::AddressSpace::Workgroup));
  }
  Staged stage(const Operand &operand, bool isStagedAlongK, Value buffer,
               int64_t tiles) {
    bool fullRows = operand.alongK ? operand.isFullK : operand.isFull;
    layout::Ints shape = operand.shape;
    if (operand.alongK != isStagedAlongK)
      std::swap(shape[0], shape[1]);
    return {operand,
            buffer,
            std::move(shape),
            isStagedAlongK,
            operand.isDirect && fullRows,
            tiles};
  }
  SmallVector<Value> getBufferIndices(const Staged &operand, Value buffer) {
    return {mul(buffer, operand.stagedShape[0]), constant(0)};
  }
  static bool isTransposed(const Staged &operand) {
    return operand.alongK != operand.isStagedAlongK;
  }
  /// Marks a tile that the waves copy to LDS through registers.
  void setTransfer(const Staged &operand, Value tile) {
    auto type = cast<VectorType>(tile.getType());
    bool isGathered =
        operand.windows && operand.windows->isGathered() &&
        !isTransposed(operand) &&
        strategy::getGatheringCopy(
            layout::Ints(type.getShape().begin(), type.getShape().end()),
            type.getElementTypeBitWidth(), spec.getNumWaves(), profile);
    tile.getDefiningOp()->setAttr(
        layout::LayoutDialect::StrategyAttrHelper::getNameStr(),
        layout::TileTransferAttr::get(b.getContext(), spec.getNumWaves(),
                                      isTransposed(operand), isGathered));
  }
  /// Reads a tile that the waves copy to LDS through registers.
  ReadTile readCopied(const Staged &operand, Value k) {
    ReadTile tile = readTile(operand, k);
    if (!tile.computed)
      setTransfer(operand, tile.elements.front());
    return tile;
  }
  /// Creates a loop that reads one half of each tile from LDS while it
  /// multiplies the other half.
  Value createPipelinedLoop(ArrayRef<Staged> operands,
                            const BufferedLoop &along);
  struct PipelinedIteration;
  /// Creates the code that multiplies one tile of an iteration.
  void multiplyTile(ArrayRef<Staged> operands, const BufferedLoop &along,
                    PipelinedIteration &iteration, int64_t tile);
  /// Creates `value == to ? yes : no`.
  Value selectEqual(Value value, Value to, Value yes, Value no);
  /// Returns the induction variable `step` after `iv`, or `iv` itself if it is
  /// `last`.
  Value advance(Value iv, Value last, Value step) {
    return selectEqual(iv, last, iv, arith::AddIOp::create(b, loc, iv, step));
  }
  /// Waits until at most the transfers of `inFlight` tiles are incomplete, and
  /// synchronizes the waves.
  void synchronize(const BufferedLoop &along, int64_t inFlight);
  void fetch(ArrayRef<Staged> operands, Value k, Value buffer);
  void writeTile(const Staged &operand, ReadTile read, Value buffer);
  void moveTile(const Staged &operand, Value k, Value buffer);
  /// Reads a part along K of the tiles in a buffer in LDS.
  Value readOperand(const Staged &operand, Value buffer, int64_t part = 0);

  /// Whether all operands are loaded directly to LDS, so that their transfers
  /// can be counted.
  bool isAllDirect = false;
};

void StagedMatmul::writeTile(const Staged &operand, ReadTile read,
                             Value buffer) {
  bool isComputed = read.computed != nullptr;
  Value tile = finishTile(std::move(read));
  if (isComputed)
    setTransfer(operand, tile);
  if (isTransposed(operand))
    tile = vector::TransposeOp::create(b, loc, tile, ArrayRef<int64_t>{1, 0});
  vector::TransferWriteOp::create(b, loc, tile, operand.lds,
                                  getBufferIndices(operand, buffer),
                                  SmallVector<bool>(2, true));
}

void StagedMatmul::moveTile(const Staged &operand, Value k, Value buffer) {
  SmallVector<Value> indices = getBufferIndices(operand, buffer);
  SmallVector<bool> inBounds = getInBounds(operand);
  layout::AsyncDmaOp::create(b, loc, operand.memref, getIndices(operand, k),
                             operand.lds, indices, getTileType(operand),
                             b.getDenseBoolArrayAttr(inBounds), AffineMapAttr(),
                             /*counted=*/isAllDirect);
}

void StagedMatmul::fetch(ArrayRef<Staged> operands, Value k, Value buffer) {
  for (const Staged &operand : operands) {
    if (operand.isMovedDirectly)
      moveTile(operand, k, buffer);
    else
      writeTile(operand, readCopied(operand, k), buffer);
  }
}

Value StagedMatmul::readOperand(const Staged &operand, Value buffer,
                                int64_t part) {
  SmallVector<Value> indices = getBufferIndices(operand, buffer);
  layout::Ints shape = operand.stagedShape;
  int64_t dim = operand.isStagedAlongK ? 1 : 0;
  shape[dim] /= tiling.parts * operand.tiles;
  if (part)
    indices[dim] = b.createOrFold<arith::AddIOp>(loc, indices[dim],
                                                 constant(part * shape[dim]));
  return read(operand.lds, indices,
              VectorType::get(shape, getTileType(operand).getElementType()),
              {true, true});
}

Value StagedMatmul::selectEqual(Value value, Value to, Value yes, Value no) {
  Value isEqual =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value, to);
  return arith::SelectOp::create(b, loc, isEqual, yes, no);
}

void StagedMatmul::synchronize(const BufferedLoop &along, int64_t inFlight) {
  if (along.transfers)
    layout::AsyncWaitOp::create(b, loc, along.transfers * inFlight);
  kernel::AccessOp::create(b, loc, along.scope, /*written=*/along.buffers,
                           /*read=*/ValueRange());
}

/// The state of an iteration of the pipelined loop. A buffer with one tile for
/// each of several tiles of an iteration is known at compile time.
struct StagedMatmul::PipelinedIteration {
  Value sums;
  /// The first parts of the next tile.
  SmallVector<Value> first;
  /// The buffer of the iteration and of the next one, and where the tiles of
  /// the next one start along K.
  Value buffer, nextBuffer, next;
  /// The position along K of the last fetched tile.
  Value fetched;
};

void StagedMatmul::multiplyTile(ArrayRef<Staged> operands,
                                const BufferedLoop &along,
                                PipelinedIteration &iteration, int64_t tile) {
  int64_t tiles = tiling.tilesPerIteration, parts = tiling.parts;
  bool isLast = tile + 1 == tiles;
  auto getBuffer = [&](int64_t index, Value ofIteration) {
    return tiles > 1 ? constant(index % tiling.buffers) : ofIteration;
  };
  Value own = getBuffer(tile, iteration.buffer);
  iteration.fetched = advance(iteration.fetched, along.last, along.step);
  SmallVector<std::pair<const Staged *, ReadTile>> copied;
  for (const Staged &operand : operands)
    if (!operand.isMovedDirectly)
      copied.push_back({&operand, readCopied(operand, iteration.fetched)});
  SmallVector<Value> second;
  for (const Staged &operand : operands)
    second.push_back(operand.tiles > 1 ? readOperand(operand, iteration.buffer,
                                                     tile * parts + 1)
                                       : readOperand(operand, own, 1));
  Value sums = multiply(iteration.first, iteration.sums);
  synchronize(along, tiling.buffers - 2);
  if (tile == 0) {
    Value next = arith::AddIOp::create(b, loc, iteration.buffer, constant(1));
    iteration.nextBuffer =
        selectEqual(next, constant(tiling.buffers), constant(0), next);
  }
  // Place each read before a transfer, because LLVM's InstCombine would sink
  // reads at the end of the body into the next iteration.
  for (auto [operand, first] : llvm::zip_equal(operands, iteration.first)) {
    if (operand.tiles == 1)
      first = readOperand(operand, getBuffer(tile + 1, iteration.nextBuffer));
    else if (isLast)
      first = readOperand(operand, iteration.nextBuffer);
    else
      first = readOperand(operand, iteration.buffer, (tile + 1) * parts);
    if (operand.isMovedDirectly && operand.tiles == 1)
      moveTile(operand, iteration.fetched, own);
    else if (operand.isMovedDirectly && tile == 0)
      moveTile(operand, iteration.next, iteration.nextBuffer);
  }
  iteration.sums = multiply(second, sums);
  for (auto &[operand, read] : copied)
    writeTile(*operand, std::move(read), own);
}

Value StagedMatmul::createPipelinedLoop(ArrayRef<Staged> operands,
                                        const BufferedLoop &along) {
  Value zero = constant(0);
  int64_t tiles = tiling.tilesPerIteration;
  Value step = constant(tiles * spec.tileK);
  PipelinedIteration iteration;
  kernel::AccessOp::create(b, loc, along.scope, /*written=*/along.buffers,
                           /*read=*/ValueRange());
  SmallVector<Staged> ofTile, ofIteration;
  for (const Staged &operand : operands)
    (operand.tiles > 1 ? ofIteration : ofTile).push_back(operand);
  fetch(ofIteration, along.lower, zero);
  iteration.fetched = along.lower;
  for (int64_t i = 0; i < tiling.buffers; ++i) {
    if (i)
      iteration.fetched = advance(iteration.fetched, along.last, along.step);
    fetch(ofTile, iteration.fetched, constant(i));
  }
  synchronize(along, tiling.buffers - 1);
  SmallVector<Value> inits(along.inits);
  for (const Staged &operand : operands)
    inits.push_back(readOperand(operand, zero));
  inits.append({zero, iteration.fetched});
  Value lastIteration = along.last;
  if (tiles > 1)
    lastIteration = b.createOrFold<arith::SubIOp>(loc, along.upper, step);
  auto loop = scf::ForOp::create(b, loc, along.lower, along.upper, step, inits);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  iteration.sums = carried[0];
  iteration.buffer = carried.drop_back().back();
  iteration.first = carried.slice(1, operands.size());
  iteration.fetched = carried.back();
  if (tiles > 1)
    iteration.next = advance(loop.getInductionVar(), lastIteration, step);
  for (int64_t tile = 0; tile < tiles; ++tile)
    multiplyTile(operands, along, iteration, tile);
  SmallVector<Value> results{iteration.sums};
  results.append(iteration.first);
  results.append({iteration.nextBuffer, iteration.fetched});
  scf::YieldOp::create(b, loc, results);
  b.setInsertionPointAfter(loop);
  // The last, redundant fetches must not outlive their buffers.
  if (along.transfers)
    layout::AsyncWaitOp::create(b, loc, 0);
  return loop.getResult(0);
}

SmallVector<Type> StagedMatmul::getBufferTypes() {
  auto getType = [&](ArrayRef<int64_t> shape, const MatmulMatrix &matrix) {
    return Type(getBufferType(shape, matrix.memref));
  };
  layout::Ints a = spec.getMemoryShape(spec.a, spec.tileM),
               bb = spec.getMemoryShape(spec.b, spec.tileN);
  if (!spec.scaleBlock)
    return {getType(a, matmul.a), getType(bb, matmul.b)};
  const ScaledFactor &scaledA = *matmul.scaledA, &scaledB = *matmul.scaledB;
  return {getType(a, scaledA.elements), getType(bb, scaledB.elements),
          getType(getScaleShape(spec.tileM), scaledA.scales),
          getType(getScaleShape(spec.tileN), scaledB.scales)};
}

Value StagedMatmul::createLoop(ArrayRef<Operand> operands, Value accumulators) {
  SmallVector<Staged> staged;
  for (auto [operand, buffer] :
       llvm::zip_equal(operands, launch.getWorkgroupAttributions())) {
    bool isTransposed = staged.size() == 1 && spec.transposesB;
    int64_t tiles = staged.size() > 1 ? tiling.tilesPerIteration : 1;
    staged.push_back(
        stage(operand, operand.alongK || isTransposed, buffer, tiles));
  }

  // If there are no steps along K, the first fetch reads out of bounds, and its
  // result is not used.
  Value depth = getDepth();
  Value steps = ceilDiv(depth, spec.tileK);
  Value zero = constant(0), one = constant(1);
  Value before = b.createOrFold<arith::SubIOp>(loc, steps, one);
  before = b.createOrFold<arith::MaxSIOp>(loc, before, zero);

  BufferedLoop along;
  along.lower = zero;
  along.upper = mul(steps, spec.tileK);
  along.step = constant(spec.tileK);
  along.last = mul(before, spec.tileK);
  along.inits = accumulators;
  // Copies through registers fetch the tiles of the next step.
  isAllDirect = llvm::all_of(
      staged, [](const Staged &operand) { return operand.isMovedDirectly; });
  along.count = {tiling.buffers, isAllDirect ? tiling.buffers - 1 : 1};
  for (const Staged &operand : staged)
    along.buffers.push_back(operand.lds);
  along.transfers = isAllDirect ? llvm::count_if(staged,
                                                 [](const Staged &operand) {
                                                   return operand.tiles == 1;
                                                 })
                                : 0;
  if (tiling.parts > 1)
    return createPipelinedLoop(staged, along);
  auto multiplyStep =
      [&](const BufferedIteration &iteration) -> SmallVector<Value> {
    // Start the loads from global memory first, because they have the longest
    // latency.
    SmallVector<std::pair<const Staged *, ReadTile>> copied;
    for (const Staged &operand : staged)
      if (!operand.isMovedDirectly)
        copied.push_back({&operand, readCopied(operand, iteration.fetchedIv)});
    if (!copied.empty())
      amdgpu::SchedBarrierOp::create(b, loc,
                                     amdgpu::sched_barrier_opt_enum::none);
    SmallVector<Value> tiles;
    for (const Staged &operand : staged)
      tiles.push_back(readOperand(operand, iteration.buffer));
    for (const Staged &operand : staged)
      if (operand.isMovedDirectly)
        moveTile(operand, iteration.fetchedIv, iteration.fetchedBuffer);
    Value product = multiply(tiles, iteration.carried.front());
    for (auto &[operand, tile] : copied)
      writeTile(*operand, std::move(tile), iteration.fetchedBuffer);
    return {product};
  };
  auto fetchAll = [&](Value k, Value buffer) { fetch(staged, k, buffer); };
  return createBufferedLoop(b, loc, along, fetchAll, multiplyStep).getResult(0);
}

} // namespace

std::unique_ptr<MatmulKernelBuilder> aircc::hierarchy::createStagedMatmul(
    OpBuilder &b, const Matmul &matmul, const MatmulTiling &tiling,
    const MatmulProblem &problem, const TargetProfile &profile) {
  return std::make_unique<StagedMatmul>(b, matmul, tiling, problem, profile);
}
