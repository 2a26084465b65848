//===- SolveLayouts.cpp - The choice of layouts ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Implements how LayoutGraph chooses the keys of its nodes.
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/LayoutGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace aircc::layout {

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

bool LayoutGraph::setKey(unsigned number, Layout key) {
  Node &node = nodes[number];
  if (node.fixed || !key)
    return false;
  if (node.kind == Kind::Slot) {
    for (Use &use : node.uses)
      use.layout = key;
    for (Def &def : node.defs)
      def.layout = key;
    node.key = key;
    return true;
  }
  if (node.userConstraint && !node.userConstraint->allows(key.getLayout()))
    return false;
  std::optional<OpLayouts> layouts = node.rule->expand(node.op, key);
  if (!layouts)
    return false;
  auto layoutOf = [&](const Use &use) {
    switch (use.role) {
    case Role::Operand:
      return layouts->operands[use.operand->getOperandNumber()];
    case Role::Mask:
      return layouts->mask;
    case Role::Passthru:
      return layouts->results[0];
    case Role::Descriptor:
      return layouts->operands[use.through->getOperandNumber()];
    }
    llvm_unreachable("no such role");
  };
  if (llvm::any_of(node.uses, [&](const Use &use) { return !layoutOf(use); }) ||
      llvm::any_of(node.defs, [&](const Def &def) {
        return !layouts->results[def.number];
      }))
    return false;
  for (Use &use : node.uses)
    use.layout = layoutOf(use);
  for (Def &def : node.defs)
    def.layout = layouts->results[def.number];
  node.key = key;
  return true;
}

Layout LayoutGraph::getKeyForUse(const Node &node, const Use &use,
                                 Layout layout) const {
  if (node.kind == Kind::Slot)
    return layout;
  if (node.fixed || use.role == Role::Mask)
    return {};
  if (use.role == Role::Passthru)
    return getKeyForDef(node, node.defs[0], layout);
  OpOperand *operand = use.through ? use.through : use.operand;
  return node.rule->fromOperand(node.op, operand->getOperandNumber(), layout,
                                node.workgroup.lanes);
}

Layout LayoutGraph::getKeyForDef(const Node &node, const Def &def,
                                 Layout layout) const {
  if (node.kind == Kind::Slot)
    return layout;
  if (node.fixed)
    return {};
  return node.rule->fromResult(node.op, def.number, layout,
                               node.workgroup.lanes);
}

void LayoutGraph::propagate(std::deque<unsigned> &pending) {
  auto offer = [&](unsigned number, Layout key) {
    if (!nodes[number].key && setKey(number, key))
      pending.push_back(number);
  };
  while (!pending.empty()) {
    unsigned number = pending.front();
    pending.pop_front();
    for (const Use &use : nodes[number].uses) {
      const Edge &edge = edges[use.value];
      const Node &definer = nodes[edge.node];
      if (!definer.key)
        offer(edge.node,
              getKeyForDef(definer, definer.defs[edge.def], use.layout));
    }
    for (const Def &def : nodes[number].defs)
      for (auto [user, use] : edges[def.value].uses)
        if (!nodes[user].key)
          offer(user,
                getKeyForUse(nodes[user], nodes[user].uses[use], def.layout));
  }
}

SmallVector<int64_t> LayoutGraph::getKeyShape(const Node &node) const {
  if (node.kind != Kind::Slot)
    return node.rule->getKeyShape(node.op);
  auto type = cast<VectorType>(edges[node.defs[0].value].value.getType());
  return llvm::to_vector(type.getShape());
}

Layout LayoutGraph::getDefault(const Node &node, int64_t waves) const {
  SmallVector<int64_t> shape = getKeyShape(node);
  auto order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shape.size())));
  return getSideBySide(node.op->getContext(), shape, order, /*elementBits=*/32,
                       {waves, node.workgroup.lanes});
}

bool LayoutGraph::assignDefault(unsigned number) {
  const Node &node = nodes[number];
  return setKey(number, getDefault(node, node.workgroup.waves)) ||
         setKey(number, getDefault(node, 1)) ||
         setKey(number,
                getReplicated(node.op->getContext(), getKeyShape(node)));
}

/// Uses the user constraint of the op as its layout, completed by the
/// preference of its memory access.
LogicalResult LayoutGraph::setUserConstraint(unsigned number) {
  Node &node = nodes[number];
  Layout preferred = node.rule->getPreferred(node.op, node.workgroup);
  if (!preferred)
    preferred = getDefault(node, node.workgroup.waves);
  Result<NestedLayout> layout =
      node.userConstraint->complete(preferred.getLayout());
  if (!layout)
    return node.op->emitOpError("has a layout that cannot be completed: ")
           << layout.message();
  if (setKey(number, NestedLayoutAttr::get(node.op->getContext(), *layout)))
    return checkFit(node);
  return node.op->emitOpError("cannot have the layout that it specifies, "
                              "because a lane could not compute its elements");
}

LogicalResult LayoutGraph::solve() {
  std::deque<unsigned> pending;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (node.userConstraint &&
        node.userConstraint->isComplete(node.workgroup.waves > 1)) {
      if (failed(setUserConstraint(number)))
        return failure();
      pending.push_back(number);
    }
    if (node.fixed)
      pending.push_back(number);
  }
  propagate(pending);
  for (unsigned number = 0; number < nodes.size(); ++number) {
    Node &node = nodes[number];
    if (node.key || !node.rule)
      continue;
    if (node.userConstraint) {
      if (failed(setUserConstraint(number)))
        return failure();
    } else {
      Layout preferred = node.rule->getPreferred(node.op, node.workgroup);
      if (!preferred || !setKey(number, preferred))
        continue;
      node.fromMemory = true;
    }
    pending.push_back(number);
    propagate(pending);
  }
  for (unsigned number = 0; number < nodes.size(); ++number) {
    if (nodes[number].key)
      continue;
    if (!assignDefault(number))
      return nodes[number].op->emitOpError(
          "has no valid layout: however the operands are distributed, a lane "
          "cannot compute its elements of the result from its elements of the "
          "operands");
    pending.push_back(number);
    propagate(pending);
  }

  // Each round decreases the cost, so this terminates; the limit bounds the
  // time.
  constexpr unsigned maxRounds = 8;
  for (unsigned round = 0; round < maxRounds; ++round) {
    bool changed = false;
    for (unsigned number = 0; number < nodes.size(); ++number)
      changed |= improveNode(number);
    changed |= improveConversions();
    if (!changed)
      break;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

std::optional<ConversionCost>
LayoutGraph::getConversion(const Edge &edge, Layout from, Layout to) {
  const Node &node = nodes[edge.node];
  auto &known = conversions[static_cast<unsigned>(node.scope)];
  auto [it, isNew] = known.try_emplace({from, to});
  if (isNew)
    it->second =
        from.getConversion(to, node.workgroup.waves, node.workgroup.lanes);
  return it->second;
}

double LayoutGraph::getNodeCost(const Node &node) const {
  if (node.kind != Kind::Op || !node.key)
    return 0;
  return node.weight * node.rule->getCost(node.op, node.key, node.workgroup);
}

double LayoutGraph::getEdgeCost(const Edge &edge) {
  Layout from = getLayout(edge);
  SmallVector<Layout, 4> wanted;
  double cost = 0;
  for (auto [user, number] : edge.uses) {
    Layout to = nodes[user].uses[number].layout;
    if (!to || to == from || llvm::is_contained(wanted, to))
      continue;
    wanted.push_back(to);
    std::optional<ConversionCost> conversion = getConversion(edge, from, to);
    // Forbid impossible conversions.
    cost +=
        conversion
            ? edge.weight * getConversionCost(*conversion, edge.value.getType(),
                                              nodes[edge.node].workgroup)
            : 1e12;
  }
  return cost;
}

double LayoutGraph::getCostAround(unsigned number) {
  const Node &node = nodes[number];
  SmallVector<unsigned, 6> around;
  for (const Use &use : node.uses)
    around.push_back(use.value);
  for (const Def &def : node.defs)
    around.push_back(def.value);
  llvm::sort(around);
  around.erase(llvm::unique(around), around.end());
  double cost = getNodeCost(node);
  for (unsigned edge : around)
    cost += getEdgeCost(edges[edge]);
  return cost;
}

bool LayoutGraph::trySetKey(unsigned number, Layout key, double &cost) {
  double before = getCostAround(number);
  if (!setKey(number, key))
    return false;
  cost += getCostAround(number) - before;
  return true;
}

//===----------------------------------------------------------------------===//
// Improvement
//===----------------------------------------------------------------------===//

static constexpr double kLeastGain = 1e-6;

bool LayoutGraph::improveNode(unsigned number) {
  Node &node = nodes[number];
  if (node.fixed)
    return false;
  SmallVector<Layout> candidates;
  auto add = [&](Layout key) {
    if (key && key != node.key && !llvm::is_contained(candidates, key))
      candidates.push_back(key);
  };
  for (const Use &use : node.uses)
    add(getKeyForUse(node, use, getLayout(edges[use.value])));
  for (const Def &def : node.defs)
    for (auto [user, use] : edges[def.value].uses)
      add(getKeyForDef(node, def, nodes[user].uses[use].layout));
  Layout original = node.key;
  Layout best;
  double bestCost = -kLeastGain;
  for (Layout candidate : candidates) {
    double cost = 0;
    if (!trySetKey(number, candidate, cost))
      continue;
    if (cost < bestCost) {
      bestCost = cost;
      best = candidate;
    }
    setKey(number, original);
  }
  if (!best)
    return false;
  return setKey(number, best);
}

bool LayoutGraph::propagateRegion(unsigned first, Layout key) {
  constexpr size_t maxSteps = 64;
  struct Step {
    unsigned node;
    Layout before;
  };
  SmallVector<Step> steps;
  std::deque<std::pair<unsigned, Layout>> pending = {{first, key}};
  SmallVector<unsigned> seen = {first};
  double cost = 0, bestCost = -kLeastGain;
  size_t bestSteps = 0;
  auto offer = [&](unsigned number, Layout wanted) {
    if (!wanted || nodes[number].fixed || llvm::is_contained(seen, number))
      return;
    seen.push_back(number);
    pending.emplace_back(number, wanted);
  };
  while (!pending.empty() && steps.size() < maxSteps) {
    auto [number, wanted] = pending.front();
    pending.pop_front();
    Layout before = nodes[number].key;
    if (wanted == before || !trySetKey(number, wanted, cost))
      continue;
    steps.push_back({number, before});
    if (cost < bestCost) {
      bestCost = cost;
      bestSteps = steps.size();
    }
    for (const Use &use : nodes[number].uses) {
      const Edge &edge = edges[use.value];
      const Node &definer = nodes[edge.node];
      if (use.layout && getLayout(edge) != use.layout)
        offer(edge.node,
              getKeyForDef(definer, definer.defs[edge.def], use.layout));
    }
    for (const Def &def : nodes[number].defs)
      for (auto [user, use] : edges[def.value].uses) {
        const Use &there = nodes[user].uses[use];
        if (there.layout && there.layout != def.layout)
          offer(user, getKeyForUse(nodes[user], there, def.layout));
      }
  }
  while (steps.size() > bestSteps) {
    Step step = steps.pop_back_val();
    setKey(step.node, step.before);
  }
  return bestSteps > 0;
}

bool LayoutGraph::improveConversions() {
  bool changed = false;
  for (const Edge &edge : edges)
    for (auto [user, number] : edge.uses) {
      Layout to = nodes[user].uses[number].layout;
      if (!to || to == getLayout(edge))
        continue;
      // Either side may take the layout of the other.
      const Node &definer = nodes[edge.node];
      if (propagateRegion(edge.node,
                          getKeyForDef(definer, definer.defs[edge.def], to))) {
        changed = true;
        continue;
      }
      changed |= propagateRegion(
          user,
          getKeyForUse(nodes[user], nodes[user].uses[number], getLayout(edge)));
    }
  // The best layout of a memory access may justify a conversion elsewhere.
  for (unsigned number = 0; number < nodes.size(); ++number) {
    const Node &node = nodes[number];
    if (node.fixed || !node.rule)
      continue;
    Layout preferred = node.rule->getPreferred(node.op, node.workgroup);
    if (preferred && preferred != node.key)
      changed |= propagateRegion(number, preferred);
  }
  return changed;
}

} // namespace aircc::layout
