//===- StagedMatmul.cpp - Products of tiles in LDS ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/MatmulKernel.h"

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
    return {getBufferType(tiling.a, matmul.a),
            getBufferType(tiling.b, matmul.b)};
  }
  Value createLoop(const Operand &lhs, const Operand &rhs, Value sums) final;

private:
  /// An operand on its way through LDS.
  struct Staged : Operand {
    Value lds;
    /// Moved by loads straight to LDS.
    bool isDirect;
  };

  MemRefType getBufferType(const MatmulStaging &staging, Value memref) {
    return MemRefType::get(
        {tiling.buffers * staging.shape[0], staging.shape[1]},
        getMemRefType(memref).getElementType(), MemRefLayoutAttrInterface(),
        gpu::AddressSpaceAttr::get(b.getContext(),
                                   gpu::AddressSpace::Workgroup));
  }
  Staged stage(const Operand &operand, Value buffer) {
    Value lds = layout::SwizzleHintOp::create(
        b, loc, buffer,
        layout::XorShuffleAttr::get(b.getContext(), operand.staging.swizzleRow,
                                    operand.staging.swizzleAccess));
    // A load straight to LDS cannot stop in the middle of a lane's piece.
    bool wholeRows = operand.alongK ? operand.isWholeK : operand.isWhole;
    return {operand, lds, operand.staging.isDirect && wholeRows};
  }
  SmallVector<Value> getBufferPlace(const Staged &operand, Value buffer) {
    return {mul(buffer, operand.staging.shape[0]), constant(0)};
  }
  void writeTile(const Staged &operand, Value tile, Value buffer);
  void moveTile(const Staged &operand, Value k, Value buffer);
  Value readOperand(const Staged &operand, Value buffer);
};

void StagedMatmul::writeTile(const Staged &operand, Value tile, Value buffer) {
  vector::TransferWriteOp::create(b, loc, tile, operand.lds,
                                  getBufferPlace(operand, buffer),
                                  SmallVector<bool>(2, true));
}

void StagedMatmul::moveTile(const Staged &operand, Value k, Value buffer) {
  SmallVector<Value> indices = getBufferPlace(operand, buffer);
  SmallVector<bool> inBounds = getInBounds(operand);
  layout::AsyncDmaOp::create(
      b, loc, operand.memref, getIndices(operand, k), operand.lds, indices,
      getTileType(operand), b.getDenseBoolArrayAttr(inBounds), AffineMapAttr());
}

Value StagedMatmul::readOperand(const Staged &operand, Value buffer) {
  return anchor(read(operand.lds, getBufferPlace(operand, buffer),
                     getTileType(operand), {true, true}),
                operand.staging.operand);
}

Value StagedMatmul::createLoop(const Operand &lhs, const Operand &rhs,
                               Value sums) {
  auto attributions = launch.getWorkgroupAttributions();
  Staged a = stage(lhs, attributions[0]), bb = stage(rhs, attributions[1]);

  // Steps along K; where there are none, nothing is read that counts.
  Value zeroIndex = constant(0), one = constant(1);
  Value depth = getSizeOf(matmul.a, 1);
  Value steps = ceilDiv(depth, tiling.tileK);
  Value last =
      mul(b.createOrFold<arith::SubIOp>(loc, steps, one), tiling.tileK);
  Value tileK = constant(tiling.tileK);
  Value end = mul(steps, tiling.tileK);

  // So many steps' tiles are under way, or there and not used yet: all but one
  // buffer hold them. Through registers it is the next step's.
  bool allDirect = a.isDirect && bb.isDirect;
  int64_t ahead = allDirect ? tiling.buffers - 1 : 1;
  // The first steps' go to the first buffers before the loop.
  for (int64_t step = 0; step < ahead; ++step) {
    Value k = zeroIndex, buffer = constant(step);
    if (step)
      k = arith::MinUIOp::create(b, loc, constant(step * tiling.tileK), last);
    for (const Staged *operand : {&a, &bb}) {
      if (operand->isDirect)
        moveTile(*operand, k, buffer);
      else
        writeTile(*operand, readTile(*operand, k, operand->staging.copy),
                  buffer);
    }
  }
  auto loop = scf::ForOp::create(b, loc, zeroIndex, end, tileK,
                                 ValueRange{sums, zeroIndex});
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(loop.getBody());
  Value k = loop.getInductionVar();
  Value buffer = loop.getRegionIterArgs()[1];
  // All have stored this step's tiles, and have read the buffer that others go
  // to now. Those of steps in between stay on their way.
  if (allDirect)
    layout::AsyncWaitOp::create(b, loc, 2 * (ahead - 1));
  gpu::BarrierOp::create(b, loc);
  Value next = arith::AddIOp::create(b, loc, buffer, one);
  next = arith::SelectOp::create(
      b, loc,
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, next,
                            constant(tiling.buffers)),
      zeroIndex, next);
  // The buffer of the step before this one.
  Value free = next;
  if (ahead > 1)
    free = arith::SelectOp::create(
        b, loc,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, buffer,
                              zeroIndex),
        constant(tiling.buffers - 1),
        arith::SubIOp::create(b, loc, buffer, one));
  // After the last step, the same tile once more: nobody looks at it.
  Value nextK = arith::MinUIOp::create(
      b, loc, arith::AddIOp::create(b, loc, k, constant(ahead * tiling.tileK)),
      last);
  // Long ways first: from memory, while this step multiplies.
  Value tileA, tileB;
  if (!a.isDirect)
    tileA = readTile(a, nextK, a.staging.copy);
  if (!bb.isDirect)
    tileB = readTile(bb, nextK, bb.staging.copy);
  if (tileA || tileB)
    amdgpu::SchedBarrierOp::create(b, loc,
                                   amdgpu::sched_barrier_opt_enum::none);
  Value tileLhs = readOperand(a, buffer);
  Value tileRhs = readOperand(bb, buffer);
  if (a.isDirect)
    moveTile(a, nextK, free);
  if (bb.isDirect)
    moveTile(bb, nextK, free);
  Value product = multiply(tileLhs, tileRhs, loop.getRegionIterArgs()[0]);
  if (tileA)
    writeTile(a, tileA, free);
  if (tileB)
    writeTile(bb, tileB, free);
  scf::YieldOp::create(b, loc, ValueRange{product, next});
  return loop.getResult(0);
}

} // namespace

std::unique_ptr<MatmulKernelBuilder>
aircc::hierarchy::createStagedMatmul(OpBuilder &b, const Matmul &matmul,
                                     const MatmulTiling &tiling,
                                     const MatmulProblem &problem) {
  return std::make_unique<StagedMatmul>(b, matmul, tiling, problem);
}
