//===- WholeVectors.cpp - Which vectors lanes hold together ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/WholeVectors.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "targets/TargetProfile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

bool isControlFlow(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp>(op);
}

bool isControlFlowTerminator(Operation *op) {
  return isa<scf::YieldOp, scf::ConditionOp>(op) && op->getParentOp() &&
         isControlFlow(op->getParentOp());
}

SmallVector<Slot> getSlots(Operation *op) {
  SmallVector<Slot> slots;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto yielded = loop.getYieldedValuesMutable();
    for (unsigned i = 0, e = loop->getNumResults(); i != e; ++i)
      slots.push_back({op,
                       {&loop.getInitArgsMutable()[i], &(*yielded)[i]},
                       {loop.getRegionIterArg(i), loop->getResult(i)}});
    return slots;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    scf::YieldOp yield = loop.getYieldOp();
    for (unsigned i = 0, e = loop.getInits().size(); i != e; ++i)
      slots.push_back({op,
                       {&loop.getInitsMutable()[i], &yield->getOpOperand(i)},
                       {loop.getBeforeArguments()[i]}});
    scf::ConditionOp condition = loop.getConditionOp();
    for (unsigned i = 0, e = loop->getNumResults(); i != e; ++i)
      slots.push_back({op,
                       {&condition.getArgsMutable()[i]},
                       {loop.getAfterArguments()[i], loop->getResult(i)}});
    return slots;
  }
  for (OpResult result : op->getResults()) {
    Slot slot{op, {}, {result}};
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
          slot.operands.push_back(
              &yield->getOpOperand(result.getResultNumber()));
    slots.push_back(std::move(slot));
  }
  return slots;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

namespace {
/// The vectors of a function in the order of its text, and which of them belong
/// together.
struct Components {
  SmallVector<Value> vectors;
  DenseMap<Value, unsigned> numbers;
  llvm::IntEqClasses classes;

  explicit Components(gpu::GPUFuncOp function);

  void join(ValueRange values) {
    std::optional<unsigned> first;
    for (Value value : values) {
      if (!isVector(value))
        continue;
      unsigned number = numbers.lookup(value);
      if (first)
        classes.join(*first, number);
      else
        first = number;
    }
  }
};
} // namespace

Components::Components(gpu::GPUFuncOp function) {
  auto number = [&](ValueRange values) {
    for (Value value : values)
      if (isVector(value) && numbers.try_emplace(value, vectors.size()).second)
        vectors.push_back(value);
  };
  number(function.getBody().getArguments());
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    number(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        number(block.getArguments());
  });
  classes.grow(vectors.size());

  function.getBody().walk([&](Operation *op) {
    if (isControlFlow(op)) {
      for (const Slot &slot : getSlots(op)) {
        SmallVector<Value> all(slot.values);
        for (OpOperand *operand : slot.operands)
          all.push_back(operand->get());
        join(all);
      }
      return;
    }
    if (isControlFlowTerminator(op))
      return;
    SmallVector<Value> all(op->getOperands());
    llvm::append_range(all, op->getResults());
    if (auto mask = dyn_cast<vector::MaskOp>(op))
      llvm::append_range(all, mask.getBody()->getTerminator()->getOperands());
    join(all);
  });
}

/// The vectors among an op's operands and results.
static SmallVector<Value> vectorsOf(Operation *op) {
  SmallVector<Value> values;
  for (Value value : op->getOperands())
    if (isVector(value))
      values.push_back(value);
  for (Value value : op->getResults())
    if (isVector(value))
      values.push_back(value);
  return values;
}

static StringRef text(Scope scope) { return stringifyScope(scope); }

/// How large the workgroups of `function` are.
static LogicalResult findWorkgroup(gpu::GPUFuncOp function, int64_t waveSize,
                                   bool needed, Workgroup &workgroup) {
  workgroup.lanes = waveSize;
  auto size = function.getKnownBlockSizeAttr();
  if (!size) {
    if (!needed)
      return success();
    return function.emitError(
        "a kernel with vectors of a workgroup must say how large that is: give "
        "it known_block_size");
  }
  int64_t threads = 1;
  for (int32_t extent : size.asArrayRef())
    threads *= extent;
  if (threads <= 0 || threads % waveSize != 0)
    return function.emitError("a workgroup of ")
           << threads << " threads is not whole waves of " << waveSize
           << ", which vectors of a workgroup or a wave need";
  workgroup.waves = threads / waveSize;
  return success();
}

bool mayHaveWholeVectors(gpu::GPUFuncOp function) {
  if (layout::getScope(function))
    return true;
  WalkResult found = function.getBody().walk([](Operation *op) {
    return op->hasAttr(kScopeAttr) || isa<ToLayoutOp, AsyncDmaOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

FailureOr<WholeVectors> WholeVectors::get(gpu::GPUFuncOp function,
                                          const TargetProfile &profile) {
  WholeVectors result;
  result.workgroup.blockIO = profile.backend == Backend::XeVM;
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

  Components components(function);
  components.classes.compress();
  SmallVector<std::optional<Scope>> scopes(components.classes.getNumClasses(),
                                           scope);
  SmallVector<Operation *> because(scopes.size(), nullptr);
  WalkResult walked = function.getBody().walk([&](Operation *op) {
    std::optional<Scope> here = layout::getScope(op);
    if (!here)
      return WalkResult::advance();
    for (Value value : vectorsOf(op)) {
      unsigned component = components.classes[components.numbers.lookup(value)];
      std::optional<Scope> &known = scopes[component];
      if (known && *known != *here) {
        InFlightDiagnostic error = op->emitOpError("is of scope ")
                                   << text(*here)
                                   << ", but its vectors are connected with "
                                      "vectors of scope "
                                   << text(*known);
        if (because[component])
          error.attachNote(because[component]->getLoc())
              << "this op is of scope " << text(*known);
        return WalkResult::interrupt();
      }
      if (!known)
        because[component] = op;
      known = here;
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();

  bool needsSize = false;
  for (auto [number, value] : llvm::enumerate(components.vectors)) {
    std::optional<Scope> here = scopes[components.classes[number]];
    if (!here)
      continue;
    if (cast<VectorType>(value.getType()).isScalable())
      return emitError(value.getLoc(), "a scalable vector, ")
             << value.getType() << ", cannot be dealt to the lanes of a "
             << text(*here) << "; layouts are of fixed shapes";
    result.scopes.try_emplace(value, *here);
    needsSize |= *here == Scope::Workgroup;
  }
  walked = function.getBody().walk([&](ToLayoutOp op) {
    if (result.contains(op.getResult()))
      return WalkResult::advance();
    op.emitOpError("is on a vector of a lane's own; say whose it is with "
                   "layout.scope, here or on an op that uses it");
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  if (!result.empty() && failed(findWorkgroup(function, profile.waveSize,
                                              needsSize, result.workgroup)))
    return failure();
  return result;
}

std::optional<Scope> WholeVectors::getScope(Operation *op) const {
  for (Value value : vectorsOf(op))
    if (std::optional<Scope> scope = getScope(value))
      return scope;
  return std::nullopt;
}

} // namespace aircc::layout
