//===- VectorScopes.cpp - Scopes of undistributed vectors -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/VectorScopes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "targets/TargetProfile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static StringRef text(Scope scope) { return stringifyScope(scope); }

/// Determines the size of the workgroups of `function`.
static LogicalResult findWorkgroup(gpu::GPUFuncOp function, int64_t waveSize,
                                   bool needed, Workgroup &workgroup) {
  workgroup.lanes = waveSize;
  auto size = function.getKnownBlockSizeAttr();
  if (!size) {
    if (!needed)
      return success();
    return function.emitError(
        "a kernel with workgroup-level vectors must specify its workgroup "
        "size; set known_block_size");
  }
  int64_t threads = 1;
  for (int32_t extent : size.asArrayRef())
    threads *= extent;
  if (threads <= 0 || threads % waveSize != 0)
    return function.emitError("a workgroup of ")
           << threads << " threads does not consist of whole waves of "
           << waveSize << ", as workgroup-level and wave-level vectors require";
  workgroup.waves = threads / waveSize;
  return success();
}

bool mayHaveUndistributedVectors(gpu::GPUFuncOp function) {
  if (layout::getScope(function))
    return true;
  WalkResult found = function.getBody().walk([](Operation *op) {
    return op->hasAttr(LayoutDialect::ScopeAttrHelper::getNameStr()) ||
                   isa<ToLayoutOp, AsyncDmaOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Returns the scope that an operand, which is a constant, must have in its
/// owner.
static std::optional<Scope> getScopeOfUse(OpOperand &use,
                                          std::optional<Scope> scope,
                                          const VectorScopes &scopes) {
  Operation *owner = use.getOwner();
  if (std::optional<Scope> constraint = layout::getScope(owner))
    return constraint;
  Operation *flow =
      isControlFlowTerminator(owner) ? owner->getParentOp() : owner;
  if (isControlFlow(flow)) {
    for (const Slot &slot : getSlots(flow))
      if (llvm::is_contained(slot.operands, &use))
        return scopes.getScope(slot.values.front());
    return scope;
  }
  if (auto mask = dyn_cast<vector::MaskOp>(owner->getParentOp());
      mask && isa<vector::YieldOp>(owner))
    owner = mask;
  for (Value value : getVectors(owner))
    if (!isUnscopedConstant(value))
      return scopes.getScope(value);
  return scope;
}

/// Splits the constant `value` into one constant for each scope among its uses.
/// Returns each with its scope. `scope` is the scope of the function.
static SmallVector<std::pair<Value, std::optional<Scope>>>
splitConstant(Value value, std::optional<Scope> scope,
              const VectorScopes &scopes) {
  SmallVector<std::pair<Value, std::optional<Scope>>> copies;
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    std::optional<Scope> here = getScopeOfUse(use, scope, scopes);
    auto *known = llvm::find_if(
        copies, [&](const auto &copy) { return copy.second == here; });
    if (known == copies.end()) {
      Value own = value;
      if (!copies.empty()) {
        OpBuilder b(value.getDefiningOp());
        own = b.clone(*value.getDefiningOp())->getResult(0);
      }
      copies.emplace_back(own, here);
      known = std::prev(copies.end());
    }
    if (known->first != value)
      use.set(known->first);
  }
  if (copies.empty())
    copies.emplace_back(value, scope);
  return copies;
}

/// Sets the scopes of groups of connected vectors from the ops that specify
/// one.
static LogicalResult
addScopesOfOps(gpu::GPUFuncOp function, VectorGroups &groups,
               MutableArrayRef<std::optional<Scope>> scopes) {
  // For each group, the op from which its scope comes.
  SmallVector<Operation *> sources(scopes.size(), nullptr);
  WalkResult walked = function.getBody().walk([&](Operation *op) {
    std::optional<Scope> here = layout::getScope(op);
    if (!here)
      return WalkResult::advance();
    for (Value value : getVectors(op)) {
      if (isUnscopedConstant(value))
        continue;
      unsigned group = groups[value];
      std::optional<Scope> &known = scopes[group];
      if (known && *known != *here) {
        InFlightDiagnostic error =
            op->emitOpError("has scope ")
            << text(*here)
            << ", but its vectors are connected to vectors of scope "
            << text(*known);
        if (sources[group])
          error.attachNote(sources[group]->getLoc())
              << "this op has scope " << text(*known);
        return WalkResult::interrupt();
      }
      if (!known)
        sources[group] = op;
      known = here;
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult VectorScopes::tryAdd(Value value, std::optional<Scope> scope) {
  if (!scope)
    return success();
  if (cast<VectorType>(value.getType()).isScalable())
    return emitError(value.getLoc(), "scalable vector ")
           << value.getType() << " cannot be distributed over the lanes of a "
           << text(*scope) << "; layouts have fixed shapes";
  scopes.try_emplace(value, *scope);
  return success();
}

/// Emits an error at a layout.to_layout on a vector without a scope.
static LogicalResult checkConversions(gpu::GPUFuncOp function,
                                      const VectorScopes &scopes) {
  WalkResult walked = function.getBody().walk([&](ToLayoutOp op) {
    if (scopes.contains(op.getResult()))
      return WalkResult::advance();
    op.emitOpError("operates on a vector of a single lane; set layout.scope on "
                   "this op or on an op that uses its result");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Returns whether vectors, or prefetches, which have no vector, belong to the
/// workgroup.
static bool usesWorkgroupScope(gpu::GPUFuncOp function,
                               const DenseMap<Value, Scope> &scopes) {
  if (llvm::is_contained(llvm::make_second_range(scopes), Scope::Workgroup))
    return true;
  return function.getBody()
      .walk([](xegpu::PrefetchNdOp prefetch) {
        return layout::getScope(prefetch) == Scope::Workgroup
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<VectorScopes> VectorScopes::get(gpu::GPUFuncOp function,
                                          const TargetProfile &profile) {
  VectorScopes result;
  result.workgroup.blockIO = profile.backend == Backend::XeVM;
  result.workgroup.ldsBytes = profile.limits.ldsBytes;
  std::optional<Scope> scope = layout::getScope(function);
  bool tagged = false, anchored = false;
  function.getBody().walk([&](Operation *op) {
    tagged |= layout::getScope(op).has_value();
    anchored |= isa<ToLayoutOp, AsyncDmaOp>(op);
  });
  if (!scope && !tagged && anchored)
    scope = Scope::Workgroup;
  if (!scope && !tagged)
    return result;

  VectorGroups groups(function);
  SmallVector<std::optional<Scope>> scopes(groups.size(), scope);
  if (failed(addScopesOfOps(function, groups, scopes)))
    return failure();
  for (Value value : groups.getVectors())
    if (!isUnscopedConstant(value) &&
        failed(result.tryAdd(value, scopes[groups[value]])))
      return failure();
  for (Value value : groups.getVectors())
    if (isUnscopedConstant(value))
      for (auto [copy, here] : splitConstant(value, scope, result))
        if (failed(result.tryAdd(copy, here)))
          return failure();
  if (failed(checkConversions(function, result)))
    return failure();
  if ((tagged || !result.empty()) &&
      failed(findWorkgroup(function, profile.waveSize,
                           usesWorkgroupScope(function, result.scopes),
                           result.workgroup)))
    return failure();
  return result;
}

std::optional<Scope> VectorScopes::getScope(Operation *op) const {
  for (Value value : getVectors(op))
    if (std::optional<Scope> scope = getScope(value))
      return scope;
  return std::nullopt;
}

} // namespace aircc::layout
