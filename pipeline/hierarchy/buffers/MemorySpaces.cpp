//===- MemorySpaces.cpp - Propagate memory spaces -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/buffers/MemorySpaces.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

Type changeMemorySpace(Type type, Attribute space) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return MemRefType::Builder(memref).setMemorySpace(space);
  auto unranked = cast<UnrankedMemRefType>(type);
  return UnrankedMemRefType::get(unranked.getElementType(), space);
}

static bool isMemRef(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

void forEachForwarded(OpOperand &use, function_ref<void(Value)> visit) {
  Operation *user = use.getOwner();
  if (auto herd = dyn_cast<air::HerdOp>(user)) {
    if (use.getOperandNumber() >=
            herd.getKernelOperands().getBeginOperandIndex() &&
        isMemRef(use.get()))
      visit(herd.getTiedKernelArgument(use));
    return;
  }
  auto forwardTo = [&](RegionBranchOpInterface op, RegionSuccessor successor,
                       OperandRange operands) {
    unsigned first = operands.getBeginOperandIndex();
    unsigned number = use.getOperandNumber();
    if (operands.empty() || number < first || number >= first + operands.size())
      return;
    ValueRange inputs = successor.getSuccessorInputs();
    if (number - first < inputs.size())
      visit(inputs[number - first]);
  };
  if (auto branch = dyn_cast<RegionBranchOpInterface>(user)) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (RegionSuccessor &successor : successors)
      forwardTo(branch, successor, branch.getEntrySuccessorOperands(successor));
  }
  if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(user)) {
    auto branch = dyn_cast<RegionBranchOpInterface>(user->getParentOp());
    if (!branch)
      return;
    SmallVector<Attribute> operands(user->getNumOperands());
    SmallVector<RegionSuccessor> successors;
    terminator.getSuccessorRegions(operands, successors);
    for (RegionSuccessor &successor : successors)
      forwardTo(branch, successor, terminator.getSuccessorOperands(successor));
    return;
  }
  if (isa<CallOpInterface>(user))
    return;
  for (Value result : user->getResults())
    if (isMemRef(result))
      visit(result);
}

/// Clones the called function with the operand types of the call.
static LogicalResult specializeCallee(func::CallOp call, Attribute oldSpace) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.getArgumentTypes() == call.getOperandTypes())
    return success();
  if (callee.isDeclaration())
    return call.emitOpError(
        "passes an L1 or L2 buffer to a function without a body; the object "
        "file named by `link_with` contains NPU code, so for a GPU the "
        "function needs a body in this program");
  Operation *table = SymbolTable::getNearestSymbolTable(call);
  // One copy serves all calls with the same types.
  std::string name = callee.getName().str();
  for (Type type : call.getOperandTypes())
    if (auto memref = dyn_cast<BaseMemRefType>(type))
      name += memref.getMemorySpace() ? "_local" : "_global";
  func::FuncOp copy;
  for (unsigned i = 0; !copy; ++i) {
    std::string candidate = i ? name + "_" + std::to_string(i) : name;
    auto existing = dyn_cast_or_null<func::FuncOp>(
        SymbolTable::lookupSymbolIn(table, candidate));
    if (existing &&
        !llvm::equal(existing.getArgumentTypes(), call.getOperandTypes()))
      continue;
    if (existing) {
      call.setCallee(candidate);
      return success();
    }
    if (SymbolTable::lookupSymbolIn(table, candidate))
      continue;
    copy = callee.clone();
    copy.setName(candidate);
    copy.setPrivate();
  }
  OpBuilder(callee).insert(copy);
  call.setCallee(copy.getName());
  copy.setType(FunctionType::get(call.getContext(), call.getOperandTypes(),
                                 copy.getResultTypes()));
  for (auto [arg, operand] :
       llvm::zip_equal(copy.getArguments(), call.getOperands())) {
    if (arg.getType() == operand.getType())
      continue;
    Attribute argSpace = cast<BaseMemRefType>(arg.getType()).getMemorySpace();
    arg.setType(operand.getType());
    if (failed(propagateMemorySpace(arg, argSpace)))
      return failure();
  }
  return success();
}

LogicalResult propagateMemorySpace(Value value, Attribute oldSpace) {
  SmallVector<Value> worklist{value};
  SmallVector<func::CallOp> calls;
  while (!worklist.empty()) {
    Value v = worklist.pop_back_val();
    Attribute space = cast<BaseMemRefType>(v.getType()).getMemorySpace();
    for (OpOperand &use : llvm::make_early_inc_range(v.getUses())) {
      Operation *user = use.getOwner();
      if (auto call = dyn_cast<func::CallOp>(user)) {
        calls.push_back(call);
        continue;
      }
      if (isa<func::ReturnOp>(user))
        return user->emitOpError("returns an L1 or L2 buffer from a function; "
                                 "pass it as an argument instead");
      if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(user)) {
        if (cast.getSource().getType() == cast.getDest().getType()) {
          cast.getDest().replaceAllUsesWith(cast.getSource());
          cast.erase();
        }
        continue;
      }
      LogicalResult ok = success();
      forEachForwarded(use, [&](Value next) {
        Attribute nextSpace =
            cast<BaseMemRefType>(next.getType()).getMemorySpace();
        if (nextSpace == space)
          return;
        if (nextSpace != oldSpace) {
          ok = user->emitOpError("combines buffers in different memory spaces: "
                                 "one is in ")
               << space << " and another in " << nextSpace
               << "; use buffers in one memory space";
          return;
        }
        next.setType(changeMemorySpace(next.getType(), space));
        worklist.push_back(next);
      });
      if (failed(ok))
        return failure();
    }
  }
  for (func::CallOp call : calls)
    if (failed(specializeCallee(call, oldSpace)))
      return failure();
  return success();
}

LogicalResult verifyMemorySpaces(Operation *kernel) {
  auto isUnplaced = [](Value value) {
    auto type = dyn_cast<BaseMemRefType>(value.getType());
    auto level = type ? dyn_cast_or_null<IntegerAttr>(type.getMemorySpace())
                      : IntegerAttr();
    return level && (level.getInt() == int64_t(air::MemorySpace::L1) ||
                     level.getInt() == int64_t(air::MemorySpace::L2));
  };
  WalkResult result = kernel->walk([&](Operation *op) {
    if (!llvm::any_of(op->getOperands(), isUnplaced) &&
        !llvm::any_of(op->getResults(), isUnplaced))
      return WalkResult::advance();
    // A value that control flow carries must have one memory space.
    op->emitOpError("uses an L1 or L2 buffer that is not allocated in the "
                    "kernel, or that may be one of several in different memory "
                    "spaces; allocate it in the launch, the segment or the "
                    "herd");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace aircc::hierarchy
