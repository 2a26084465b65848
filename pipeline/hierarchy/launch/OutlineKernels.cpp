//===- OutlineKernels.cpp - Move gpu.launch bodies into kernels -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/Passes.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// Returns the op name of `definition` if it is a mutable global in global
/// memory; otherwise, returns an empty string.
StringRef getMutableKind(Operation *definition) {
  if (auto global = dyn_cast<memref::GlobalOp>(definition)) {
    if (!global.getConstant() && !global.getType().getMemorySpace())
      return "memref.global";
  } else if (auto global = dyn_cast<LLVM::GlobalOp>(definition)) {
    if (!global.getConstant() && global.getAddrSpace() <= 1)
      return "llvm.mlir.global";
  }
  return {};
}

/// Returns true if only code of `launch` can refer to the global: neither the
/// host, nor another kernel, nor another object that is linked to this one.
bool isUsedOnlyBy(gpu::LaunchOp launch, Operation *definition) {
  if (auto global = dyn_cast<LLVM::GlobalOp>(definition)) {
    if (global.getLinkage() != LLVM::Linkage::Internal &&
        global.getLinkage() != LLVM::Linkage::Private)
      return false;
  } else if (!cast<memref::GlobalOp>(definition).isPrivate()) {
    return false;
  }
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(definition, definition->getParentRegion());
  return uses && llvm::all_of(*uses, [&](SymbolTable::SymbolUse use) {
           return launch->isAncestor(use.getUser());
         });
}

/// Emits an error: the host and other kernels do not see stores to a kernel's
/// copy of a global, and the kernel does not see theirs.
LogicalResult emitMutableGlobalError(const SymbolTable::SymbolUse &use,
                                     Operation *definition, StringRef kind) {
  InFlightDiagnostic diag =
      use.getUser()->emitOpError("uses the ")
      << kind << " @" << use.getSymbolRef().getRootReference().getValue()
      << ", which is not constant, in a kernel, where it would be a separate "
         "copy; make it constant, or private and used only by this kernel, or "
         "pass a buffer through args";
  diag.attachNote(definition->getLoc()) << "the global is declared here";
  return diag;
}

/// Copies the symbols that the kernel uses, directly or through other symbols,
/// into its module. Moves a mutable global there if it is not used elsewhere.
LogicalResult copySymbols(gpu::LaunchOp launch, gpu::GPUModuleOp kernelModule,
                          SymbolTable &from) {
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
      Operation *copy;
      if (StringRef kind = getMutableKind(definition); kind.empty()) {
        copy = definition->clone();
      } else if (isUsedOnlyBy(launch, definition)) {
        from.remove(definition);
        definition->remove();
        copy = definition;
      } else {
        return emitMutableGlobalError(use, definition, kind);
      }
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
    eraseDeviceFunctions(module);
    if (!launches.empty())
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
  }

  /// Erases private functions with per-lane code, which only kernels call, from
  /// the host module.
  void eraseDeviceFunctions(ModuleOp module) {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto func :
           llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
        if (func.isPrivate() && !func.isDeclaration() && codeNamesLanes(func) &&
            SymbolTable::symbolKnownUseEmpty(func, &module.getBodyRegion())) {
          func.erase();
          changed = true;
        }
    }
  }

  LogicalResult outline(gpu::LaunchOp launch, SymbolTable &symbols) {
    if (failed(sinkOperationsIntoLaunchOp(launch, [](Operation *op) {
          return op->hasTrait<OpTrait::ConstantLike>();
        })))
      return failure();

    std::string name;
    if (auto function = launch->getParentOfType<FunctionOpInterface>())
      name = (function.getName() + "_").str();
    if (auto given = launch->getAttrOfType<StringAttr>(
            kernel::KernelDialect::NameAttrHelper::getNameStr()))
      name += given.getValue();
    else if (launch.getFunction())
      name = launch.getFunction()->str();
    else
      name += "kernel";

    SmallVector<Value> operands;
    gpu::GPUFuncOp kernel = outlineKernelFunc(launch, name, operands);
    auto nameOfWork = air::AIRDialect::KernelWorkAttrHelper::getNameStr();
    for (NamedAttribute attr : launch->getDiscardableAttrs())
      if (attr.getName() !=
              kernel::KernelDialect::NameAttrHelper::getNameStr() &&
          attr.getName() != nameOfWork)
        kernel->setAttr(attr.getName(), attr.getValue());

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
    if (failed(copySymbols(launch, kernelModule, symbols)))
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
    if (Attribute work = launch->getDiscardableAttr(nameOfWork))
      call->setDiscardableAttr(nameOfWork, work);
    launch.replaceAllUsesWith(call->getResults());
    launch.erase();
    return success();
  }
};

} // namespace
