//===- XeGPURules.cpp - Layouts of XeGPU memory accesses ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The key is the layout of the value that is loaded or stored. Any layout is
// possible, but block accesses of the hardware require adjacent lanes along a
// row.
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/OpRules.h"
#include "pipeline/layout/XeGPUOps.h"

#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace aircc::layout {

namespace {

/// The base class of the rules below. The op has one anchor, which constrains
/// the key of the rule (SameLayoutRule): the layout that its operands and
/// results share.
class AccessRule : public SameLayoutRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return getXeGPUAnchors(op).front().shape;
  }
  Layout getPreferred(Operation *op,
                      const Workgroup &workgroup) const override {
    XeGPUAnchor anchor = getXeGPUAnchors(op).front();
    return NestedLayoutAttr::get(
        op->getContext(),
        getBlockLayout(anchor.shape, getElementBits(anchor.value.getType()),
                       workgroup));
  }
  FailureOr<std::optional<PartialLayout>>
  getUserConstraint(Operation *op) const override {
    return getPartialLayout(op, getXeGPUAnchors(op).front());
  }
};

/// Handles load_nd and store_nd.
class BlockRule : public AccessRule {
public:
  double getCost(Operation *op, Layout key,
                 const Workgroup &workgroup) const override {
    unsigned bits = getElementBits(getXeGPUAnchors(op).front().value.getType());
    BlockFit fit = getBlockFit(key, bits, workgroup, op->getNumResults() > 0);
    // There is one access for each element, which uses little of a cache line.
    return fit == BlockFit::None ? 32 * countValues(key)
                                 : getBlockCost(key, bits, fit);
  }
};

/// Handles load_matrix and store_matrix: each lane accesses SLM separately.
class MatrixRule : public AccessRule {
  double getCost(Operation *, Layout key, const Workgroup &) const override {
    return 4 * countValues(key);
  }
};

/// Handles scattered accesses: offsets and mask have the layout of the value.
/// If one offset applies to several elements (a chunk), these are the last
/// dimension.
class ScatterRule : public AccessRule {
public:
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t) const override {
    SmallVector<int64_t> shape = getKeyShape(op);
    if (layout.getUndistributedShape().size() == shape.size())
      return layout;
    // One lane holds a whole chunk.
    int64_t rank = shape.size();
    SmallVector<int64_t> chunked(layout.getUndistributedShape());
    chunked.insert(chunked.begin(), shape.back());
    auto order = llvm::to_vector(llvm::seq<int64_t>(1, rank));
    order.push_back(0);
    return layout.broadcast(chunked).permute(order);
  }
  FailureOr<std::optional<PartialLayout>>
  getUserConstraint(Operation *op) const override {
    FailureOr<std::optional<PartialLayout>> constraint =
        AccessRule::getUserConstraint(op);
    if (failed(constraint) || !*constraint || !hasChunk(op))
      return constraint;
    const DimTiles &last = (*constraint)->dim(getKeyShape(op).size() - 1);
    if (((*constraint)->hasSubgroups() && last.subgroup > 1) ||
        ((*constraint)->hasLanes() && last.thread > 1))
      return op->emitOpError(
          "has a layout that distributes chunks, but a lane must hold complete "
          "chunks; in the last dimension, sg_layout and lane_layout must be 1");
    return constraint;
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    if (hasChunk(op) && !isLastInLane(key))
      return std::nullopt;
    OpLayouts layouts(op);
    size_t rank = getKeyShape(op).size();
    for (auto [layout, operand] :
         llvm::zip_equal(layouts.operands, op->getOperands())) {
      Value vector = operand;
      if (auto create = operand.getDefiningOp<xegpu::CreateDescOp>())
        vector = create.getOffsets();
      if (auto type = dyn_cast<VectorType>(vector.getType()))
        layout = static_cast<size_t>(type.getRank()) == rank
                     ? key
                     : key.project(static_cast<int64_t>(rank) - 1);
    }
    llvm::fill(layouts.results, key);
    return layouts;
  }
  double getCost(Operation *op, Layout key, const Workgroup &) const override {
    return 32 * countValues(key);
  }
  Layout getPreferred(Operation *op,
                      const Workgroup &workgroup) const override {
    SmallVector<int64_t> shape = getKeyShape(op);
    // Place lanes and waves along the offsets, each with its chunk.
    int64_t chunk = 1;
    if (hasChunk(op)) {
      chunk = shape.back();
      shape.back() = 1;
    }
    auto order =
        llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shape.size())));
    Layout layout = getSideBySide(op->getContext(), shape, order,
                                  /*elementBits=*/128, workgroup);
    shape.back() *= chunk;
    return layout.broadcast(shape);
  }

private:
  static bool isLastInLane(Layout key) {
    DimTiles last = key.getLayout().dim(key.getRank() - 1);
    return last.values() == last.size();
  }
  /// Returns whether some operand lacks the last dimension of the value.
  bool hasChunk(Operation *op) const {
    size_t rank = getKeyShape(op).size();
    return llvm::any_of(op->getOperandTypes(), [&](Type type) {
      auto vector = dyn_cast<VectorType>(type);
      return vector && static_cast<size_t>(vector.getRank()) != rank;
    });
  }
};

/// A layout that the user requests for a value.
class ConvertRule : public AccessRule {
  double getCost(Operation *, Layout, const Workgroup &) const override {
    return 0;
  }
};

} // namespace

const OpRule *findXeGPURule(Operation *op) {
  static const BlockRule block;
  static const MatrixRule matrix;
  static const ScatterRule scatter;
  static const ConvertRule convert;
  return llvm::TypeSwitch<Operation *, const OpRule *>(op)
      .Case<xegpu::LoadNdOp, xegpu::StoreNdOp>([](auto) { return &block; })
      .Case<xegpu::LoadMatrixOp, xegpu::StoreMatrixOp>(
          [](auto) { return &matrix; })
      .Case<xegpu::LoadGatherOp, xegpu::StoreScatterOp, xegpu::PrefetchOp,
            xegpu::AtomicRMWOp>([](auto) { return &scatter; })
      .Case<xegpu::ConvertLayoutOp>([](auto) { return &convert; })
      .Default([](Operation *) { return nullptr; });
}

} // namespace aircc::layout
