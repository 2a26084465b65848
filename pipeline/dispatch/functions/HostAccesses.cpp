//===- HostAccesses.cpp - Accesses of the host to arguments ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/functions/HostAccesses.h"
#include "pipeline/dispatch/KernelRegion.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::dispatch;

const HostAccesses &HostAccessAnalysis::get(func::FuncOp function) {
  auto [place, isNew] = known.try_emplace(function);
  if (!isNew)
    return place->second;
  // A recursive call finds this entry, which assumes the worst case.
  place->second.arguments.resize(function.getNumArguments(), true);
  place->second.any = true;
  if (function.isDeclaration())
    return place->second;
  HostAccesses accesses;
  accesses.arguments.resize(function.getNumArguments());
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    // Skip ops that are, or become, kernel code.
    auto loop = dyn_cast<scf::ForallOp>(op);
    if ((loop && loop.getMappingAttr()) || isInKernel(op) ||
        op->hasAttr(air::AIRDialect::OffloadAttrHelper::getNameStr()))
      return WalkResult::skip();
    visit(op, accesses);
    return WalkResult::advance();
  });
  return known[function] = std::move(accesses);
}

void HostAccessAnalysis::visit(Operation *op, HostAccesses &accesses) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call, accesses);
  if (isa<ViewLikeOpInterface, memref::DimOp>(op) ||
      op->hasTrait<OpTrait::ReturnLike>())
    return;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects) {
    // The ops in its regions are visited separately.
    if (op->getNumRegions() != 0)
      return;
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        addAccess(operand, accesses);
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances)
    if (isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()) &&
        effect.getValue())
      addAccess(effect.getValue(), accesses);
}

void HostAccessAnalysis::visitCall(func::CallOp call, HostAccesses &accesses) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  HostAccesses own = get(callee);
  accesses.any |= own.any;
  for (auto [i, operand] : llvm::enumerate(call.getOperands()))
    if (own.arguments.test(i) && isa<BaseMemRefType>(operand.getType()))
      addAccess(operand, accesses);
}

void HostAccessAnalysis::addAccess(Value memref, HostAccesses &accesses) {
  accesses.any = true;
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  if (auto argument = dyn_cast<BlockArgument>(memref);
      argument && isa<func::FuncOp>(argument.getOwner()->getParentOp())) {
    accesses.arguments.set(argument.getArgNumber());
    return;
  }
  if (memref.getDefiningOp<memref::AllocOp>() ||
      memref.getDefiningOp<memref::GetGlobalOp>())
    return;
  // The value may be any of the arguments.
  accesses.arguments.set();
}
