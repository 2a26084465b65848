//===- Layout.cpp - The stage that finds layouts --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/Layout.h"

#include "pipeline/layout/Passes.h"

#include "dialects/layout/LayoutDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

using namespace mlir;

namespace aircc {

namespace {
struct LayoutOptions : PassPipelineOptions<LayoutOptions> {
  Option<bool> remarks{
      *this, "remarks", llvm::cl::init(false),
      llvm::cl::desc("Explain each anchor and each conversion")};
};
} // namespace

static LogicalResult populate(OpPassManager &pm, const TargetProfile &profile,
                              StringRef text, StageErrorFn onError) {
  LayoutOptions options;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(options.parseFromString(text, os))) {
    onError("cannot understand the options '" + text + "': " + message);
    return failure();
  }
  auto shared = std::make_shared<const TargetProfile>(profile);
  pm.addNestedPass<gpu::GPUModuleOp>(layout::createApplyStrategies(shared));
  pm.addPass(layout::createPrepareXeGPU(shared, options.remarks));
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(layout::createSetAnchors(shared, options.remarks));
  kernels.addPass(layout::createPropagateLayouts(shared, options.remarks));
  kernels.addPass(layout::createCheckLayouts(shared));
  return success();
}

static void registerDialects(DialectRegistry &registry) {
  registry.insert<layout::LayoutDialect>();
}

const Stage &getLayoutStage() {
  static const Stage stage = {
      "layout", "a layout on every vector of a workgroup or a wave", populate,
      layout::registerLayoutPasses, registerDialects};
  return stage;
}

} // namespace aircc
