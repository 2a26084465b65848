//===- HostMemoryOrigins.cpp - Where a buffer was allocated ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostMemoryOrigins.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace aircc;

ChangeResult MemoryOrigins::add(Operation *op) {
  return ops.insert(op) ? ChangeResult::Change : ChangeResult::NoChange;
}

ChangeResult MemoryOrigins::addUnknown() {
  if (unknown)
    return ChangeResult::NoChange;
  unknown = true;
  return ChangeResult::Change;
}

ChangeResult MemoryOrigins::join(const AbstractSparseLattice &other) {
  const auto &origins = static_cast<const MemoryOrigins &>(other);
  ChangeResult result = ChangeResult::NoChange;
  for (Operation *op : origins.ops)
    result |= add(op);
  return origins.unknown ? result | addUnknown() : result;
}

void MemoryOrigins::print(raw_ostream &os) const {
  os << (unknown ? "unknown" : "");
  for (Operation *op : ops)
    os << ' ' << op->getName() << '@' << op->getLoc();
}

LogicalResult
MemoryOriginAnalysis::visitOperation(Operation *op,
                                     ArrayRef<const MemoryOrigins *> operands,
                                     ArrayRef<MemoryOrigins *> results) {
  bool allocates =
      isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp, gpu::AllocOp>(
          op);
  bool forwards =
      isa<ViewLikeOpInterface, arith::SelectOp, memref::TransposeOp,
          memref::DistinctObjectsOp, UnrealizedConversionCastOp>(op);
  for (auto [value, origins] : llvm::zip(op->getResults(), results)) {
    if (!isa<BaseMemRefType>(value.getType()))
      continue;
    ChangeResult change = ChangeResult::NoChange;
    if (allocates) {
      change = origins->add(op);
    } else if (forwards) {
      // The shape operand of a memref.reshape is a memref, but not the origin
      // of its memory.
      auto view = dyn_cast<ViewLikeOpInterface>(op);
      for (auto [operand, from] : llvm::zip(op->getOperands(), operands))
        if (view && operand != view.getViewSource())
          continue;
        else if (isa<BaseMemRefType>(operand.getType()))
          change |= origins->join(*from);
        else if (isa<UnrealizedConversionCastOp>(op))
          change |= origins->addUnknown();
    } else {
      change = origins->addUnknown();
    }
    propagateIfChanged(origins, change);
  }
  return success();
}

void MemoryOriginAnalysis::setToEntryState(MemoryOrigins *lattice) {
  propagateIfChanged(lattice, lattice->addUnknown());
}

void MemoryOriginAnalysis::visitCallableOperation(
    CallableOpInterface callable,
    ArrayRef<dataflow::AbstractSparseLattice *> arguments) {
  ProgramPoint *entry =
      getProgramPointBefore(&callable.getCallableRegion()->front());
  const auto *calls = getOrCreateFor<dataflow::PredecessorState>(
      entry, getProgramPointAfter(callable));
  if (!calls->allPredecessorsKnown() && !wholeProgram)
    AbstractSparseForwardDataFlowAnalysis::setAllToEntryStates(arguments);
  for (Operation *op : calls->getKnownPredecessors())
    for (auto [operand, argument] :
         llvm::zip(cast<CallOpInterface>(op).getArgOperands(), arguments))
      join(argument, *getLatticeElementFor(entry, operand));
}
