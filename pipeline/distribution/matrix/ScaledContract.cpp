//===- ScaledContract.cpp - Use scaled instructions -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/memory/Maskable.h"
#include "pipeline/layout/ScaledAnchors.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::NestedLayout;
using aircc::layout::ScaledContractOp;
using aircc::strategy::ScaledLayouts;

namespace aircc::distribution {

namespace {

/// The number of instructions of a wave in each dimension.
struct Repetition {
  const MatrixInstruction *instruction;
  int64_t m, n, k;
  /// The number of values that a lane holds along the rows of an instruction's
  /// result.
  int64_t rows;

  /// Returns the registers of tile (i, j) of the distributed accumulator.
  SmallVector<int64_t> getAccumulatorTile(int64_t i, int64_t j) const {
    SmallVector<int64_t> registers;
    for (int64_t r = 0; r < rows; ++r)
      registers.push_back((i * rows + r) * n + j);
    return registers;
  }
};

} // namespace

/// Checks that the layouts are those of the instruction that `op` names.
static FailureOr<Repetition> getRepetition(Distributor &d,
                                           ScaledContractOp op) {
  auto name = op->getAttrOfType<StringAttr>(
      layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr());
  const MatrixInstruction *instruction =
      name ? d.target.findInstruction(name.getValue()) : nullptr;
  if (!instruction || !instruction->isScaled())
    return op.emitOpError(
        "must name a matrix instruction of the target that takes scales");
  std::pair<const char *, Value> operands[] = {
      {"left-hand side", op.getLhs()},
      {"right-hand side", op.getRhs()},
      {"accumulator", op.getAcc()},
      {"vector of scales of the left-hand side", op.getLhsScales()},
      {"vector of scales of the right-hand side", op.getRhsScales()}};
  for (auto [what, value] : operands)
    if (!d.getLayout(value))
      return op.emitOpError("has a ") << what << " without a layout";
  const NestedLayout &acc = *d.getLayout(op.getAcc());
  layout::Result<ScaledLayouts> expected = layout::getScaledLayouts(
      op, {instruction, acc.dim(0).subgroup, acc.dim(1).subgroup});
  if (!expected)
    return op.emitOpError("cannot be lowered to the matrix instruction '")
           << instruction->name << "': " << expected.message();
  const NestedLayout *layouts[] = {&expected->lhs, &expected->rhs,
                                   &expected->acc, &expected->lhsScales,
                                   &expected->rhsScales};
  for (auto [operand, layout] : llvm::zip_equal(operands, layouts))
    if (*d.getLayout(operand.second) != *layout)
      return emitLayoutMismatch(op, operand.first, *d.getLayout(operand.second),
                                *layout);
  if (!d.getLayout(op.getResult()) || *d.getLayout(op.getResult()) != acc)
    return op.emitOpError("has a result whose layout differs from that of its "
                          "accumulator");
  const OperandLayout &c = instruction->c;
  Repetition repetition{instruction, 0, 0, 0,
                        c.outerTile[0] * c.elementTile[0]};
  repetition.m = acc.dim(0).values() / repetition.rows;
  repetition.n = acc.dim(1).values();
  repetition.k = expected->lhsScales.dim(1).values();
  return repetition;
}

SmallVector<SmallVector<int64_t>>
getScaledAccumulatorTiles(Distributor &d, ScaledContractOp op) {
  SmallVector<SmallVector<int64_t>> tiles;
  FailureOr<Repetition> repetition = getRepetition(d, op);
  if (succeeded(repetition))
    for (int64_t i = 0; i < repetition->m; ++i)
      for (int64_t j = 0; j < repetition->n; ++j)
        tiles.push_back(repetition->getAccumulatorTile(i, j));
  return tiles;
}

/// The operands that one factor provides for the instructions.
namespace {
class Factor {
public:
  Factor(Distributor &d, Value values, Value scales)
      : d(d), scales(d.getDistributedElements(scales)) {
    Value distributed = d.getDistributed(values);
    auto type = cast<VectorType>(distributed.getType());
    // Elements are selected as 32-bit registers.
    int64_t bits = type.getElementTypeBitWidth();
    tileType = VectorType::get({32}, type.getElementType());
    wordsOfTile = 32 * bits / 32;
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = shape.back() * bits / 32;
    words = d.getElements(vector::BitCastOp::create(
        d.b, d.loc, VectorType::get(shape, d.b.getI32Type()), distributed));
    depth = shape.back() / wordsOfTile;
  }
  /// Returns the operand of the instruction for row `row` at depth `k`.
  Value getTile(int64_t row, int64_t k) {
    Value &tile = tiles[{row, k}];
    if (tile)
      return tile;
    ArrayRef<Value> own =
        ArrayRef(words).slice((row * depth + k) * wordsOfTile, wordsOfTile);
    Value picked = d.assemble(VectorType::get({wordsOfTile}, d.b.getI32Type()),
                              ValueRange(own));
    return tile = vector::BitCastOp::create(d.b, d.loc, tileType, picked);
  }
  /// Returns the register that holds its scale, and the index in that register.
  /// Four scales share a register if their number is a multiple of four.
  std::pair<Value, int64_t> getScale(int64_t row, int64_t k) {
    int64_t at = row * depth + k;
    if (scales.size() % 4)
      return {scales[at], 0};
    Value &group = groups[at / 4];
    if (!group)
      group = d.assemble(VectorType::get({4}, scales.front().getType()),
                         ValueRange(ArrayRef(scales).slice(at / 4 * 4, 4)));
    return {group, at % 4};
  }

private:
  Distributor &d;
  SmallVector<Value> scales, words;
  VectorType tileType;
  int64_t wordsOfTile = 0, depth = 0;
  DenseMap<std::pair<int64_t, int64_t>, Value> tiles;
  DenseMap<int64_t, Value> groups;
};
} // namespace

Distributed distributeScaledContract(Distributor &d, Operation *operation) {
  auto op = dyn_cast<ScaledContractOp>(operation);
  if (!op)
    return std::nullopt;
  FailureOr<Repetition> repetition = getRepetition(d, op);
  if (failed(repetition))
    return failure();
  const MatrixInstruction &instruction = *repetition->instruction;
  OpBuilder &b = d.b;
  Factor lhs(d, op.getLhs(), op.getLhsScales()),
      rhs(d, op.getRhs(), op.getRhsScales());
  SmallVector<Value> accumulators = d.getDistributedElements(op.getAcc());
  Type element = getElementTypeOrSelf(op.getAcc().getType());
  auto tileType = VectorType::get({repetition->rows}, element);
  SmallVector<Value> tiles;
  for (int64_t i = 0; i < repetition->m; ++i)
    for (int64_t j = 0; j < repetition->n; ++j) {
      SmallVector<Value> own;
      for (int64_t reg : repetition->getAccumulatorTile(i, j))
        own.push_back(accumulators[reg]);
      tiles.push_back(d.assemble(tileType, own));
    }
  // With k in the outer loop, consecutive instructions are independent.
  auto attr = [&](int64_t value) { return b.getI32IntegerAttr(value); };
  for (int64_t k = 0; k < repetition->k; ++k)
    for (int64_t i = 0; i < repetition->m; ++i)
      for (int64_t j = 0; j < repetition->n; ++j) {
        Value &acc = tiles[i * repetition->n + j];
        auto [lhsScale, lhsIndex] = lhs.getScale(i, k);
        auto [rhsScale, rhsIndex] = rhs.getScale(j, k);
        acc = amdgpu::ScaledMFMAOp::create(
            b, d.loc, tileType, attr(instruction.m), attr(instruction.n),
            attr(instruction.k), lhs.getTile(i, k), rhs.getTile(j, k), acc,
            lhsScale, rhsScale, attr(lhsIndex), attr(rhsIndex));
      }
  SmallVector<Value> result(accumulators.size());
  for (int64_t i = 0; i < repetition->m; ++i)
    for (int64_t j = 0; j < repetition->n; ++j)
      for (auto [reg, value] :
           llvm::zip_equal(repetition->getAccumulatorTile(i, j),
                           d.getElements(tiles[i * repetition->n + j])))
        result[reg] = value;
  d.replace(op, d.assembleDistributed(op.getResult(), result));
  return success();
}

} // namespace aircc::distribution
