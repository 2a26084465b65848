//===- PassThreads.cpp - Threads for passes on kernels --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/compile/PassThreads.h"

#include "driver/diagnostics/CrashGuard.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"

using namespace aircc;
using namespace mlir;

bool aircc::hasSeveralKernels(ModuleOp module) {
  unsigned count = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<gpu::GPUModuleOp, gpu::LaunchOp, air::LaunchOp>(op))
      return WalkResult::advance();
    return ++count > 1 ? WalkResult::interrupt() : WalkResult::skip();
  });
  return count > 1;
}

void PassThreads::asyncEnqueue(llvm::unique_function<void()> task,
                               llvm::ThreadPoolTaskGroup *group) {
  auto guarded = [task = std::move(task)]() mutable {
    runGuardedInThread(task);
  };
  if (group)
    pool.async(*group, std::move(guarded));
  else
    pool.async(std::move(guarded));
}

ConcurrentPasses::ConcurrentPasses(MLIRContext &context, PassThreads *threads)
    : context(threads ? &context : nullptr) {
  if (threads)
    context.setThreadPool(*threads);
}

ConcurrentPasses::~ConcurrentPasses() {
  if (context)
    context->disableMultithreading();
}
