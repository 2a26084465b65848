//===- SizeRequirements.cpp - What ops require of sizes -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/functions/SizeRequirements.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/AffineExprVisitor.h"

using namespace mlir;
using namespace aircc;
using air::SizeRelation;

namespace {

/// Collects the requirements of one op.
class Requirements {
public:
  Requirements(OpBuilder &b, Operation *op) : b(b), loc(op->getLoc()) {}

  SmallVector<dispatch::SizeRequirement> take() { return std::move(list); }

  void add(SizeRelation relation, OpFoldResult left, OpFoldResult right) {
    if (left == right || (isa<Attribute>(left) && isa<Attribute>(right)))
      return;
    list.push_back({relation, left, right});
  }

  OpFoldResult getSize(Value tensor, int64_t dim) {
    return tensor::getMixedSize(b, loc, tensor, dim);
  }

  /// Returns the value of `expr` when dimension i is `dims[i]`.
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> dims) {
    auto map = AffineMap::get(dims.size(), 0, expr);
    return affine::makeComposedFoldedAffineApply(b, loc, map, dims);
  }

  /// Requires that the tensors have the same shape, or, depending on
  /// `relation`, that their shapes can be broadcast.
  void addSameShape(ValueRange tensors, SizeRelation relation);
  void addLinalg(linalg::LinalgOp op);
  void addConcat(tensor::ConcatOp op);
  void addCast(tensor::CastOp op);
  void addExpandShape(tensor::ExpandShapeOp op);
  void addInsertSlice(tensor::InsertSliceOp op);
  void addTosaMatmul(tosa::MatMulOp op);
  /// Requires that the slice is within `tensor`.
  void addSlice(Value tensor, OffsetSizeAndStrideOpInterface slice);

private:
  OpBuilder &b;
  Location loc;
  SmallVector<dispatch::SizeRequirement> list;
};

/// Returns whether `expr` never decreases when a dimension increases.
bool isMonotone(AffineExpr expr) {
  if (isa<AffineDimExpr>(expr))
    return true;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary &&
         llvm::is_contained({AffineExprKind::Add, AffineExprKind::Mul},
                            expr.getKind()) &&
         isMonotone(binary.getLHS()) && isMonotone(binary.getRHS());
}

} // namespace

void Requirements::addSameShape(ValueRange tensors, SizeRelation relation) {
  SmallVector<Value> ranked;
  for (Value tensor : tensors)
    if (isa<RankedTensorType>(tensor.getType()))
      ranked.push_back(tensor);
  if (ranked.size() < 2)
    return;
  int64_t rank = cast<RankedTensorType>(ranked.front().getType()).getRank();
  for (Value tensor : ArrayRef(ranked).drop_front()) {
    if (cast<RankedTensorType>(tensor.getType()).getRank() != rank)
      continue;
    for (int64_t dim = 0; dim < rank; ++dim)
      add(relation, getSize(tensor, dim), getSize(ranked.front(), dim));
  }
}

void Requirements::addLinalg(linalg::LinalgOp op) {
  // The first operand that is indexed by a single dimension determines the size
  // of that dimension in the iteration space.
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  SmallVector<std::pair<OpOperand *, int64_t>> others;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop) {
        others.emplace_back(&operand, dim);
        continue;
      }
      OpFoldResult size = getSize(operand.get(), dim);
      if (OpFoldResult &known = sizes[loop.getPosition()])
        add(SizeRelation::Equal, size, known);
      else
        known = size;
    }
  }
  if (llvm::any_of(sizes, [](OpFoldResult size) { return size.isNull(); }))
    return;
  SmallVector<OpFoldResult> last;
  for (OpFoldResult size : sizes)
    last.push_back(apply(b.getAffineDimExpr(0) - 1, size));
  for (auto [operand, dim] : others) {
    AffineExpr expr = op.getMatchingIndexingMap(operand).getResult(dim);
    if (isMonotone(expr))
      add(SizeRelation::AtLeast, getSize(operand->get(), dim),
          apply(expr + 1, last));
  }
}

void Requirements::addConcat(tensor::ConcatOp op) {
  Value first = op.getInputs().front();
  for (Value input : op.getInputs().drop_front())
    for (int64_t dim = 0; dim < op.getRank(); ++dim)
      if (dim != static_cast<int64_t>(op.getDim()))
        add(SizeRelation::Equal, getSize(input, dim), getSize(first, dim));
}

void Requirements::addCast(tensor::CastOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !isa<RankedTensorType>(op.getSource().getType()))
    return;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isStatic(size))
      add(SizeRelation::Equal, getSize(op.getSource(), dim),
          b.getIndexAttr(size));
}

void Requirements::addExpandShape(tensor::ExpandShapeOp op) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    AffineExpr product = b.getAffineConstantExpr(1);
    SmallVector<OpFoldResult> factors;
    for (int64_t factor : group) {
      product = product * b.getAffineSymbolExpr(factors.size());
      factors.push_back(sizes[factor]);
    }
    auto map = AffineMap::get(0, factors.size(), product);
    add(SizeRelation::Equal, getSize(op.getSrc(), dim),
        affine::makeComposedFoldedAffineApply(b, loc, map, factors));
  }
}

void Requirements::addSlice(Value tensor,
                            OffsetSizeAndStrideOpInterface slice) {
  AffineExpr offset, size, stride;
  bindSymbols(b.getContext(), offset, size, stride);
  auto end = AffineMap::get(0, 3, offset + (size - 1) * stride + 1);
  for (auto [dim, part] : llvm::enumerate(
           llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedSizes(),
                           slice.getMixedStrides()))) {
    auto [from, count, step] = part;
    // An empty slice may be anywhere.
    if (getConstantIntValue(count) != 0)
      add(SizeRelation::AtLeast, getSize(tensor, dim),
          affine::makeComposedFoldedAffineApply(b, loc, end,
                                                {from, count, step}));
  }
}

void Requirements::addInsertSlice(tensor::InsertSliceOp op) {
  addSlice(op.getDest(), op);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t next = 0;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(dim))
      add(SizeRelation::Equal, getSize(op.getSource(), next++), size);
}

void Requirements::addTosaMatmul(tosa::MatMulOp op) {
  add(SizeRelation::Equal, getSize(op.getB(), 0), getSize(op.getA(), 0));
  add(SizeRelation::Equal, getSize(op.getB(), 1), getSize(op.getA(), 2));
}

SmallVector<dispatch::SizeRequirement>
aircc::dispatch::getSizeRequirements(OpBuilder &b, Operation *op) {
  Requirements requirements(b, op);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    requirements.addLinalg(linalgOp);
  else if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    requirements.addConcat(concat);
  else if (auto cast = dyn_cast<tensor::CastOp>(op))
    requirements.addCast(cast);
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    requirements.addExpandShape(expand);
  else if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    requirements.addSlice(extract.getSource(), extract);
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    requirements.addInsertSlice(insert);
  else if (auto matmul = dyn_cast<tosa::MatMulOp>(op))
    requirements.addTosaMatmul(matmul);
  else if (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>())
    requirements.addSameShape(op->getOperands(), SizeRelation::Broadcast);
  else if (OpTrait::hasElementwiseMappableTraits(op))
    requirements.addSameShape(op->getOperands(), SizeRelation::Equal);
  return requirements.take();
}
