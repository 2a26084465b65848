//===- ControlFlow.cpp - Whole vectors that loops and branches carry ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op is made anew with the types of the shares, and takes the regions. An
// accumulator of matrix instructions is carried around a loop as the tiles that
// the instructions take, so that nothing is put together and taken apart in
// each turn.
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/memory/Maskable.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

namespace {

/// How one value is carried: by itself, or as pieces of its share.
struct Carried {
  Type shareType;
  SmallVector<SmallVector<int64_t>> pieces;

  SmallVector<Type> types() const {
    if (pieces.empty())
      return {shareType};
    Type element = getElementTypeOrSelf(shareType);
    return llvm::map_to_vector(
        pieces, [&](const SmallVector<int64_t> &registers) -> Type {
          return VectorType::get({static_cast<int64_t>(registers.size())},
                                 element);
        });
  }
  size_t count() const { return pieces.empty() ? 1 : pieces.size(); }
};

} // namespace

static void takeApart(Distributor &d, const Carried &carried, Value share,
                      SmallVectorImpl<Value> &parts) {
  if (carried.pieces.empty()) {
    parts.push_back(share);
    return;
  }
  SmallVector<Value> elements = d.getElements(share);
  for (auto [registers, type] : llvm::zip(carried.pieces, carried.types()))
    parts.push_back(d.assemble(cast<VectorType>(type),
                               llvm::map_to_vector(registers, [&](int64_t reg) {
                                 return elements[reg];
                               })));
}

static Value putTogether(Distributor &d, const Carried &carried,
                         ValueRange parts) {
  if (carried.pieces.empty())
    return parts.front();
  auto type = cast<VectorType>(carried.shareType);
  SmallVector<Value> elements(type.getNumElements());
  for (auto [registers, part] : llvm::zip(carried.pieces, parts))
    for (auto [reg, element] : llvm::zip(registers, d.getElements(part)))
      elements[reg] = element;
  return d.assemble(type, elements);
}

/// The same op with other operands and results, and the regions of `op`.
static Operation *takeOver(Distributor &d, Operation *op, TypeRange types,
                           ValueRange operands) {
  Operation *made = Operation::create(
      op->getLoc(), op->getName(), types, operands,
      NamedAttrList(op->getDiscardableAttrDictionary()),
      op->getPropertiesStorage(), op->getSuccessors(), op->getNumRegions());
  d.b.insert(made);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions()))
    to.takeBody(from);
  layout::dropLayoutAttrs(made);
  return made;
}

/// Gives the block one argument for each part of what is carried, in the place
/// of the arguments from `first` on.
static void carryIntoBlock(Distributor &d, Block &block, unsigned first,
                           ArrayRef<Carried> carried) {
  SmallVector<BlockArgument> old(block.getArguments().drop_front(first));
  OpBuilder::InsertionGuard guard(d.b);
  d.b.setInsertionPointToStart(&block);
  for (auto [argument, how] : llvm::zip_equal(old, carried)) {
    SmallVector<Value> parts;
    for (Type type : how.types())
      parts.push_back(block.addArgument(type, argument.getLoc()));
    if (d.isUndistributed(argument))
      d.setDistributed(argument, putTogether(d, how, parts));
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
    return op->emitOpError("carries a vector that has a layout at one end "
                           "alone");
  if (*actual != *expected)
    return emitLayoutMismatch(op, "value that it passes on", *actual,
                              *expected);
  return success();
}

/// Passes on the parts of the operands from `first` on.
static LogicalResult passOn(Distributor &d, Operation *terminator,
                            unsigned first, ArrayRef<Carried> carried,
                            ValueRange targets) {
  SmallVector<Value> operands(terminator->getOperands().take_front(first));
  OpBuilder::InsertionGuard guard(d.b);
  d.b.setInsertionPoint(terminator);
  for (auto [operand, how, target] : llvm::zip_equal(
           terminator->getOperands().drop_front(first), carried, targets)) {
    if (failed(checkCarried(d, terminator, operand, target)))
      return failure();
    takeApart(d, how, d.getDistributed(operand), operands);
  }
  terminator->setOperands(operands);
  return success();
}

static SmallVector<Type> typesOf(ArrayRef<Carried> carried) {
  SmallVector<Type> types;
  for (const Carried &how : carried)
    llvm::append_range(types, how.types());
  return types;
}

/// Ends the distribution of `op`, whose parts the results of `made` are.
static void finish(Distributor &d, Operation *op, Operation *made,
                   ArrayRef<Carried> carried) {
  d.b.setInsertionPointAfter(made);
  SmallVector<Value> shares;
  unsigned next = 0;
  for (const Carried &how : carried) {
    shares.push_back(
        putTogether(d, how, made->getResults().slice(next, how.count())));
    next += how.count();
  }
  d.replace(op, shares);
}

static LogicalResult distributeFor(Distributor &d, scf::ForOp op) {
  SmallVector<Carried> carried;
  for (auto [init, argument, yielded, result] :
       llvm::zip_equal(op.getInitArgs(), op.getRegionIterArgs(),
                       op.getYieldedValues(), op.getResults())) {
    if (failed(checkCarried(d, op, init, result)) ||
        failed(checkCarried(d, op, argument, result)))
      return failure();
    Carried how{d.getDistributedType(result), {}};
    if (d.isUndistributed(result)) {
      how.pieces = getAccumulatorTiles(d, yielded);
      // LLVM has no vectors of several dimensions: around a loop an array of
      // them would hide its elements.
      auto type = cast<VectorType>(how.shareType);
      if (how.pieces.empty() && type.getRank() > 1)
        how.pieces.push_back(
            llvm::to_vector(llvm::seq<int64_t>(0, type.getNumElements())));
    }
    carried.push_back(std::move(how));
  }
  SmallVector<Value> operands(
      op->getOperands().take_front(op.getNumControlOperands()));
  for (auto [init, how] : llvm::zip(op.getInitArgs(), carried))
    takeApart(d, how, d.getDistributed(init), operands);
  SmallVector<Value> results(op.getResults());
  Operation *made = takeOver(d, op, typesOf(carried), operands);
  Block &body = made->getRegion(0).front();
  carryIntoBlock(d, body, /*first=*/1, carried);
  if (failed(d.distributeBlock(body)) ||
      failed(passOn(d, body.getTerminator(), 0, carried, results)))
    return failure();
  finish(d, op, made, carried);
  return success();
}

static LogicalResult distributeWhile(Distributor &d, scf::WhileOp op) {
  auto asTheyAre = [&](ValueRange values) {
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
  SmallVector<Carried> before = asTheyAre(op.getBeforeArguments());
  SmallVector<Carried> after = asTheyAre(op.getResults());
  SmallVector<Value> beforeValues(op.getBeforeArguments());
  SmallVector<Value> results(op.getResults());
  Operation *made =
      takeOver(d, op, typesOf(after), d.getDistributed(op.getInits()));
  Block &beforeBlock = made->getRegion(0).front();
  Block &afterBlock = made->getRegion(1).front();
  carryIntoBlock(d, beforeBlock, 0, before);
  carryIntoBlock(d, afterBlock, 0, after);
  if (failed(d.distributeBlock(beforeBlock)) ||
      failed(passOn(d, beforeBlock.getTerminator(), 1, after, results)) ||
      failed(d.distributeBlock(afterBlock)) ||
      failed(passOn(d, afterBlock.getTerminator(), 0, before, beforeValues)))
    return failure();
  finish(d, op, made, after);
  return success();
}

/// Ops that have no arguments in their regions, and yield their results.
static LogicalResult distributeBranches(Distributor &d, Operation *op) {
  SmallVector<Carried> carried =
      llvm::map_to_vector(op->getResults(), [&](Value value) {
        return Carried{d.getDistributedType(value), {}};
      });
  SmallVector<Value> results(op->getResults());
  Operation *made =
      takeOver(d, op, typesOf(carried), d.getDistributed(op->getOperands()));
  for (Region &region : made->getRegions())
    for (Block &block : region) {
      if (failed(d.distributeBlock(block)))
        return failure();
      Operation *terminator = block.getTerminator();
      if (isa<scf::YieldOp>(terminator) &&
          failed(passOn(d, terminator, 0, carried, results)))
        return failure();
    }
  finish(d, op, made, carried);
  return success();
}

Distributed distributeControlFlow(Distributor &d, Operation *op) {
  // Those that carry vectors belong to an op that does it for them.
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
