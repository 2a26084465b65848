//===- IntegerPointers.cpp - Pointers from inttoptr -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/IntegerPointers.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

bool isOfSpaceZero(Value value) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(value.getType());
  return type && type.getAddressSpace() == 0;
}

/// Returns true if `integer` is computed from the address of stack memory.
bool isOfStack(Value integer) {
  if (!integer.getDefiningOp())
    return false;
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [](Operation *op) {
    return isa<arith::ArithDialect, LLVM::LLVMDialect>(op->getDialect()) ||
           isa<memref::ExtractAlignedPointerAsIndexOp>(op);
  };
  if (failed(getBackwardSlice(integer, &slice, options)))
    return false;
  return llvm::any_of(slice, [](Operation *op) {
    if (isa<LLVM::AllocaOp>(op))
      return true;
    auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op);
    if (!address)
      return false;
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
        cast<BaseMemRefType>(address.getSource().getType()).getMemorySpace());
    return space &&
           space.getValue() == gpu::GPUDialect::getPrivateAddressSpace();
  });
}

/// A set of connected pointers, whose types must change together.
class Pointers {
public:
  llvm::SetVector<Value> values;

  /// Adds a pointer. Fails if its type cannot change.
  LogicalResult add(Value value);
  /// Adds the values that must have the same type as `value`, such as the
  /// incoming values of a block argument or the operands of a select.
  LogicalResult addSources(Value value);
  /// Adds the pointers that the user of a pointer computes from it.
  LogicalResult addResults(OpOperand &use);

private:
  LogicalResult addOperands(Operation *op);
};

LogicalResult Pointers::add(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    if (cast<BlockArgument>(value).getOwner()->isEntryBlock())
      return failure();
  } else if (auto made = dyn_cast<LLVM::IntToPtrOp>(op)) {
    if (isOfStack(made.getArg()))
      return failure();
  } else if (!isa<arith::SelectOp, LLVM::SelectOp, LLVM::FreezeOp, LLVM::GEPOp,
                  LLVM::ZeroOp, LLVM::PoisonOp, LLVM::UndefOp>(op)) {
    return failure();
  }
  values.insert(value);
  return success();
}

LogicalResult Pointers::addOperands(Operation *op) {
  for (Value operand : op->getOperands())
    if (isOfSpaceZero(operand) && failed(add(operand)))
      return failure();
  return success();
}

LogicalResult Pointers::addSources(Value value) {
  if (Operation *op = value.getDefiningOp())
    return addOperands(op);
  auto argument = cast<BlockArgument>(value);
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return failure();
    Value incoming = branch.getSuccessorOperands(
        it.getSuccessorIndex())[argument.getArgNumber()];
    if (!incoming || failed(add(incoming)))
      return failure();
  }
  return success();
}

LogicalResult Pointers::addResults(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    std::optional<BlockArgument> argument =
        branch.getSuccessorBlockArgument(use.getOperandNumber());
    return argument ? add(*argument) : failure();
  }
  if (isa<arith::SelectOp, LLVM::SelectOp, LLVM::FreezeOp, LLVM::GEPOp>(op))
    return add(op->getResult(0));
  if (isa<LLVM::ICmpOp>(op))
    return addOperands(op);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return success(&use == &store.getAddrMutable());
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op))
    return success(&use == &atomic.getPtrMutable());
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return success(&use == &exchange.getPtrMutable());
  return success(isa<LLVM::LoadOp, LLVM::PtrToIntOp, LLVM::AddrSpaceCastOp,
                     LLVM::MemcpyOp, LLVM::MemmoveOp, LLVM::MemsetOp>(op));
}

} // namespace

LogicalResult aircc::makeIntegerPointersGeneric(gpu::GPUModuleOp module,
                                                unsigned genericSpace) {
  auto generic = LLVM::LLVMPointerType::get(module.getContext(), genericSpace);
  WalkResult result = module.walk([&](LLVM::IntToPtrOp op) -> WalkResult {
    if (!isOfSpaceZero(op.getResult()) || isOfStack(op.getArg()))
      return WalkResult::advance();
    auto refuse = [&](Operation *use) -> WalkResult {
      InFlightDiagnostic diag =
          op.emitOpError("creates a pointer in address space 0, which is the "
                         "lane's stack on an Intel GPU, and the type of this "
                         "pointer cannot be changed everywhere; write "
                         "!llvm.ptr<")
          << genericSpace << "> for pointers to any memory";
      if (use)
        diag.attachNote(use->getLoc()) << "the pointer is used here";
      return diag;
    };
    Pointers pointers;
    pointers.values.insert(op.getResult());
    for (size_t i = 0; i < pointers.values.size(); ++i) {
      Value value = pointers.values[i];
      if (failed(pointers.addSources(value)))
        return refuse(value.getDefiningOp());
      for (OpOperand &use : value.getUses())
        if (failed(pointers.addResults(use)))
          return refuse(use.getOwner());
    }
    for (Value value : pointers.values)
      value.setType(generic);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // Casts of pointers that have become generic are redundant.
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    if (cast.getArg().getType() != cast.getType())
      return;
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
  return success();
}
