//===- PropagateLayouts.cpp - A layout on every whole vector --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/Passes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/layout/PassTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace aircc::layout {

#define GEN_PASS_DEF_PROPAGATELAYOUTS
#include "pipeline/layout/Passes.h.inc"

namespace {

class PropagateLayouts : public impl::PropagateLayoutsBase<PropagateLayouts> {
public:
  using Base::Base;

  void setTarget(std::shared_ptr<const TargetProfile> profile) {
    passTarget = PassTarget(std::move(profile));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    getOperation().walk([&](Operation *op) {
      if (!isa<ToLayoutOp>(op) && !op->hasAttr(kScopeAttr))
        return;
      op->emitError("'") << op->getName() << "' op is of whole vectors, whose "
                         << "layouts cannot be found yet";
      signalPassFailure();
    });
  }

private:
  PassTarget passTarget;
};

} // namespace

std::unique_ptr<Pass>
createPropagateLayouts(std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<PropagateLayouts>();
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::layout
