//===- ControlFlow.cpp - Distribute loops and branches --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// An op is recreated with distributed types and takes over the regions. A loop
// carries an accumulator of matrix instructions as one value per instruction
// tile, which avoids packing and unpacking in each iteration.
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/memory/ByteColumns.h"
#include "pipeline/distribution/memory/Maskable.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

namespace {

/// How a value is carried: as one value, or as tiles of it.
struct Carried {
  Type type;
  SmallVector<SmallVector<int64_t>> tiles;
  /// Whether tiles of bytes are carried as words, because LLVM would move each
  /// byte separately.
  bool asWords = false;

  VectorType getTileType(const SmallVector<int64_t> &registers) const {
    return VectorType::get({static_cast<int64_t>(registers.size())},
                           getElementTypeOrSelf(type));
  }
  VectorType getWordsType(const SmallVector<int64_t> &registers) const {
    return VectorType::get({static_cast<int64_t>(registers.size() / 4)},
                           IntegerType::get(type.getContext(), 32));
  }
  SmallVector<Type> types() const {
    if (tiles.empty())
      return {type};
    return llvm::map_to_vector(
        tiles, [&](const SmallVector<int64_t> &registers) -> Type {
          return asWords ? getWordsType(registers) : getTileType(registers);
        });
  }
  size_t count() const { return tiles.empty() ? 1 : tiles.size(); }
};

} // namespace

static void unpack(Distributor &d, const Carried &carried, Value value,
                   SmallVectorImpl<Value> &parts) {
  if (carried.tiles.empty()) {
    parts.push_back(value);
    return;
  }
  SmallVector<Value> elements = d.getElements(value);
  ByteColumns columns(d, elements);
  for (const SmallVector<int64_t> &registers : carried.tiles) {
    Value part = carried.asWords ? columns.get(registers) : Value();
    if (!part)
      part = d.assemble(carried.getTileType(registers),
                        llvm::map_to_vector(registers, [&](int64_t reg) {
                          return elements[reg];
                        }));
    if (carried.asWords)
      part = vector::BitCastOp::create(d.b, d.loc,
                                       carried.getWordsType(registers), part);
    parts.push_back(part);
  }
}

static Value pack(Distributor &d, const Carried &carried, ValueRange parts) {
  if (carried.tiles.empty())
    return parts.front();
  auto type = cast<VectorType>(carried.type);
  SmallVector<Value> elements(type.getNumElements());
  for (auto [registers, part] : llvm::zip(carried.tiles, parts)) {
    Value tile = part;
    if (carried.asWords)
      tile = vector::BitCastOp::create(d.b, d.loc,
                                       carried.getTileType(registers), part);
    for (auto [reg, element] : llvm::zip(registers, d.getElements(tile)))
      elements[reg] = element;
  }
  return d.assemble(type, elements);
}

/// Recreates `op` with other operands and results, and moves its regions.
static Operation *recreateOp(Distributor &d, Operation *op, TypeRange types,
                             ValueRange operands) {
  Operation *newOp = Operation::create(
      op->getLoc(), op->getName(), types, operands,
      NamedAttrList(op->getDiscardableAttrDictionary()),
      op->getPropertiesStorage(), op->getSuccessors(), op->getNumRegions());
  d.b.insert(newOp);
  for (auto [from, to] : llvm::zip(op->getRegions(), newOp->getRegions()))
    to.takeBody(from);
  layout::dropLayoutAttrs(newOp);
  return newOp;
}

/// Replaces the block arguments starting at `first` with one for each part of
/// the carried values.
static void replaceArguments(Distributor &d, Block &block, unsigned first,
                             ArrayRef<Carried> carried) {
  SmallVector<BlockArgument> old(block.getArguments().drop_front(first));
  OpBuilder::InsertionGuard guard(d.b);
  d.b.setInsertionPointToStart(&block);
  for (auto [argument, value] : llvm::zip_equal(old, carried)) {
    SmallVector<Value> parts;
    for (Type type : value.types())
      parts.push_back(block.addArgument(type, argument.getLoc()));
    if (d.isUndistributed(argument))
      d.setDistributed(argument, pack(d, value, parts));
    else
      argument.replaceAllUsesWith(parts.front());
  }
  for (BlockArgument argument : old)
    d.eraseArgument(argument);
}

static LogicalResult checkCarried(Distributor &d, Operation *op, Value from,
                                  Value to) {
  const NestedLayout *actual = d.getLayout(from);
  const NestedLayout *expected = d.getLayout(to);
  if (!actual && !expected)
    return success();
  if (!actual || !expected)
    return op->emitOpError(
        "passes a vector with a layout to one without, or vice versa");
  if (*actual != *expected)
    return emitLayoutMismatch(op, "value that it passes on", *actual,
                              *expected);
  return success();
}

/// Unpacks the operands of a terminator, starting at `first`.
static LogicalResult forwardOperands(Distributor &d, Operation *terminator,
                                     unsigned first, ArrayRef<Carried> carried,
                                     ValueRange targets) {
  SmallVector<Value> operands(terminator->getOperands().take_front(first));
  OpBuilder::InsertionGuard guard(d.b);
  d.b.setInsertionPoint(terminator);
  for (auto [operand, value, target] : llvm::zip_equal(
           terminator->getOperands().drop_front(first), carried, targets)) {
    if (failed(checkCarried(d, terminator, operand, target)))
      return failure();
    unpack(d, value, d.getDistributed(operand), operands);
  }
  terminator->setOperands(operands);
  return success();
}

static SmallVector<Type> getTypes(ArrayRef<Carried> carried) {
  SmallVector<Type> types;
  for (const Carried &value : carried)
    llvm::append_range(types, value.types());
  return types;
}

/// Packs the results of `newOp` and replaces `op` with them.
static void finish(Distributor &d, Operation *op, Operation *newOp,
                   ArrayRef<Carried> carried) {
  d.b.setInsertionPointAfter(newOp);
  SmallVector<Value> results;
  unsigned next = 0;
  for (const Carried &value : carried) {
    results.push_back(
        pack(d, value, newOp->getResults().slice(next, value.count())));
    next += value.count();
  }
  d.replace(op, results);
}

static LogicalResult distributeFor(Distributor &d, scf::ForOp op) {
  SmallVector<Carried> carried;
  for (auto [init, argument, yielded, result] :
       llvm::zip_equal(op.getInitArgs(), op.getRegionIterArgs(),
                       op.getYieldedValues(), op.getResults())) {
    if (failed(checkCarried(d, op, init, result)) ||
        failed(checkCarried(d, op, argument, result)))
      return failure();
    Carried value{d.getDistributedType(result), {}};
    if (d.isUndistributed(result)) {
      value.tiles = getAccumulatorTiles(d, yielded);
      if (value.tiles.empty()) {
        value.tiles = getFactorTiles(d, argument);
        value.asWords =
            !value.tiles.empty() && value.tiles.front().size() % 4 == 0 &&
            getElementTypeOrSelf(value.type).getIntOrFloatBitWidth() == 8;
      }
      // Carry multidimensional vectors as one-dimensional vectors, because LLVM
      // represents them as arrays of vectors, which hinder optimization across
      // iterations.
      auto type = cast<VectorType>(value.type);
      if (value.tiles.empty() && type.getRank() > 1)
        value.tiles.push_back(
            llvm::to_vector(llvm::seq<int64_t>(0, type.getNumElements())));
    }
    carried.push_back(std::move(value));
  }
  SmallVector<Value> operands(
      op->getOperands().take_front(op.getNumControlOperands()));
  for (auto [init, value] : llvm::zip(op.getInitArgs(), carried))
    unpack(d, value, d.getDistributed(init), operands);
  SmallVector<Value> results(op.getResults());
  Operation *newOp = recreateOp(d, op, getTypes(carried), operands);
  Block &body = newOp->getRegion(0).front();
  replaceArguments(d, body, /*first=*/1, carried);
  if (failed(d.distributeBlock(body)) ||
      failed(forwardOperands(d, body.getTerminator(), 0, carried, results)))
    return failure();
  finish(d, op, newOp, carried);
  return success();
}

static LogicalResult distributeWhile(Distributor &d, scf::WhileOp op) {
  auto getCarried = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) {
      return Carried{d.getDistributedType(value), {}};
    });
  };
  for (auto [init, argument] :
       llvm::zip_equal(op.getInits(), op.getBeforeArguments()))
    if (failed(checkCarried(d, op, init, argument)))
      return failure();
  for (auto [argument, result] :
       llvm::zip_equal(op.getAfterArguments(), op.getResults()))
    if (failed(checkCarried(d, op, argument, result)))
      return failure();
  SmallVector<Carried> before = getCarried(op.getBeforeArguments());
  SmallVector<Carried> after = getCarried(op.getResults());
  SmallVector<Value> beforeValues(op.getBeforeArguments());
  SmallVector<Value> results(op.getResults());
  Operation *newOp =
      recreateOp(d, op, getTypes(after), d.getDistributed(op.getInits()));
  Block &beforeBlock = newOp->getRegion(0).front();
  Block &afterBlock = newOp->getRegion(1).front();
  replaceArguments(d, beforeBlock, 0, before);
  replaceArguments(d, afterBlock, 0, after);
  if (failed(d.distributeBlock(beforeBlock)) ||
      failed(
          forwardOperands(d, beforeBlock.getTerminator(), 1, after, results)) ||
      failed(d.distributeBlock(afterBlock)) ||
      failed(forwardOperands(d, afterBlock.getTerminator(), 0, before,
                             beforeValues)))
    return failure();
  finish(d, op, newOp, after);
  return success();
}

/// Distributes ops whose regions have no arguments and yield the results.
static LogicalResult distributeBranches(Distributor &d, Operation *op) {
  SmallVector<Carried> carried =
      llvm::map_to_vector(op->getResults(), [&](Value value) {
        return Carried{d.getDistributedType(value), {}};
      });
  SmallVector<Value> results(op->getResults());
  Operation *newOp =
      recreateOp(d, op, getTypes(carried), d.getDistributed(op->getOperands()));
  for (Region &region : newOp->getRegions())
    for (Block &block : region) {
      if (failed(d.distributeBlock(block)))
        return failure();
      Operation *terminator = block.getTerminator();
      if (isa<scf::YieldOp>(terminator) &&
          failed(forwardOperands(d, terminator, 0, carried, results)))
        return failure();
    }
  finish(d, op, newOp, carried);
  return success();
}

Distributed distributeControlFlow(Distributor &d, Operation *op) {
  // Terminators are distributed together with their parent op.
  if (isa<scf::YieldOp, scf::ConditionOp, vector::YieldOp>(op))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return distributeFor(d, loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return distributeWhile(d, loop);
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
    return distributeBranches(d, op);
  return std::nullopt;
}

} // namespace aircc::distribution
