//===- MergeIdenticalKernels.cpp - Compile equal kernels once -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/WorkgroupMemory.h"
#include "pipeline/common/kernels/Equivalence.h"
#include "pipeline/common/kernels/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_MERGEIDENTICALKERNELS
#include "pipeline/common/kernels/Passes.h.inc"
} // namespace aircc

namespace {

/// A gpu.module with one kernel, and the launches of the kernel.
struct Candidate {
  gpu::GPUModuleOp module;
  gpu::GPUFuncOp kernel;
  SmallVector<gpu::LaunchFuncOp> launches;
};

/// Returns whether copies of `op`, which is at the top level of a gpu.module,
/// have no state that outlives a launch. Constants and workgroup memory have
/// none.
bool isStateless(Operation &op) {
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    return global.getConstant() || aircc::isWorkgroupMemory(global.getType());
  return isa<gpu::GPUFuncOp, func::FuncOp>(op);
}

/// Returns the only kernel of the module, or null if the module cannot be
/// merged with others.
gpu::GPUFuncOp getOnlyKernel(gpu::GPUModuleOp module) {
  gpu::GPUFuncOp kernel;
  for (Operation &op : *module.getBody()) {
    if (!isStateless(op))
      return nullptr;
    auto function = dyn_cast<gpu::GPUFuncOp>(op);
    if (!function || !function.isKernel())
      continue;
    if (kernel)
      return nullptr;
    kernel = function;
  }
  // The messages of assertions contain locations.
  if (module.walk([](cf::AssertOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    return nullptr;
  return kernel;
}

bool haveSameCode(Candidate &a, Candidate &b) {
  if (aircc::getAttributesExceptName(a.module) !=
      aircc::getAttributesExceptName(b.module))
    return false;
  Block &left = *a.module.getBody(), &right = *b.module.getBody();
  if (left.getOperations().size() != right.getOperations().size())
    return false;
  return llvm::all_of(llvm::zip_equal(left, right), [&](auto pair) {
    auto [x, y] = pair;
    if (&x == a.kernel.getOperation() && &y == b.kernel.getOperation())
      return aircc::isEquivalentExceptName(a.kernel, b.kernel);
    return OperationEquivalence::isEquivalentTo(
        &x, &y, OperationEquivalence::IgnoreLocations);
  });
}

/// Returns the grid and block sizes that are constant in all launches, because
/// code is specialized for them.
SmallVector<int64_t> getSizes(Candidate &candidate) {
  constexpr int64_t unknown = -1;
  SmallVector<int64_t> known;
  for (gpu::LaunchFuncOp launch : candidate.launches) {
    SmallVector<int64_t> sizes;
    for (gpu::KernelDim3 dims : {launch.getGridSizeOperandValues(),
                                 launch.getBlockSizeOperandValues()})
      for (Value value : {dims.x, dims.y, dims.z})
        sizes.push_back(getConstantIntValue(value).value_or(unknown));
    if (known.empty())
      known = sizes;
    else if (known != sizes)
      known.assign(sizes.size(), unknown);
  }
  return known;
}

class MergeIdenticalKernels
    : public aircc::impl::MergeIdenticalKernelsBase<MergeIdenticalKernels> {
  void runOnOperation() override {
    SmallVector<Candidate> candidates = collect();
    llvm::MapVector<size_t, SmallVector<Candidate *>> unique;
    for (Candidate &candidate : candidates) {
      SmallVector<Candidate *> &others =
          unique[aircc::hashExceptNames(candidate.module, candidate.kernel)];
      auto same = llvm::find_if(others, [&](Candidate *other) {
        return getSizes(*other) == getSizes(candidate) &&
               haveSameCode(*other, candidate);
      });
      if (same == others.end())
        others.push_back(&candidate);
      else
        replace(candidate, **same);
    }
  }

  /// Returns the kernels that are used only by launches in this module.
  SmallVector<Candidate> collect() {
    llvm::MapVector<StringAttr, Candidate> found;
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      if (gpu::GPUFuncOp kernel = getOnlyKernel(module))
        found[module.getNameAttr()] = {module, kernel, {}};
    if (found.size() < 2)
      return {};
    auto uses = SymbolTable::getSymbolUses(&getOperation().getBodyRegion());
    if (!uses)
      return {};
    DenseSet<StringAttr> otherUses;
    for (SymbolTable::SymbolUse use : *uses) {
      StringAttr name = use.getSymbolRef().getRootReference();
      auto it = found.find(name);
      if (it == found.end())
        continue;
      auto launch = dyn_cast<gpu::LaunchFuncOp>(use.getUser());
      if (launch && launch.getKernel() == use.getSymbolRef())
        it->second.launches.push_back(launch);
      else
        otherUses.insert(name);
    }
    SmallVector<Candidate> candidates;
    for (auto &[name, candidate] : found)
      if (!candidate.launches.empty() && !otherUses.contains(name))
        candidates.push_back(std::move(candidate));
    return candidates;
  }

  void replace(Candidate &candidate, Candidate &by) {
    auto symbol =
        SymbolRefAttr::get(by.module.getNameAttr(),
                           {FlatSymbolRefAttr::get(by.kernel.getNameAttr())});
    for (gpu::LaunchFuncOp launch : candidate.launches)
      launch.setKernelAttr(symbol);
    candidate.module.erase();
    ++merged;
  }
};

} // namespace
