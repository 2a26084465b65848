//===- MergeTargets.cpp - Merging the modules of several targets ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/link/Link.h"

#include "pipeline/link/OffloadBundle.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace {

/// Returns the processor and the features that distinguish code objects, in the
/// order in which the HIP runtime prints them: "gfx90a:sramecc+:xnack-".
std::string getTargetId(const aircc::TargetProfile &profile) {
  std::string id = profile.chip;
  for (StringRef name : {"sramecc", "xnack"})
    for (StringRef feature : llvm::split(profile.features, ','))
      if (feature.size() == name.size() + 1 && feature.ends_with(name))
        id += (":" + name + feature.take_front()).str();
  return id;
}

bool isEquivalent(Operation *a, Operation *b) {
  return OperationEquivalence::isEquivalentTo(
      a, b, OperationEquivalence::IgnoreLocations);
}

class Merger {
public:
  explicit Merger(ArrayRef<aircc::TargetModule> targets) : targets(targets) {
    for (aircc::TargetModule target : targets) {
      clones.push_back(target.module.clone());
      ids.push_back(getTargetId(*target.profile));
    }
  }

  OwningOpRef<ModuleOp> run() {
    ModuleOp first = targets.front().module;
    if (failed(checkTargets()) || failed(separateGlobals()))
      return nullptr;
    merged = ModuleOp::create(first.getLoc());
    merged->getOperation()->setAttrs(first->getAttrs());
    b = std::make_unique<OpBuilder>(merged->getBodyRegion());
    if (failed(mergeBinaries()) || failed(mergeSymbols()))
      return nullptr;
    return std::move(merged);
  }

private:
  /// For each name, the op of each target (null if it has none).
  using Named = llvm::MapVector<StringAttr, SmallVector<Operation *>>;

  template <typename Filter> Named collect(Filter filter) {
    Named named;
    for (auto [index, clone] : llvm::enumerate(clones))
      for (Operation &op : clone->getBody()->getOperations())
        if (auto name =
                op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
            name && filter(&op)) {
          auto &ops = named[name];
          ops.resize(clones.size());
          ops[index] = &op;
        }
    return named;
  }

  static bool allAgree(ArrayRef<Operation *> ops) {
    Operation *reference = nullptr;
    for (Operation *op : ops) {
      if (!op)
        continue;
      if (reference && !isEquivalent(reference, op))
        return false;
      reference = op;
    }
    return true;
  }

  Location getLocation(size_t index) {
    ModuleOp module = targets[index].module;
    return module.getLoc();
  }

  LogicalResult checkTargets() {
    for (auto [index, id] : llvm::enumerate(ids))
      if (llvm::is_contained(ArrayRef(ids).take_front(index), id))
        return emitError(getLocation(index), "the target '")
               << id << "' is specified twice";
    return success();
  }

  /// Renames constants that differ, so that comparing function bodies is
  /// sufficient to find whether the functions differ.
  LogicalResult separateGlobals() {
    Named named =
        collect([](Operation *op) { return isa<LLVM::GlobalOp>(op); });
    for (auto &[name, ops] : named) {
      if (allAgree(ops))
        continue;
      for (auto [index, op] : llvm::enumerate(ops)) {
        if (!op)
          continue;
        auto global = cast<LLVM::GlobalOp>(op);
        if (global.getLinkage() != LLVM::Linkage::Internal &&
            global.getLinkage() != LLVM::Linkage::Private)
          return op->emitOpError("is an externally visible variable that "
                                 "differs between the targets '")
                 << llvm::join(ids, "', '") << "'";
        auto own = StringAttr::get(op->getContext(),
                                   name.getValue() + "." + ids[index]);
        if (failed(SymbolTable::replaceAllSymbolUses(op, own, *clones[index])))
          return op->emitOpError("has uses that cannot be renamed");
        global.setSymName(own);
      }
    }
    return success();
  }

  LogicalResult mergeBinaries() {
    Named named = collect([](Operation *op) { return isa<gpu::BinaryOp>(op); });
    for (auto &[name, ops] : named) {
      SmallVector<aircc::BundleEntry> entries;
      gpu::BinaryOp first;
      gpu::ObjectAttr firstObject;
      llvm::SetVector<Attribute> libraries;
      for (auto [index, op] : llvm::enumerate(ops)) {
        if (!op)
          continue;
        auto binary = cast<gpu::BinaryOp>(op);
        if (binary.getObjects().size() != 1)
          return binary.emitOpError(
              "must contain the code of exactly one target");
        auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
        if (aircc::isOffloadBundle(object.getObject()))
          return binary.emitOpError("is already a bundle of several targets");
        if (!first) {
          first = binary;
          firstObject = object;
        }
        if (auto used = op->getAttrOfType<ArrayAttr>(
                aircc::kernel::KernelDialect::DeviceLibrariesAttrHelper::
                    getNameStr()))
          libraries.insert(used.begin(), used.end());
        entries.push_back({targets[index].profile->triple, ids[index],
                           object.getObject().getValue()});
      }
      std::string bundle = aircc::makeOffloadBundle(
          targets.front().profile->host.triple, entries);
      Attribute object = gpu::ObjectAttr::get(
          firstObject.getTarget(), gpu::CompilationTarget::Fatbin,
          b->getStringAttr(bundle), /*properties=*/nullptr,
          /*kernels=*/nullptr);
      auto all = cast<gpu::BinaryOp>(b->clone(*first));
      all.setObjectsAttr(b->getArrayAttr(object));
      if (!libraries.empty())
        all->setAttr(aircc::kernel::KernelDialect::DeviceLibrariesAttrHelper::
                         getNameStr(),
                     b->getArrayAttr(libraries.getArrayRef()));
    }
    return success();
  }

  LogicalResult mergeSymbols() {
    Named named =
        collect([](Operation *op) { return !isa<gpu::BinaryOp>(op); });
    for (auto &[name, ops] : named) {
      if (allAgree(ops)) {
        b->clone(**llvm::find_if(ops, [](Operation *op) { return op; }));
        continue;
      }
      if (failed(addVersions(name, ops)))
        return failure();
    }
    // Constructors and the like have no name.
    for (auto &clone : clones)
      for (Operation &op : clone->getBody()->getOperations())
        if (!op.hasAttr(SymbolTable::getSymbolAttrName()) &&
            llvm::none_of(merged->getBody()->getOperations(),
                          [&](Operation &present) {
                            return isEquivalent(&present, &op);
                          }))
          b->clone(op);
    return success();
  }

  /// Creates one internal function for each distinct body, and a public one
  /// that asks the runtime which of them to call.
  LogicalResult addVersions(StringAttr name, ArrayRef<Operation *> ops) {
    struct Version {
      LLVM::LLVMFuncOp original;
      LLVM::LLVMFuncOp function;
    };
    SmallVector<Version> versions;
    SmallVector<int32_t> versionOfTarget(targets.size(), -1);
    for (auto [index, op] : llvm::enumerate(ops)) {
      auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(op);
      if (!function || function.isExternal() || function.isVarArg())
        return emitError(op ? op->getLoc() : getLocation(index), "'")
               << name.getValue()
               << "' differs between the targets in a way that cannot be "
                  "resolved at run time";
      auto same = llvm::find_if(versions, [&](const Version &version) {
        return isEquivalent(version.original, function);
      });
      if (same == versions.end()) {
        if (!versions.empty() && versions.front().original.getFunctionType() !=
                                     function.getFunctionType())
          return function.emitOpError("has a different type for the target '")
                 << ids[index] << "' than for '" << ids[0] << "'";
        auto copy = cast<LLVM::LLVMFuncOp>(b->clone(*function));
        copy.setSymName((name.getValue() + "." + ids[index]).str());
        copy.setLinkage(LLVM::Linkage::Internal);
        versions.push_back({function, copy});
        versionOfTarget[index] = versions.size() - 1;
      } else {
        versionOfTarget[index] = same - versions.begin();
      }
    }
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (Version &version : versions)
      functions.push_back(version.function);
    addDispatcher(versions.front().original, functions, versionOfTarget);
    return success();
  }

  void addDispatcher(LLVM::LLVMFuncOp original,
                     ArrayRef<LLVM::LLVMFuncOp> versions,
                     ArrayRef<int32_t> versionOfTarget) {
    // Omit the debug scope, which belongs to the version.
    Location loc = UnknownLoc::get(b->getContext());
    if (auto line = original.getLoc()->findInstanceOf<FileLineColLoc>())
      loc = line;
    LLVM::LLVMFuncOp select = getSelectFunction(loc);
    LLVM::GlobalOp names = getNames(loc);

    OpBuilder::InsertionGuard guard(*b);
    auto dispatcher =
        cast<LLVM::LLVMFuncOp>(b->insert(original->cloneWithoutRegions()));
    dispatcher->setLoc(loc);
    LLVM::LLVMFunctionType type = original.getFunctionType();
    Block *entry = dispatcher.addEntryBlock(*b);
    b->setInsertionPointToStart(entry);
    Value table = LLVM::AddressOfOp::create(*b, loc, names);
    Value count = LLVM::ConstantOp::create(
        *b, loc, b->getI32Type(),
        b->getI32IntegerAttr(static_cast<int32_t>(ids.size())));
    Value chosen =
        LLVM::CallOp::create(*b, loc, select, ValueRange{table, count})
            .getResult();

    SmallVector<Block *> blocks;
    for (LLVM::LLVMFuncOp version : versions) {
      Block *block = b->createBlock(&dispatcher.getBody());
      auto call = LLVM::CallOp::create(*b, loc, version, entry->getArguments());
      if (isa<LLVM::LLVMVoidType>(type.getReturnType()))
        LLVM::ReturnOp::create(*b, loc, ValueRange());
      else
        LLVM::ReturnOp::create(*b, loc, call.getResults());
      blocks.push_back(block);
    }
    SmallVector<int32_t> cases;
    SmallVector<Block *> destinations;
    for (auto [target, version] : llvm::enumerate(versionOfTarget)) {
      cases.push_back(static_cast<int32_t>(target));
      destinations.push_back(blocks[version]);
    }
    // mgpuSelectTarget terminates the program rather than returning another
    // index.
    Block *otherwise = b->createBlock(&dispatcher.getBody());
    LLVM::UnreachableOp::create(*b, loc);
    b->setInsertionPointToEnd(entry);
    LLVM::SwitchOp::create(*b, loc, chosen, otherwise, ValueRange(), cases,
                           destinations,
                           SmallVector<ValueRange>(destinations.size()));
  }

  LLVM::LLVMFuncOp getSelectFunction(Location loc) {
    if (selectFunction)
      return selectFunction;
    auto pointer = LLVM::LLVMPointerType::get(b->getContext());
    selectFunction = LLVM::LLVMFuncOp::create(
        *b, loc, "mgpuSelectTarget",
        LLVM::LLVMFunctionType::get(b->getI32Type(),
                                    {pointer, b->getI32Type()}));
    return selectFunction;
  }

  /// Returns a constant array of pointers to the names of the targets.
  LLVM::GlobalOp getNames(Location loc) {
    if (targetNames)
      return targetNames;
    SmallVector<LLVM::GlobalOp> strings;
    for (auto [index, id] : llvm::enumerate(ids)) {
      std::string text = id + '\0';
      auto type = LLVM::LLVMArrayType::get(b->getI8Type(), text.size());
      strings.push_back(LLVM::GlobalOp::create(
          *b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
          "__aircc_target_" + std::to_string(index), b->getStringAttr(text)));
    }
    auto pointer = LLVM::LLVMPointerType::get(b->getContext());
    auto type = LLVM::LLVMArrayType::get(pointer, ids.size());
    targetNames = LLVM::GlobalOp::create(*b, loc, type, /*isConstant=*/true,
                                         LLVM::Linkage::Internal,
                                         "__aircc_targets", Attribute());
    OpBuilder::InsertionGuard guard(*b);
    b->createBlock(&targetNames.getInitializerRegion());
    Value table = LLVM::PoisonOp::create(*b, loc, type);
    for (auto [index, string] : llvm::enumerate(strings)) {
      Value address = LLVM::AddressOfOp::create(*b, loc, string);
      table = LLVM::InsertValueOp::create(*b, loc, table, address,
                                          static_cast<int64_t>(index));
    }
    LLVM::ReturnOp::create(*b, loc, table);
    return targetNames;
  }

  ArrayRef<aircc::TargetModule> targets;
  SmallVector<OwningOpRef<ModuleOp>> clones;
  SmallVector<std::string> ids;
  OwningOpRef<ModuleOp> merged;
  std::unique_ptr<OpBuilder> b;
  LLVM::LLVMFuncOp selectFunction;
  LLVM::GlobalOp targetNames;
};

} // namespace

OwningOpRef<ModuleOp> aircc::mergeTargets(ArrayRef<TargetModule> targets) {
  for (TargetModule target : targets)
    if (failed(finishDeviceCode(target.module)))
      return nullptr;
  if (targets.size() == 1)
    return OwningOpRef<ModuleOp>(
        cast<ModuleOp>(targets.front().module->clone()));
  return Merger(targets).run();
}
