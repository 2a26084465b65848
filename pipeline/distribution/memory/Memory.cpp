//===- Memory.cpp - Per-lane memory accesses ------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/memory/Memory.h"

#include "dialects/layout/LayoutOps.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/async/Swizzle.h"
#include "pipeline/distribution/memory/ByteColumns.h"
#include "pipeline/distribution/memory/Divisibility.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>
#include <optional>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;

namespace aircc::distribution {

namespace {

/// Elements that are contiguous in memory and are accessed together.
struct ContiguousRange {
  /// The registers, in the order of memory.
  SmallVector<int64_t> registers;
  SmallVector<Value> indices;
  /// Conditions of type i1, or null for true: `outer` for all elements, `inner`
  /// for each element.
  Value outer;
  SmallVector<Value> inner;

  bool isConditional() const { return outer || !inner.empty(); }
};

using RangeGroup = SmallVector<ContiguousRange>;

class AccessBuilder {
public:
  AccessBuilder(Distributor &d, const MemoryAccess &access)
      : d(d), b(d.b), a(access), loc(access.op->getLoc()) {}

  SmallVector<Value> load(ValueRange others);
  void store(ValueRange elements);

private:
  void findContiguousDim();
  void prepare();
  /// Calls `body` for each contiguous range, in the order of the registers.
  void forEachRange(function_ref<void(ContiguousRange &)> body);
  Value isInside(unsigned memoryDim, Value index);
  bool isAlwaysInside(unsigned memoryDim, int64_t value);
  bool isInsideAsWhole();
  Value createConjunction(const ContiguousRange &range);
  Value createCondition(const ContiguousRange &range, size_t i);
  SmallVector<Value> shifted(const ContiguousRange &range, int64_t by);
  SmallVector<Value> loadAll(const ContiguousRange &range);
  void loadGroup(const RangeGroup &group, ValueRange others,
                 MutableArrayRef<Value> result);
  int64_t getMaskRegister(ArrayRef<int64_t> position);

  Distributor &d;
  OpBuilder &b;
  const MemoryAccess &a;
  Location loc;
  /// The dimension of the vector along which ranges are contiguous, and the
  /// length of the ranges.
  int64_t contiguousDim = -1, contiguousLength = 1;
  /// For each dimension of the memref, the dimension of the vector, or -1.
  SmallVector<int64_t> vectorDim;
  /// The memref indices of the element in the lane's register 0.
  SmallVector<Value> laneIndices;
  SmallVector<Value> extents;
  SmallVector<Value> maskElements;
};

} // namespace

LogicalResult checkAccess(const MemoryAccess &access) {
  auto type = dyn_cast<MemRefType>(access.memref.getType());
  if (!type)
    return access.op->emitOpError("accesses a ")
           << access.memref.getType()
           << "; lanes can only access a ranked memref";
  if (type.getElementType() != access.elementType)
    return access.op->emitOpError("accesses elements of type ")
           << type.getElementType() << " as " << access.elementType
           << "; use memory with the element type of the vector";
  return success();
}

void AccessBuilder::findContiguousDim() {
  auto type = cast<MemRefType>(a.memref.getType());
  vectorDim.assign(type.getRank(), -1);
  for (auto [i, expr] : llvm::enumerate(a.map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      vectorDim[dim.getPosition()] = i;
  if (type.getRank() == 0 || vectorDim.back() < 0)
    return;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return;
  contiguousDim = vectorDim.back();
  contiguousLength = a.layout.dim(contiguousDim).element;
  // Swizzled buffers are contiguous within blocks.
  if (layout::SwizzleHintOp hint = findSwizzleHint(a.memref)) {
    int64_t width = hint.getSwizzle().getShuffle().accessWidth();
    contiguousLength = std::gcd(contiguousLength, width);
    // A range must start at a multiple of its length.
    contiguousLength =
        std::gcd(contiguousLength, getKnownDivisor(a.indices.back()));
  }
}

void AccessBuilder::prepare() {
  findContiguousDim();
  auto type = cast<MemRefType>(a.memref.getType());
  extents.resize(type.getRank());
  for (int64_t i = 0; i < type.getRank(); ++i) {
    Value index = a.indices[i];
    if (vectorDim[i] >= 0) {
      index =
          LaneIds::sum(b, loc, index, d.ids.base(a.layout.dim(vectorDim[i])));
      if (!a.inBounds[vectorDim[i]])
        extents[i] = memref::DimOp::create(b, loc, a.memref, i);
    }
    laneIndices.push_back(index);
  }
  if (a.mask)
    maskElements = d.getElements(a.mask);
}

Value AccessBuilder::isInside(unsigned memoryDim, Value index) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                               extents[memoryDim]);
}

/// Returns whether all lanes are in bounds when the index of the memref's
/// dimension is `value`.
bool AccessBuilder::isAlwaysInside(unsigned memoryDim, int64_t value) {
  const DimTiles &dim = a.layout.dim(vectorDim[memoryDim]);
  int64_t extent = cast<MemRefType>(a.memref.getType()).getDimSize(memoryDim);
  std::optional<int64_t> start = getConstantIntValue(a.indices[memoryDim]);
  return start && *start >= 0 && !ShapedType::isDynamic(extent) &&
         *start + dim.coordinate(dim.subgroup - 1, dim.thread - 1, value) <
             extent;
}

/// Returns whether either all or none of the elements of a range are in bounds.
bool AccessBuilder::isInsideAsWhole() {
  int64_t extent = cast<MemRefType>(a.memref.getType()).getShape().back();
  return !ShapedType::isDynamic(extent) && extent % contiguousLength == 0 &&
         isKnownMultiple(OpFoldResult(a.indices.back()), contiguousLength);
}

int64_t AccessBuilder::getMaskRegister(ArrayRef<int64_t> position) {
  int64_t reg = 0;
  for (int64_t dim : vectorDim)
    if (dim >= 0)
      reg = reg * a.layout.dim(dim).values() + position[dim];
  return reg;
}

void AccessBuilder::forEachRange(function_ref<void(ContiguousRange &)> body) {
  Ints shape = a.layout.distributedShape();
  // Many ranges share the comparisons along other dimensions.
  std::map<std::pair<unsigned, int64_t>, Value> inside;
  auto insideAt = [&](unsigned memoryDim, int64_t offset, Value index) {
    Value &entry = inside[{memoryDim, offset}];
    if (!entry)
      entry = isInside(memoryDim, index);
    return entry;
  };
  bool hasInnerBounds =
      contiguousDim >= 0 && extents.back() && !isInsideAsWhole();
  for (int64_t reg = 0, end = layout::product(shape); reg < end; ++reg) {
    Ints position = layout::delinearize(reg, shape);
    if (contiguousDim >= 0 && position[contiguousDim] % contiguousLength != 0)
      continue;
    ContiguousRange range;
    for (int64_t i = 0, rank = vectorDim.size(); i < rank; ++i) {
      int64_t offset = 0, dim = vectorDim[i];
      if (dim >= 0)
        offset = a.layout.dim(dim).coordinate(0, 0, position[dim]);
      Value index = LaneIds::add(b, loc, laneIndices[i], offset);
      range.indices.push_back(index);
      if (extents[i] && (dim != contiguousDim || !hasInnerBounds) &&
          !isAlwaysInside(i, position[dim]))
        range.outer =
            createAnd(b, loc, range.outer, insideAt(i, offset, index));
    }
    bool needsInnerBounds =
        hasInnerBounds &&
        !isAlwaysInside(extents.size() - 1,
                        position[contiguousDim] + contiguousLength - 1);
    for (int64_t i = 0; i < contiguousLength; ++i) {
      Ints at = position;
      if (contiguousDim >= 0)
        at[contiguousDim] += i;
      range.registers.push_back(layout::linearize(at, shape));
      Value condition;
      if (needsInnerBounds) {
        int64_t offset =
            a.layout.dim(contiguousDim).coordinate(0, 0, at[contiguousDim]);
        condition = insideAt(extents.size() - 1, offset,
                             LaneIds::add(b, loc, laneIndices.back(), offset));
      }
      if (a.mask)
        condition =
            createAnd(b, loc, condition, maskElements[getMaskRegister(at)]);
      if (condition)
        range.inner.push_back(condition);
    }
    body(range);
  }
}

Value AccessBuilder::createConjunction(const ContiguousRange &range) {
  Value all = range.outer;
  for (Value condition : range.inner)
    all = createAnd(b, loc, all, condition);
  return all;
}

Value AccessBuilder::createCondition(const ContiguousRange &range, size_t i) {
  return createAnd(b, loc, range.outer,
                   range.inner.empty() ? Value() : range.inner[i]);
}

SmallVector<Value> AccessBuilder::shifted(const ContiguousRange &range,
                                          int64_t by) {
  SmallVector<Value> indices(range.indices);
  if (by)
    indices.back() = LaneIds::add(b, loc, indices.back(), by);
  return indices;
}

SmallVector<Value> AccessBuilder::loadAll(const ContiguousRange &range) {
  if (range.registers.size() == 1)
    return {memref::LoadOp::create(b, loc, a.memref, range.indices)};
  auto type = VectorType::get({static_cast<int64_t>(range.registers.size())},
                              a.elementType);
  return d.getElements(
      vector::LoadOp::create(b, loc, type, a.memref, range.indices));
}

/// Loads several ranges, each of which is entirely in or out of bounds, in one
/// branch: in separate branches, each load would be waited for.
void AccessBuilder::loadGroup(const RangeGroup &group, ValueRange others,
                              MutableArrayRef<Value> result) {
  SmallVector<int64_t> registers;
  for (const ContiguousRange &range : group)
    llvm::append_range(registers, range.registers);
  auto type =
      VectorType::get({static_cast<int64_t>(registers.size())}, a.elementType);
  auto load = [&]() -> Value {
    SmallVector<Value> elements;
    for (const ContiguousRange &range : group)
      llvm::append_range(elements, loadAll(range));
    return d.assemble(type, elements);
  };
  auto getOthers = [&]() -> Value {
    return d.assemble(
        type, llvm::map_to_vector(registers, [&](int64_t reg) -> Value {
          return others.size() == 1 ? others.front() : others[reg];
        }));
  };
  Value values = d.select(loc, type, group.front().outer, load, getOthers);
  for (auto [reg, value] : llvm::zip_equal(registers, d.getElements(values)))
    result[reg] = value;
}

SmallVector<Value> AccessBuilder::load(ValueRange others) {
  prepare();
  SmallVector<Value> result(a.layout.numRegisters());
  auto other = [&](int64_t reg) {
    return others.size() == 1 ? others.front() : others[reg];
  };
  auto loadOne = [&](const ContiguousRange &range, size_t i) -> Value {
    auto load = [&]() -> Value {
      return memref::LoadOp::create(b, loc, a.memref, shifted(range, i));
    };
    return d.select(loc, a.elementType, createCondition(range, i), load,
                    [&] { return other(range.registers[i]); });
  };
  llvm::MapVector<Value, RangeGroup> groups;
  forEachRange([&](ContiguousRange &range) {
    SmallVector<Value> values;
    if (range.outer && range.inner.empty()) {
      groups[range.outer].push_back(std::move(range));
      return;
    }
    if (!range.isConditional()) {
      values = loadAll(range);
    } else if (range.registers.size() == 1) {
      values.push_back(loadOne(range, 0));
    } else {
      // Use one wide access in the usual case that all elements may be read.
      auto type = VectorType::get(
          {static_cast<int64_t>(range.registers.size())}, a.elementType);
      auto loadVector = [&]() -> Value {
        return vector::LoadOp::create(b, loc, type, a.memref, range.indices);
      };
      auto loadElements = [&]() -> Value {
        SmallVector<Value> elements;
        for (size_t i = 0; i < range.registers.size(); ++i)
          elements.push_back(loadOne(range, i));
        return d.assemble(type, elements);
      };
      values = d.getElements(d.select(loc, type, createConjunction(range),
                                      loadVector, loadElements));
    }
    for (auto [reg, value] : llvm::zip_equal(range.registers, values))
      result[reg] = value;
  });
  for (const auto &[condition, group] : groups)
    loadGroup(group, others, result);
  return result;
}

void AccessBuilder::store(ValueRange elements) {
  OpBuilder::InsertionGuard guard(b);
  // Enter the branch first, because values that all ranges share must be
  // computed in it.
  d.enterFirstHolder(loc, a.layout, d.getNumWaves(a.op));
  prepare();
  std::optional<ByteColumns> columns;
  if (!d.target.isXe() && a.elementType.isIntOrFloat() &&
      a.elementType.getIntOrFloatBitWidth() == 8)
    columns.emplace(d, llvm::to_vector(elements));
  auto storeAll = [&](const ContiguousRange &range) {
    SmallVector<Value> values = llvm::map_to_vector(
        range.registers, [&](int64_t reg) { return elements[reg]; });
    if (values.size() == 1) {
      memref::StoreOp::create(b, loc, values.front(), a.memref, range.indices);
      return;
    }
    auto type =
        VectorType::get({static_cast<int64_t>(values.size())}, a.elementType);
    // Branches must not share values that are computed in one of them.
    Value stored = columns && !range.isConditional()
                       ? columns->get(range.registers)
                       : Value();
    vector::StoreOp::create(b, loc, stored ? stored : d.assemble(type, values),
                            a.memref, range.indices);
  };
  auto storeOne = [&](const ContiguousRange &range, size_t i) {
    auto branch = scf::IfOp::create(b, loc, createCondition(range, i),
                                    /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    memref::StoreOp::create(b, loc, elements[range.registers[i]], a.memref,
                            shifted(range, i));
  };
  forEachRange([&](ContiguousRange &range) {
    if (!range.isConditional()) {
      storeAll(range);
    } else if (range.registers.size() == 1) {
      storeOne(range, 0);
    } else {
      bool inner = !range.inner.empty();
      auto branch =
          scf::IfOp::create(b, loc, TypeRange(), createConjunction(range),
                            /*withElse=*/inner);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(branch.thenYield());
      storeAll(range);
      if (!inner)
        return;
      b.setInsertionPoint(branch.elseYield());
      for (size_t i = 0; i < range.registers.size(); ++i)
        storeOne(range, i);
    }
  });
}

SmallVector<Value> createLoads(Distributor &d, const MemoryAccess &access,
                               ValueRange others) {
  return AccessBuilder(d, access).load(others);
}

void createStores(Distributor &d, const MemoryAccess &access,
                  ValueRange elements) {
  AccessBuilder(d, access).store(elements);
}

} // namespace aircc::distribution
