//===- MapPEsToLanes.cpp - Map PEs to lanes -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/common/Passes.h"

#include "dialects/air/AIROps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_MAPPESTOLANES
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

using namespace aircc;

namespace {

/// Returns true if `op` may behave differently when PEs are lanes than when
/// they are waves.
///
/// These ops do not include exchanges between lanes: all lanes of a PE that is
/// a wave compute the same values unless the code uses an op that numbers
/// lanes, and those ops are included.
bool distinguishesWaves(Operation *op) {
  if (isa<gpu::ShuffleOp, gpu::RotateOp, gpu::AllReduceOp,
          gpu::SubgroupReduceOp, gpu::SubgroupBroadcastOp>(op))
    return false;
  // Lowered channels between ranks already count waves.
  if (isa<air::TransferInterface>(op))
    return !isa<air::DmaMemcpyNdOp, air::ChannelPutOp, air::ChannelGetOp>(op);
  // All lanes of a wave together hold an undistributed vector.
  if (op->hasAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr()) ||
      op->getName().getDialectNamespace() == "layout")
    return true;
  StringRef name = op->getName().getStringRef();
  if (isa<gpu::BlockDimOp, gpu::NumSubgroupsOp>(op) ||
      name == "llvm.call_intrinsic" || name == "llvm.inline_asm")
    return true;
  // The body is unknown.
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return function.isExternal();
  if (auto call = dyn_cast<CallOpInterface>(op);
      call && !call.resolveCallable())
    return true;
  return namesLanes(op);
}

/// Returns the number of PEs of a herd of constant size.
std::optional<int64_t> getNumPEs(air::HerdOp herd) {
  int64_t pes = 1;
  for (int64_t size : herd.getStaticSizes()) {
    if (ShapedType::isDynamic(size) || size < 0 ||
        llvm::MulOverflow(pes, size, pes))
      return std::nullopt;
  }
  return pes;
}

struct MapPEsToLanes : aircc::impl::MapPEsToLanesBase<MapPEsToLanes> {
  using MapPEsToLanesBase::MapPEsToLanesBase;

  void runOnOperation() override {
    getOperation().walk([&](air::LaunchOp launch) {
      if (!launch->hasAttr(
              kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr()))
        choose(launch);
    });
  }

  void choose(air::LaunchOp launch) {
    air::HerdOp tooLarge;
    int64_t most = 0;
    launch.walk([&](air::HerdOp herd) {
      std::optional<int64_t> pes = getNumPEs(herd);
      if (!pes || *pes <= most)
        return;
      most = *pes;
      tooLarge = herd;
    });
    if (!tooLarge || fits(most, waveSize) || !fits(most, /*lanes=*/1))
      return;
    if (codeHolds(launch, /*intoHerds=*/true, distinguishesWaves))
      return;
    tooLarge.emitRemark("each PE of this launch is mapped to one lane instead "
                        "of one wave, because ")
        << most << " waves of " << waveSize.getValue()
        << " lanes exceed the maximum size of a workgroup, and no op in the "
           "launch requires PEs to be waves";
    launch->setAttr(kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr(),
                    UnitAttr::get(&getContext()));
  }

  /// Returns true if a workgroup can hold `pes` PEs of `lanes` lanes.
  bool fits(int64_t pes, int64_t lanes) {
    int64_t threads;
    if (llvm::MulOverflow(pes, lanes, threads) || threads > maxThreads)
      return false;
    int64_t waves = llvm::divideCeil(threads, waveSize);
    return maxWaves == 0 || waves <= maxWaves;
  }
};

} // namespace
