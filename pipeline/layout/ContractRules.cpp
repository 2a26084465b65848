//===- ContractRules.cpp - Layouts of contractions, reductions, scans -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/OpRules.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc::layout {

namespace {

/// Returns the cost of combining the partial results of lanes and waves, from
/// `source` without `dims`.
double getExchangeCost(Layout source, ArrayRef<int64_t> dims, double words) {
  Layout result = source.project(dims);
  if (!result)
    return 0;
  int64_t lanes = 1, waves = 1;
  for (int64_t d : dims) {
    lanes *= source.getThreadTile()[d];
    waves *= source.getSubgroupTile()[d];
  }
  double registers = words * countValues(result);
  double cost = 8 * registers * llvm::Log2_64_Ceil(lanes);
  if (waves > 1)
    cost += 200 + 16 * registers * (1 + waves);
  return cost;
}

/// The key is the layout of the source. Accumulator and result lack the reduced
/// dimensions.
class ReductionRule : public OpRule {
public:
  /// Returns the dimensions that are reduced.
  static SmallVector<int64_t> getDims(Operation *op) {
    if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
      return llvm::to_vector(reduction.getReductionDims());
    if (auto scan = dyn_cast<vector::ScanOp>(op))
      return {static_cast<int64_t>(scan.getReductionDim())};
    return {0};
  }
  /// Returns whether operand or result `number` has the shape of the source.
  static bool isSource(Operation *op, bool isResult, unsigned number) {
    return number == 0 && (!isResult || isa<vector::ScanOp>(op));
  }

  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return shapeOf(op->getOperand(0));
  }
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t lanes) const override {
    return isSource(op, /*isResult=*/false, number)
               ? layout
               : layout.unproject(getKeyShape(op), getDims(op), lanes);
  }
  Layout fromResult(Operation *op, unsigned number, Layout layout,
                    int64_t lanes) const override {
    return isSource(op, /*isResult=*/true, number)
               ? layout
               : layout.unproject(getKeyShape(op), getDims(op), lanes);
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    OpLayouts layouts(op);
    Layout reduced = key.project(getDims(op));
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (isa<VectorType>(operand.getType()))
        layouts.operands[i] = isSource(op, false, i) ? key : reduced;
    for (OpResult result : op->getResults())
      if (isa<VectorType>(result.getType()))
        layouts.results[result.getResultNumber()] =
            isSource(op, true, result.getResultNumber()) ? key : reduced;
    layouts.mask = key;
    return layouts;
  }
  double getCost(Operation *op, Layout key, const Workgroup &) const override {
    Type element = getElementTypeOrSelf(op->getOperand(0).getType());
    double words = std::max(1.0, getElementBits(element) / 32.0);
    return getRegisters(element, key) +
           getExchangeCost(key, getDims(op), words);
  }
};

/// The key is the layout of the iteration space. Operands and result have its
/// dimensions in the order of their maps.
class ContractRule : public OpRule {
public:
  static SmallVector<int64_t> getBounds(Operation *op) {
    SmallVector<int64_t> bounds;
    cast<vector::ContractionOp>(op).getIterationBounds(bounds);
    return bounds;
  }
  /// Returns the dimensions of the iteration space that an operand has, in the
  /// operand's order.
  static SmallVector<int64_t> getDims(Operation *op, unsigned map) {
    SmallVector<int64_t> dims;
    AffineMap indexing =
        cast<vector::ContractionOp>(op).getIndexingMapsArray()[map];
    for (unsigned i = 0; i < indexing.getNumResults(); ++i)
      dims.push_back(indexing.getDimPosition(i));
    return dims;
  }
  /// Returns the other dimensions, in ascending order.
  static SmallVector<int64_t> getMissing(Operation *op, unsigned map) {
    SmallVector<int64_t> dims = getDims(op, map), missing;
    for (int64_t d = 0, e = getBounds(op).size(); d < e; ++d)
      if (!llvm::is_contained(dims, d))
        missing.push_back(d);
    return missing;
  }
  /// Returns, for each dimension of the operand, its position among them in
  /// ascending order.
  static SmallVector<int64_t> getOrder(Operation *op, unsigned map) {
    SmallVector<int64_t> dims = getDims(op, map), order;
    for (int64_t d : dims)
      order.push_back(llvm::count_if(dims, [&](int64_t o) { return o < d; }));
    return order;
  }
  static SmallVector<int64_t> invert(ArrayRef<int64_t> permutation) {
    SmallVector<int64_t> inverse(permutation.size());
    for (auto [i, p] : llvm::enumerate(permutation))
      inverse[p] = i;
    return inverse;
  }

  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return getBounds(op);
  }
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t lanes) const override {
    if (number > 2)
      return {};
    Layout ascending = layout.permute(invert(getOrder(op, number)));
    return ascending.unproject(getBounds(op), getMissing(op, number), lanes);
  }
  Layout fromResult(Operation *op, unsigned, Layout layout,
                    int64_t lanes) const override {
    return fromOperand(op, 2, layout, lanes);
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    OpLayouts layouts(op);
    for (unsigned i = 0; i < 3; ++i)
      if (isa<VectorType>(op->getOperand(i).getType()))
        layouts.operands[i] =
            key.project(getMissing(op, i)).permute(getOrder(op, i));
    layouts.results[0] = layouts.operands[2];
    layouts.mask = key;
    return layouts;
  }
  double getCost(Operation *op, Layout key, const Workgroup &) const override {
    double words =
        std::max(1.0, getElementBits(op->getResult(0).getType()) / 32.0);
    return words * countValues(key) +
           getExchangeCost(key, getMissing(op, 2), words);
  }
};

} // namespace

const OpRule *findContractRule(Operation *op) {
  static const ReductionRule reduction;
  static const ContractRule contract;
  return llvm::TypeSwitch<Operation *, const OpRule *>(op)
      .Case<vector::MultiDimReductionOp, vector::ReductionOp, vector::ScanOp>(
          [](auto) { return &reduction; })
      .Case<vector::ContractionOp>([](auto) { return &contract; })
      .Default([](Operation *) { return nullptr; });
}

} // namespace aircc::layout
