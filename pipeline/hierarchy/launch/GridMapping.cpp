//===- GridMapping.cpp - Map iteration spaces to a grid -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/GridMapping.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "pipeline/analysis/ExecutionModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace aircc::hierarchy {

static Value constant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

template <typename OpTy>
static Value fold(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return b.createOrFold<OpTy>(loc, lhs, rhs);
}

static Value createProduct(OpBuilder &b, Location loc, ValueRange factors) {
  Value product;
  for (Value factor : factors)
    product = product ? fold<arith::MulIOp>(b, loc, product, factor) : factor;
  return product ? product : constant(b, loc, 1);
}

/// Returns the coordinates of `linear` in a space, with the first dimension
/// varying fastest.
static SmallVector<Value> delinearize(OpBuilder &b, Location loc, Value linear,
                                      ValueRange sizes) {
  SmallVector<Value> ids;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (i + 1 == sizes.size()) {
      ids.push_back(linear);
      break;
    }
    ids.push_back(fold<arith::RemUIOp>(b, loc, linear, size));
    linear = fold<arith::DivUIOp>(b, loc, linear, size);
  }
  return ids;
}

static SmallVector<Value> allSizes(const GridSpaces &spaces, int without = -1) {
  SmallVector<Value> sizes;
  for (auto [i, space] : llvm::enumerate(spaces.spaces))
    if (int(i) != without)
      sizes.append(space.begin(), space.end());
  return sizes;
}

/// Returns the number of points in the space that is distributed over XCDs,
/// rounded up to a multiple of the number of XCDs. Workgroup `w mod slots` is
/// then on the XCD of w.
static Value createSlots(OpBuilder &b, Location loc, const GridSpaces &spaces) {
  Value points = createProduct(b, loc, spaces.spaces[spaces.xcdSpace]);
  APInt known;
  if (matchPattern(points, m_ConstantInt(&known)))
    return constant(b, loc,
                    llvm::divideCeil(known.getSExtValue(), spaces.xcds) *
                        spaces.xcds);
  Value xcds = constant(b, loc, spaces.xcds);
  Value rounds = createCeilDiv(b, loc, points, xcds);
  return arith::MulIOp::create(b, loc, rounds, xcds);
}

SmallVector<Value, 3> createGridSizes(OpBuilder &b, Location loc,
                                      const GridSpaces &spaces) {
  SmallVector<Value, 3> grid;
  if (spaces.xcdSpace >= 0) {
    Value rest = createProduct(b, loc, allSizes(spaces, spaces.xcdSpace));
    grid = {fold<arith::MulIOp>(b, loc, createSlots(b, loc, spaces), rest)};
  } else {
    SmallVector<Value> sizes = allSizes(spaces);
    for (unsigned dim = 0; dim < 2 && dim < sizes.size(); ++dim)
      grid.push_back(sizes[dim]);
    if (sizes.size() > 2)
      grid.push_back(
          createProduct(b, loc, ArrayRef<Value>(sizes).drop_front(2)));
  }
  while (grid.size() < 3)
    grid.push_back(constant(b, loc, 1));
  return grid;
}

GridPoint createGridPoint(OpBuilder &b, Location loc, const GridSpaces &spaces,
                          ValueRange workgroupIds) {
  GridPoint point;
  SmallVector<Value> ids;
  SmallVector<Value> xcdIds;
  if (spaces.xcdSpace >= 0) {
    Value slots = createSlots(b, loc, spaces);
    Value slot = fold<arith::RemUIOp>(b, loc, workgroupIds[0], slots);
    Value rest = fold<arith::DivUIOp>(b, loc, workgroupIds[0], slots);
    ValueRange xcdSizes = spaces.spaces[spaces.xcdSpace];
    Value points = createProduct(b, loc, xcdSizes);
    APInt knownSlots, knownPoints;
    if (!matchPattern(slots, m_ConstantInt(&knownSlots)) ||
        !matchPattern(points, m_ConstantInt(&knownPoints)) ||
        knownSlots != knownPoints)
      point.isUsed = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           slot, points);
    xcdIds = delinearize(b, loc, slot, xcdSizes);
    ids = delinearize(b, loc, rest, allSizes(spaces, spaces.xcdSpace));
  } else {
    SmallVector<Value> sizes = allSizes(spaces);
    for (unsigned dim = 0; dim < 2 && dim < sizes.size(); ++dim)
      ids.push_back(workgroupIds[dim]);
    if (sizes.size() > 2)
      ids.append(delinearize(b, loc, workgroupIds[2],
                             ArrayRef<Value>(sizes).drop_front(2)));
  }
  unsigned next = 0;
  for (auto [i, space] : llvm::enumerate(spaces.spaces)) {
    if (int(i) == spaces.xcdSpace) {
      point.ids.push_back(xcdIds);
      continue;
    }
    auto &own = point.ids.emplace_back();
    for (unsigned dim = 0; dim < space.size(); ++dim)
      own.push_back(ids[next++]);
  }
  return point;
}

} // namespace aircc::hierarchy
