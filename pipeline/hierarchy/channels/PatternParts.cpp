//===- PatternParts.cpp - Parts of an access pattern ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/PatternParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace aircc::hierarchy {

std::optional<PatternParts> PatternParts::get(const air::AccessPattern &pattern,
                                              int64_t count) {
  auto type = dyn_cast<MemRefType>(pattern.memref.getType());
  std::optional<SmallVector<int64_t>> sizes = pattern.getStaticSizes();
  PatternParts parts;
  int64_t offset;
  if (!type || !sizes || ShapedType::isDynamicShape(*sizes) || count < 1 ||
      failed(type.getStridesAndOffset(parts.memrefStrides, offset)) ||
      parts.memrefStrides.empty() || parts.memrefStrides.back() != 1)
    return std::nullopt;
  parts.pattern = pattern;
  parts.sizes = *sizes;
  parts.strides = pattern.strides;
  bool needsStrides = parts.strides.empty();
  bool needsOffsets = llvm::any_of(pattern.offsets, [](OpFoldResult position) {
    return getConstantIntValue(position) != 0;
  });
  if ((needsStrides || needsOffsets) &&
      ShapedType::isDynamicShape(parts.memrefStrides))
    return std::nullopt;
  if (needsOffsets && pattern.offsets.size() != parts.memrefStrides.size())
    return std::nullopt;
  if (needsStrides) {
    if (parts.memrefStrides.size() != sizes->size())
      return std::nullopt;
    parts.strides =
        getAsIndexOpFoldResult(type.getContext(), parts.memrefStrides);
  }
  int64_t rest = count;
  for (unsigned dim = sizes->size(); dim-- > 0;) {
    int64_t size = (*sizes)[dim];
    if (rest <= size) {
      if (size % rest)
        return std::nullopt;
      parts.inPart = rest;
      parts.extents.assign(sizes->begin(), sizes->begin() + dim + 1);
      parts.extents.back() = size / rest;
      return parts;
    }
    if (size == 0 || rest % size)
      return std::nullopt;
    rest /= size;
  }
  return std::nullopt;
}

int64_t PatternParts::getNumParts() const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

air::AccessPattern PatternParts::createPart(OpBuilder &b, Location loc,
                                            ValueRange coordinates) const {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  // The offset of the part from the start of the memref.
  Value start;
  auto add = [&](Value position, OpFoldResult stride) {
    Value distance = b.createOrFold<arith::MulIOp>(
        loc, position, getValueOrCreateConstantIndexOp(b, loc, stride));
    start =
        start ? b.createOrFold<arith::AddIOp>(loc, start, distance) : distance;
  };
  for (auto [position, stride] : llvm::zip(pattern.offsets, memrefStrides))
    if (getConstantIntValue(position) != 0)
      add(getValueOrCreateConstantIndexOp(b, loc, position),
          b.getIndexAttr(stride));
  for (auto [dim, coordinate] : llvm::enumerate(coordinates)) {
    if (extents[dim] == 1)
      continue;
    Value position = coordinate;
    if (dim + 1 == extents.size() && inPart != 1)
      position = b.createOrFold<arith::MulIOp>(loc, position, number(inPart));
    add(position, strides[dim]);
  }
  air::AccessPattern part;
  part.memref = pattern.memref;
  // The last dimension of the memref has unit stride.
  part.offsets.assign(memrefStrides.size(), b.getIndexAttr(0));
  if (start)
    part.offsets.back() = start;
  unsigned split = extents.size() - 1;
  part.sizes.push_back(b.getIndexAttr(inPart));
  part.strides.push_back(strides[split]);
  for (unsigned dim = split + 1; dim < sizes.size(); ++dim) {
    part.sizes.push_back(b.getIndexAttr(sizes[dim]));
    part.strides.push_back(strides[dim]);
  }
  return part;
}

air::AccessPattern PatternParts::createPart(OpBuilder &b, Location loc,
                                            Value number) const {
  SmallVector<Value> coordinates(extents.size());
  for (unsigned dim = extents.size(); dim-- > 0;) {
    if (extents[dim] == 1)
      continue;
    bool isOutermost = llvm::all_of(ArrayRef(extents).take_front(dim),
                                    [](int64_t extent) { return extent == 1; });
    if (isOutermost) {
      coordinates[dim] = number;
      break;
    }
    Value extent = arith::ConstantIndexOp::create(b, loc, extents[dim]);
    coordinates[dim] = b.createOrFold<arith::RemUIOp>(loc, number, extent);
    number = b.createOrFold<arith::DivUIOp>(loc, number, extent);
  }
  return createPart(b, loc, ValueRange(coordinates));
}

} // namespace aircc::hierarchy
