//===- OutlineKernels.cpp - Move gpu.launch bodies into kernels -----------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/ExecutionModel.h"
#include "pipeline/hierarchy/Passes.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Copies the symbols that the kernel uses, and those that they use, into its
/// module.
LogicalResult copySymbols(gpu::GPUModuleOp kernelModule, SymbolTable &from) {
  SymbolTable to(kernelModule);
  SmallVector<Operation *> worklist;
  for (Operation &op : kernelModule.getBody()->getOperations())
    worklist.push_back(&op);
  while (!worklist.empty()) {
    Operation *user = worklist.pop_back_val();
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(user);
    if (!uses)
      continue;
    for (SymbolTable::SymbolUse use : *uses) {
      StringAttr name = use.getSymbolRef().getRootReference();
      if (to.lookup(name))
        continue;
      Operation *definition = from.lookup(name);
      if (!definition)
        continue;
      Operation *copy = definition->clone();
      to.insert(copy);
      worklist.push_back(copy);
    }
  }
  return success();
}

struct OutlineKernelsPass
    : hierarchy::impl::OutlineKernelsBase<OutlineKernelsPass> {
  using OutlineKernelsBase::OutlineKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<gpu::LaunchOp> launches;
    module.walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    for (gpu::LaunchOp launch : launches)
      if (failed(outline(launch, symbols)))
        return signalPassFailure();
    if (!launches.empty())
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
  }

  LogicalResult outline(gpu::LaunchOp launch, SymbolTable &symbols) {
    if (failed(sinkOperationsIntoLaunchOp(launch, [](Operation *op) {
          return op->hasTrait<OpTrait::ConstantLike>();
        })))
      return failure();

    std::string name;
    if (auto function = launch->getParentOfType<FunctionOpInterface>())
      name = (function.getName() + "_").str();
    if (auto given = launch->getAttrOfType<StringAttr>("air.name"))
      name += given.getValue();
    else if (launch.getFunction())
      name = launch.getFunction()->str();
    else
      name += "kernel";

    SmallVector<Value> operands;
    gpu::GPUFuncOp kernel = outlineKernelFunc(launch, name, operands);
    for (NamedAttribute attr : launch->getDiscardableAttrs())
      if (attr.getName() != "air.name")
        kernel->setAttr(attr.getName(), attr.getValue());
    if (!kernel.getKnownBlockSize() &&
        !kernel->hasAttr("rocdl.flat_work_group_size"))
      kernel->setAttr(
          "rocdl.flat_work_group_size",
          StringAttr::get(&getContext(), "1," + std::to_string(maxThreads)));

    OpBuilder b(&getContext());
    std::string moduleName =
        launch.getModule() ? launch.getModule()->str() : name;
    gpu::GPUModuleOp kernelModule =
        launch.getModule() ? symbols.lookup<gpu::GPUModuleOp>(moduleName)
                           : gpu::GPUModuleOp();
    if (!kernelModule) {
      kernelModule = gpu::GPUModuleOp::create(b, launch.getLoc(), moduleName);
      symbols.insert(kernelModule);
    }
    SymbolTable(kernelModule).insert(kernel);
    if (failed(copySymbols(kernelModule, symbols)))
      return failure();

    b.setInsertionPoint(launch);
    Value token = launch.getAsyncToken();
    auto call = gpu::LaunchFuncOp::create(
        b, launch.getLoc(), kernel, launch.getGridSizeOperandValues(),
        launch.getBlockSizeOperandValues(), launch.getDynamicSharedMemorySize(),
        operands, token ? token.getType() : Type(),
        launch.getAsyncDependencies(),
        launch.hasClusterSize() ? launch.getClusterSizeOperandValues()
                                : std::nullopt);
    launch.replaceAllUsesWith(call->getResults());
    launch.erase();
    return success();
  }
};

} // namespace
