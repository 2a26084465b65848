//===- Registry.cpp - The list of dialects, passes and stages -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/Registry.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/layout/LayoutDialect.h"
#include "pipeline/channels/Channels.h"
#include "pipeline/codegen/Codegen.h"
#include "pipeline/common/Stage.h"
#include "pipeline/dispatch/Dispatch.h"
#include "pipeline/distribution/Distribution.h"
#include "pipeline/hierarchy/Hierarchy.h"
#include "pipeline/layout/Layout.h"
#include "pipeline/link/Link.h"
#include "pipeline/npu/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc {

// Registers the dialects of this project. Every dialect that programs may use
// is added here.
static void registerAirccDialects(DialectRegistry &registry) {
  registry
      .insert<air::AIRDialect, kernel::KernelDialect, layout::LayoutDialect>();
}

// Returns the stages of this project in execution order.
llvm::ArrayRef<const Stage *> getStages() {
  static const Stage *const stages[] = {
      &getDispatchStage(), &getChannelsStage(),     &getHierarchyStage(),
      &getLayoutStage(),   &getDistributionStage(), &getCodegenStage(),
      &getLinkStage(),
  };
  return stages;
}

const Stage *findStage(llvm::StringRef name) {
  auto it = llvm::find_if(getStages(),
                          [&](const Stage *s) { return s->name == name; });
  return it == getStages().end() ? nullptr : *it;
}

const Stage *findStageOfOutput(llvm::StringRef emit) {
  auto it = llvm::find_if(getStages(), [&](const Stage *stage) {
    return llvm::any_of(stage->outputs, [&](const StageOutput &output) {
      return output.emit == emit;
    });
  });
  return it == getStages().end() ? nullptr : *it;
}

static void registerStageDialects(DialectRegistry &registry) {
  for (const Stage *stage : getStages())
    if (stage->registerDialects)
      stage->registerDialects(registry);
}

void registerCompileDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAirccDialects(registry);
  registerStageDialects(registry);
}

void registerEverything(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllGPUToLLVMIRTranslations(registry);
  registerAirccDialects(registry);
  registerStageDialects(registry);
}

void registerOwnPasses() {
  for (const Stage *stage : getStages())
    stage->registerPasses();
  npu::registerNpuPasses();
}

void registerUpstreamPasses() { registerAllPasses(); }

void registerEveryPass() {
  registerUpstreamPasses();
  registerOwnPasses();
}

} // namespace aircc
