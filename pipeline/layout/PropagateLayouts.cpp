//===- PropagateLayouts.cpp - Layouts of all undistributed vectors --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/Passes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/common/PassTarget.h"
#include "pipeline/layout/LayoutGraph.h"
#include "pipeline/layout/VectorScopes.h"
#include "pipeline/layout/XeGPUAnchors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace aircc::layout {

#define GEN_PASS_DEF_PROPAGATELAYOUTS
#include "pipeline/layout/Passes.h.inc"

namespace {

/// Ops that are rematerialized instead of converted, and their copies, one for
/// each use.
using Copies = SmallVector<SmallVector<Operation *>>;

/// Creates a copy of a cheap op for each of its uses, so that each copy can
/// have the layout that its user needs.
Copies splitUses(gpu::GPUFuncOp function, VectorScopes &scopes) {
  SmallVector<Operation *> cheap;
  function.getBody().walk([&](Operation *op) {
    if (isRematerializable(op) && scopes.contains(op->getResult(0)) &&
        !op->getResult(0).use_empty())
      cheap.push_back(op);
  });
  Copies copies;
  // Visit users first, because an operand needs as many copies as its user has.
  for (Operation *op : llvm::reverse(cheap)) {
    SmallVector<Operation *> group = {op};
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getResult(0).getUses())
      uses.push_back(&use);
    // Keep the uses in program order if they are in one block.
    std::reverse(uses.begin(), uses.end());
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    for (OpOperand *use : llvm::drop_begin(uses)) {
      Operation *copy = builder.clone(*op);
      scopes.add(copy->getResult(0), *scopes.getScope(op->getResult(0)));
      use->set(copy->getResult(0));
      group.push_back(copy);
    }
    if (group.size() > 1)
      copies.push_back(std::move(group));
  }
  return copies;
}

/// Merges copies that turned out to be equal.
void mergeCopies(const Copies &copies) {
  // Visit operands before their users.
  for (const SmallVector<Operation *> &group : llvm::reverse(copies)) {
    SmallVector<Operation *> kept;
    for (Operation *op : group) {
      Operation *const *same = llvm::find_if(kept, [&](Operation *other) {
        return OperationEquivalence::isEquivalentTo(
            op, other, OperationEquivalence::IgnoreLocations);
      });
      if (same == kept.end()) {
        kept.push_back(op);
        continue;
      }
      op->replaceAllUsesWith(*same);
      op->erase();
    }
  }
}

std::string describe(Layout layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << layout;
  return text;
}

/// Writes the layouts of a graph into the program.
class Writer {
public:
  Writer(LayoutGraph &graph, bool remarks) : graph(graph), remarks(remarks) {}

  void run() {
    for (const LayoutGraph::Node &node : graph.getNodes())
      writeNode(node);
    for (const LayoutGraph::Edge &edge : graph.getEdges())
      writeConversions(edge);
    dropAnchors();
  }

private:
  void writeNode(const LayoutGraph::Node &node);
  void writeConversions(const LayoutGraph::Edge &edge);
  void convert(const LayoutGraph::Edge &edge, Layout to,
               ArrayRef<OpOperand *> uses);
  void remarkAnchor(const LayoutGraph::Node &node);
  void remarkConversion(Operation *at, const LayoutGraph::Edge &edge, Layout to,
                        Operation *forOp);
  void dropAnchors();

  LayoutGraph &graph;
  bool remarks;
};

} // namespace

void Writer::writeNode(const LayoutGraph::Node &node) {
  Operation *op = node.op;
  auto scope = ScopeAttr::get(op->getContext(), node.scope);
  op->setAttr(LayoutDialect::ScopeAttrHelper::getNameStr(), scope);
  Operation *masked = nullptr;
  if (node.kind == LayoutGraph::Kind::Op &&
      isa<vector::MaskOp>(op->getParentOp())) {
    masked = op;
    op = op->getParentOp();
    op->setAttr(LayoutDialect::ScopeAttrHelper::getNameStr(), scope);
  }
  for (const LayoutGraph::Def &def : node.defs)
    if (def.number != ~0u)
      setLayout(op->getResult(def.number), def.layout);
  if (masked && op->hasAttr(LayoutDialect::ResultsAttrHelper::getNameStr()))
    masked->setAttr(
        LayoutDialect::ResultsAttrHelper::getNameStr(),
        op->getAttr(LayoutDialect::ResultsAttrHelper::getNameStr()));
  if (remarks)
    remarkAnchor(node);
}

void Writer::remarkAnchor(const LayoutGraph::Node &node) {
  if (node.kind == LayoutGraph::Kind::Anchor) {
    // The remark at a matrix instruction covers the anchors of its operands.
    bool isOperand = llvm::any_of(node.op->getUsers(), [](Operation *user) {
      return user->hasAttr(
          LayoutDialect::MatrixInstructionAttrHelper::getNameStr());
    });
    if (!isOperand)
      node.op->emitRemark("anchor: specified here, ") << describe(node.key);
    return;
  }
  if (!node.rule)
    return;
  Layout preferred = node.rule->getPreferred(node.op, node.workgroup);
  if (node.fromMemory && preferred == node.key)
    node.op->emitRemark("anchor: adjacent lanes access adjacent memory, ")
        << describe(node.key);
}

void Writer::remarkConversion(Operation *at, const LayoutGraph::Edge &edge,
                              Layout to, Operation *forOp) {
  if (!remarks)
    return;
  Layout from = graph.getLayout(edge);
  std::optional<ConversionCost> cost = graph.getConversion(edge, from, to);
  if (!cost || cost->kind == ConversionKind::Identity)
    return;
  Type type = edge.value.getType();
  InFlightDiagnostic remark =
      forOp->emitRemark("conversion ")
      << conversionKindText(cost->kind) << ": " << type << " from "
      << describe(from) << " to " << describe(to) << ", "
      << cost->sourceRegisters << " values per lane before and "
      << cost->registers << " after, about "
      << llvm::formatv("{0:F0}",
                       getConversionCost(*cost, type,
                                         graph.getNodes()[edge.node].workgroup))
             .str()
      << " cycles each time";
  if (at != forOp)
    remark.attachNote(edge.value.getLoc())
        << "the value is defined and converted here";
}

void Writer::convert(const LayoutGraph::Edge &edge, Layout to,
                     ArrayRef<OpOperand *> uses) {
  OpBuilder builder(edge.value.getContext());
  builder.setInsertionPointAfterValue(edge.value);
  auto conversion =
      ToLayoutOp::create(builder, edge.value.getLoc(), edge.value.getType(),
                         edge.value, to, /*shared_memory_conversion=*/false);
  setLayout(conversion->getResult(0), to);
  conversion->setAttr(LayoutDialect::ScopeAttrHelper::getNameStr(),
                      ScopeAttr::get(edge.value.getContext(),
                                     graph.getNodes()[edge.node].scope));
  for (OpOperand *use : uses)
    use->set(conversion.getResult());
  remarkConversion(conversion, edge, to, uses.front()->getOwner());
}

void Writer::writeConversions(const LayoutGraph::Edge &edge) {
  Layout from = graph.getLayout(edge);
  SmallVector<std::pair<Layout, SmallVector<OpOperand *>>> wanted;
  for (auto [user, number] : edge.uses) {
    const LayoutGraph::Node &node = graph.getNodes()[user];
    const LayoutGraph::Use &use = node.uses[number];
    if (!use.layout || use.layout == from)
      continue;
    auto *known = llvm::find_if(
        wanted, [&](auto &entry) { return entry.first == use.layout; });
    if (known == wanted.end()) {
      wanted.emplace_back(use.layout, SmallVector<OpOperand *>());
      known = std::prev(wanted.end());
    }
    known->second.push_back(use.operand);
  }
  for (auto &[to, uses] : wanted) {
    // An anchor is itself the conversion, unless a loop repeats it and its
    // input is defined outside the loop.
    Operation *first = uses.front()->getOwner();
    bool isAnchor = isa<ToLayoutOp>(first);
    Value value = edge.value;
    bool inside = first->getBlock() == value.getParentBlock();
    if (uses.size() == 1 && isAnchor && inside) {
      remarkConversion(first, edge, to, first);
      continue;
    }
    SmallVector<OpOperand *> converted;
    for (OpOperand *use : uses) {
      auto anchor = dyn_cast<ToLayoutOp>(use->getOwner());
      if (!anchor || !anchor.getSharedMemoryConversion())
        converted.push_back(use);
    }
    if (!converted.empty())
      convert(edge, to, converted);
  }
}

/// Removes to_layout ops whose input already has the layout.
void Writer::dropAnchors() {
  for (const LayoutGraph::Node &node : graph.getNodes()) {
    if (node.kind != LayoutGraph::Kind::Anchor)
      continue;
    auto anchor = cast<ToLayoutOp>(node.op);
    if (anchor.getSharedMemoryConversion() ||
        getLayout(anchor.getInput()) != Layout(anchor.getLayout()))
      continue;
    anchor.getResult().replaceAllUsesWith(anchor.getInput());
    anchor.erase();
  }
}

namespace {

class PropagateLayouts
    : public TargetedPass<impl::PropagateLayoutsBase<PropagateLayouts>> {
public:
  using TargetedPass::TargetedPass;

private:
  LogicalResult run(gpu::GPUFuncOp function) final {
    if (!mayHaveUndistributedVectors(function))
      return success();
    const TargetProfile *profile =
        passTarget.get(getArgument(), target, function);
    if (!profile)
      return failure();
    FailureOr<VectorScopes> scopes = VectorScopes::get(function, *profile);
    if (failed(scopes))
      return failure();
    if (scopes->empty())
      return success();
    Copies copies = splitUses(function, *scopes);
    FailureOr<LayoutGraph> graph = LayoutGraph::get(function, *scopes);
    if (failed(graph) || failed(graph->solve()))
      return failure();
    Writer(*graph, remarks).run();
    dropXeGPUConversions(function);
    writeXeGPUDefaults(function, *scopes, remarks);
    mergeCopies(copies);
    return success();
  }
};

} // namespace

std::unique_ptr<Pass>
createPropagateLayouts(std::shared_ptr<const TargetProfile> profile,
                       bool remarks) {
  auto pass =
      std::make_unique<PropagateLayouts>(PropagateLayoutsOptions{"", remarks});
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::layout
