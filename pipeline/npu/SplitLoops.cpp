//===- SplitLoops.cpp - Split loops with independent transfers ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A loop with several async ops that do not depend on each other within an
// iteration becomes several loops, each of which can become dimensions of one
// transfer. Ops remain together if a token or a value connects them, if both
// access the same memory and one writes it, or if both may use the same element
// of a channel in the same direction, because its data must arrive in order.
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

namespace {

/// The memory that an op of a loop's body accesses, including the ops in its
/// regions.
struct Accesses {
  llvm::SmallSetVector<Value, 4> read, written;
  SmallVector<air::ChannelAccessInterface> channels;
};

class LoopSplitter {
public:
  explicit LoopSplitter(scf::ForOp loop) : loop(loop) {}

  /// Splits the loop, if it has several independent parts.
  void run();

private:
  bool collectNodes();
  void connect();
  void connectValues();
  bool isOrdered(const Accesses &a, const Accesses &b);
  bool mayBeSameElement(air::ChannelAccessInterface a,
                        air::ChannelAccessInterface b);
  /// Adds the ops of the body that `value` comes from, looking through free
  /// ops.
  void addSources(Value value, SmallVectorImpl<Operation *> &sources);
  Value createPart(OpBuilder &b, Operation *leader);
  SmallVector<Value> getYielded(Operation *leader);
  bool isIn(Operation *node, Operation *leader) {
    return parts.findLeader(node) == parts.findLeader(leader);
  }

  scf::ForOp loop;
  SmallVector<Operation *> nodes;
  llvm::EquivalenceClasses<Operation *> parts;
};

Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

Accesses getAccesses(Operation *root) {
  Accesses accesses;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto access = dyn_cast<air::ChannelAccessInterface>(op)) {
      auto &memrefs =
          isa<air::ChannelPutOp>(op) ? accesses.read : accesses.written;
      memrefs.insert(getRoot(access.getMemref()));
      accesses.channels.push_back(access);
      return WalkResult::advance();
    }
    // The other ends of channels are in the array.
    auto array = dyn_cast<air::HierarchyInterface>(op);
    if (!isFree(*op))
      for (OpOperand &operand : op->getOpOperands())
        if (isa<BaseMemRefType>(operand.get().getType()) &&
            !(array && array.getTiedKernelArgument(operand).use_empty()))
          accesses.written.insert(getRoot(operand.get()));
    return array ? WalkResult::skip() : WalkResult::advance();
  });
  return accesses;
}

bool LoopSplitter::collectNodes() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isFree(op))
      continue;
    if (llvm::none_of(op.getResults(), isToken))
      return false;
    nodes.push_back(&op);
    parts.insert(&op);
  }
  return nodes.size() > 1;
}

void LoopSplitter::addSources(Value value,
                              SmallVectorImpl<Operation *> &sources) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (op)
      op = loop.getBody()->findAncestorOpInBlock(*op);
    if (!op)
      continue;
    if (isFree(*op))
      seen.insert_range(op->getOperands());
    else
      sources.push_back(op);
  }
}

void LoopSplitter::connectValues() {
  for (Operation *node : nodes)
    node->walk([&](Operation *user) {
      for (Value operand : user->getOperands()) {
        SmallVector<Operation *> sources;
        addSources(operand, sources);
        for (Operation *source : sources)
          parts.unionSets(node, source);
      }
    });
}

/// Two ends of one channel use different elements if an index differs by a
/// constant and is the same in all iterations.
bool LoopSplitter::mayBeSameElement(air::ChannelAccessInterface a,
                                    air::ChannelAccessInterface b) {
  if (a.getChanNameAttr() != b.getChanNameAttr() ||
      isa<air::ChannelPutOp>(a.getOperation()) !=
          isa<air::ChannelPutOp>(b.getOperation()))
    return false;
  for (auto [i, j] : llvm::zip(a.getIndices(), b.getIndices())) {
    air::LinearIndex first = air::LinearIndex::get(i);
    air::LinearIndex difference = air::LinearIndex::get(j) + first * -1;
    bool isFixed = llvm::all_of(first.getTerms(), [&](const auto &term) {
      return loop.isDefinedOutsideOfLoop(term.first);
    });
    if (isFixed && difference.isConstant() && !difference.isZero())
      return false;
  }
  return true;
}

bool LoopSplitter::isOrdered(const Accesses &a, const Accesses &b) {
  auto overlaps = [](const auto &x, const auto &y) {
    return llvm::any_of(x, [&](Value memref) { return y.contains(memref); });
  };
  if (overlaps(a.written, b.written) || overlaps(a.written, b.read) ||
      overlaps(a.read, b.written))
    return true;
  for (air::ChannelAccessInterface x : a.channels)
    for (air::ChannelAccessInterface y : b.channels)
      if (mayBeSameElement(x, y))
        return true;
  return false;
}

void LoopSplitter::connect() {
  connectValues();
  SmallVector<Accesses> accesses;
  for (Operation *node : nodes)
    accesses.push_back(getAccesses(node));
  for (size_t i = 0; i < nodes.size(); ++i)
    for (size_t j = i + 1; j < nodes.size(); ++j)
      if (isOrdered(accesses[i], accesses[j]))
        parts.unionSets(nodes[i], nodes[j]);
}

/// Returns the tokens that the loop over the part of `leader` carries: those
/// that the loop yields, and those that no op waits for.
SmallVector<Value> LoopSplitter::getYielded(Operation *leader) {
  SmallVector<Operation *> yielded;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    addSources(value, yielded);
  llvm::SmallSetVector<Value, 4> tokens;
  auto addTokens = [&](Operation *node) {
    for (Value result : node->getResults())
      if (isToken(result))
        tokens.insert(result);
  };
  for (Operation *node : nodes)
    if (isIn(node, leader) && llvm::is_contained(yielded, node))
      addTokens(node);
  if (tokens.empty())
    for (Operation *node : nodes)
      if (isIn(node, leader))
        addTokens(node);
  return tokens.takeVector();
}

Value LoopSplitter::createPart(OpBuilder &b, Operation *leader) {
  Location loc = loop.getLoc();
  auto part =
      scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(),
                         loop.getStep(), loop.getInits());
  part->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), part.getInductionVar());
  mapping.map(loop.getRegionIterArgs(), part.getRegionIterArgs());
  OpBuilder inner = OpBuilder::atBlockEnd(part.getBody());
  auto isAvailable = [&](Value value) {
    return mapping.contains(value) || loop.isDefinedOutsideOfLoop(value);
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!isFree(op)) {
      if (isIn(&op, leader))
        inner.clone(op, mapping);
      continue;
    }
    if (auto join = dyn_cast<air::WaitAllOp>(op)) {
      SmallVector<Value> tokens;
      for (Value token : join.getAsyncDependencies())
        if (isAvailable(token))
          tokens.push_back(mapping.lookupOrDefault(token));
      mapping.map(join.getAsyncToken(),
                  joinTokens(inner, join.getLoc(), tokens));
      continue;
    }
    if (llvm::all_of(op.getOperands(), isAvailable))
      inner.clone(op, mapping);
  }
  SmallVector<Value> yielded;
  for (Value token : getYielded(leader))
    yielded.push_back(mapping.lookup(token));
  scf::YieldOp::create(inner, loc, joinTokens(inner, loc, yielded));
  return part.getResult(0);
}

void LoopSplitter::run() {
  // A loop that carries several tokens has been pipelined manually.
  if (loop.getNumRegionIterArgs() != 1 || !carriesAtMostOneToken(loop) ||
      !collectNodes())
    return;
  connect();
  if (parts.getNumClasses() < 2)
    return;
  OpBuilder b(loop);
  SmallVector<Value> results;
  SmallVector<Operation *> leaders;
  for (Operation *node : nodes) {
    if (llvm::any_of(leaders,
                     [&](Operation *leader) { return isIn(node, leader); }))
      continue;
    leaders.push_back(node);
    results.push_back(createPart(b, node));
  }
  loop.getResult(0).replaceAllUsesWith(joinTokens(b, loop.getLoc(), results));
  loop.erase();
}

} // namespace

void npu::splitLoops(Region &scope) {
  SmallVector<scf::ForOp> loops;
  walkShimOps(scope, [&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.push_back(loop);
  });
  // Visit inner loops first, so that their parts can be in different parts of
  // the outer loop.
  for (scf::ForOp loop : llvm::reverse(loops))
    LoopSplitter(loop).run();
}
