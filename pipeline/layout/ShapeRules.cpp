//===- ShapeRules.cpp - Layouts of ops that change shapes -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/OpRules.h"

#include "dialects/layout/algebra/Transforms.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;

namespace aircc::layout {

namespace {

SmallVector<int64_t> leadingDims(int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
}

/// Returns whether each lane holds all of the dimensions `dims`.
bool isWithinLane(Layout layout, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> whole = layout.getUndistributedShape();
  SmallVector<int64_t> share = layout.getDistributedShape();
  return llvm::all_of(dims, [&](int64_t d) { return whole[d] == share[d]; });
}

/// Returns `layout` with one more innermost dimension, all of which each lane
/// holds.
Layout appendDim(Layout layout, int64_t size) {
  SmallVector<int64_t> shape = layout.getUndistributedShape();
  int64_t rank = shape.size();
  shape.insert(shape.begin(), size);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(1, rank + 1));
  permutation.push_back(0);
  return layout.broadcast(shape).permute(permutation);
}

/// For a last dimension of groups * size, returns the layout of the groups
/// alone if each lane holds whole groups; otherwise, returns null.
Layout dropGroups(Layout layout, int64_t size) {
  SmallVector<int64_t> shape = layout.getUndistributedShape();
  shape.back() /= size;
  shape.push_back(size);
  Layout split = layout.reshape(shape);
  int64_t last = shape.size() - 1;
  if (!split || !isWithinLane(split, last))
    return {};
  return split.project(last);
}

/// Returns the inverse of dropGroups.
Layout addGroups(Layout layout, int64_t size) {
  SmallVector<int64_t> shape = layout.getUndistributedShape();
  shape.back() *= size;
  return appendDim(layout, size).reshape(shape);
}

/// Ops with one vector operand and one vector result. The key is the layout of
/// the result.
class ShapeRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return shapeOf(op->getResult(0));
  }
  Layout fromResult(Operation *, unsigned, Layout layout,
                    int64_t) const override {
    return layout;
  }
  Layout fromOperand(Operation *op, unsigned, Layout layout,
                     int64_t) const override {
    return toResult(op, layout);
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    OpLayouts layouts(op);
    layouts.results[0] = key;
    if (!isa<VectorType>(op->getOperand(0).getType()))
      return layouts;
    layouts.operands[0] = toSource(op, key);
    if (!layouts.operands[0])
      return std::nullopt;
    return layouts;
  }

  virtual Layout toResult(Operation *op, Layout source) const = 0;
  virtual Layout toSource(Operation *op, Layout result) const = 0;
};

class BroadcastRule : public ShapeRule {
  Layout toResult(Operation *op, Layout source) const override {
    return source.broadcast(shapeOf(op->getResult(0)));
  }
  Layout toSource(Operation *op, Layout result) const override {
    return result.broadcastSource(shapeOf(op->getOperand(0)));
  }
  double getCost(Operation *op, Layout key,
                 const Workgroup &workgroup) const override {
    // Registers are only renamed, but fewer of them are still better.
    return OpRule::getCost(op, key, workgroup) / 16;
  }
};

class TransposeRule : public ShapeRule {
  Layout toResult(Operation *op, Layout source) const override {
    return source.permute(cast<vector::TransposeOp>(op).getPermutation());
  }
  Layout toSource(Operation *op, Layout result) const override {
    ArrayRef<int64_t> permutation =
        cast<vector::TransposeOp>(op).getPermutation();
    return result.permute(inversePermutation(permutation));
  }
  double getCost(Operation *, Layout, const Workgroup &) const override {
    return 0;
  }
};

class ShapeCastRule : public ShapeRule {
  Layout toResult(Operation *op, Layout source) const override {
    return source.reshape(shapeOf(op->getResult(0)));
  }
  Layout toSource(Operation *op, Layout result) const override {
    return result.reshape(shapeOf(op->getOperand(0)));
  }
  double getCost(Operation *, Layout, const Workgroup &) const override {
    return 0;
  }
};

/// Elements get wider or narrower, but the total number of bits is unchanged.
class BitCastRule : public ShapeRule {
  Layout toResult(Operation *op, Layout source) const override {
    return convert(op->getOperand(0), op->getResult(0), source);
  }
  Layout toSource(Operation *op, Layout result) const override {
    return convert(op->getResult(0), op->getOperand(0), result);
  }
  double getCost(Operation *, Layout, const Workgroup &) const override {
    return 0;
  }
  static Layout convert(Value from, Value to, Layout layout) {
    SmallVector<int64_t> fromShape = shapeOf(from), toShape = shapeOf(to);
    if (fromShape.empty() || fromShape == toShape)
      return layout;
    // For example, in a cast from six-bit elements to bytes, groups of four
    // become groups of three.
    int64_t common = std::gcd(fromShape.back(), toShape.back());
    if (fromShape.back() > common)
      layout = dropGroups(layout, fromShape.back() / common);
    if (!layout || toShape.back() == common)
      return layout;
    return addGroups(layout, toShape.back() / common);
  }
};

/// The key is the layout of the source. Each lane takes its own part.
class ExtractRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return shapeOf(op->getOperand(0));
  }
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t) const override {
    if (number != 0)
      return {};
    return layout;
  }
  Layout fromResult(Operation *op, unsigned, Layout layout,
                    int64_t) const override {
    return layout.broadcast(shapeOf(op->getOperand(0)));
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    OpLayouts layouts(op);
    layouts.operands[0] = key;
    if (!isa<VectorType>(op->getResult(0).getType())) {
      // One lane of the wave has the element and broadcasts it to the others.
      if (key.isSpreadOverWaves())
        return std::nullopt;
      return layouts;
    }
    SmallVector<int64_t> dims =
        leadingDims(cast<vector::ExtractOp>(op).getNumIndices());
    if (!isWithinLane(key, dims))
      return std::nullopt;
    layouts.results[0] = key.project(dims);
    return layouts;
  }
  double getCost(Operation *op, Layout key, const Workgroup &) const override {
    return isa<VectorType>(op->getResult(0).getType()) || key.isReplicated()
               ? 0
               : 8;
  }
};

/// The key is the layout of the destination and of the result.
class InsertRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return shapeOf(op->getResult(0));
  }
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t) const override {
    auto insert = cast<vector::InsertOp>(op);
    if (number == insert.getDestMutable().getOperandNumber())
      return layout;
    if (number == insert.getValueToStoreMutable().getOperandNumber())
      return layout.broadcast(shapeOf(op->getResult(0)));
    return {};
  }
  Layout fromResult(Operation *, unsigned, Layout layout,
                    int64_t) const override {
    return layout;
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    auto insert = cast<vector::InsertOp>(op);
    OpLayouts layouts(op);
    layouts.results[0] = key;
    layouts.operands[insert.getDestMutable().getOperandNumber()] = key;
    if (!isa<VectorType>(insert.getValueToStoreType()))
      return layouts;
    SmallVector<int64_t> dims = leadingDims(insert.getNumIndices());
    if (!isWithinLane(key, dims))
      return std::nullopt;
    layouts.operands[insert.getValueToStoreMutable().getOperandNumber()] =
        key.project(dims);
    return layouts;
  }
};

SmallVector<int64_t> getInts(ArrayAttr values) {
  SmallVector<int64_t> ints;
  for (Attribute value : values)
    ints.push_back(cast<IntegerAttr>(value).getInt());
  return ints;
}

class ExtractStridedSliceRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return shapeOf(op->getOperand(0));
  }
  Layout fromOperand(Operation *, unsigned, Layout layout,
                     int64_t) const override {
    return layout;
  }
  Layout fromResult(Operation *op, unsigned, Layout layout,
                    int64_t) const override {
    return layout.extend(shapeOf(op->getOperand(0)));
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    auto extract = cast<vector::ExtractStridedSliceOp>(op);
    OpLayouts layouts(op);
    layouts.operands[0] = key;
    SmallVector<int64_t> sizes = shapeOf(op->getResult(0));
    SmallVector<int64_t> offsets = getInts(extract.getOffsets());
    offsets.resize(sizes.size(), 0);
    layouts.results[0] = key.slice(offsets, sizes);
    if (!layouts.results[0])
      return std::nullopt;
    return layouts;
  }
  double getCost(Operation *, Layout, const Workgroup &) const override {
    return 0;
  }
};

/// Operand 0 is inserted into operand 1. The key is the layout of the latter.
class InsertStridedSliceRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return shapeOf(op->getResult(0));
  }
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t) const override {
    if (number == 1)
      return layout;
    SmallVector<int64_t> dest = shapeOf(op->getResult(0));
    SmallVector<int64_t> source = shapeOf(op->getOperand(0));
    SmallVector<int64_t> slice(dest.size() - source.size(), 1);
    llvm::append_range(slice, source);
    Layout sliced = layout.broadcast(slice);
    return sliced ? sliced.extend(dest) : Layout();
  }
  Layout fromResult(Operation *, unsigned, Layout layout,
                    int64_t) const override {
    return layout;
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    auto insert = cast<vector::InsertStridedSliceOp>(op);
    OpLayouts layouts(op);
    layouts.results[0] = layouts.operands[1] = key;
    SmallVector<int64_t> dest = shapeOf(op->getResult(0));
    SmallVector<int64_t> source = shapeOf(op->getOperand(0));
    int64_t leading = dest.size() - source.size();
    SmallVector<int64_t> sizes(leading, 1);
    llvm::append_range(sizes, source);
    Layout slice = key.slice(getInts(insert.getOffsets()), sizes);
    if (!slice)
      return std::nullopt;
    layouts.operands[0] = slice.project(leadingDims(leading));
    return layouts;
  }
};

/// vector.shuffle takes rows of two vectors, and each lane must hold all rows.
/// The key is the layout of one row.
class ShuffleRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    SmallVector<int64_t> shape = shapeOf(op->getResult(0));
    shape.erase(shape.begin());
    return shape;
  }
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t) const override {
    // A vector of rank 0 is a row.
    return shapeOf(op->getOperand(number)).empty() ? layout : layout.project(0);
  }
  Layout fromResult(Operation *, unsigned, Layout layout,
                    int64_t) const override {
    return layout.project(0);
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    OpLayouts layouts(op);
    for (unsigned i : {0u, 1u}) {
      SmallVector<int64_t> shape = shapeOf(op->getOperand(i));
      layouts.operands[i] = shape.empty() ? key : key.broadcast(shape);
    }
    layouts.results[0] = key.broadcast(shapeOf(op->getResult(0)));
    return layouts;
  }
};

/// Two vectors are joined into one of twice the length, or one is split in two.
/// The key is the layout of the short ones.
class InterleaveRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return shapeOf(isa<vector::InterleaveOp>(op) ? op->getOperand(0)
                                                 : op->getResult(0));
  }
  Layout fromOperand(Operation *op, unsigned, Layout layout,
                     int64_t) const override {
    return isa<vector::InterleaveOp>(op) ? layout : dropGroups(layout, 2);
  }
  Layout fromResult(Operation *op, unsigned, Layout layout,
                    int64_t) const override {
    return isa<vector::InterleaveOp>(op) ? dropGroups(layout, 2) : layout;
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    // A vector of rank 0 has nothing to group.
    if (key.getUndistributedShape().empty())
      return std::nullopt;
    Layout both = addGroups(key, 2);
    if (!both)
      return std::nullopt;
    OpLayouts layouts(op);
    bool joins = isa<vector::InterleaveOp>(op);
    llvm::fill(layouts.operands, joins ? key : both);
    llvm::fill(layouts.results, joins ? both : key);
    return layouts;
  }
};

} // namespace

const OpRule *findShapeRule(Operation *op) {
  static const BroadcastRule broadcast;
  static const TransposeRule transpose;
  static const ShapeCastRule shapeCast;
  static const BitCastRule bitCast;
  static const ExtractRule extract;
  static const InsertRule insert;
  static const ExtractStridedSliceRule extractSlice;
  static const InsertStridedSliceRule insertSlice;
  static const ShuffleRule shuffle;
  static const InterleaveRule interleave;
  return llvm::TypeSwitch<Operation *, const OpRule *>(op)
      .Case<vector::BroadcastOp>([](auto) { return &broadcast; })
      .Case<vector::TransposeOp>([](auto) { return &transpose; })
      .Case<vector::ShapeCastOp>([](auto) { return &shapeCast; })
      .Case<vector::BitCastOp>([](auto) { return &bitCast; })
      .Case<vector::ExtractOp>([](auto) { return &extract; })
      .Case<vector::InsertOp>([](auto) { return &insert; })
      .Case<vector::ExtractStridedSliceOp>([](auto) { return &extractSlice; })
      .Case<vector::InsertStridedSliceOp>([](auto) { return &insertSlice; })
      .Case<vector::ShuffleOp>([](auto) { return &shuffle; })
      .Case<vector::InterleaveOp, vector::DeinterleaveOp>(
          [](auto) { return &interleave; })
      .Default([](Operation *) { return nullptr; });
}

} // namespace aircc::layout
