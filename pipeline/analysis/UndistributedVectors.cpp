//===- UndistributedVectors.cpp - Vectors shared by several lanes ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/UndistributedVectors.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/Interfaces/VectorInterfaces.h"
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

SmallVector<Value> Slot::getAllValues() const {
  SmallVector<Value> all(values);
  for (OpOperand *operand : operands)
    all.push_back(operand->get());
  return all;
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
// Groups
//===----------------------------------------------------------------------===//

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

bool isUnscopedConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>() && !layout::getScope(op);
}

void VectorGroups::join(ValueRange values) {
  std::optional<unsigned> first;
  for (Value value : values) {
    if (!isVector(value) || isUnscopedConstant(value))
      continue;
    unsigned number = numbers.lookup(value);
    if (first)
      classes.join(*first, number);
    else
      first = number;
  }
}

VectorGroups::VectorGroups(gpu::GPUFuncOp function) {
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
      for (const Slot &slot : getSlots(op))
        join(slot.getAllValues());
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
  classes.compress();
}

SmallVector<Value> getVectors(Operation *op) {
  SmallVector<Value> values;
  for (Value value : op->getOperands())
    if (isVector(value))
      values.push_back(value);
  for (Value value : op->getResults())
    if (isVector(value))
      values.push_back(value);
  return values;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool supportsUndistributedVectors(Operation *op) {
  if (OpTrait::hasElementwiseMappableTraits(op))
    return true;
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return isa<MemRefType>(transfer.getShapedType());
  return isa<
      // Ops that create or use vectors of arbitrary shape.
      arith::ConstantOp, ub::PoisonOp, vector::StepOp, vector::ConstantMaskOp,
      vector::CreateMaskOp, vector::FMAOp, vector::FromElementsOp,
      vector::ToElementsOp, vector::PrintOp,
      // Shapes.
      vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp,
      vector::BitCastOp, vector::ExtractOp, vector::InsertOp,
      vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp,
      vector::ShuffleOp, vector::InterleaveOp, vector::DeinterleaveOp,
      // Reductions and products.
      vector::MultiDimReductionOp, vector::ReductionOp, vector::ScanOp,
      vector::ContractionOp,
      // Memory.
      vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
      vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp, AsyncDmaOp,
      // XeGPU.
      xegpu::LoadNdOp, xegpu::StoreNdOp, xegpu::LoadMatrixOp,
      xegpu::StoreMatrixOp, xegpu::LoadGatherOp, xegpu::StoreScatterOp,
      xegpu::PrefetchOp, xegpu::AtomicRMWOp, xegpu::ConvertLayoutOp>(op);
}

} // namespace aircc::layout
