//===- CompileGPUModules.cpp - gpu.module to gpu.binary, in process -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/codegen/IdenticalModules.h"
#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/llvm/GPUModuleCompiler.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

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

    SmallVector<gpu::GPUModuleOp> modules(
        getOperation().getOps<gpu::GPUModuleOp>());
    // LLVM IR and assembly contain the name of the module, so identical modules
    // cannot share them.
    llvm::DenseMap<Operation *, Operation *> identical;
    if (format == aircc::DeviceFormat::Object)
      identical = aircc::findIdenticalModules(modules);
    aircc::announceDeviceCodeJobs(getContext(),
                                  modules.size() - identical.size());
    // The first modules are compiled while the others are still being
    // translated, because the LLVM modules of a large program would need much
    // memory.
    llvm::DenseMap<Operation *, gpu::BinaryOp> binaries;
    for (gpu::GPUModuleOp gpuModule : modules) {
      Operation *key = gpuModule;
      if (Operation *same = identical.lookup(key)) {
        aircc::shareDeviceCodeJob(gpuModule, binaries.lookup(same));
        continue;
      }
      auto compiler =
          aircc::GPUModuleCompiler::create(gpuModule, format, libraries);
      if (failed(compiler) || failed(compiler->translate(gpuModule)))
        return signalPassFailure();
      binaries[key] =
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
