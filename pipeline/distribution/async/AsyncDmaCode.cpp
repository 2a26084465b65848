//===- AsyncDmaCode.cpp - Loads of a direct transfer ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/async/AsyncDma.h"
#include "pipeline/distribution/async/AsyncWaits.h"
#include "pipeline/distribution/async/Swizzle.h"
#include "pipeline/distribution/memory/Divisibility.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc::distribution {

using layout::AsyncDmaPlan;
using layout::Ints;

SmallVector<Value> AsyncDma::unswizzle(OpBuilder &b, ArrayRef<Value> position) {
  if (!swizzle)
    return SmallVector<Value>(position);
  Value linear = constant(b, 0);
  int64_t stride = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    linear = add(b, mul(b, position[d], stride), linear);
    stride *= tile.getDimSize(d);
  }
  return unswizzle(b, linear);
}

/// Does the same for a position in the row-major tile. The tile consists of
/// complete rows of the swizzle, so the permutation of its rows depends only on
/// the number of rows before it.
SmallVector<Value> AsyncDma::unswizzle(OpBuilder &b, Value linear) {
  Location loc = op.getLoc();
  int64_t rowWidth = swizzle->rowWidth();
  Value rowSize = constant(b, rowWidth);
  Value ownRow = b.createOrFold<arith::DivUIOp>(loc, linear, rowSize);
  Value column = b.createOrFold<arith::RemUIOp>(loc, linear, rowSize);
  Value bufferRow = ownRow;
  if (firstDivisor % swizzle->period()) {
    Value first =
        ShapedType::isDynamic(destOffset)
            ? Value(memref::ExtractStridedMetadataOp::create(b, loc, dest)
                        .getOffset())
            : constant(b, destOffset);
    for (auto [index, stride] :
         llvm::zip_equal(op.getDestIndices(), destStrides))
      first = add(b, first, mul(b, index, stride));
    bufferRow =
        add(b, ownRow, b.createOrFold<arith::DivUIOp>(loc, first, rowSize));
  }
  column = swizzleColumn(b, loc, *swizzle, {bufferRow, column});
  Value element = add(b, mul(b, ownRow, rowWidth), column);
  // Convert back to coordinates of the tile.
  SmallVector<Value> at(tile.getRank());
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    Value size = constant(b, tile.getDimSize(d));
    at[d] =
        d == 0 ? element : b.createOrFold<arith::RemUIOp>(loc, element, size);
    element = b.createOrFold<arith::DivUIOp>(loc, element, size);
  }
  return at;
}

void AsyncDma::emitLoads(const AsyncDmaPlan &plan) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  int64_t rank = tile.getRank();
  const layout::NestedParams &p = plan.params;
  bool needsBounds = false;
  for (int64_t d = 0; d < rank; ++d)
    needsBounds |= !op.isInBounds(d);

  // The positions of the lane in load 0, and of the first lane of its wave.
  SmallVector<Value> position, wavePosition;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t below = p.threadTile[d] * p.elementTile[d];
    Value wave = mul(
        b, lanes.getWavePosition(b, p.subgroupStrides[d], p.subgroupTile[d]),
        p.batchTile[d] * below);
    wavePosition.push_back(wave);
    Value lane =
        mul(b, lanes.getLanePosition(b, p.threadStrides[d], p.threadTile[d]),
            p.elementTile[d]);
    position.push_back(add(b, wave, lane));
  }
  SmallVector<Value> first = unswizzle(b, position);
  Source source = prepareSource(b, needsBounds);
  Type laneType =
      plan.elementsPerLane == 1
          ? tile.getElementType()
          : VectorType::get({plan.elementsPerLane}, tile.getElementType());

  for (int64_t load = 0; load < plan.loads; ++load) {
    Ints batch = layout::delinearize(load, p.batchTile);
    int64_t stride = 1, linear = 0;
    bool movesRows = true;
    for (int64_t d = rank - 1; d >= 0; --d) {
      batch[d] *= p.threadTile[d] * p.elementTile[d];
      linear += batch[d] * stride;
      if (swizzle)
        movesRows &= batch[d] * stride % swizzle->rowWidth() == 0;
      stride *= tile.getDimSize(d);
    }
    // At a multiple of the swizzle's period, the permutation is that of load 0.
    bool reusesFirst =
        !swizzle || (movesRows && linear % swizzle->period() == 0);
    SmallVector<Value> at;
    if (reusesFirst)
      for (int64_t d = 0; d < rank; ++d)
        at.push_back(add(b, first[d], batch[d]));
    else {
      SmallVector<Value> loadPosition;
      for (int64_t d = 0; d < rank; ++d)
        loadPosition.push_back(add(b, position[d], batch[d]));
      at = unswizzle(b, loadPosition);
    }
    Value inside;
    SmallVector<Value> indices = getSourceIndices(b, source, at, inside);
    if (inside)
      for (auto [index, outOfBounds] :
           llvm::zip_equal(indices, source.outOfBounds))
        index = arith::SelectOp::create(b, loc, inside, index, outOfBounds);
    SmallVector<Value> destIndices;
    for (int64_t d = 0; d < rank; ++d)
      destIndices.push_back(
          add(b, op.getDestIndices()[d], add(b, wavePosition[d], batch[d])));
    auto gather =
        amdgpu::GatherToLDSOp::create(b, loc, source.memref, indices, dest,
                                      destIndices, TypeAttr::get(laneType));
    if (op.getCounted())
      gather->setAttr(layout::LayoutDialect::CountedAttrHelper::getNameStr(),
                      b.getUnitAttr());
  }
}

/// Copies the tile through registers, in chunks that are distributed cyclically
/// over the lanes. This handles transfers that no direct load fits.
void AsyncDma::emitCopy() {
  OpBuilder b(op);
  Location loc = op.getLoc();
  int64_t rank = tile.getRank();
  // Use the widest access that is contiguous in source and destination.
  int64_t width = 1, inner = tile.getDimSize(rank - 1);
  unsigned sourceDim = op.getSourceDim(rank - 1);
  bool contiguous = destStrides[rank - 1] == 1 &&
                    sourceStrides[sourceDim] == 1 && !isGathered(sourceDim);
  while (contiguous && width * 2 * elementBits <= 128 &&
         inner % (width * 2) == 0 &&
         (!swizzle || swizzle->keepsWhole(width * 2)))
    width *= 2;
  if (!op.isInBounds(rank - 1)) {
    int64_t size = op.getSourceType().getDimSize(sourceDim);
    while (width > 1 &&
           (ShapedType::isDynamic(size) || size % width ||
            !isKnownMultiple(op.getSourceIndices()[sourceDim], width)))
      width /= 2;
  }
  Value id = lanes.getThread(b);
  int64_t workers = lanes.getWaveSize() * lanes.getNumWaves();
  int64_t chunks = tile.getNumElements() / width;
  auto chunkType = VectorType::get({width}, tile.getElementType());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(chunkType));

  auto emitChunk = [&](OpBuilder &b, Value number) {
    SmallVector<Value> position(rank);
    Value rest = mul(b, number, width);
    for (int64_t d = rank - 1; d >= 0; --d) {
      Value size = constant(b, tile.getDimSize(d));
      position[d] =
          d == 0 ? rest : b.createOrFold<arith::RemUIOp>(loc, rest, size);
      rest = b.createOrFold<arith::DivUIOp>(loc, rest, size);
    }
    Source source;
    source.memref = op.getSource();
    source.start.assign(op.getSourceIndices().begin(),
                        op.getSourceIndices().end());
    Value inside;
    SmallVector<Value> indices = getSourceIndices(b, source, position, inside);
    Value data;
    if (inside) {
      auto guard = scf::IfOp::create(b, loc, TypeRange(Type(chunkType)), inside,
                                     /*withElseRegion=*/true);
      OpBuilder in = guard.getThenBodyBuilder();
      scf::YieldOp::create(in, loc,
                           Value(vector::LoadOp::create(
                               in, loc, chunkType, source.memref, indices)));
      OpBuilder out = guard.getElseBodyBuilder();
      scf::YieldOp::create(out, loc, zero);
      data = guard.getResult(0);
    } else {
      data = vector::LoadOp::create(b, loc, chunkType, source.memref, indices);
    }
    SmallVector<Value> destIndices;
    for (int64_t d = 0; d < rank; ++d)
      destIndices.push_back(add(b, op.getDestIndices()[d], position[d]));
    // LowerSwizzles lowers the store if the destination is swizzled.
    vector::StoreOp::create(b, loc, data, op.getDest(), destIndices);
  };
  int64_t full = chunks / workers;
  for (int64_t round = 0; round < full; ++round)
    emitChunk(b, add(b, id, round * workers));
  if (int64_t rest = chunks % workers) {
    Value isActive = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           id, constant(b, rest));
    auto guard = scf::IfOp::create(b, loc, isActive);
    OpBuilder in = guard.getThenBodyBuilder();
    emitChunk(in, add(in, id, full * workers));
  }
}

} // namespace aircc::distribution
