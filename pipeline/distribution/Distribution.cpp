//===- Distribution.cpp - Stage that distributes vectors ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Distribution.h"

#include "pipeline/common/Passes.h"
#include "pipeline/common/StageOptions.h"
#include "pipeline/distribution/Passes.h"

#include "dialects/layout/LayoutDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace aircc {

static LogicalResult populate(OpPassManager &pm, const TargetProfile &profile,
                              StringRef text, StageErrorFn onError) {
  if (failed(StageOptions().parse("distribution", text, onError)))
    return failure();
  auto shared = std::make_shared<const TargetProfile>(profile);
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  // Exchanges share LDS with the buffers of the kernel.
  kernels.addPass(createPlaceWorkgroupBuffers());
  kernels.addPass(distribution::createDistributeVectors(shared));
  // LowerAsyncDma inserts waits for transfers at barriers.
  kernels.addPass(createPlaceBarriers());
  kernels.addPass(distribution::createLowerAsyncDma(shared));
  kernels.addPass(distribution::createLowerSwizzles());
  return success();
}

static void registerDialects(DialectRegistry &registry) {
  registry.insert<layout::LayoutDialect>();
}

static constexpr StageOutput outputs[] = {{"distributed"}};

const Stage &getDistributionStage() {
  static const Stage stage = {"distribution",
                              "distribute vectors over lanes",
                              populate,
                              distribution::registerDistributionPasses,
                              registerDialects,
                              /*takenOptions=*/{},
                              outputs};
  return stage;
}

} // namespace aircc
