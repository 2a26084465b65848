//===- DistributeVectors.cpp - Distribute vectors over lanes --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Passes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/common/PassTarget.h"
#include "pipeline/distribution/Distributor.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc::distribution {

#define GEN_PASS_DEF_DISTRIBUTEVECTORS
#include "pipeline/distribution/Passes.h.inc"

namespace {

class DistributeVectors
    : public impl::DistributeVectorsBase<DistributeVectors> {
public:
  using Base::Base;

  void setTarget(std::shared_ptr<const TargetProfile> profile) {
    passTarget = PassTarget(std::move(profile));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    bool hasWork = false;
    WalkResult result = getOperation().walk([&](Operation *op) {
      // Prefetches have no vector, but may be the only ops to distribute.
      if (op->hasAttr(layout::LayoutDialect::ResultsAttrHelper::getNameStr()) ||
          op->hasAttr(layout::LayoutDialect::AccessAttrHelper::getNameStr())) {
        hasWork = true;
        if (!op->getParentOfType<gpu::GPUFuncOp>()) {
          op->emitOpError("has vectors with layouts, but vectors can only be "
                          "distributed in a gpu.func");
          return WalkResult::interrupt();
        }
      } else if (isa<layout::ToLayoutOp>(op)) {
        op->emitOpError("has a result without 'layout.results'; run stage "
                        "'layout' before stage 'distribution'");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    if (!hasWork)
      return;
    const TargetProfile *profile =
        passTarget.get(getArgument(), target, getOperation());
    if (!profile)
      return signalPassFailure();
    DistributionTarget distributionTarget(*profile);
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>())
      if (!func.empty() && failed(Distributor(func, distributionTarget).run()))
        return signalPassFailure();
  }

private:
  PassTarget passTarget;
};

} // namespace

std::unique_ptr<Pass>
createDistributeVectors(std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<DistributeVectors>();
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::distribution
