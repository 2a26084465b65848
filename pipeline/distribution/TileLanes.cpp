//===- TileLanes.cpp - Lanes and waves of a transfer ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/TileLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace aircc::distribution {

void TileLanes::create() {
  if (lane)
    return;
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  ArrayRef<int32_t> block = *kernel.getKnownBlockSize();
  const gpu::Dimension dims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                 gpu::Dimension::z};
  for (int dim = 2; dim >= 0; --dim) {
    if (block[dim] == 1)
      continue;
    Value id = gpu::ThreadIdOp::create(b, loc, b.getIndexType(), dims[dim]);
    thread =
        thread
            ? arith::AddIOp::create(
                  b, loc,
                  arith::MulIOp::create(b, loc, thread, constant(block[dim])),
                  id)
            : id;
  }
  if (!thread)
    thread = constant(0);
  lane = numWaves == 1 && scope == layout::Scope::Workgroup
             ? thread
             : b.createOrFold<arith::RemUIOp>(loc, thread, constant(waveSize));
  if (scope == layout::Scope::Wave)
    thread = lane;
  if (numWaves == 1) {
    wave = constant(0);
    return;
  }
  wave = arith::DivUIOp::create(b, loc, thread, constant(waveSize));
  // The broadcast tells LLVM that the value is uniform.
  wave = gpu::SubgroupBroadcastOp::create(
      b, loc, wave.getType(), wave, /*lane=*/Value(),
      gpu::BroadcastType::first_active_lane);
}

static Value getPosition(OpBuilder &b, Location loc, Value id, int64_t stride,
                         int64_t tile, int64_t count) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  if (tile == 1)
    return constant(0);
  if (stride != 1)
    id = b.createOrFold<arith::DivUIOp>(loc, id, constant(stride));
  if (stride * tile < count)
    id = b.createOrFold<arith::RemUIOp>(loc, id, constant(tile));
  return id;
}

Value TileLanes::getLanePosition(OpBuilder &b, int64_t stride, int64_t tile) {
  create();
  return getPosition(b, kernel.getLoc(), lane, stride, tile, waveSize);
}

Value TileLanes::getWavePosition(OpBuilder &b, int64_t stride, int64_t tile) {
  create();
  return getPosition(b, kernel.getLoc(), wave, stride, tile, numWaves);
}

Value TileLanes::getThread(OpBuilder &b) {
  create();
  return thread;
}

} // namespace aircc::distribution
