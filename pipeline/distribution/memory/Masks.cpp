//===- Masks.cpp - Distribute masks ---------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/memory/Maskable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

/// Distributes a mask that is set below a bound along each dimension.
static LogicalResult distributeBox(Distributor &d, Operation *op,
                                   ArrayRef<OpFoldResult> bounds) {
  OpBuilder &b = d.b;
  Location loc = op->getLoc();
  const NestedLayout *layout = d.getLayout(op->getResult(0));
  if (!layout)
    return op->emitOpError("has no layout");
  auto type = cast<VectorType>(d.getDistributedType(op->getResult(0)));
  auto bit = [&](bool on) -> Value {
    return arith::ConstantOp::create(b, loc, b.getBoolAttr(on));
  };
  // Compute the condition of each dimension, then the conjunctions.
  SmallVector<SmallVector<Value>> inside;
  for (int64_t i = 0; i < layout->rank(); ++i) {
    const DimTiles &dim = layout->dim(i);
    std::optional<int64_t> constant = getConstantIntValue(bounds[i]);
    SmallVector<Value> values;
    for (int64_t k = 0; k < dim.values(); ++k) {
      if (constant && *constant >= dim.size()) {
        values.push_back(Value());
        continue;
      }
      if (constant && *constant <= 0) {
        values.push_back(bit(false));
        continue;
      }
      Value x = d.coordinate(dim, k);
      if (!x)
        x = d.ids.constant(0);
      // A negative bound makes the mask empty.
      values.push_back(b.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::slt, x,
          getValueOrCreateConstantIndexOp(b, loc, bounds[i])));
    }
    inside.push_back(std::move(values));
  }
  SmallVector<Value> elements;
  for (int64_t reg = 0; reg < layout->numRegisters(); ++reg) {
    Ints position = layout::delinearize(reg, layout->distributedShape());
    Value on;
    for (int64_t i = 0; i < layout->rank(); ++i)
      on = createAnd(b, loc, on, inside[i][position[i]]);
    elements.push_back(on ? on : bit(true));
  }
  d.replace(op, d.assemble(type, elements));
  return success();
}

/// Distributes the op in a vector.mask together with the mask. Results of that
/// op that have no layout get the layouts of the vector.mask.
static LogicalResult distributeMasked(Distributor &d, vector::MaskOp op) {
  Operation *inner = op.getMaskableOp();
  Value mask = op.getMask();
  auto yield = cast<vector::YieldOp>(op.getMaskBlock()->getTerminator());
  for (auto [result, yielded] :
       llvm::zip_equal(op.getResults(), yield.getOperands()))
    if (const NestedLayout *layout = d.getLayout(result))
      if (!d.isUndistributed(yielded))
        d.setLayout(yielded, *layout);

  if (inner) {
    LogicalResult done = success();
    if (auto read = dyn_cast<vector::TransferReadOp>(inner))
      done = distributeTransferRead(d, read, mask);
    else if (auto write = dyn_cast<vector::TransferWriteOp>(inner))
      done = distributeTransferWrite(d, write, mask);
    else if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(inner))
      done = distributeMultiReduction(d, reduction, mask);
    else if (auto reduction = dyn_cast<vector::ReductionOp>(inner))
      done = distributeFlatReduction(d, reduction, mask);
    else if (auto contraction = dyn_cast<vector::ContractionOp>(inner))
      done = distributeContraction(d, contraction, mask);
    else if (OpTrait::hasElementwiseMappableTraits(inner) &&
             isMemoryEffectFree(inner))
      done = *distributeElementwise(d, inner);
    else
      return inner->emitOpError("cannot be distributed inside a vector.mask");
    if (failed(done))
      return failure();
  }
  SmallVector<Value> values;
  for (Value yielded : yield.getOperands())
    values.push_back(d.getDistributed(yielded));
  // Masked-off elements have the pass-through value.
  if (Value other = op.getPassthru()) {
    const NestedLayout *layout = d.getLayout(op.getResult(0));
    const NestedLayout *maskLayout = d.getLayout(mask);
    const NestedLayout *otherLayout = d.getLayout(other);
    if (!layout || !maskLayout || !otherLayout || *maskLayout != *layout ||
        *otherLayout != *layout)
      return op.emitOpError(
          "has a mask or a pass-through value whose layout differs from that "
          "of the result; convert it with layout.to_layout");
    values[0] =
        arith::SelectOp::create(d.b, op.getLoc(), d.getDistributed(mask),
                                values[0], d.getDistributed(other));
  }
  d.erase(yield);
  d.replace(op, values);
  return success();
}

Distributed distributeMask(Distributor &d, Operation *op) {
  if (auto mask = dyn_cast<vector::ConstantMaskOp>(op)) {
    SmallVector<OpFoldResult> bounds;
    for (int64_t size : mask.getMaskDimSizes())
      bounds.push_back(d.b.getIndexAttr(size));
    return distributeBox(d, op, bounds);
  }
  if (auto mask = dyn_cast<vector::CreateMaskOp>(op)) {
    SmallVector<OpFoldResult> bounds;
    for (Value size : mask.getOperands())
      bounds.push_back(getAsOpFoldResult(size));
    return distributeBox(d, op, bounds);
  }
  if (auto mask = dyn_cast<vector::MaskOp>(op))
    return distributeMasked(d, mask);
  return std::nullopt;
}

} // namespace aircc::distribution
