//===- Layout.cpp - The stage that assigns layouts ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/Layout.h"

#include "pipeline/common/Passes.h"
#include "pipeline/common/StageOptions.h"
#include "pipeline/layout/Passes.h"

#include "dialects/layout/LayoutDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace aircc {

namespace {

struct LayoutOptions : StageOptions {
  Option<bool> remarks{
      *this, "remarks",
      llvm::cl::desc("Explain each anchor and each conversion")};
};

} // namespace

static LogicalResult populate(OpPassManager &pm, const TargetProfile &profile,
                              StringRef text, StageErrorFn onError) {
  LayoutOptions options;
  if (failed(options.parse("layout", text, onError)))
    return failure();
  auto shared = std::make_shared<const TargetProfile>(profile);
  pm.addNestedPass<gpu::GPUModuleOp>(layout::createApplyStrategies(shared));
  pm.addPass(layout::createPrepareXeGPU(shared, options.remarks));
  pm.addPass(createConvertGPUBarriers({/*ldsBarriers=*/true}));
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(layout::createSetAnchors(shared, options.remarks));
  kernels.addPass(layout::createPropagateLayouts(shared, options.remarks));
  kernels.addPass(layout::createCheckLayouts(shared));
  return success();
}

static void registerDialects(DialectRegistry &registry) {
  registry.insert<layout::LayoutDialect>();
}

static constexpr TakenOption takenOptions[] = {
    {DriverOption::LayoutRemarks, "remarks"}};
static constexpr StageOutput outputs[] = {{"layout"}};

const Stage &getLayoutStage() {
  static const Stage stage = {
      "layout",         "a layout on every vector of a workgroup or a wave",
      populate,         layout::registerLayoutPasses,
      registerDialects, takenOptions,
      outputs};
  return stage;
}

} // namespace aircc
