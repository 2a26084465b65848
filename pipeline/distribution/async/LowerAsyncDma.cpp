//===- LowerAsyncDma.cpp - Lower direct transfers -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Passes.h"
#include "pipeline/distribution/async/AsyncDma.h"
#include "pipeline/distribution/async/AsyncWaits.h"

#include "dialects/layout/LayoutValues.h"
#include "pipeline/common/PassTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace aircc::distribution {
#define GEN_PASS_DEF_LOWERASYNCDMA
#include "pipeline/distribution/Passes.h.inc"
} // namespace aircc::distribution

using namespace mlir;
using namespace aircc;
using namespace aircc::distribution;
using layout::AsyncDmaPlan;

/// Marks a layout.async_dma that may be copied through registers.
constexpr llvm::StringLiteral kMayCopyAttr = "may_copy";

LogicalResult AsyncDma::lower() {
  if (failed(inspect()))
    return failure();
  Reasons reasons;
  FailureOr<AsyncDmaPlan> plan = choosePlan(reasons);
  bool mayCopy = op->hasAttr(kMayCopyAttr);
  if (failed(plan)) {
    constexpr llvm::StringLiteral kProblem =
        "cannot be lowered to direct-to-LDS loads";
    if (!mayCopy && !reasons.mayCopy) {
      InFlightDiagnostic error = op.emitOpError()
                                 << kProblem << ": " << reasons.text;
      error.attachNote() << "with {" << kMayCopyAttr
                         << "}, it is copied through registers if no load fits";
      return error;
    }
    if (!mayCopy)
      op.emitWarning() << kProblem
                       << " and is copied through registers: " << reasons.text;
    emitCopy();
    op.erase();
    return success();
  }
  if (!isFatBuffer(op.getSourceType())) {
    // The offsets of a descriptor are 32 bits wide.
    int64_t reach = elementBits / 8;
    bool known = true;
    for (unsigned dim = 0; dim < sourceStrides.size(); ++dim) {
      int64_t tileDim = getTileDim(dim);
      int64_t extent = tileDim < 0       ? 1
                       : isGathered(dim) ? op.getSourceType().getDimSize(dim)
                                         : tile.getDimSize(tileDim);
      if (ShapedType::isDynamic(sourceStrides[dim]) ||
          ShapedType::isDynamic(extent))
        known = false;
      else
        reach += extent * sourceStrides[dim] * (elementBits / 8);
    }
    if (reach > kMaxBufferBytes) {
      if (!mayCopy)
        return op.emitOpError("has a tile that spans ")
               << reach
               << " bytes of its source, but the offsets of direct-to-LDS "
                  "loads cannot exceed "
               << kMaxBufferBytes << "; make the source's rows shorter";
      emitCopy();
      op.erase();
      return success();
    }
    if (!known)
      emitOffsetCheck();
  }
  loads = plan->copies > 1 ? 0 : plan->loads;
  if (plan->copies > 1) {
    // The remaining waves are idle.
    OpBuilder b(op);
    int64_t waves = lanes.getNumWaves();
    Value isBusy = arith::CmpIOp::create(
        b, op.getLoc(), arith::CmpIPredicate::ult,
        lanes.getWavePosition(b, 1, waves), constant(b, waves / plan->copies));
    auto guard = scf::IfOp::create(b, op.getLoc(), isBusy);
    op->moveBefore(guard.thenBlock()->getTerminator());
  }
  emitLoads(*plan);
  op.erase();
  return success();
}

namespace {

class LowerAsyncDma
    : public distribution::impl::LowerAsyncDmaBase<LowerAsyncDma> {
public:
  using Base::Base;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    WalkResult result = getOperation()->walk(
        [&](gpu::GPUFuncOp kernel) { return WalkResult(lower(kernel)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    result = getOperation()->walk([&](layout::AsyncDmaOp op) {
      op.emitOpError(
          "must be in a gpu.func; only a kernel has lanes to execute it");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult lower(gpu::GPUFuncOp kernel) {
    SmallVector<layout::AsyncDmaOp> ops;
    kernel.walk([&](layout::AsyncDmaOp op) { ops.push_back(op); });
    AsyncWaits waits(kernel);
    if (ops.empty() && waits.empty()) {
      waits.lower();
      return success();
    }
    bool hasOthers =
        kernel
            .walk([](amdgpu::GatherToLDSOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    const TargetProfile *profile =
        passTarget.get(getArgument(), target, kernel);
    if (!profile)
      return failure();
    int64_t waveSize = profile->waveSize;
    SmallVector<int64_t> widths(profile->dmaWidths.begin(),
                                profile->dmaWidths.end());
    // Without direct loads, all transfers are copies, which are complete at the
    // next barrier.
    if (widths.empty())
      waits.erase();
    if (ops.empty()) {
      waits.lower();
      return success();
    }
    std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
    if (!block)
      return ops.front().emitOpError("requires a known number of waves; set "
                                     "known_block_size on the kernel");
    int64_t threads = int64_t((*block)[0]) * (*block)[1] * (*block)[2];
    if (threads % waveSize)
      return ops.front().emitOpError("requires full waves of ")
             << waveSize << " lanes, but the kernel has a block of " << threads
             << " threads";
    TileLanes workgroup(kernel, layout::Scope::Workgroup, waveSize,
                        threads / waveSize);
    TileLanes wave(kernel, layout::Scope::Wave, waveSize, 1);
    for (layout::AsyncDmaOp op : ops) {
      auto scope = op->getAttrOfType<layout::ScopeAttr>(
          layout::LayoutDialect::ScopeAttrHelper::getNameStr());
      if (!scope)
        scope = kernel->getAttrOfType<layout::ScopeAttr>(
            layout::LayoutDialect::ScopeAttrHelper::getNameStr());
      bool isWave = scope && scope.getValue() == layout::Scope::Wave;
      AsyncDma dma(op, isWave ? wave : workgroup, widths);
      if (failed(dma.lower()))
        return failure();
      waits.setLoads(op, dma.getLoads());
    }
    waits.lower();
    if (!hasOthers && !widths.empty())
      kernel->setAttr(
          layout::LayoutDialect::PlacedWaitsAttrHelper::getNameStr(),
          UnitAttr::get(&getContext()));
    kernel->removeAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr());
    return success();
  }

  PassTarget passTarget;
};

} // namespace

std::unique_ptr<Pass> aircc::distribution::createLowerAsyncDma(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<LowerAsyncDma>();
  pass->setTarget(std::move(profile));
  return pass;
}
