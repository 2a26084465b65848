//===- OrderStatements.cpp - Producers before consumers -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/BufferAccesses.h"
#include "pipeline/hierarchy/channels/ChannelPasses.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <set>

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The memory that an op, including the ops in its regions, accesses.
struct Footprint {
  DenseMap<Value, std::pair<bool, bool>> buffers; ///< Whether it is read and
                                                  ///< written.
  bool isUnknown = false; ///< Effects other than on memrefs.

  explicit Footprint(Operation *root);
};

Footprint::Footprint(Operation *root) {
  root->walk([&](Operation *op) {
    if (isMemoryEffectFree(op) || isa<memref::AllocOp, memref::DeallocOp>(op) ||
        isa<air::HierarchyInterface>(op))
      return;
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface) {
      isUnknown |= !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (!effect.getValue() ||
          !isa<BaseMemRefType>(effect.getValue().getType())) {
        isUnknown |= !effect.getValue();
        continue;
      }
      auto &[reads, writes] = buffers[getRootBuffer(effect.getValue())];
      reads |= isa<MemoryEffects::Read>(effect.getEffect());
      writes |= isa<MemoryEffects::Write>(effect.getEffect());
    }
  });
}

class StatementOrder {
public:
  StatementOrder(Block *block, ArrayRef<Value> queues, ArrayRef<Value> counted)
      : block(block), queues(queues.begin(), queues.end()),
        counted(counted.begin(), counted.end()) {}

  /// Moves the ops. Returns false if there is no order.
  bool run();
  /// Returns the ops that are in a cycle.
  ArrayRef<Operation *> getCycle() const { return cycle; }

private:
  void addDependences(unsigned i, unsigned j);

  Block *block;
  SmallPtrSet<Value, 8> queues, counted;
  SmallVector<Operation *> ops, cycle;
  std::vector<Footprint> footprints;
  std::vector<std::set<unsigned>> predecessors;
};

/// Adds the dependences between ops number i < j.
void StatementOrder::addDependences(unsigned i, unsigned j) {
  const Footprint &a = footprints[i], &b = footprints[j];
  bool hasEffects = a.isUnknown || !a.buffers.empty();
  if ((a.isUnknown && (b.isUnknown || !b.buffers.empty())) ||
      (b.isUnknown && hasEffects))
    predecessors[j].insert(i);
  for (auto &[buffer, access] : a.buffers) {
    auto it = b.buffers.find(buffer);
    if (it == b.buffers.end() || (!access.second && !it->second.second))
      continue;
    bool isQueue = queues.contains(buffer) || counted.contains(buffer);
    if (!isQueue || (access.second && it->second.first))
      predecessors[j].insert(i);
    if (isQueue && access.first && it->second.second)
      predecessors[i].insert(j);
  }
  for (Operation *user : ops[i]->getUsers())
    if (block->findAncestorOpInBlock(*user) == ops[j])
      predecessors[j].insert(i);
}

bool StatementOrder::run() {
  for (Operation &op : block->without_terminator()) {
    ops.push_back(&op);
    footprints.emplace_back(&op);
  }
  // An op that both fills and empties a queue would have to precede itself,
  // except for a segment, whose own statements are in order.
  for (unsigned i = 0; i < ops.size(); ++i)
    for (auto &[buffer, access] : footprints[i].buffers)
      if (queues.contains(buffer) && access.first && access.second &&
          !isa<air::SegmentOp>(ops[i])) {
        cycle.push_back(ops[i]);
        return false;
      }
  predecessors.resize(ops.size());
  for (unsigned j = 0; j < ops.size(); ++j)
    for (unsigned i = 0; i < j; ++i)
      addDependences(i, j);
  SmallVector<bool> done(ops.size(), false);
  for (size_t count = 0; count < ops.size(); ++count) {
    unsigned next = 0;
    while (next < ops.size() &&
           (done[next] || llvm::any_of(
                              predecessors[next],
                              [&](unsigned other) { return !done[other]; })))
      ++next;
    if (next == ops.size()) {
      for (unsigned i = 0; i < ops.size(); ++i)
        if (!done[i])
          cycle.push_back(ops[i]);
      return false;
    }
    done[next] = true;
    ops[next]->moveBefore(block, std::prev(block->end()));
  }
  return true;
}

/// Splits a loop into one loop for each set of ops of its body that share
/// memory or values. Returns false if there is only one.
bool splitLoop(LoopLikeOpInterface loop) {
  Operation *op = loop;
  if (!isa<scf::ForOp, affine::AffineForOp, scf::ParallelOp>(op) ||
      op->getNumResults())
    return false;
  SmallVector<Operation *> parts;
  for (Operation &inner : op->getRegion(0).front().without_terminator())
    if (!isMemoryEffectFree(&inner))
      parts.push_back(&inner);
  llvm::EquivalenceClasses<Operation *> classes;
  for (Operation *part : parts)
    classes.insert(part);
  for (auto [i, a] : llvm::enumerate(parts)) {
    Footprint first(a);
    for (Operation *b : ArrayRef(parts).drop_front(i + 1)) {
      Footprint second(b);
      bool isShared = first.isUnknown || second.isUnknown;
      for (auto &[buffer, access] : first.buffers) {
        auto it = second.buffers.find(buffer);
        isShared |=
            it != second.buffers.end() && (access.second || it->second.second);
      }
      for (Operation *user : a->getUsers())
        isShared |= b->isAncestor(user);
      if (isShared)
        classes.unionSets(a, b);
    }
  }
  if (classes.getNumClasses() < 2)
    return false;
  SmallVector<Operation *> leaders;
  for (Operation *part : parts)
    if (classes.getLeaderValue(part) == part)
      leaders.push_back(part);
  OpBuilder b(op);
  for (Operation *leader : leaders) {
    IRMapping mapping;
    b.clone(*op, mapping);
    for (Operation *part : llvm::reverse(parts))
      if (classes.getLeaderValue(part) != leader)
        mapping.lookup(part)->erase();
  }
  op->erase();
  return true;
}

} // namespace

/// Orders the statements of one block.
static bool orderBlock(Block *block, ArrayRef<Value> queues,
                       ArrayRef<Value> counted) {
  while (true) {
    StatementOrder order(block, queues, counted);
    if (order.run())
      return true;
    bool wasSplit = false;
    for (Operation *op : order.getCycle())
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
        if (splitLoop(loop)) {
          wasSplit = true;
          break;
        }
    if (!wasSplit)
      return false;
  }
}

bool orderStatements(air::LaunchOp launch, ArrayRef<Value> queues,
                     ArrayRef<Value> counted) {
  // Only segments with a space are left, each point of which has its own
  // workgroup and queues.
  for (auto segment : launch.getBodyBlock()->getOps<air::SegmentOp>())
    if (!orderBlock(segment.getBodyBlock(), queues, counted))
      return false;
  return orderBlock(launch.getBodyBlock(), queues, counted);
}

} // namespace aircc::hierarchy
