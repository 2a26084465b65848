//===- Gather.cpp - Distribute gathers and scatters -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutOps.h"
#include "pipeline/distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

/// Checks the vectors of a gather or scatter, which must all have the layout of
/// `vector`, and the memref that it accesses. Returns the layout.
static FailureOr<NestedLayout> checkAccess(Distributor &d, Operation *op,
                                           Value vector, Value base) {
  const NestedLayout *layout = d.getLayout(vector);
  if (!layout)
    return op->emitOpError("has no layout");
  for (Value value : op->getOperands()) {
    if (!isa<VectorType>(value.getType()))
      continue;
    const NestedLayout *own = d.getLayout(value);
    if (!own)
      return op->emitOpError("has a vector without a layout");
    if (*own != *layout)
      return emitLayoutMismatch(op, "operand", *own, *layout);
  }
  auto type = dyn_cast<MemRefType>(base.getType());
  Type element = getElementTypeOrSelf(d.getDistributedType(vector));
  if (!type || type.getElementType() != element || type.getRank() == 0)
    return op->emitOpError("accesses a ")
           << base.getType() << "; lanes can only access a ranked memref of "
           << element;
  return *layout;
}

/// Returns whether all elements of a vector are known to be equal.
static bool isSplat(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    return !isa<VectorType>(broadcast.getSourceType());
  DenseElementsAttr attr;
  return matchPattern(value, m_Constant(&attr)) && attr.isSplat();
}

/// Returns the indices of one element, whose index is added to the last offset.
static SmallVector<Value> createIndices(Distributor &d, Location loc,
                                        ValueRange offsets, Value index) {
  if (!index.getType().isIndex())
    index = arith::IndexCastOp::create(d.b, loc, d.b.getIndexType(), index);
  SmallVector<Value> indices(offsets);
  indices.back() = arith::AddIOp::create(d.b, loc, indices.back(), index);
  return indices;
}

/// Returns whether the elements of a vector are the same along its last
/// dimension.
static bool isUniform(Value value) {
  if (isSplat(value))
    return true;
  Operation *op = value.getDefiningOp();
  auto type = cast<VectorType>(value.getType());
  if (!op)
    return false;
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    auto source = dyn_cast<VectorType>(broadcast.getSourceType());
    return !source || source.getShape().back() != type.getShape().back() ||
           isUniform(broadcast.getSource());
  }
  if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
    int64_t from = transpose.getPermutation().back();
    auto broadcast = transpose.getVector().getDefiningOp<vector::BroadcastOp>();
    if (!broadcast)
      return false;
    auto source = dyn_cast<VectorType>(broadcast.getSourceType());
    return !source || from < type.getRank() - source.getRank();
  }
  return (isa<layout::ToLayoutOp>(op) ||
          OpTrait::hasElementwiseMappableTraits(op)) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return !isa<VectorType>(operand.getType()) || isUniform(operand);
         });
}

/// Returns whether the elements of a vector are consecutive numbers along its
/// last dimension.
static bool isConsecutive(Value value) {
  Operation *op = value.getDefiningOp();
  Type element = getElementTypeOrSelf(value);
  // Narrower integers may wrap around.
  if (!op || !(element.isIndex() || element.getIntOrFloatBitWidth() >= 32))
    return false;
  if (isa<vector::StepOp>(op))
    return true;
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    auto source = dyn_cast<VectorType>(broadcast.getSourceType());
    return source &&
           source.getShape().back() ==
               broadcast.getResultVectorType().getShape().back() &&
           isConsecutive(broadcast.getSource());
  }
  if (isa<layout::ToLayoutOp, arith::IndexCastOp, arith::IndexCastUIOp,
          arith::ExtSIOp, arith::ExtUIOp>(op))
    return isConsecutive(op->getOperand(0));
  return isa<arith::AddIOp>(op) &&
         ((isConsecutive(op->getOperand(0)) && isUniform(op->getOperand(1))) ||
          (isConsecutive(op->getOperand(1)) && isUniform(op->getOperand(0))));
}

/// Returns the number of elements that a lane reads with one access: those that
/// are adjacent in the vector, if their indices are consecutive.
static int64_t getWidth(vector::GatherOp op, const NestedLayout &layout) {
  auto base = cast<MemRefType>(op.getBase().getType());
  if (layout.rank() == 0 || !base.isLastDimUnitStride() ||
      !isConsecutive(op.getIndices()) || !isUniform(op.getMask()))
    return 1;
  return layout.dim(layout.rank() - 1).element;
}

static LogicalResult distributeGather(Distributor &d, vector::GatherOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  FailureOr<NestedLayout> layout =
      checkAccess(d, op, op.getResult(), op.getBase());
  if (failed(layout))
    return failure();
  auto type = cast<VectorType>(d.getDistributedType(op.getResult()));
  int64_t width = getWidth(op, *layout);
  auto pieceType = VectorType::get({width}, type.getElementType());
  bool isMasked = !matchPattern(op.getMask(), m_One());
  SmallVector<Value> mask = d.getDistributedElements(op.getMask());
  SmallVector<Value> others = d.getDistributedElements(op.getPassThru());
  SmallVector<Value> result;
  SmallVector<Value> indices = d.getDistributedElements(op.getIndices());
  for (int64_t reg = 0, end = indices.size(); reg < end; reg += width) {
    auto load = [&]() -> Value {
      SmallVector<Value> at =
          createIndices(d, loc, op.getOffsets(), indices[reg]);
      if (width > 1)
        return vector::LoadOp::create(b, loc, pieceType, op.getBase(), at);
      return memref::LoadOp::create(b, loc, op.getBase(), at);
    };
    auto getOthers = [&]() -> Value {
      if (width == 1)
        return others[reg];
      return d.assemble(pieceType, ArrayRef<Value>(others).slice(reg, width));
    };
    Value piece =
        isMasked
            ? d.select(loc, width > 1 ? Type(pieceType) : type.getElementType(),
                       mask[reg], load, getOthers)
            : load();
    if (width == 1)
      result.push_back(piece);
    else
      llvm::append_range(result, d.getElements(piece));
  }
  d.replace(op, d.assemble(type, result));
  return success();
}

/// Returns whether all elements of the vector are known to be different,
/// because they are constants or a vector.step plus a splat.
static bool isInjective(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<vector::StepOp>(op))
    return true;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp>(op))
    return isInjective(op->getOperand(0));
  if (isa<arith::AddIOp>(op))
    return (isInjective(op->getOperand(0)) && isSplat(op->getOperand(1))) ||
           (isInjective(op->getOperand(1)) && isSplat(op->getOperand(0)));
  DenseElementsAttr attr;
  if (matchPattern(value, m_Constant(&attr)) &&
      isa<IntegerType, IndexType>(attr.getElementType())) {
    SmallVector<APInt> all(attr.getValues<APInt>());
    llvm::sort(all, [](const APInt &l, const APInt &r) { return l.slt(r); });
    return std::adjacent_find(all.begin(), all.end()) == all.end();
  }
  return false;
}

/// Calls `storeOne` for each register of a vector of rank 1. Lanes and waves
/// store one after another, in element order, because if several elements are
/// stored to one address, the last one must win.
static void storeInOrder(Distributor &d, vector::ScatterOp op,
                         const NestedLayout &layout,
                         function_ref<void(int64_t reg)> storeOne) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  const DimTiles &dim = layout.dim(0);
  Value first = d.ids.isFirstHolder(layout, d.getNumWaves(op));
  // The order is: cycles, waves, batches, lanes, elements.
  int64_t perCycle = dim.values() / dim.cycles;
  for (int64_t step = 0; step < dim.cycles * dim.subgroup; ++step) {
    int64_t wave = step % dim.subgroup;
    int64_t begin = step / dim.subgroup * perCycle;
    if (step > 0)
      d.ldsBuffer.declareAccess(b, loc, op.getBase(), /*writes=*/true,
                                /*withinWave=*/dim.subgroup == 1);
    OpBuilder::InsertionGuard guard(b);
    Value isActive = first;
    if (dim.subgroup > 1)
      isActive =
          createAnd(b, loc, isActive,
                    arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          d.ids.virtualSubgroup(dim),
                                          d.ids.constant(wave)));
    for (int64_t k = begin; k < begin + perCycle; k += dim.element) {
      OpBuilder::InsertionGuard guard(b);
      // All lanes execute the loop, even those that do not store.
      if (isActive && dim.thread == 1) {
        auto branch = scf::IfOp::create(b, loc, isActive, /*withElse=*/false);
        b.setInsertionPointToStart(branch.thenBlock());
      }
      if (dim.thread > 1) {
        auto loop =
            scf::ForOp::create(b, loc, d.ids.constant(0),
                               d.ids.constant(dim.thread), d.ids.constant(1));
        b.setInsertionPointToStart(loop.getBody());
        // A lane stores in only one iteration. Without a barrier, the other
        // iterations would be optimized away, and all lanes would store at
        // once.
        d.ldsBuffer.declareAccess(b, loc, op.getBase(), /*writes=*/true,
                                  /*withinWave=*/true);
        Value isNext = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             d.ids.virtualThread(dim),
                                             loop.getInductionVar());
        if (isActive)
          isNext = createAnd(b, loc, isActive, isNext);
        auto branch = scf::IfOp::create(b, loc, isNext, /*withElse=*/false);
        b.setInsertionPointToStart(branch.thenBlock());
      }
      for (int64_t i = 0; i < dim.element; ++i)
        storeOne(k + i);
    }
  }
}

static LogicalResult distributeScatter(Distributor &d, vector::ScatterOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  FailureOr<NestedLayout> layout =
      checkAccess(d, op, op.getValueToStore(), op.getBase());
  if (failed(layout))
    return failure();
  bool isOrdered = !isInjective(op.getIndices());
  if (isOrdered && layout->rank() != 1)
    return op.emitOpError(
        "has several dimensions and may write an address twice, so it cannot "
        "be distributed in order; scatter each row separately, or use indices "
        "that are a vector.step plus a broadcast");
  SmallVector<Value> indices = d.getDistributedElements(op.getIndices());
  SmallVector<Value> mask = d.getDistributedElements(op.getMask());
  SmallVector<Value> values = d.getDistributedElements(op.getValueToStore());
  auto storeOne = [&](int64_t reg) {
    auto branch = scf::IfOp::create(b, loc, mask[reg], /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    memref::StoreOp::create(
        b, loc, values[reg], op.getBase(),
        createIndices(d, loc, op.getOffsets(), indices[reg]));
  };
  if (isOrdered) {
    storeInOrder(d, op, *layout, storeOne);
  } else {
    OpBuilder::InsertionGuard guard(b);
    d.enterFirstHolder(loc, *layout, d.getNumWaves(op));
    for (int64_t reg = 0, end = values.size(); reg < end; ++reg)
      storeOne(reg);
  }
  d.erase(op);
  return success();
}

Distributed distributeGather(Distributor &d, Operation *op) {
  if (auto gather = dyn_cast<vector::GatherOp>(op))
    return distributeGather(d, gather);
  if (auto scatter = dyn_cast<vector::ScatterOp>(op))
    return distributeScatter(d, scatter);
  return std::nullopt;
}

} // namespace aircc::distribution
