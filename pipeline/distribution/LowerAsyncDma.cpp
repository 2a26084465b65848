//===- LowerAsyncDma.cpp - Transfers straight to LDS by lanes -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Passes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/layout/PassTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace aircc::distribution {

#define GEN_PASS_DEF_LOWERASYNCDMA
#include "pipeline/distribution/Passes.h.inc"

namespace {

class LowerAsyncDma : public impl::LowerAsyncDmaBase<LowerAsyncDma> {
public:
  using Base::Base;

  void setTarget(std::shared_ptr<const TargetProfile> profile) {
    passTarget = layout::PassTarget(std::move(profile));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    getOperation().walk([&](Operation *op) {
      if (!isa<layout::AsyncDmaOp>(op))
        return;
      op->emitError("'") << op->getName() << "' op is of whole vectors, which "
                         << "cannot be lowered yet";
      signalPassFailure();
    });
  }

private:
  layout::PassTarget passTarget;
};

} // namespace

std::unique_ptr<Pass>
createLowerAsyncDma(std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<LowerAsyncDma>();
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::distribution
