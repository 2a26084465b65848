//===- GroupModules.cpp - Compile many gpu.modules as fewer ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each gpu.module costs a run of all passes, an LLVM module, a code object and
// a call to the runtime that loads it. In programs with hundreds of small
// kernels that is more than the kernels cost themselves.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/common/kernels/Equivalence.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_GROUPMODULES
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Whether uses of `op`, at the top of a gpu.module, need its definition in any
/// gpu.module, and not in one of their own.
bool isDeclaration(Operation &op) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return function.isExternal();
  return false;
}

/// Variables of other kinds may be known to the runtime by their names.
bool canMove(Operation &op) {
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    return !global.isExternal();
  return isa<gpu::GPUFuncOp, func::FuncOp>(op);
}

/// Moves the contents of gpu.modules into another one.
class Group {
public:
  explicit Group(gpu::GPUModuleOp target) : target(target), symbols(target) {}

  /// Returns false, without any change, if `module` declares a function that
  /// the group defines, or the reverse.
  bool add(gpu::GPUModuleOp module, ArrayRef<gpu::LaunchFuncOp> launches) {
    SmallVector<Operation *> duplicates;
    for (Operation &op : *module.getBody()) {
      Operation *present = symbols.lookup(SymbolTable::getSymbolName(&op));
      if (!present || (!isDeclaration(op) && !isDeclaration(*present)))
        continue;
      if (!OperationEquivalence::isEquivalentTo(
              &op, present, OperationEquivalence::IgnoreLocations))
        return false;
      duplicates.push_back(&op);
    }
    for (Operation *op : duplicates)
      op->erase();

    renameTaken(module);
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      op.remove();
      symbols.insert(&op);
    }
    for (gpu::LaunchFuncOp launch : launches)
      launch.setKernelAttr(SymbolRefAttr::get(
          target.getNameAttr(),
          FlatSymbolRefAttr::get(renamed.lookup(launch.getKernelName()))));
    renamed.clear();
    module.erase();
    return true;
  }

private:
  /// Renames the symbols of `module` whose names the group uses. Kernels get
  /// the name of their module, which reports show, if it is free.
  void renameTaken(gpu::GPUModuleOp module) {
    SymbolTable own(module);
    StringAttr moduleName = module.getNameAttr();
    for (Operation &op : *module.getBody()) {
      StringAttr before = SymbolTable::getSymbolName(&op);
      if (symbols.lookup(before)) {
        bool isFree = !symbols.lookup(moduleName) && !own.lookup(moduleName);
        if (isa<gpu::GPUFuncOp>(op) && isFree)
          (void)own.rename(&op, moduleName);
        else
          (void)own.renameToUnique(&op, {&symbols});
      }
      renamed[before] = SymbolTable::getSymbolName(&op);
    }
  }

  gpu::GPUModuleOp target;
  SymbolTable symbols;
  llvm::DenseMap<StringAttr, StringAttr> renamed; ///< In the current module.
};

class GroupModules : public aircc::impl::GroupModulesBase<GroupModules> {
public:
  using GroupModulesBase::GroupModulesBase;

private:
  using Launches = SmallVector<gpu::LaunchFuncOp, 1>;

  void runOnOperation() override {
    collect();
    if (movable.size() < minModules)
      return;
    llvm::MapVector<DictionaryAttr, SmallVector<gpu::GPUModuleOp>> similar;
    for (gpu::GPUModuleOp module : movable)
      similar[aircc::getAttributesExceptName(module)].push_back(module);
    for (auto &[attributes, modules] : similar)
      for (size_t start = 0; start < modules.size(); start += groupSize) {
        Group group(modules[start]);
        auto rest = ArrayRef(modules).slice(start + 1);
        for (gpu::GPUModuleOp module :
             rest.take_front(std::min<size_t>(groupSize - 1, rest.size())))
          if (group.add(module, launches.lookup(module.getNameAttr())))
            ++grouped;
      }
  }

  /// Finds the modules whose names only launches use.
  void collect() {
    movable.clear();
    launches.clear();
    SmallVector<gpu::GPUModuleOp> modules(
        getOperation().getOps<gpu::GPUModuleOp>());
    if (modules.size() < minModules)
      return;
    auto uses = SymbolTable::getSymbolUses(&getOperation().getBodyRegion());
    if (!uses)
      return;
    llvm::DenseSet<StringAttr> otherUses;
    for (SymbolTable::SymbolUse use : *uses) {
      StringAttr name = use.getSymbolRef().getRootReference();
      auto launch = dyn_cast<gpu::LaunchFuncOp>(use.getUser());
      if (launch && launch.getKernel() == use.getSymbolRef())
        launches[name].push_back(launch);
      else
        otherUses.insert(name);
    }
    for (gpu::GPUModuleOp module : modules)
      if (!otherUses.contains(module.getNameAttr()) &&
          llvm::all_of(*module.getBody(), canMove))
        movable.push_back(module);
  }

  SmallVector<gpu::GPUModuleOp> movable;
  llvm::DenseMap<StringAttr, Launches> launches;
};

} // namespace
