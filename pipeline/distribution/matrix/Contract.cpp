//===- Contract.cpp - Distribute contractions -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/matrix/Contraction.h"

#include "dialects/layout/LayoutValues.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Combine.h"
#include "pipeline/distribution/memory/Maskable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

Contraction::Contraction(Distributor &d, vector::ContractionOp op)
    : d(d), b(d.b), op(op), loc(op.getLoc()), kind(op.getKind()),
      inputs{op.getLhs(), op.getRhs(), op.getAcc()},
      maps(op.getIndexingMapsArray()) {}

Contraction::Contraction(Distributor &d, xegpu::DpasOp op)
    : d(d), b(d.b), op(op), loc(op.getLoc()), kind(vector::CombiningKind::ADD),
      inputs{op.getLhs(), op.getRhs(), op.getAcc()} {
  AffineExpr m, n, k;
  bindDims(op.getContext(), m, n, k);
  MLIRContext *context = op.getContext();
  maps = {AffineMap::get(3, 0, {m, k}, context),
          AffineMap::get(3, 0, {k, n}, context),
          AffineMap::get(3, 0, {m, n}, context)};
}

int64_t Contraction::Operand::getDimAlong(int64_t iteration) const {
  for (int64_t i = 0, end = map.getNumResults(); i < end; ++i)
    if (map.getDimPosition(i) == iteration)
      return i;
  return -1;
}

LogicalResult Contraction::collectOperands() {
  numDims = maps[0].getNumDims();
  const char *names[] = {"left-hand side", "right-hand side", "accumulator"};
  const NestedLayout *result = d.getLayout(op->getResult(0));
  NestedLayout resultLayout = result ? *result : NestedLayout();
  for (int i = 0; i < 3; ++i) {
    // An omitted accumulator has the layout of the result.
    Value value = inputs[i];
    Type type = value ? value.getType() : op->getResult(0).getType();
    const NestedLayout *layout = value ? d.getLayout(value) : result;
    if (!layout && isa<VectorType>(type))
      return op->emitOpError("has a ") << names[i] << " without a layout";
    assert(maps[i].isProjectedPermutation());
    if (layout &&
        layout->rank() != static_cast<int64_t>(maps[i].getNumResults()))
      return op->emitOpError("has a ")
             << names[i] << " of " << layout->rank()
             << " dimensions, but only matrices can be distributed";
    operands.push_back({names[i], value, maps[i],
                        layout ? *layout : NestedLayout(),
                        getElementTypeOrSelf(type)});
  }
  if (resultLayout != operands[2].layout)
    return emitLayoutMismatch(op, "accumulator", operands[2].layout,
                              resultLayout);
  return success();
}

SmallVector<Value> Contraction::getOperandElements(int index) {
  const Operand &operand = operands[index];
  if (operand.value)
    return d.getDistributedElements(operand.value);
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(operand.elementType));
  return SmallVector<Value>(operand.layout.numRegisters(), zero);
}

//===----------------------------------------------------------------------===//
// Contractions without matrix instructions
//===----------------------------------------------------------------------===//

/// Extends a factor to the type of the accumulator.
static Value extend(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

FailureOr<std::vector<DimTiles>> Contraction::getIterationTiles() {
  std::vector<DimTiles> iteration(numDims);
  std::vector<bool> seen(numDims, false);
  for (const Operand &operand : operands)
    for (int64_t i = 0; i < operand.layout.rank(); ++i) {
      int64_t dim = operand.map.getDimPosition(i);
      if (!seen[dim]) {
        iteration[dim] = operand.layout.dim(i);
        seen[dim] = true;
      } else if (iteration[dim] != operand.layout.dim(i)) {
        InFlightDiagnostic diag =
            op->emitOpError("has operands with different tiles along "
                            "iteration dimension ")
            << dim;
        diag.attachNote() << "without a matrix instruction, each lane "
                             "multiplies its elements of both sides; give all "
                             "operands the same tiles along a dimension";
        return diag;
      }
    }
  return iteration;
}

FailureOr<SmallVector<Value>>
Contraction::getMaskElements(Value mask, ArrayRef<DimTiles> iteration) {
  if (!mask)
    return SmallVector<Value>();
  const NestedLayout *actual = d.getLayout(mask);
  auto expected = NestedLayout::ofDims(iteration.vec());
  if (!actual || !expected)
    return op->emitOpError("has a mask without a layout");
  if (*actual != *expected)
    return emitLayoutMismatch(op, "mask", *actual, *expected);
  return d.getDistributedElements(mask);
}

void Contraction::multiplyInLane(const Ints &counts,
                                 ArrayRef<SmallVector<Value>> factors,
                                 ArrayRef<Value> mask,
                                 MutableArrayRef<Value> accumulators) {
  auto getRegister = [&](const Operand &operand, const Ints &at) {
    int64_t reg = 0;
    for (int64_t i = 0; i < operand.layout.rank(); ++i) {
      int64_t dim = operand.map.getDimPosition(i);
      reg = reg * counts[dim] + at[dim];
    }
    return reg;
  };
  bool isFloat = isa<FloatType>(operands[2].elementType);
  bool isFma = isFloat && kind == vector::CombiningKind::ADD;
  for (int64_t p = 0, end = layout::product(counts); p < end; ++p) {
    Ints at = layout::delinearize(p, counts);
    Value lhs = factors[0][getRegister(operands[0], at)];
    Value rhs = factors[1][getRegister(operands[1], at)];
    Value &acc = accumulators[getRegister(operands[2], at)];
    Value next;
    if (isFma) {
      next = math::FmaOp::create(b, loc, lhs, rhs, acc);
    } else {
      Value product = isFloat
                          ? arith::MulFOp::create(b, loc, lhs, rhs).getResult()
                          : arith::MulIOp::create(b, loc, lhs, rhs).getResult();
      next = Combiner{kind, nullptr}(b, loc, product, acc);
    }
    if (!mask.empty())
      next = arith::SelectOp::create(b, loc, mask[p], next, acc);
    acc = next;
  }
}

LogicalResult Contraction::distributeInLanes(Value mask) {
  FailureOr<std::vector<DimTiles>> iteration = getIterationTiles();
  if (failed(iteration))
    return failure();
  FailureOr<SmallVector<Value>> maskElements =
      getMaskElements(mask, *iteration);
  if (failed(maskElements))
    return failure();
  Ints counts;
  for (const DimTiles &dim : *iteration)
    counts.push_back(dim.values());
  constexpr int64_t kMaxProducts = 1 << 16;
  int64_t products = layout::product(counts);
  if (products > kMaxProducts)
    return op->emitOpError("would require ")
           << products << " multiplications per lane, more than "
           << kMaxProducts
           << "; distribute it over more lanes, or use a matrix instruction";
  SmallVector<DimTiles> reduced;
  for (auto [i, dim] : llvm::enumerate(*iteration))
    if (operands[2].getDimAlong(i) < 0 && (dim.thread > 1 || dim.subgroup > 1))
      reduced.push_back(dim);

  SmallVector<SmallVector<Value>> elements;
  for (int i = 0; i < 3; ++i)
    elements.push_back(getOperandElements(i));
  Type type = operands[2].elementType;
  for (int i = 0; i < 2; ++i)
    for (Value &value : elements[i])
      value = extend(b, loc, value, type);
  // Partial results start with the identity, so that the accumulator is added
  // only once.
  Combiner combine{kind, nullptr};
  SmallVector<Value> accumulators = elements[2];
  if (!reduced.empty()) {
    FailureOr<Value> identity = combine.identity(b, loc, type);
    if (failed(identity))
      return op->emitOpError(
          "has a combining kind that its type does not support");
    accumulators.assign(accumulators.size(), *identity);
  }
  multiplyInLane(counts, elements, *maskElements, accumulators);
  if (!reduced.empty()) {
    FailureOr<SmallVector<Value>> total = combineOverLanes(
        d, op, combine, accumulators, operands[2].layout, reduced);
    if (failed(total))
      return failure();
    accumulators.clear();
    for (auto [value, acc] : llvm::zip_equal(*total, elements[2]))
      accumulators.push_back(combine(b, loc, value, acc));
  }
  d.replace(op, d.assembleDistributed(op->getResult(0), accumulators));
  return success();
}

LogicalResult Contraction::distribute(Value mask) {
  if (failed(collectOperands()))
    return failure();
  if (!op->hasAttr(
          layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
    return distributeInLanes(mask);
  if (mask)
    return op->emitOpError(
        "is masked, which matrix instructions do not support; replace the "
        "masked elements of the operands by zeros instead");
  if (failed(matchInstruction()))
    return failure();
  return distributeToInstructions();
}

LogicalResult distributeContraction(Distributor &d, vector::ContractionOp op,
                                    Value mask) {
  return Contraction(d, op).distribute(mask);
}

Distributed distributeContract(Distributor &d, Operation *op) {
  if (auto dpas = dyn_cast<xegpu::DpasOp>(op)) {
    if (!dpas->hasAttr(
            layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
      return dpas.emitOpError(
          "has no 'layout.matrix_instruction'; run stage 'layout' first");
    return Contraction(d, dpas).distribute({});
  }
  if (auto contraction = dyn_cast<vector::ContractionOp>(op))
    return distributeContraction(d, contraction, {});
  return std::nullopt;
}

} // namespace aircc::distribution
