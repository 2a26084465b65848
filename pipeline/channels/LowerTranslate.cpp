//===- LowerTranslate.cpp - Compute the addresses of peers' buffers -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Passes.h"
#include "pipeline/channels/RankLevel.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/LaneOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace aircc::channels {
#define GEN_PASS_DEF_LOWERTRANSLATE
#include "pipeline/channels/Passes.h.inc"
} // namespace aircc::channels

using namespace mlir;
using namespace aircc;
using namespace aircc::channels;

namespace {

/// Returns true if a memref in this memory space may be in a symmetric heap.
bool isGlobal(Attribute space) {
  if (!space || isa<air::SymmetricHeapAttr>(space))
    return true;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Global;
  auto level = dyn_cast<IntegerAttr>(space);
  return level && level.getInt() == int64_t(air::MemorySpace::L3);
}

LogicalResult lower(air::TranslateOp op) {
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  if (!type || !isGlobal(type.getMemorySpace()))
    return op.emitOpError("translates a memref of type ")
           << op.getSource().getType()
           << ", which is not in the symmetric heap; use a ranked memref "
              "without a memory space or in #air.symmetric_heap";
  SmallVector<OpFoldResult> folded;
  if (succeeded(op->fold(folded)) && folded.size() == 1) {
    op.replaceAllUsesWith(cast<Value>(folded.front()));
    op.erase();
    return success();
  }

  if (!type.isStrided())
    return op.emitOpError("translates a memref of type ")
           << type << ", whose layout is not strided";
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto getBase = [&](Value rank) -> Value {
    Value base = memref::LoadOp::create(b, loc, op.getHeapBases(), rank);
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), base);
  };
  Value distance = arith::SubIOp::create(b, loc, getBase(op.getToRank()),
                                         getBase(op.getFromRank()));
  op.replaceAllUsesWith(
      kernel::OffsetMemRefOp::create(b, loc, type, op.getSource(), distance)
          .getResult());
  op.erase();
  return success();
}

struct LowerTranslatePass
    : channels::impl::LowerTranslateBase<LowerTranslatePass> {
  void runOnOperation() override {
    SmallVector<air::TranslateOp> ops;
    getOperation().walk([&](air::TranslateOp op) { ops.push_back(op); });
    for (air::TranslateOp op : ops)
      if (failed(lower(op)))
        return signalPassFailure();
  }
};

} // namespace
