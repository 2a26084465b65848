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
  SmallVector<Type> getBufferTypes() final {
    return {getBufferType(spec.getShapeA(), matmul.a.memref),
            getBufferType(spec.getShapeB(), matmul.b.memref)};
  }
  Value createLoop(const Operand &lhs, const Operand &rhs,
                   Value accumulators) final;

private:
  /// An operand that is staged in LDS.
  struct Staged : Operand {
    Value lds;
    /// The operand in LDS.
    const strategy::MatmulOperand &staged;
    layout::Ints stagedShape;
    /// Loaded directly to LDS, which needs full rows: the access of a lane
    /// cannot be partly out of bounds.
    bool isMovedDirectly;
  };

  MemRefType getBufferType(ArrayRef<int64_t> shape, Value memref) {
    return MemRefType::get({tiling.buffers * shape[0], shape[1]},
                           getMemRefType(memref).getElementType(),
                           MemRefLayoutAttrInterface(),
                           gpu::AddressSpaceAttr::get(
                               b.getContext(), gpu::AddressSpace::Workgroup));
  }
  Staged stage(const Operand &operand, const strategy::MatmulOperand &staged,
               layout::Ints shape, Value buffer) {
    bool fullRows = operand.type.alongK ? operand.isFullK : operand.isFull;
    return {operand, buffer, staged, std::move(shape),
            operand.isDirect && fullRows};
  }
  SmallVector<Value> getBufferIndices(const Staged &operand, Value buffer) {
    return {mul(buffer, operand.stagedShape[0]), constant(0)};
  }
  static bool isTransposed(const Staged &operand) {
    return operand.type.alongK != operand.staged.alongK;
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
  /// A loop that reads one half of the tiles from LDS while it multiplies the
  /// other.
  Value createPipelinedLoop(const Staged &a, const Staged &bb,
                            BufferedLoop along);
  void fetch(ArrayRef<Staged> operands, Value k, Value buffer);
  void writeTile(const Staged &operand, ReadTile read, Value buffer);
  void moveTile(const Staged &operand, Value k, Value buffer);
  /// Reads a part along K of a tile in LDS.
  Value readOperand(const Staged &operand, Value buffer, int64_t part = 0);

  /// A and B are both loaded directly to LDS, so their transfers can be
  /// counted.
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
  int64_t dim = operand.staged.alongK ? 1 : 0;
  shape[dim] /= tiling.parts;
  if (part)
    indices[dim] = b.createOrFold<arith::AddIOp>(loc, indices[dim],
                                                 constant(part * shape[dim]));
  return read(operand.lds, indices,
              VectorType::get(shape, getTileType(operand).getElementType()),
              {true, true});
}

Value StagedMatmul::createPipelinedLoop(const Staged &a, const Staged &bb,
                                        BufferedLoop along) {
  Value one = constant(1), zero = constant(0);
  auto select = [&](Value value, Value to, Value yes, Value no) -> Value {
    Value isEqual =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value, to);
    return arith::SelectOp::create(b, loc, isEqual, yes, no);
  };
  auto advance = [&](Value iv) -> Value {
    return select(iv, along.last, iv,
                  arith::AddIOp::create(b, loc, iv, along.step));
  };
  auto synchronize = [&](int64_t inFlight) {
    if (along.transfers)
      layout::AsyncWaitOp::create(b, loc, along.transfers * inFlight);
    kernel::AccessOp::create(b, loc, along.scope, /*written=*/along.buffers,
                             /*read=*/ValueRange());
  };

  Value fetched = along.lower;
  kernel::AccessOp::create(b, loc, along.scope, /*written=*/along.buffers,
                           /*read=*/ValueRange());
  for (int64_t i = 0; i < tiling.buffers; ++i) {
    if (i)
      fetched = advance(fetched);
    fetch({a, bb}, fetched, constant(i));
  }
  synchronize(tiling.buffers - 1);
  SmallVector<Value> inits(along.inits);
  inits.append({readOperand(a, zero), readOperand(bb, zero), zero, fetched});
  auto loop =
      scf::ForOp::create(b, loc, along.lower, along.upper, along.step, inits);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  Value sums = carried[0], buffer = carried[3];
  fetched = advance(carried[4]);
  SmallVector<std::pair<const Staged *, ReadTile>> copied;
  for (const Staged *operand : {&a, &bb})
    if (!operand->isMovedDirectly)
      copied.push_back({operand, readCopied(*operand, fetched)});
  Value secondA = readOperand(a, buffer, 1),
        secondB = readOperand(bb, buffer, 1);
  sums = multiply(carried[1], carried[2], sums);
  synchronize(tiling.buffers - 2);
  Value next = arith::AddIOp::create(b, loc, buffer, one);
  next = select(next, constant(tiling.buffers), zero, next);
  // Each read precedes a transfer: LLVM's InstCombine would sink reads at the
  // end of the body into the next iteration.
  auto readAndMove = [&](const Staged &operand) {
    Value first = readOperand(operand, next);
    if (operand.isMovedDirectly)
      moveTile(operand, fetched, buffer);
    return first;
  };
  Value firstA = readAndMove(a), firstB = readAndMove(bb);
  sums = multiply(secondA, secondB, sums);
  for (auto &[operand, tile] : copied)
    writeTile(*operand, std::move(tile), buffer);
  scf::YieldOp::create(b, loc, ValueRange{sums, firstA, firstB, next, fetched});
  b.setInsertionPointAfter(loop);
  // The last, redundant fetches must not outlive their buffers.
  if (along.transfers)
    layout::AsyncWaitOp::create(b, loc, 0);
  return loop.getResult(0);
}

Value StagedMatmul::createLoop(const Operand &lhs, const Operand &rhs,
                               Value accumulators) {
  auto attributions = launch.getWorkgroupAttributions();
  Staged a = stage(lhs, spec.a, spec.getShapeA(), attributions[0]),
         bb = stage(rhs, spec.b, spec.getShapeB(), attributions[1]);

  // Without steps along K, the first fetch reads out of bounds, and its result
  // is not used.
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
  isAllDirect = a.isMovedDirectly && bb.isMovedDirectly;
  along.count = {tiling.buffers, isAllDirect ? tiling.buffers - 1 : 1};
  along.buffers = {a.lds, bb.lds};
  along.transfers = isAllDirect ? 2 : 0;
  if (tiling.parts > 1)
    return createPipelinedLoop(a, bb, along);
  auto multiplyStep =
      [&](const BufferedIteration &iteration) -> SmallVector<Value> {
    // Start the loads from global memory first: they have the longest latency.
    std::optional<ReadTile> tileA, tileB;
    if (!a.isMovedDirectly)
      tileA = readCopied(a, iteration.fetchedIv);
    if (!bb.isMovedDirectly)
      tileB = readCopied(bb, iteration.fetchedIv);
    if (tileA || tileB)
      amdgpu::SchedBarrierOp::create(b, loc,
                                     amdgpu::sched_barrier_opt_enum::none);
    Value tileLhs = readOperand(a, iteration.buffer);
    Value tileRhs = readOperand(bb, iteration.buffer);
    if (a.isMovedDirectly)
      moveTile(a, iteration.fetchedIv, iteration.fetchedBuffer);
    if (bb.isMovedDirectly)
      moveTile(bb, iteration.fetchedIv, iteration.fetchedBuffer);
    Value product = multiply(tileLhs, tileRhs, iteration.carried.front());
    if (tileA)
      writeTile(a, std::move(*tileA), iteration.fetchedBuffer);
    if (tileB)
      writeTile(bb, std::move(*tileB), iteration.fetchedBuffer);
    return {product};
  };
  auto fetchBoth = [&](Value k, Value buffer) { fetch({a, bb}, k, buffer); };
  return createBufferedLoop(b, loc, along, fetchBoth, multiplyStep)
      .getResult(0);
}

} // namespace

std::unique_ptr<MatmulKernelBuilder> aircc::hierarchy::createStagedMatmul(
    OpBuilder &b, const Matmul &matmul, const MatmulTiling &tiling,
    const MatmulProblem &problem, const TargetProfile &profile) {
  return std::make_unique<StagedMatmul>(b, matmul, tiling, problem, profile);
}
