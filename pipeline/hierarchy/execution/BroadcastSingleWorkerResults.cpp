//===- BroadcastSingleWorkerResults.cpp - Share results -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/Passes.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_BROADCASTSINGLEWORKERRESULTS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Verifies that an op with unknown effects, which one worker executes for all,
/// does not take buffers of which each worker has its own copy.
LogicalResult checkPerWorkerBuffers(Operation *op) {
  if (isa<MemoryEffectOpInterface>(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return success();
  for (Value operand : op->getOperands()) {
    BufferLevel level = getBufferLevel(operand);
    if (level == BufferLevel::PerLane ||
        (level == BufferLevel::PerWave && getScope(op) == Scope::Workgroup))
      return op->emitOpError("is executed by one worker for all, but accesses "
                             "an L1 buffer, of which each ")
             << (level == BufferLevel::PerLane ? "lane" : "PE")
             << " has its own copy; move it into a herd, or expand it in the "
                "segment";
  }
  return success();
}

LogicalResult broadcastResults(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Scope scope = getScope(op);
  if (getWorkScope(op) != scope)
    return op->use_empty()
               ? success()
               : op->emitOpError(
                     "writes an L1 buffer, of which each PE has its own copy, "
                     "so its result differs between PEs; move it into a herd");
  auto level =
      scope == Scope::Wave ? air::MemorySpace::L1 : air::MemorySpace::L2;
  Operation *last = op;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    if (!BaseMemRefType::isValidElementType(result.getType()) ||
        isa<BaseMemRefType>(result.getType()))
      return op->emitOpError(
                 "is executed by one worker for all, but its result of type ")
             << result.getType() << " cannot be broadcast to the others";
    auto type =
        MemRefType::get({}, result.getType(), MemRefLayoutAttrInterface(),
                        b.getI64IntegerAttr(int64_t(level)));
    b.setInsertionPoint(op);
    Value slot = memref::AllocOp::create(b, loc, type);
    b.setInsertionPointAfter(last);
    last = memref::StoreOp::create(b, loc, result, slot, ValueRange());
    Operation *load = memref::LoadOp::create(b, loc, slot, ValueRange());
    result.replaceAllUsesExcept(load->getResult(0), last);
  }
  return success();
}

struct BroadcastSingleWorkerResultsPass
    : hierarchy::impl::BroadcastSingleWorkerResultsBase<
          BroadcastSingleWorkerResultsPass> {
  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      SmallVector<Operation *> ops;
      forEachPart(kernel.getBody(), /*intoHerds=*/true,
                  [&](Operation *op, Role role) {
                    if (role == Role::SingleWorker)
                      ops.push_back(op);
                  });
      for (Operation *op : ops)
        if (failed(checkPerWorkerBuffers(op)) || failed(broadcastResults(op)))
          return signalPassFailure();
    }
  }
};

} // namespace
