//===- LayoutGraph.cpp - The choice of layouts as a graph -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/LayoutGraph.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

/// Returns the expected number of executions, assuming that a loop runs eight
/// times.
static double getWeight(Block *block) {
  double weight = 1;
  for (Operation *op = block->getParentOp(); op; op = op->getParentOp()) {
    if (isa<gpu::GPUFuncOp>(op))
      break;
    if (isa<LoopLikeOpInterface>(op) && weight < 1e6)
      weight *= 8;
  }
  return weight;
}

unsigned LayoutGraph::numberOf(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, edges.size());
  if (isNew) {
    Edge edge;
    edge.value = value;
    edge.weight = getWeight(value.getParentBlock());
    edges.push_back(std::move(edge));
  }
  return it->second;
}

unsigned LayoutGraph::newNode(Kind kind, Operation *op,
                              const VectorScopes &scopes, Scope scope) {
  Node node;
  node.kind = kind;
  node.op = op;
  node.scope = scope;
  node.workgroup = scopes.getWorkgroup(scope);
  node.weight = getWeight(op->getBlock());
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

void LayoutGraph::addUse(Node &node, OpOperand &operand, Role role) {
  unsigned value = numberOf(operand.get());
  edges[value].uses.emplace_back(&node - nodes.data(), node.uses.size());
  node.uses.push_back({&operand, value, role, {}});
}

void LayoutGraph::addDef(Node &node, Value value, unsigned number) {
  unsigned edge = numberOf(value);
  edges[edge].node = &node - nodes.data();
  edges[edge].def = node.defs.size();
  node.defs.push_back({edge, number, {}});
}

/// Returns the layout that an anchor assigns to `value`, including through the
/// inits of loops.
static Layout getAnchored(Value value) {
  if (auto anchor = value.getDefiningOp<ToLayoutOp>())
    return anchor.getLayout();
  if (Layout layout = layout::getLayout(value))
    return layout;
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop)
    return {};
  OpOperand *init = loop.getTiedLoopInit(argument);
  return init ? getAnchored(init->get()) : Layout();
}

LogicalResult LayoutGraph::checkFit(const Node &node) const {
  std::string misfit =
      node.key.getMisfit(node.workgroup.waves, node.workgroup.lanes);
  if (misfit.empty())
    return success();
  InFlightDiagnostic error = node.op->emitOpError("has a layout that a ")
                             << stringifyScope(node.scope) << " of ";
  if (node.scope == Scope::Workgroup)
    error << node.workgroup.waves
          << (node.workgroup.waves == 1 ? " wave of " : " waves of ");
  return error << node.workgroup.lanes << " lanes cannot hold: " << misfit;
}

/// Returns the operand of `op` that is a descriptor of scattered elements.
static OpOperand *getScattered(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getDefiningOp<xegpu::CreateDescOp>())
      return &operand;
  return nullptr;
}

LogicalResult LayoutGraph::addOp(Operation *op, const VectorScopes &scopes) {
  std::optional<Scope> scope = scopes.getScope(op);
  // A descriptor has the layout of its user.
  if (!scope || isa<xegpu::CreateDescOp>(op))
    return success();
  Kind kind = Kind::Op;
  if (isa<ToLayoutOp>(op))
    kind = Kind::Anchor;
  else if (op->hasAttr(
               LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
    kind = Kind::Instruction;
  const OpRule *rule = findRule(op);
  if (!rule && kind == Kind::Op)
    return op->emitOpError("cannot operate on ")
           << stringifyScope(*scope)
           << "-level vectors, because no rule relates the layouts of its "
              "operands and results";
  Node &node = nodes[newNode(kind, op, scopes, *scope)];
  node.rule = rule;

  auto mask = dyn_cast<vector::MaskOp>(op->getParentOp());
  for (OpOperand &operand : op->getOpOperands())
    if (scopes.contains(operand.get()))
      addUse(node, operand);
  if (OpOperand *scattered = getScattered(op)) {
    auto create = scattered->get().getDefiningOp<xegpu::CreateDescOp>();
    addUse(node, create.getOffsetsMutable(), Role::Descriptor);
    node.uses.back().through = scattered;
  }
  if (mask)
    addUse(node, mask.getMaskMutable(), Role::Mask);
  if (mask && mask.getPassthru() && scopes.contains(mask.getPassthru()))
    addUse(node, mask.getPassthruMutable()[0], Role::Passthru);
  // The results of a masked op are those of the mask.
  ValueRange results =
      mask ? ValueRange(mask->getResults()) : ValueRange(op->getResults());
  for (auto [number, result] : llvm::enumerate(results))
    if (scopes.contains(result))
      addDef(node, result, number);

  if (kind == Kind::Anchor) {
    auto anchor = cast<ToLayoutOp>(op);
    node.key = anchor.getLayout();
    node.fixed = true;
    if (failed(checkFit(node)))
      return failure();
    node.uses[0].layout = node.defs[0].layout = node.key;
  } else if (kind == Kind::Instruction) {
    node.fixed = true;
    for (Use &use : node.uses) {
      use.layout = getAnchored(use.operand->get());
      if (!use.layout)
        return op->emitOpError("is for a matrix instruction, so its operands "
                               "must come from layout.to_layout");
    }
    if (node.uses.size() == (isa<ScaledContractOp>(op) ? 5 : 3))
      node.key = node.defs[0].layout = node.uses[2].layout;
    else
      return op->emitOpError("is for a matrix instruction, so its accumulator "
                             "must be a vector and it cannot be masked");
  } else if (rule) {
    auto constraint = rule->getUserConstraint(op);
    if (failed(constraint))
      return failure();
    node.userConstraint = std::move(*constraint);
    if (node.userConstraint)
      node.userConstraint->setNumSubgroups(node.workgroup.waves);
  }
  return success();
}

LogicalResult LayoutGraph::addControlFlow(Operation *op,
                                          const VectorScopes &scopes) {
  for (const Slot &slot : getSlots(op)) {
    std::optional<Scope> scope = scopes.getScope(slot.values.front());
    if (!scope)
      continue;
    Node &node = nodes[newNode(Kind::Slot, op, scopes, *scope)];
    for (OpOperand *operand : slot.operands)
      addUse(node, *operand);
    for (Value value : slot.values) {
      auto result = dyn_cast<OpResult>(value);
      addDef(node, value, result ? result.getResultNumber() : ~0u);
    }
  }
  return success();
}

LogicalResult LayoutGraph::finish() {
  for (const Edge &edge : edges)
    if (edge.node == ~0u) {
      return emitError(edge.value.getLoc(),
                       "a workgroup-level or wave-level vector cannot be an "
                       "argument of this block; only scf.for, scf.while and "
                       "scf.if can pass such vectors");
    }
  return success();
}

FailureOr<LayoutGraph> LayoutGraph::get(gpu::GPUFuncOp function,
                                        const VectorScopes &scopes) {
  LayoutGraph graph;
  WalkResult walked = function.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) -> WalkResult {
        if (isControlFlow(op))
          return graph.addControlFlow(op, scopes);
        if (isControlFlowTerminator(op))
          return WalkResult::advance();
        if (auto mask = dyn_cast<vector::MaskOp>(op)) {
          if (!scopes.getScope(op))
            return WalkResult::skip();
          if (mask.getMaskableOp())
            return WalkResult::advance();
          return mask.emitOpError(
              "cannot operate on workgroup-level or wave-level vectors unless "
              "it masks exactly one op");
        }
        if (isa<vector::YieldOp>(op) && isa<vector::MaskOp>(op->getParentOp()))
          return WalkResult::advance();
        return graph.addOp(op, scopes);
      });
  if (walked.wasInterrupted() || failed(graph.finish()))
    return failure();
  return graph;
}

} // namespace aircc::layout
