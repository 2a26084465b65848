//===- Constants.cpp - Distribute constants -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/memory/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

static bool isReplicated(const NestedLayout &layout) {
  return layout.distinctLanes() == 1 && layout.distinctSubgroups() == 1;
}

static LogicalResult distributeDense(Distributor &d, arith::ConstantOp op) {
  const NestedLayout &layout = *d.getLayout(op.getResult());
  auto type = cast<VectorType>(d.getDistributedType(op.getResult()));
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!value)
    return op.emitOpError(
        "cannot be distributed, because its value is not a dense "
        "elements attribute");
  // Registers hold tf32 as f32.
  if (isa<FloatTF32Type>(value.getElementType()))
    value = cast<DenseFPElementsAttr>(value).mapValues(
        type.getElementType(), [](const APFloat &number) {
          APFloat wide = number;
          bool lost;
          wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                       &lost);
          return wide.bitcastToAPInt();
        });
  if (value.isSplat()) {
    auto splat = value.resizeSplat(type);
    d.replace(op,
              arith::ConstantOp::create(d.b, op.getLoc(), splat).getResult());
    return success();
  }
  if (isReplicated(layout)) {
    d.replace(op,
              arith::ConstantOp::create(d.b, op.getLoc(), value).getResult());
    return success();
  }
  // Lanes load their elements from a table.
  MemoryAccess access;
  access.op = op;
  access.memref = d.getConstantTable(value);
  access.indices.assign(layout.rank(), d.ids.constant(0));
  access.map =
      AffineMap::getMultiDimIdentityMap(layout.rank(), op.getContext());
  access.inBounds.assign(layout.rank(), true);
  access.layout = layout;
  access.elementType = type.getElementType();
  d.replace(op, d.assemble(type, createLoads(d, access, {})));
  return success();
}

static LogicalResult distributeStep(Distributor &d, vector::StepOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  const DimTiles &dim = d.getLayout(op.getResult())->dim(0);
  auto type = cast<VectorType>(d.getDistributedType(op.getResult()));
  SmallVector<Attribute> offsets;
  for (int64_t k = 0; k < dim.values(); ++k)
    offsets.push_back(b.getIndexAttr(dim.coordinate(0, 0, k)));
  Value result =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, offsets));
  if (Value base = d.ids.base(dim)) {
    Value all = vector::BroadcastOp::create(b, loc, type, base);
    result = arith::AddIOp::create(b, loc, all, result);
  }
  d.replace(op, result);
  return success();
}

Distributed distributeConstant(Distributor &d, Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return distributeDense(d, constant);
  if (auto step = dyn_cast<vector::StepOp>(op))
    return distributeStep(d, step);
  if (auto poison = dyn_cast<ub::PoisonOp>(op)) {
    d.replace(op, cloneForLane(d, op)->getResults());
    return success();
  }
  return std::nullopt;
}

} // namespace aircc::distribution
