//===- LayoutGraph.h - The choice of layouts as a graph ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The nodes are the ops on undistributed vectors and the values that control
// flow carries. Each has one choice, its key (OpRules.h), unless an anchor
// fixes it. The edges are the vectors: one node defines a vector in some
// layout, and others use it in layouts of their own; if two layouts differ, a
// conversion is needed. A choice of all keys has a cost: that of the ops in
// each lane, and of the conversions, weighted by the iterations of loops.
//
// The keys are found in two steps. First, keys propagate from the anchors,
// through ops forward and backward; the first key to reach a node wins. Nodes
// that are not reached start from their access to memory. Then, single keys,
// and whole regions starting at a conversion, are changed as long as the cost
// decreases.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_LAYOUTGRAPH_H
#define AIRCC_PIPELINE_LAYOUT_LAYOUTGRAPH_H

#include "pipeline/layout/OpRules.h"
#include "pipeline/layout/VectorScopes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <vector>

namespace aircc::layout {

class LayoutGraph {
public:
  enum class Kind {
    Op,         ///< An op with a rule.
    Slot,       ///< A value that control flow carries; the key is its layout.
    Anchor,     ///< layout.to_layout.
    Instruction ///< A contraction whose operands are anchors.
  };
  enum class Role {
    Operand,
    Mask,      ///< The mask of a vector.mask around the op.
    Passthru,  ///< Its passthru, which has the layout of the result.
    Descriptor ///< The offsets of a descriptor that is the operand.
  };
  /// A use of a vector by a node.
  struct Use {
    mlir::OpOperand *operand;
    unsigned value;
    Role role;
    Layout layout;
    mlir::OpOperand *through = nullptr; ///< The operand itself, for
                                        ///< descriptors.
  };
  /// A vector that a node defines: result `number` of its op.
  struct Def {
    unsigned value, number;
    Layout layout;
  };
  struct Node {
    Kind kind;
    mlir::Operation *op;
    const OpRule *rule = nullptr;
    Workgroup workgroup;
    Scope scope;
    double weight; ///< The number of executions.
    Layout key;
    bool fixed = false;
    std::optional<PartialLayout>
        userConstraint;      ///< The user constraint on the key.
    bool fromMemory = false; ///< The key is the preference of the access.
    llvm::SmallVector<Use, 3> uses;
    llvm::SmallVector<Def, 2> defs;
  };
  /// A vector.
  struct Edge {
    mlir::Value value;
    unsigned node = ~0u, def = 0;
    double weight; ///< The number of executions of the point after the
                   ///< definition.
    llvm::SmallVector<std::pair<unsigned, unsigned>, 2> uses; ///< Node, use.
  };

  /// Creates the graph of `function`. Fails after an error at an op that does
  /// not support undistributed vectors.
  static mlir::FailureOr<LayoutGraph> get(mlir::gpu::GPUFuncOp function,
                                          const VectorScopes &scopes);

  /// Chooses all keys. Fails after an error at an op that has no possible key.
  mlir::LogicalResult solve();

  llvm::ArrayRef<Node> getNodes() const { return nodes; }
  llvm::ArrayRef<Edge> getEdges() const { return edges; }
  /// Returns the layout in which the vector of an edge is defined.
  Layout getLayout(const Edge &edge) const {
    return nodes[edge.node].defs[edge.def].layout;
  }
  /// Returns the cost of one conversion on `edge`; nullopt if it is impossible.
  std::optional<ConversionCost> getConversion(const Edge &edge, Layout from,
                                              Layout to);

private:
  mlir::LogicalResult addOp(mlir::Operation *op, const VectorScopes &scopes);
  mlir::LogicalResult addControlFlow(mlir::Operation *op,
                                     const VectorScopes &scopes);
  mlir::LogicalResult finish();
  unsigned newNode(Kind kind, mlir::Operation *op, const VectorScopes &scopes,
                   Scope scope);
  void addUse(Node &node, mlir::OpOperand &operand, Role role = Role::Operand);
  void addDef(Node &node, mlir::Value value, unsigned number);
  unsigned numberOf(mlir::Value value);

  /// Sets the key of a node. Returns false without changing anything if some
  /// vector of the op has no layout for it.
  bool setKey(unsigned node, Layout key);
  mlir::LogicalResult checkFit(const Node &node) const;
  mlir::LogicalResult setUserConstraint(unsigned node);
  Layout getKeyForUse(const Node &node, const Use &use, Layout layout) const;
  Layout getKeyForDef(const Node &node, const Def &def, Layout layout) const;

  /// Propagates keys from `pending` until all reachable nodes have one.
  void propagate(std::deque<unsigned> &pending);
  bool assignDefault(unsigned node);
  llvm::SmallVector<int64_t> getKeyShape(const Node &node) const;
  /// Returns a layout with adjacent elements, distributed over `waves` waves.
  Layout getDefault(const Node &node, int64_t waves) const;

  double getNodeCost(const Node &node) const;
  double getEdgeCost(const Edge &edge);
  /// Returns the cost of everything that depends on the key of a node.
  double getCostAround(unsigned node);
  /// Like setKey, but also adds the change of the cost to `cost`.
  bool trySetKey(unsigned node, Layout key, double &cost);
  bool improveNode(unsigned node);
  /// Sets the key of `node`, and then repeatedly assigns its neighbors the
  /// layouts that remove conversions, as long as the total cost decreases.
  bool propagateRegion(unsigned node, Layout key);
  bool improveConversions();

  std::vector<Node> nodes;
  std::vector<Edge> edges;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>,
                 std::optional<ConversionCost>>
      conversions[2]; ///< By scope.
};

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_LAYOUTGRAPH_H
