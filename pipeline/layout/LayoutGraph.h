//===- LayoutGraph.h - Which layouts to choose, as a graph ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes are the ops that work on whole vectors and what control flow
// carries; each has one choice, its key (OpRules.h), unless an anchor fixes it.
// The edges are the vectors: one node defines it in a layout, others want it in
// layouts of theirs, and where the two differ a conversion is due. A choice of
// all keys has a cost: of what lanes do, and of the conversions, each counted
// as often as loops repeat it.
//
// Finding the keys takes two steps. They spread from the anchors, through ops
// forward and backward, first come, first served; what is not reached starts
// from its access to memory. Then changes of one key, and of whole regions from
// a conversion on, are made for as long as the cost falls.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_LAYOUTGRAPH_H
#define AIRCC_PIPELINE_LAYOUT_LAYOUTGRAPH_H

#include "pipeline/layout/OpRules.h"
#include "pipeline/layout/WholeVectors.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <vector>

namespace aircc::layout {

class LayoutGraph {
public:
  enum class Kind {
    Op,         ///< An op with a rule.
    Slot,       ///< What control flow carries; the key is its layout.
    Anchor,     ///< layout.to_layout.
    Instruction ///< A contraction whose operands are anchors.
  };
  enum class Role {
    Operand,
    Mask,      ///< The mask of a vector.mask around the op.
    Passthru,  ///< Its passthru, which is like the result.
    Descriptor ///< The offsets of a descriptor that is the operand.
  };
  /// Where a node wants a vector.
  struct Use {
    mlir::OpOperand *operand;
    unsigned value;
    Role role;
    Layout layout;
    mlir::OpOperand *through = nullptr; ///< The op's own operand: descriptors.
  };
  /// A vector that a node defines, as its op's result `number`.
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
    double weight; ///< How often it is executed.
    Layout key;
    bool fixed = false;
    std::optional<PartialLayout> said; ///< What the op says of its key.
    bool fromMemory = false; ///< The key was what the access asks for.
    llvm::SmallVector<Use, 3> uses;
    llvm::SmallVector<Def, 2> defs;
  };
  /// A vector.
  struct Edge {
    mlir::Value value;
    unsigned node = ~0u, def = 0;
    double weight; ///< How often the place behind its definition is executed.
    llvm::SmallVector<std::pair<unsigned, unsigned>, 2> uses; ///< Node, use.
  };

  /// Makes the graph of `function`. Fails after an error at an op that cannot
  /// work on whole vectors.
  static mlir::FailureOr<LayoutGraph> get(mlir::gpu::GPUFuncOp function,
                                          const WholeVectors &whole);

  /// Chooses all keys. Fails after an error at an op for which there is none.
  mlir::LogicalResult solve();

  llvm::ArrayRef<Node> getNodes() const { return nodes; }
  llvm::ArrayRef<Edge> getEdges() const { return edges; }
  /// The layout that an edge's vector is defined in.
  Layout getLayout(const Edge &edge) const {
    return nodes[edge.node].defs[edge.def].layout;
  }
  /// What a conversion on `edge` costs each time; nothing if it cannot be made.
  std::optional<ConversionCost> getConversion(const Edge &edge, Layout from,
                                              Layout to);

private:
  mlir::LogicalResult addOp(mlir::Operation *op, const WholeVectors &whole);
  mlir::LogicalResult addControlFlow(mlir::Operation *op,
                                     const WholeVectors &whole);
  mlir::LogicalResult finish();
  unsigned newNode(Kind kind, mlir::Operation *op, const WholeVectors &whole,
                   Scope scope);
  void addUse(Node &node, mlir::OpOperand &operand, Role role = Role::Operand);
  void addDef(Node &node, mlir::Value value, unsigned number);
  unsigned numberOf(mlir::Value value);

  /// Sets a node's key; false, and nothing changed, if it gives no layouts.
  bool setKey(unsigned node, Layout key);
  mlir::LogicalResult checkFit(const Node &node) const;
  mlir::LogicalResult setSaid(unsigned node);
  Layout getKeyForUse(const Node &node, const Use &use, Layout layout) const;
  Layout getKeyForDef(const Node &node, const Def &def, Layout layout) const;

  /// Hands layouts on from `pending` until all that can be reached has a key.
  void spread(std::deque<unsigned> &pending);
  bool assignDefault(unsigned node);
  llvm::SmallVector<int64_t> getKeyShape(const Node &node) const;
  /// Elements side by side, dealt to so many waves.
  Layout getDefault(const Node &node, int64_t waves) const;

  double getNodeCost(const Node &node) const;
  double getEdgeCost(const Edge &edge);
  /// The cost of all that changes with a node's key.
  double getCostAround(unsigned node);
  /// As setKey; adds what it changes the cost by to `cost`.
  bool trySetKey(unsigned node, Layout key, double &cost);
  bool improveNode(unsigned node);
  /// Gives `node` the key, then its neighbours what they want of each other,
  /// and so on, as far as it makes the whole cheaper.
  bool flood(unsigned node, Layout key);
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
