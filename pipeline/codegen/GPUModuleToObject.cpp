//===- GPUModuleToObject.cpp - gpu.module to gpu.binary, in process -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/RunConcurrently.h"
#include "pipeline/codegen/llvm/GPUModuleCompiler.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_GPUMODULETOOBJECT
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct GPUModuleToObject
    : aircc::impl::GPUModuleToObjectBase<GPUModuleToObject> {
  using GPUModuleToObjectBase::GPUModuleToObjectBase;

  void runOnOperation() override {
    aircc::DeviceLibraryOptions libraries;
    libraries.rocmPath = rocmPath;
    libraries.names.assign(deviceLibs.begin(), deviceLibs.end());

    std::vector<aircc::GPUModuleCompiler> compilers;
    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>()) {
      auto compiler =
          aircc::GPUModuleCompiler::create(gpuModule, format, libraries);
      if (failed(compiler))
        return signalPassFailure();
      compilers.push_back(std::move(*compiler));
    }
    for (aircc::GPUModuleCompiler &compiler : compilers)
      if (failed(compiler.translate()))
        return signalPassFailure();
    std::vector<std::function<void()>> tasks;
    for (aircc::GPUModuleCompiler &compiler : compilers)
      tasks.push_back([&compiler] { compiler.compile(); });
    aircc::runConcurrently(std::move(tasks));
    bool failedAny = false;
    for (aircc::GPUModuleCompiler &compiler : compilers)
      failedAny |= failed(compiler.report());
    if (failedAny)
      return signalPassFailure();
    for (aircc::GPUModuleCompiler &compiler : compilers)
      compiler.replaceModule();
  }
};

} // namespace
