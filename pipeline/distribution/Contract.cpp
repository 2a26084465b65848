//===- Contract.cpp - Products of whole matrices --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a matrix instruction: one for each of its tiles that a wave has of the
// contraction. Without: multiplications and additions of what the lane has, and
// sums over lanes where these share out the reduced dimensions.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutValues.h"
#include "dialects/layout/algebra/MatrixLayout.h"
#include "pipeline/distribution/Combine.h"
#include "pipeline/distribution/Maskable.h"
#include "pipeline/distribution/Patterns.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;
using aircc::layout::NestedParams;

namespace aircc::distribution {

namespace {

/// A, B or C of the contraction.
struct Operand {
  const char *name;
  Value value;
  AffineMap map;
  NestedLayout layout;

  /// The dimension of the vector that goes along an iteration dimension; -1 if
  /// none does.
  int64_t dimOf(int64_t iteration) const {
    for (int64_t i = 0, end = map.getNumResults(); i < end; ++i)
      if (map.getDimPosition(i) == iteration)
        return i;
    return -1;
  }
};

/// The operand's tile in the instruction, and the iteration dimensions that its
/// rows and columns go along.
struct Tile {
  NestedLayout layout;
  int64_t roles[2];
};

class Contraction {
public:
  Contraction(Distributor &d, vector::ContractionOp op)
      : d(d), b(d.b), op(op), loc(op.getLoc()) {}

  LogicalResult distribute(Value mask);
  SmallVector<SmallVector<int64_t>> accumulatorTiles();

private:
  LogicalResult takeOperands();
  LogicalResult takeInstruction();
  LogicalResult checkTiles();
  LogicalResult distributeInLanes(Value mask);
  LogicalResult distributeToInstructions();
  Value createInstruction(Value lhs, Value rhs, Value acc);

  /// The values of iteration dimension `i` that a lane has of an operand, in
  /// instructions: 1 for those that the instruction covers at once.
  Ints tileCounts() const;
  /// The registers of the operand's tile at this position of the iteration
  /// space.
  SmallVector<int64_t> registersAt(int operand, ArrayRef<int64_t> at) const;
  Value tileAt(int operand, ArrayRef<int64_t> at, ArrayRef<Value> elements);
  Type tileType(int operand) const;

  Distributor &d;
  OpBuilder &b;
  vector::ContractionOp op;
  Location loc;
  int64_t numDims = 0;
  std::vector<Operand> operands;
  const MatrixInstruction *instruction = nullptr;
  std::vector<Tile> tiles;
};

} // namespace

LogicalResult Contraction::takeOperands() {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  numDims = maps[0].getNumDims();
  const char *names[] = {"left-hand side", "right-hand side", "accumulator"};
  Value values[] = {op.getLhs(), op.getRhs(), op.getAcc()};
  for (int i = 0; i < 3; ++i) {
    const NestedLayout *layout = d.layoutOf(values[i]);
    if (!layout && isa<VectorType>(values[i].getType()))
      return op.emitOpError("has a ") << names[i] << " without a layout";
    if (!maps[i].isProjectedPermutation())
      return op.emitOpError("has an indexing map that is no projected "
                            "permutation, and cannot be distributed");
    operands.push_back(
        {names[i], values[i], maps[i], layout ? *layout : NestedLayout()});
  }
  const NestedLayout *result = d.layoutOf(op.getResult());
  NestedLayout resultLayout = result ? *result : NestedLayout();
  if (resultLayout != operands[2].layout)
    return misfit(op, "accumulator", operands[2].layout, resultLayout);
  return success();
}

//===----------------------------------------------------------------------===//
// With matrix instructions
//===----------------------------------------------------------------------===//

static std::string textOf(Value vector) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(vector.getType());
  return text;
}

LogicalResult Contraction::takeInstruction() {
  auto name = op->getAttrOfType<StringAttr>(layout::kMatrixInstructionAttr);
  instruction = d.machine.findInstruction(name.getValue());
  if (!instruction)
    return op.emitOpError("names the matrix instruction '")
           << name.getValue() << "', which the target does not have";
  if (op.getKind() != vector::CombiningKind::ADD)
    return op.emitOpError("does not add up products, which is all that matrix "
                          "instructions do");
  // The innermost dimension of each kind is the instruction's.
  int64_t m = -1, n = -1, k = -1;
  for (int64_t i = 0; i < numDims; ++i) {
    bool inA = operands[0].dimOf(i) >= 0, inB = operands[1].dimOf(i) >= 0,
         inC = operands[2].dimOf(i) >= 0;
    if (inA && inC && !inB)
      m = i;
    else if (inB && inC && !inA)
      n = i;
    else if (inA && inB && !inC)
      k = i;
  }
  if (m < 0 || n < 0 || k < 0)
    return op.emitOpError("is no product of matrices, and cannot be done by "
                          "matrix instructions");
  const OperandLayout *layouts[] = {&instruction->a, &instruction->b,
                                    &instruction->c};
  int64_t roles[3][2] = {{m, k}, {k, n}, {m, n}};
  for (int i = 0; i < 3; ++i) {
    auto tile = NestedLayout::get(NestedParams::ofInstruction(
        layouts[i]->outerTile, layouts[i]->threadTile, layouts[i]->elementTile,
        layouts[i]->threadStrides));
    if (!tile)
      return op.emitOpError("names a matrix instruction whose layout in the "
                            "target profile is none: ")
             << tile.message();
    tiles.push_back({*tile, {roles[i][0], roles[i][1]}});
    StringRef wanted = layouts[i]->type;
    if (wanted == "tf32")
      wanted = "f32";
    std::string text = textOf(operands[i].value);
    // The instruction widens what it multiplies: take it as it was before.
    Operation *producer = operands[i].value.getDefiningOp();
    if (i < 2 && text != wanted &&
        isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(producer)) {
      Value narrow = producer->getOperand(0);
      const NestedLayout *layout = d.layoutOf(narrow);
      if (layout && *layout == operands[i].layout && textOf(narrow) == wanted) {
        operands[i].value = narrow;
        continue;
      }
    }
    if (text != wanted)
      return op.emitOpError("has a ")
             << operands[i].name << " of " << text
             << ", and the matrix instruction '" << instruction->name
             << "' takes " << layouts[i]->type;
  }
  return success();
}

LogicalResult Contraction::checkTiles() {
  std::vector<layout::InstructionOperand> checked;
  for (auto [operand, tile] : llvm::zip_equal(operands, tiles)) {
    Ints dims;
    for (int64_t i = 0; i < operand.layout.rank(); ++i)
      dims.push_back(operand.map.getDimPosition(i));
    checked.push_back(
        {operand.layout, dims, tile.layout, tile.roles[0], tile.roles[1]});
  }
  if (auto error = layout::checkInstructionOperands(checked))
    return op.emitOpError("has layouts that are not made of tiles of the "
                          "matrix instruction '")
           << instruction->name << "': " << error->message;
  // Waves share out rows and columns, in the same way in all operands.
  for (int64_t i = 0; i < numDims; ++i) {
    const DimTiles *seen = nullptr;
    for (const Operand &operand : operands) {
      int64_t dim = operand.dimOf(i);
      if (dim < 0)
        continue;
      const DimTiles &tiles = operand.layout.dim(dim);
      if (operands[2].dimOf(i) < 0 && tiles.subgroup > 1)
        return op.emitOpError("has a reduced dimension that is spread over ")
               << tiles.subgroup
               << " waves, which matrix instructions cannot add up";
      if (seen && (seen->subgroup != tiles.subgroup ||
                   seen->subgroupStride != tiles.subgroupStride))
        return op.emitOpError("has operands that are spread over waves in "
                              "different ways");
      seen = &tiles;
    }
  }
  return success();
}

Ints Contraction::tileCounts() const {
  Ints counts(numDims, 1);
  for (auto [operand, tile] : llvm::zip_equal(operands, tiles))
    for (int64_t i = 0; i < numDims; ++i) {
      int64_t dim = operand.dimOf(i);
      if (dim < 0)
        continue;
      counts[i] = operand.layout.dim(dim).values();
      for (int role = 0; role < 2; ++role)
        if (tile.roles[role] == i)
          counts[i] /= tile.layout.dim(role).values();
    }
  return counts;
}

SmallVector<int64_t> Contraction::registersAt(int index,
                                              ArrayRef<int64_t> at) const {
  const Operand &operand = operands[index];
  const Tile &tile = tiles[index];
  Ints inner = tile.layout.distributedShape();
  Ints whole = operand.layout.distributedShape();
  SmallVector<int64_t> registers;
  for (int64_t reg = 0, end = layout::product(inner); reg < end; ++reg) {
    Ints position = layout::delinearize(reg, inner);
    Ints place(whole.size());
    for (int64_t i = 0, rank = whole.size(); i < rank; ++i) {
      int64_t iteration = operand.map.getDimPosition(i);
      place[i] = at[iteration];
      for (int role = 0; role < 2; ++role)
        if (tile.roles[role] == iteration)
          place[i] = at[iteration] * inner[role] + position[role];
    }
    registers.push_back(layout::linearize(place, whole));
  }
  return registers;
}

Type Contraction::tileType(int index) const {
  Type element = getElementTypeOrSelf(operands[index].value.getType());
  int64_t count = tiles[index].layout.numRegisters();
  return count == 1 ? element : VectorType::get({count}, element);
}

Value Contraction::tileAt(int index, ArrayRef<int64_t> at,
                          ArrayRef<Value> elements) {
  SmallVector<Value> own;
  for (int64_t reg : registersAt(index, at))
    own.push_back(elements[reg]);
  auto type = dyn_cast<VectorType>(tileType(index));
  return type ? d.assemble(type, own) : own.front();
}

Value Contraction::createInstruction(Value lhs, Value rhs, Value acc) {
  auto attr = [&](int64_t value) { return b.getI32IntegerAttr(value); };
  StringRef name = instruction->name;
  if (name.starts_with("mfma."))
    return amdgpu::MFMAOp::create(
               b, loc, acc.getType(), attr(instruction->m),
               attr(instruction->n), attr(instruction->k), attr(1), lhs, rhs,
               acc, attr(0), attr(0),
               amdgpu::MFMAPermBAttr::get(b.getContext(),
                                          amdgpu::MFMAPermB::none),
               instruction->a.type == "tf32" ? b.getUnitAttr() : UnitAttr(),
               UnitAttr(), UnitAttr(), UnitAttr())
        .getResult();
  return amdgpu::WMMAOp::create(b, loc, acc.getType(), attr(instruction->m),
                                attr(instruction->n), attr(instruction->k), lhs,
                                rhs, acc, attr(0), UnitAttr(), UnitAttr(),
                                UnitAttr())
      .getResult();
}

LogicalResult Contraction::distributeToInstructions() {
  StringRef name = instruction->name;
  if (!name.starts_with("mfma.") && !name.starts_with("wmma."))
    return op.emitOpError("names the matrix instruction '")
           << name << "', which is neither an mfma nor a wmma";
  if (failed(checkTiles()))
    return failure();
  SmallVector<SmallVector<Value>> elements;
  for (const Operand &operand : operands)
    elements.push_back(d.elements(d.share(operand.value)));

  // Reduced dimensions go slowest, so that instructions that follow each other
  // do not wait for each other.
  Ints counts = tileCounts(), reduced(numDims, 1), parallel(numDims, 1);
  for (int64_t i = 0; i < numDims; ++i)
    (operands[2].dimOf(i) < 0 ? reduced : parallel)[i] = counts[i];
  std::map<SmallVector<int64_t>, Value> made[3];
  auto tile = [&](int index, ArrayRef<int64_t> at) -> Value & {
    Value &entry = made[index][registersAt(index, at)];
    if (!entry)
      entry = tileAt(index, at, elements[index]);
    return entry;
  };
  for (int64_t r = 0, end = layout::product(reduced); r < end; ++r) {
    Ints outer = layout::delinearize(r, reduced);
    for (int64_t p = 0, end = layout::product(parallel); p < end; ++p) {
      Ints at = layout::delinearize(p, parallel);
      for (int64_t i = 0; i < numDims; ++i)
        at[i] += outer[i];
      Value lhs = tile(0, at), rhs = tile(1, at);
      Value &acc = tile(2, at);
      acc = createInstruction(lhs, rhs, acc);
    }
  }
  SmallVector<Value> result(elements[2].size());
  for (auto &[registers, value] : made[2])
    for (auto [reg, element] : llvm::zip_equal(registers, d.elements(value)))
      result[reg] = element;
  d.replace(op,
            d.assemble(cast<VectorType>(d.shareType(op.getResult())), result));
  return success();
}

SmallVector<SmallVector<int64_t>> Contraction::accumulatorTiles() {
  SmallVector<SmallVector<int64_t>> pieces;
  if (failed(takeOperands()) || failed(takeInstruction()) ||
      failed(checkTiles()))
    return pieces;
  Ints counts = tileCounts();
  for (int64_t i = 0; i < numDims; ++i)
    if (operands[2].dimOf(i) < 0)
      counts[i] = 1;
  for (int64_t p = 0, end = layout::product(counts); p < end; ++p)
    pieces.push_back(registersAt(2, layout::delinearize(p, counts)));
  return pieces;
}

SmallVector<SmallVector<int64_t>> accumulatorTiles(Distributor &d,
                                                   Value value) {
  auto op = value.getDefiningOp<vector::ContractionOp>();
  if (!op || !op->hasAttr(layout::kMatrixInstructionAttr))
    return {};
  return Contraction(d, op).accumulatorTiles();
}

//===----------------------------------------------------------------------===//
// Without
//===----------------------------------------------------------------------===//

/// A number of the accumulator's type.
static Value widened(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

LogicalResult Contraction::distributeInLanes(Value mask) {
  // Along each iteration dimension all operands lie in the same way.
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
            op.emitOpError("has operands that lie in different ways along "
                           "iteration dimension ")
            << dim;
        diag.attachNote() << "without a matrix instruction each lane "
                             "multiplies what it has of both sides: give all "
                             "operands the same tiles along a dimension";
        return diag;
      }
    }
  SmallVector<Value> maskElements;
  if (mask) {
    const NestedLayout *actual = d.layoutOf(mask);
    auto expected = NestedLayout::ofDims(iteration);
    if (!actual || !expected)
      return op.emitOpError("has a mask without a layout");
    if (*actual != *expected)
      return misfit(op, "mask", *actual, *expected);
    maskElements = d.elements(d.share(mask));
  }

  Ints counts;
  for (const DimTiles &dim : iteration)
    counts.push_back(dim.values());
  constexpr int64_t kMaxProducts = 1 << 16;
  int64_t products = layout::product(counts);
  if (products > kMaxProducts)
    return op.emitOpError("would take ")
           << products << " multiplications in each lane, more than "
           << kMaxProducts
           << ": spread it over more lanes, or use a matrix instruction";
  SmallVector<DimTiles> spread;
  for (int64_t i = 0; i < numDims; ++i)
    if (operands[2].dimOf(i) < 0 &&
        (iteration[i].thread > 1 || iteration[i].subgroup > 1))
      spread.push_back(iteration[i]);

  Combiner combine{op.getKind(), nullptr};
  SmallVector<SmallVector<Value>> elements;
  for (const Operand &operand : operands)
    elements.push_back(d.elements(d.share(operand.value)));
  Type type = getElementTypeOrSelf(op.getAcc().getType());
  for (auto &side : {&elements[0], &elements[1]})
    for (Value &value : *side)
      value = widened(b, loc, value, type);
  // Partial results begin with what changes nothing, so that the accumulator is
  // added once.
  SmallVector<Value> sums = elements[2];
  if (!spread.empty()) {
    FailureOr<Value> neutral = combine.neutral(b, loc, type);
    if (failed(neutral))
      return op.emitOpError("has a kind that does not go with its type");
    sums.assign(sums.size(), *neutral);
  }
  auto registerOf = [&](const Operand &operand, const Ints &at) {
    int64_t reg = 0;
    for (int64_t i = 0; i < operand.layout.rank(); ++i) {
      int64_t dim = operand.map.getDimPosition(i);
      reg = reg * counts[dim] + at[dim];
    }
    return reg;
  };
  bool isFma =
      isa<FloatType>(type) && combine.kind == vector::CombiningKind::ADD;
  for (int64_t p = 0; p < products; ++p) {
    Ints at = layout::delinearize(p, counts);
    Value lhs = elements[0][registerOf(operands[0], at)];
    Value rhs = elements[1][registerOf(operands[1], at)];
    Value &sum = sums[registerOf(operands[2], at)];
    Value next;
    if (isFma) {
      next = math::FmaOp::create(b, loc, lhs, rhs, sum);
    } else {
      Value product = isa<FloatType>(type)
                          ? arith::MulFOp::create(b, loc, lhs, rhs).getResult()
                          : arith::MulIOp::create(b, loc, lhs, rhs).getResult();
      next = combine(b, loc, product, sum);
    }
    if (mask)
      next = arith::SelectOp::create(b, loc, maskElements[p], next, sum);
    sum = next;
  }
  if (!spread.empty()) {
    FailureOr<SmallVector<Value>> total =
        combineOverLanes(d, op, combine, sums, operands[2].layout, spread);
    if (failed(total))
      return failure();
    sums.clear();
    for (auto [value, acc] : llvm::zip_equal(*total, elements[2]))
      sums.push_back(combine(b, loc, value, acc));
  }
  if (auto shareType = dyn_cast<VectorType>(d.shareType(op.getResult())))
    d.replace(op, d.assemble(shareType, sums));
  else
    d.replace(op, sums.front());
  return success();
}

LogicalResult Contraction::distribute(Value mask) {
  if (failed(takeOperands()))
    return failure();
  if (!op->hasAttr(layout::kMatrixInstructionAttr))
    return distributeInLanes(mask);
  if (mask)
    return op.emitOpError("is masked, which matrix instructions cannot be: "
                          "put zeros in the operands' place instead");
  if (failed(takeInstruction()))
    return failure();
  return distributeToInstructions();
}

LogicalResult distributeContraction(Distributor &d, vector::ContractionOp op,
                                    Value mask) {
  return Contraction(d, op).distribute(mask);
}

/// An outer product is a contraction that reduces nothing.
static LogicalResult distributeOuterProduct(Distributor &d,
                                            vector::OuterProductOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  const NestedLayout *layout = d.layoutOf(op.getResult());
  const NestedLayout *lhs = d.layoutOf(op.getLhs());
  if (!layout || !lhs)
    return op.emitOpError("has a vector without a layout");
  if (lhs->dim(0) != layout->dim(0))
    return op.emitOpError("has a left-hand side that lies in another way than "
                          "the result's rows");
  if (isa<VectorType>(op.getRhs().getType())) {
    const NestedLayout *rhs = d.layoutOf(op.getRhs());
    if (!rhs || rhs->dim(0) != layout->dim(1))
      return op.emitOpError("has a right-hand side that lies in another way "
                            "than the result's columns");
  }
  if (op.getAcc() &&
      (!d.layoutOf(op.getAcc()) || *d.layoutOf(op.getAcc()) != *layout))
    return op.emitOpError("has an accumulator that lies in another way than "
                          "the result");
  SmallVector<Value> rows = d.elements(d.share(op.getLhs()));
  SmallVector<Value> columns = d.elements(d.share(op.getRhs()));
  SmallVector<Value> sums;
  if (op.getAcc())
    sums = d.elements(d.share(op.getAcc()));
  Combiner combine{op.getKind(), nullptr};
  auto type = cast<VectorType>(d.shareType(op.getResult()));
  bool isFloat = isa<FloatType>(type.getElementType());
  SmallVector<Value> result;
  for (Value row : rows)
    for (Value column : columns) {
      if (sums.empty()) {
        result.push_back(
            isFloat ? arith::MulFOp::create(b, loc, row, column).getResult()
                    : arith::MulIOp::create(b, loc, row, column).getResult());
        continue;
      }
      Value sum = sums[result.size()];
      if (isFloat && op.getKind() == vector::CombiningKind::ADD) {
        result.push_back(math::FmaOp::create(b, loc, row, column, sum));
        continue;
      }
      Value product =
          isFloat ? arith::MulFOp::create(b, loc, row, column).getResult()
                  : arith::MulIOp::create(b, loc, row, column).getResult();
      result.push_back(combine(b, loc, product, sum));
    }
  d.replace(op, d.assemble(type, result));
  return success();
}

Distributed distributeContract(Distributor &d, Operation *op) {
  if (auto contraction = dyn_cast<vector::ContractionOp>(op))
    return distributeContraction(d, contraction, {});
  if (auto product = dyn_cast<vector::OuterProductOp>(op))
    return distributeOuterProduct(d, product);
  return std::nullopt;
}

} // namespace aircc::distribution
