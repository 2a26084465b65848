//===- CompileGPUModules.cpp - gpu.module to gpu.binary, in process -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/llvm/GPUModuleCompiler.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_FINISHDEVICECODE
#define GEN_PASS_DEF_COMPILEGPUMODULES
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct CompileGPUModules
    : aircc::impl::CompileGPUModulesBase<CompileGPUModules> {
  using CompileGPUModulesBase::CompileGPUModulesBase;

  void runOnOperation() override {
    aircc::DeviceLibraryOptions libraries;
    libraries.rocmPath = rocmPath;
    libraries.names.assign(deviceLibs.begin(), deviceLibs.end());

    auto gpuModules = getOperation().getOps<gpu::GPUModuleOp>();
    aircc::announceDeviceCodeJobs(getContext(), llvm::range_size(gpuModules));
    // The first modules are compiled while the others are still translated: the
    // LLVM modules of a large program would need much memory.
    for (auto gpuModule : llvm::make_early_inc_range(gpuModules)) {
      auto compiler =
          aircc::GPUModuleCompiler::create(gpuModule, format, libraries);
      if (failed(compiler) || failed(compiler->translate(gpuModule)))
        return signalPassFailure();
      aircc::startDeviceCodeJob(gpuModule, std::move(*compiler));
    }
    if (!async && failed(aircc::finishDeviceCode(getOperation())))
      signalPassFailure();
  }
};

struct FinishDeviceCode : aircc::impl::FinishDeviceCodeBase<FinishDeviceCode> {
  void runOnOperation() override {
    if (failed(aircc::finishDeviceCode(getOperation())))
      signalPassFailure();
  }
};

} // namespace
