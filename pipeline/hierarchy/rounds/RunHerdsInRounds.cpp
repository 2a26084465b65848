//===- RunHerdsInRounds.cpp - Herds of more PEs than waves ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/rounds/HerdRounds.h"
#include "pipeline/hierarchy/rounds/SegmentBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_RUNHERDSINROUNDS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Returns the number of PEs of a herd of constant size, or 0 if it is dynamic
/// or does not fit into an int64_t.
int64_t countPEs(air::HerdOp herd) {
  int64_t pes = 1;
  for (int64_t size : herd.getStaticSizes())
    if (ShapedType::isDynamic(size) || size < 0 ||
        llvm::MulOverflow(pes, size, pes))
      return 0;
  return pes;
}

/// Returns true for ops whose result depends on the shape of the workgroup.
bool readsWorkgroupShape(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GlobalIdOp,
             gpu::SubgroupIdOp, gpu::NumSubgroupsOp>(op);
}

struct RunHerdsInRoundsPass
    : hierarchy::impl::RunHerdsInRoundsBase<RunHerdsInRoundsPass> {
  using RunHerdsInRoundsBase::RunHerdsInRoundsBase;

  void runOnOperation() override {
    SmallVector<air::LaunchOp> launches;
    getOperation().walk([&](air::LaunchOp launch) {
      if (!launch->hasAttr(
              kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr()))
        launches.push_back(launch);
    });
    for (air::LaunchOp launch : launches)
      if (failed(run(launch)))
        return signalPassFailure();
  }

  LogicalResult run(air::LaunchOp launch) {
    int64_t most = 0;
    SmallVector<air::HerdOp> herds;
    launch.walk([&](air::HerdOp herd) {
      herds.push_back(herd);
      most = std::max(most, countPEs(herd));
    });
    int64_t maxHerd = maxThreads / waveSize;
    if (maxWaves)
      maxHerd = std::min<int64_t>(maxHerd, maxWaves);
    if (most <= maxHerd)
      return success();
    // Use as few waves as the number of rounds allows, so that no round is
    // nearly empty.
    int64_t rounds = llvm::divideCeil(most, maxHerd);
    int64_t waves = llvm::divideCeil(most, rounds);
    // All herds number their PEs in the same way, because they may share L1
    // buffers of the segment. Code that depends on the shape of the workgroup
    // must not see that of another herd.
    bool all = codeHolds(launch, /*intoHerds=*/true, readsWorkgroupShape);
    llvm::SetVector<Operation *> inRounds;
    for (air::HerdOp herd : herds) {
      int64_t pes = countPEs(herd);
      if (pes > waves || (all && pes))
        inRounds.insert(herd);
    }
    FailureOr<HerdBuffers> buffers =
        expandSegmentBuffers(launch, inRounds, rounds);
    if (failed(buffers))
      return failure();
    for (Operation *op : inRounds) {
      auto herd = cast<air::HerdOp>(op);
      RoundShape shape;
      shape.pes = countPEs(herd);
      shape.waves = waves;
      shape.rounds = llvm::divideCeil(shape.pes, waves);
      if (failed(runInRounds(herd, shape, waveSize, buffers->lookup(op))))
        return failure();
    }
    return success();
  }
};

} // namespace
