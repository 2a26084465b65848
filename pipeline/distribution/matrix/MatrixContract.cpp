//===- MatrixContract.cpp - Use matrix instructions -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/matrix/Contraction.h"

#include "dialects/kernel/BlockOps.h"
#include "dialects/kernel/LaneOps.h"
#include "dialects/layout/LayoutValues.h"
#include "dialects/layout/algebra/MatrixLayout.h"
#include "pipeline/distribution/memory/Maskable.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;
using aircc::layout::NestedParams;

namespace aircc::distribution {

/// Returns the name of a type in target profiles, which have no signedness.
static std::string getTypeName(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (type.isInteger())
    stream << 'i' << type.getIntOrFloatBitWidth();
  else
    stream << type;
  return text;
}

/// Checks that the instruction supports the element type of the operand,
/// looking through an extension.
LogicalResult Contraction::matchElementType(int index, StringRef expected) {
  Operand &operand = operands[index];
  std::string text = getTypeName(operand.elementType);
  // Registers hold tf32 as f32.
  auto fits = [&](StringRef text) {
    return text == expected || (expected == "tf32" && text == "f32");
  };
  operand.isUnsigned = operand.elementType.isUnsignedInteger();
  if (fits(text))
    return success();
  // The instruction extends its factors, so it can take the value before an
  // extension.
  Operation *producer = operand.value ? operand.value.getDefiningOp() : nullptr;
  bool extends = isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(producer) ||
                 (d.target.isXe() && isa_and_nonnull<arith::ExtUIOp>(producer));
  if (index < 2 && extends) {
    Value narrow = producer->getOperand(0);
    const NestedLayout *layout = d.getLayout(narrow);
    Type type = getElementTypeOrSelf(narrow.getType());
    if (layout && *layout == operand.layout && fits(getTypeName(type))) {
      operand.value = narrow;
      operand.elementType = type;
      operand.isUnsigned = isa<arith::ExtUIOp>(producer);
      return success();
    }
  }
  if (index == 2 && d.target.isXe() && expected == "f32" &&
      isa<Float16Type, BFloat16Type>(operand.elementType)) {
    isNarrowAccumulator = true;
    return success();
  }
  return op->emitOpError("has a ")
         << operand.name << " of " << text << ", but the matrix instruction '"
         << instruction->name << "' takes " << expected;
}

LogicalResult Contraction::matchInstruction() {
  auto name = op->getAttrOfType<StringAttr>(
      layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr());
  instruction = d.target.findInstruction(name.getValue());
  if (!instruction)
    return op->emitOpError("names the matrix instruction '")
           << name.getValue() << "', which the target does not have";
  if (kind != vector::CombiningKind::ADD)
    return op->emitOpError("must have the combining kind 'add', the only one "
                           "that matrix instructions support");
  // The instruction covers the innermost dimension of each kind.
  int64_t m = -1, n = -1, k = -1;
  for (int64_t i = 0; i < numDims; ++i) {
    bool inA = operands[0].getDimAlong(i) >= 0,
         inB = operands[1].getDimAlong(i) >= 0,
         inC = operands[2].getDimAlong(i) >= 0;
    if (inA && inC && !inB)
      m = i;
    else if (inB && inC && !inA)
      n = i;
    else if (inA && inB && !inC)
      k = i;
  }
  if (m < 0 || n < 0 || k < 0)
    return op->emitOpError(
        "must be a matrix product to use a matrix instruction");
  const OperandLayout *layouts[] = {&instruction->a, &instruction->b,
                                    &instruction->c};
  int64_t roles[3][2] = {{m, k}, {k, n}, {m, n}};
  for (int i = 0; i < 3; ++i) {
    auto tile = NestedLayout::get(NestedParams::ofInstruction(
        layouts[i]->outerTile, layouts[i]->threadTile, layouts[i]->elementTile,
        layouts[i]->threadStrides));
    assert(tile && "profiles with invalid layouts are rejected");
    tiles.push_back({*tile, {roles[i][0], roles[i][1]}});
    if (failed(matchElementType(i, layouts[i]->type)))
      return failure();
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
    return op->emitOpError("has layouts that are incompatible with the tiles "
                           "of the matrix instruction '")
           << instruction->name << "': " << error->message;
  // Only rows and columns may be distributed over waves.
  for (int64_t i = 0; i < numDims; ++i) {
    for (const Operand &operand : operands) {
      int64_t dim = operand.getDimAlong(i);
      if (dim < 0)
        continue;
      const DimTiles &tiles = operand.layout.dim(dim);
      if (operands[2].getDimAlong(i) < 0 && tiles.subgroup > 1)
        return op->emitOpError(
                   "has a reduction dimension that is distributed over ")
               << tiles.subgroup
               << " waves, but matrix instructions cannot reduce across waves";
    }
  }
  return success();
}

Ints Contraction::getTileCounts() const {
  Ints counts(numDims, 1);
  for (auto [operand, tile] : llvm::zip_equal(operands, tiles))
    for (int64_t i = 0; i < numDims; ++i) {
      int64_t dim = operand.getDimAlong(i);
      if (dim < 0)
        continue;
      counts[i] = operand.layout.dim(dim).values();
      for (int role = 0; role < 2; ++role)
        if (tile.roles[role] == i)
          counts[i] /= tile.layout.dim(role).values();
    }
  return counts;
}

SmallVector<int64_t> Contraction::getTileRegisters(int index,
                                                   ArrayRef<int64_t> at) const {
  const Operand &operand = operands[index];
  const Tile &tile = tiles[index];
  Ints inner = tile.layout.distributedShape();
  Ints shape = operand.layout.distributedShape();
  SmallVector<int64_t> registers;
  for (int64_t reg = 0, end = layout::product(inner); reg < end; ++reg) {
    Ints position = layout::delinearize(reg, inner);
    Ints coordinates(shape.size());
    for (int64_t i = 0, rank = shape.size(); i < rank; ++i) {
      int64_t iteration = operand.map.getDimPosition(i);
      coordinates[i] = at[iteration];
      for (int role = 0; role < 2; ++role)
        if (tile.roles[role] == iteration)
          coordinates[i] = at[iteration] * inner[role] + position[role];
    }
    registers.push_back(layout::linearize(coordinates, shape));
  }
  return registers;
}

Value Contraction::getTile(int index, ArrayRef<int64_t> at,
                           ArrayRef<Value> elements) {
  SmallVector<int64_t> registers = getTileRegisters(index, at);
  SmallVector<Value> own;
  for (int64_t reg : registers)
    own.push_back(elements[reg]);
  if (own.size() == 1)
    return own.front();
  auto type = VectorType::get({static_cast<int64_t>(own.size())},
                              own.front().getType());
  // Loops carry complete tiles.
  auto whole = own.front().getDefiningOp<vector::ToElementsOp>();
  ByteColumns *columns = byteColumns[index].get();
  if (columns && !(whole && whole.getResults() == ValueRange(own)))
    if (Value tile = columns->get(registers))
      return tile;
  return d.assemble(type, own);
}

/// Returns the element type of a factor with this name in target profiles; null
/// if it is not supported.
static Type getFactorType(Builder &b, StringRef name, bool isUnsigned) {
  return llvm::StringSwitch<Type>(name)
      .Case("f16", b.getF16Type())
      .Case("bf16", b.getBF16Type())
      .Case("tf32", b.getTF32Type())
      .Case("i8", isUnsigned ? b.getIntegerType(8, /*isSigned=*/false)
                             : b.getI8Type())
      .Default(Type());
}

/// Returns whether the type with this name is supported for accumulators.
static bool isAccumulatorType(StringRef name) {
  return name == "f32" || name == "f16" || name == "bf16" || name == "i32";
}

/// The hardware takes A in 16-bit words, B in 32-bit words that pack elements
/// of adjacent rows, and tf32 as f32.
Value Contraction::createDpas(Value lhs, Value rhs, Value acc) {
  auto asVector = [&](Value value) -> Value {
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::FromElementsOp::create(
        b, loc, VectorType::get({1}, value.getType()), value);
  };
  auto inWords = [&](Value value, unsigned bits) -> Value {
    value = asVector(value);
    auto type = cast<VectorType>(value.getType());
    unsigned width = type.getElementTypeBitWidth();
    if (width == 32)
      return value;
    auto words = VectorType::get({type.getNumElements() * width / bits},
                                 b.getIntegerType(bits));
    return vector::BitCastOp::create(b, loc, words, value);
  };
  acc = asVector(acc);
  return kernel::DpasOp::create(
      b, loc, acc.getType(), inWords(lhs, 16), inWords(rhs, 32), acc,
      getFactorType(b, instruction->a.type, operands[0].isUnsigned),
      getFactorType(b, instruction->b.type, operands[1].isUnsigned));
}

/// Moves the registers of a factor to the lanes that pass them to the
/// instruction.
Value Contraction::permuteLanes(Value factor, ArrayRef<int64_t> permutation) {
  if (permutation.empty())
    return factor;
  return kernel::PermuteLanesOp::create(
      b, loc, factor, llvm::to_vector_of<int32_t>(permutation));
}

Value Contraction::createInstruction(Value lhs, Value rhs, Value acc) {
  auto attr = [&](int64_t value) { return b.getI32IntegerAttr(value); };
  StringRef name = instruction->name;
  if (name.starts_with("dpas."))
    return createDpas(lhs, rhs, acc);
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
  bool known = d.target.isXe()
                   ? name.starts_with("dpas.") &&
                         getFactorType(b, instruction->a.type, false) &&
                         getFactorType(b, instruction->b.type, false) &&
                         isAccumulatorType(instruction->c.type)
                   : name.starts_with("mfma.") || name.starts_with("wmma.");
  if (!known)
    return op->emitOpError("names the matrix instruction '")
           << name << "', which is unknown; on this target it must be "
           << (d.target.isXe() ? "a dpas" : "an mfma or a wmma");
  if (failed(checkTiles()))
    return failure();
  SmallVector<SmallVector<Value>> elements;
  for (int i = 0; i < 3; ++i)
    elements.push_back(getOperandElements(i));
  for (int i = 0; i < 2; ++i)
    if (!d.target.isXe() && !elements[i].empty() &&
        elements[i].front().getType().getIntOrFloatBitWidth() == 8)
      byteColumns[i] = std::make_unique<ByteColumns>(d, elements[i]);
  Type narrow = operands[2].elementType;
  if (isNarrowAccumulator)
    for (Value &value : elements[2])
      value = arith::ExtFOp::create(b, loc, b.getF32Type(), value);

  // Iterate over reduced dimensions in the outer loop, so that consecutive
  // instructions are independent.
  Ints counts = getTileCounts(), reduced(numDims, 1), parallel(numDims, 1);
  for (int64_t i = 0; i < numDims; ++i)
    (operands[2].getDimAlong(i) < 0 ? reduced : parallel)[i] = counts[i];
  ArrayRef<int64_t> permutations[] = {instruction->a.lanePermutation,
                                      instruction->b.lanePermutation};
  std::map<SmallVector<int64_t>, Value> created[3];
  auto tile = [&](int index, ArrayRef<int64_t> at) -> Value & {
    Value &entry = created[index][getTileRegisters(index, at)];
    if (!entry) {
      entry = getTile(index, at, elements[index]);
      if (index < 2)
        entry = permuteLanes(entry, permutations[index]);
    }
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
  for (auto &[registers, value] : created[2])
    for (auto [reg, element] : llvm::zip_equal(registers, d.getElements(value)))
      result[reg] = element;
  if (isNarrowAccumulator)
    for (Value &value : result)
      value = arith::TruncFOp::create(b, loc, narrow, value);
  d.replace(op, d.assembleDistributed(op->getResult(0), result));
  return success();
}

SmallVector<SmallVector<int64_t>> Contraction::getTiles(int operand) {
  SmallVector<SmallVector<int64_t>> result;
  if (failed(collectOperands()) || failed(matchInstruction()) ||
      failed(checkTiles()))
    return result;
  Ints counts = getTileCounts();
  for (int64_t i = 0; i < numDims; ++i)
    if (operands[operand].getDimAlong(i) < 0)
      counts[i] = 1;
  for (int64_t p = 0, end = layout::product(counts); p < end; ++p)
    result.push_back(getTileRegisters(operand, layout::delinearize(p, counts)));
  return result;
}

SmallVector<SmallVector<int64_t>> getAccumulatorTiles(Distributor &d,
                                                      Value value) {
  Operation *op = value.getDefiningOp();
  if (!op ||
      !op->hasAttr(
          layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
    return {};
  if (auto dpas = dyn_cast<xegpu::DpasOp>(op))
    return Contraction(d, dpas).getTiles(2);
  if (auto contraction = dyn_cast<vector::ContractionOp>(op))
    return Contraction(d, contraction).getTiles(2);
  if (auto scaled = dyn_cast<layout::ScaledContractOp>(op))
    return getScaledAccumulatorTiles(d, scaled);
  return {};
}

SmallVector<SmallVector<int64_t>> getFactorTiles(Distributor &d,
                                                 Value argument) {
  for (OpOperand &use : argument.getUses()) {
    auto op = dyn_cast<vector::ContractionOp>(use.getOwner());
    if (op && use.getOperandNumber() < 2 &&
        op->hasAttr(
            layout::LayoutDialect::MatrixInstructionAttrHelper::getNameStr()))
      return Contraction(d, op).getTiles(use.getOperandNumber());
  }
  return {};
}

} // namespace aircc::distribution
