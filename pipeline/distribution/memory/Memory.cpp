//===- Memory.cpp - A lane's part of an access to memory ------------------===//
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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

namespace {

/// Elements side by side in memory, which one access moves.
struct Run {
  /// The registers, in the order of memory.
  SmallVector<int64_t> registers;
  SmallVector<Value> indices;
  /// Nothing: always. i1, one for all, else one for each element.
  Value outer;
  SmallVector<Value> inner;

  bool isConditional() const { return outer || !inner.empty(); }
};

class AccessBuilder {
public:
  AccessBuilder(Distributor &d, const MemoryAccess &access)
      : d(d), b(d.b), a(access), loc(access.op->getLoc()) {}

  SmallVector<Value> load(ValueRange others);
  void store(ValueRange elements);

private:
  void findRunDimension();
  void prepare();
  /// Calls `body` for each run, in the order of the registers.
  void forEachRun(function_ref<void(Run &)> body);
  Value isInside(unsigned memoryDim, Value index);
  Value allOf(const Run &run);
  Value conditionOf(const Run &run, size_t i);
  SmallVector<Value> shifted(const Run &run, int64_t by);
  int64_t maskRegister(ArrayRef<int64_t> position);

  Distributor &d;
  OpBuilder &b;
  const MemoryAccess &a;
  Location loc;
  /// The dimension of the vector along which runs go, and how long they are.
  int64_t runDim = -1, runLength = 1;
  /// For each dimension of the memref, the vector's; -1 where there is none.
  SmallVector<int64_t> vectorDim;
  /// Where the lane's register 0 lies.
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
           << ", and only a ranked memref can be accessed by lanes";
  if (type.getElementType() != access.elementType)
    return access.op->emitOpError("accesses elements of type ")
           << type.getElementType() << " as " << access.elementType
           << ": use memory whose elements are the vector's";
  return success();
}

void AccessBuilder::findRunDimension() {
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
  runDim = vectorDim.back();
  runLength = a.layout.dim(runDim).element;
  // What is stored swizzled is contiguous within blocks.
  if (layout::SwizzleHintOp hint = findSwizzleHint(a.memref)) {
    int64_t width = hint.getSwizzle().getShuffle().accessWidth();
    runLength = std::gcd(runLength, width);
    // A run must begin where a multiple of its own length does.
    if (!matchPattern(a.indices.back(), m_Zero()))
      runLength = 1;
  }
}

void AccessBuilder::prepare() {
  findRunDimension();
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

int64_t AccessBuilder::maskRegister(ArrayRef<int64_t> position) {
  int64_t reg = 0;
  for (int64_t dim : vectorDim)
    if (dim >= 0)
      reg = reg * a.layout.dim(dim).values() + position[dim];
  return reg;
}

void AccessBuilder::forEachRun(function_ref<void(Run &)> body) {
  Ints shape = a.layout.distributedShape();
  // Comparisons along other dimensions are the same for many runs.
  std::map<std::pair<unsigned, int64_t>, Value> inside;
  auto insideAt = [&](unsigned memoryDim, int64_t offset, Value index) {
    Value &entry = inside[{memoryDim, offset}];
    if (!entry)
      entry = isInside(memoryDim, index);
    return entry;
  };
  for (int64_t reg = 0, end = layout::product(shape); reg < end; ++reg) {
    Ints position = layout::delinearize(reg, shape);
    if (runDim >= 0 && position[runDim] % runLength != 0)
      continue;
    Run run;
    for (int64_t i = 0, rank = vectorDim.size(); i < rank; ++i) {
      int64_t offset = 0, dim = vectorDim[i];
      if (dim >= 0)
        offset = a.layout.dim(dim).coordinate(0, 0, position[dim]);
      Value index = LaneIds::add(b, loc, laneIndices[i], offset);
      run.indices.push_back(index);
      if (extents[i] && dim != runDim)
        run.outer = createAnd(b, loc, run.outer, insideAt(i, offset, index));
    }
    for (int64_t i = 0; i < runLength; ++i) {
      Ints at = position;
      if (runDim >= 0)
        at[runDim] += i;
      run.registers.push_back(layout::linearize(at, shape));
      Value condition;
      if (runDim >= 0 && extents.back()) {
        int64_t offset = a.layout.dim(runDim).coordinate(0, 0, at[runDim]);
        condition = insideAt(extents.size() - 1, offset,
                             LaneIds::add(b, loc, laneIndices.back(), offset));
      }
      if (a.mask)
        condition =
            createAnd(b, loc, condition, maskElements[maskRegister(at)]);
      if (condition)
        run.inner.push_back(condition);
    }
    body(run);
  }
}

Value AccessBuilder::allOf(const Run &run) {
  Value all = run.outer;
  for (Value condition : run.inner)
    all = createAnd(b, loc, all, condition);
  return all;
}

Value AccessBuilder::conditionOf(const Run &run, size_t i) {
  return createAnd(b, loc, run.outer,
                   run.inner.empty() ? Value() : run.inner[i]);
}

SmallVector<Value> AccessBuilder::shifted(const Run &run, int64_t by) {
  SmallVector<Value> indices(run.indices);
  if (by)
    indices.back() = LaneIds::add(b, loc, indices.back(), by);
  return indices;
}

SmallVector<Value> AccessBuilder::load(ValueRange others) {
  prepare();
  SmallVector<Value> result(a.layout.numRegisters());
  auto other = [&](int64_t reg) {
    return others.size() == 1 ? others.front() : others[reg];
  };
  auto loadAll = [&](const Run &run) -> SmallVector<Value> {
    if (run.registers.size() == 1)
      return {memref::LoadOp::create(b, loc, a.memref, run.indices)};
    auto type = VectorType::get({static_cast<int64_t>(run.registers.size())},
                                a.elementType);
    return d.getElements(
        vector::LoadOp::create(b, loc, type, a.memref, run.indices));
  };
  auto loadOne = [&](const Run &run, size_t i) -> Value {
    auto load = [&]() -> Value {
      return memref::LoadOp::create(b, loc, a.memref, shifted(run, i));
    };
    return d.select(loc, a.elementType, conditionOf(run, i), load,
                    [&] { return other(run.registers[i]); });
  };
  forEachRun([&](Run &run) {
    SmallVector<Value> values;
    if (!run.isConditional()) {
      values = loadAll(run);
    } else if (run.registers.size() == 1) {
      values.push_back(loadOne(run, 0));
    } else {
      // One wide access where all of it may be read, which is the rule.
      auto type = VectorType::get({static_cast<int64_t>(run.registers.size())},
                                  a.elementType);
      auto loadWhole = [&]() -> Value {
        return vector::LoadOp::create(b, loc, type, a.memref, run.indices);
      };
      auto loadPieces = [&]() -> Value {
        SmallVector<Value> pieces;
        if (run.inner.empty())
          for (int64_t reg : run.registers)
            pieces.push_back(other(reg));
        else
          for (size_t i = 0; i < run.registers.size(); ++i)
            pieces.push_back(loadOne(run, i));
        return d.assemble(type, pieces);
      };
      values =
          d.getElements(d.select(loc, type, allOf(run), loadWhole, loadPieces));
    }
    for (auto [reg, value] : llvm::zip_equal(run.registers, values))
      result[reg] = value;
  });
  return result;
}

void AccessBuilder::store(ValueRange elements) {
  OpBuilder::InsertionGuard guard(b);
  // What all runs share is not inside of a branch that a lane may skip.
  if (Value first = d.ids.isFirstHolder(a.layout, d.getNumWaves(a.op))) {
    auto branch = scf::IfOp::create(b, loc, first, /*withElse=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  prepare();
  auto storeAll = [&](const Run &run) {
    SmallVector<Value> values = llvm::map_to_vector(
        run.registers, [&](int64_t reg) { return elements[reg]; });
    if (values.size() == 1) {
      memref::StoreOp::create(b, loc, values.front(), a.memref, run.indices);
      return;
    }
    auto type =
        VectorType::get({static_cast<int64_t>(values.size())}, a.elementType);
    vector::StoreOp::create(b, loc, d.assemble(type, values), a.memref,
                            run.indices);
  };
  auto storeOne = [&](const Run &run, size_t i) {
    auto branch = scf::IfOp::create(b, loc, conditionOf(run, i),
                                    /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    memref::StoreOp::create(b, loc, elements[run.registers[i]], a.memref,
                            shifted(run, i));
  };
  forEachRun([&](Run &run) {
    if (!run.isConditional()) {
      storeAll(run);
    } else if (run.registers.size() == 1) {
      storeOne(run, 0);
    } else {
      bool inner = !run.inner.empty();
      auto branch = scf::IfOp::create(b, loc, TypeRange(), allOf(run),
                                      /*withElse=*/inner);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(branch.thenYield());
      storeAll(run);
      if (!inner)
        return;
      b.setInsertionPoint(branch.elseYield());
      for (size_t i = 0; i < run.registers.size(); ++i)
        storeOne(run, i);
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
