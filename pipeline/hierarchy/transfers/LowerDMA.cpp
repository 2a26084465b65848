//===- LowerDMA.cpp - Lower transfers to loads and stores -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/MemoryAccess.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/common/Transfer.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/transfers/CyclicLoop.h"
#include "pipeline/hierarchy/transfers/DirectTransfer.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/LaneOps.h"
#include "dialects/layout/LayoutDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

namespace aircc::hierarchy {
#define GEN_PASS_DEF_LOWERDMA
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

class TransferLowering {
public:
  TransferLowering(OpBuilder &b, Location loc, const Transfer &transfer,
                   int64_t maxVectorBits);

  /// Emits the transfer, distributed over the workers of `scope`. With
  /// Scope::Lane, each lane transfers everything.
  void emit(Scope scope);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value asValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }
  template <typename OpTy> Value fold(Value lhs, Value rhs) {
    return b.createOrFold<OpTy>(loc, lhs, rhs);
  }
  /// Returns the size of a dimension including padding; the last dimension is
  /// counted in groups of `width` elements.
  Value getGroups(const TransferSide &side, unsigned dim);
  Value getNumGroups(const TransferSide &side);
  void trapUnlessEqual(Value a, Value b);
  /// Returns the coordinates of group number `group`, the last one in elements.
  SmallVector<Value> getCoordinates(const TransferSide &side,
                                    const CyclicIndex &group);
  Value getAddress(const TransferSide &side, ArrayRef<Value> coordinates);
  void emitGroup(ArrayRef<Value> dst, ArrayRef<Value> src);
  void emitPerLane();
  Value load(ArrayRef<Value> coordinates);

  OpBuilder &b;
  Location loc;
  const Transfer &transfer;
  /// The number of elements in a vector access.
  int64_t width = 1;
};

TransferLowering::TransferLowering(OpBuilder &b, Location loc,
                                   const Transfer &transfer,
                                   int64_t maxVectorBits)
    : b(b), loc(loc), transfer(transfer) {
  Type type = transfer.elementType;
  if (!type.isIntOrIndexOrFloat())
    return;
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  // Vectors of other element types are packed, but memrefs are not.
  if (bits % 8 || !llvm::isPowerOf2_64(bits))
    return;
  int64_t contiguous = std::gcd(transfer.dst.getContiguousCount(),
                                transfer.src.getContiguousCount());
  while (width * 2 * bits <= maxVectorBits && contiguous % (width * 2) == 0)
    width *= 2;
}

Value TransferLowering::getGroups(const TransferSide &side, unsigned dim) {
  const TransferDim &d = side.dims[dim];
  int64_t divisor = dim + 1 == side.dims.size() ? width : 1;
  if (std::optional<int64_t> extent = TransferSide::getExtent(d))
    return constant(*extent / divisor);
  // Dimensions of dynamic size are not vectorized.
  assert(divisor == 1 && "vectors along a dimension of unknown size");
  Value size = asValue(d.size);
  return d.isPadded() ? fold<arith::AddIOp>(size, constant(d.before + d.after))
                      : size;
}

Value TransferLowering::getNumGroups(const TransferSide &side) {
  if (std::optional<int64_t> count = side.getCount())
    return constant(*count / width);
  Value product;
  for (unsigned dim = 0; dim < side.dims.size(); ++dim) {
    Value groups = getGroups(side, dim);
    product = product ? fold<arith::MulIOp>(product, groups) : groups;
  }
  return product;
}

void TransferLowering::trapUnlessEqual(Value x, Value y) {
  if (x == y)
    return;
  Value differ =
      b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, x, y);
  if (getConstantIntValue(differ) == 0)
    return;
  auto guard = scf::IfOp::create(b, loc, differ);
  guard->setAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
                 b.getUnitAttr());
  OpBuilder inner(guard.thenBlock()->getTerminator());
  kernel::TrapOp::create(inner, loc);
}

SmallVector<Value> TransferLowering::getCoordinates(const TransferSide &side,
                                                    const CyclicIndex &group) {
  SmallVector<Value> sizes;
  for (unsigned dim = 0; dim < side.dims.size(); ++dim)
    sizes.push_back(getGroups(side, dim));
  SmallVector<Value> coordinates = delinearize(b, loc, group, sizes);
  if (width > 1)
    coordinates.back() =
        fold<arith::MulIOp>(coordinates.back(), constant(width));
  return coordinates;
}

Value TransferLowering::getAddress(const TransferSide &side,
                                   ArrayRef<Value> coordinates) {
  Value address = side.base;
  for (auto [dim, coordinate] : llvm::zip_equal(side.dims, coordinates)) {
    Value inside = coordinate;
    if (dim.before)
      inside = fold<arith::SubIOp>(inside, constant(dim.before));
    address = fold<arith::AddIOp>(
        address, fold<arith::MulIOp>(inside, asValue(dim.stride)));
  }
  return address;
}

/// Reads a group of the source, or creates zeros for padding.
Value TransferLowering::load(ArrayRef<Value> coordinates) {
  Type type = transfer.elementType;
  Type groupType = width > 1 ? VectorType::get({width}, type) : type;
  auto read = [&]() -> Value {
    Value address = getAddress(transfer.src, coordinates);
    if (width > 1)
      return vector::LoadOp::create(b, loc, cast<VectorType>(groupType),
                                    transfer.src.flat, ValueRange(address));
    return memref::LoadOp::create(b, loc, transfer.src.flat,
                                  ValueRange(address));
  };
  Value inside;
  for (auto [dim, coordinate] :
       llvm::zip_equal(transfer.src.dims, coordinates)) {
    if (!dim.isPadded())
      continue;
    // A single unsigned comparison is sufficient, because negative numbers wrap
    // around.
    Value at = fold<arith::SubIOp>(coordinate, constant(dim.before));
    Value isData = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at,
                                         asValue(dim.size));
    inside = inside ? arith::AndIOp::create(b, loc, inside, isData) : isData;
  }
  if (!inside)
    return read();
  auto guard = scf::IfOp::create(b, loc, TypeRange(groupType), inside,
                                 /*withElseRegion=*/true);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(guard.thenBlock());
  scf::YieldOp::create(b, loc, read());
  b.setInsertionPointToStart(guard.elseBlock());
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(groupType)));
  scf::YieldOp::create(b, loc, zero);
  return guard.getResult(0);
}

void TransferLowering::emitGroup(ArrayRef<Value> dst, ArrayRef<Value> src) {
  Value data = load(src);
  Value address = getAddress(transfer.dst, dst);
  if (width > 1)
    vector::StoreOp::create(b, loc, data, transfer.dst.flat,
                            ValueRange(address));
  else
    memref::StoreOp::create(b, loc, data, transfer.dst.flat,
                            ValueRange(address));
}

/// Emits code in which each lane transfers everything, with loops over the side
/// that has more dimensions.
void TransferLowering::emitPerLane() {
  bool overSource = transfer.src.dims.size() >= transfer.dst.dims.size();
  const TransferSide &nest = overSource ? transfer.src : transfer.dst;
  const TransferSide &other = overSource ? transfer.dst : transfer.src;
  Value zero = constant(0), one = constant(1);
  SmallVector<Value> ivs, sizes;
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    sizes.push_back(getGroups(nest, dim));
  for (Value size : sizes) {
    auto loop = scf::ForOp::create(b, loc, zero, size, one);
    if (ivs.empty())
      loop->setAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
                    b.getUnitAttr());
    ivs.push_back(loop.getInductionVar());
    b.setInsertionPoint(loop.getBody()->getTerminator());
  }
  // If both sides have the same sizes, they have the same coordinates.
  bool same = nest.dims.size() == other.dims.size();
  for (unsigned dim = 0; same && dim < nest.dims.size(); ++dim) {
    std::optional<int64_t> extent = TransferSide::getExtent(nest.dims[dim]);
    std::optional<int64_t> otherExtent =
        TransferSide::getExtent(other.dims[dim]);
    same = extent
               ? extent == otherExtent
               : nest.dims[dim].size == other.dims[dim].size &&
                     !nest.dims[dim].isPadded() && !other.dims[dim].isPadded();
  }
  SmallVector<Value> coordinates(ivs);
  if (width > 1)
    coordinates.back() = fold<arith::MulIOp>(ivs.back(), constant(width));
  SmallVector<Value> otherCoordinates = coordinates;
  if (!same) {
    Value group;
    for (auto [iv, size] : llvm::zip_equal(ivs, sizes))
      group = group ? fold<arith::AddIOp>(fold<arith::MulIOp>(group, size), iv)
                    : iv;
    otherCoordinates = getCoordinates(other, {group, Value(), std::nullopt});
  }
  if (overSource)
    emitGroup(otherCoordinates, coordinates);
  else
    emitGroup(coordinates, otherCoordinates);
}

void TransferLowering::emit(Scope scope) {
  Value groups = getNumGroups(transfer.dst);
  trapUnlessEqual(groups, getNumGroups(transfer.src));
  OpBuilder::InsertionGuard restore(b);
  if (scope == Scope::Lane)
    return emitPerLane();
  createCyclicLoop(b, loc, scope, groups,
                   [&](OpBuilder &inner, const CyclicIndex &group) {
                     OpBuilder::InsertionGuard restore(b);
                     b.restoreInsertionPoint(inner.saveInsertionPoint());
                     emitGroup(getCoordinates(transfer.dst, group),
                               getCoordinates(transfer.src, group));
                   });
}

struct LowerDMAPass : hierarchy::impl::LowerDMABase<LowerDMAPass> {
  using LowerDMABase::LowerDMABase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      // Choose all scopes before the first rewrite, because rewriting adds
      // per-lane code.
      Uniformity uniformity(kernel);
      SmallVector<std::pair<air::DmaMemcpyNdOp, Scope>> transfers;
      kernel.walk([&](air::DmaMemcpyNdOp dma) {
        Scope scope = getTransferScope(dma, uniformity);
        // In a loop that is distributed over lanes, transfers are per lane.
        for (Operation *parent = dma->getParentOp();
             parent &&
             !parent->hasAttr(
                 kernel::KernelDialect::ScopeAttrHelper::getNameStr());
             parent = parent->getParentOp())
          if (isSharedLoop(parent))
            scope = Scope::Lane;
        transfers.push_back({dma, scope});
      });
      for (auto [dma, scope] : transfers)
        if (failed(checkSameForWorkers(dma, scope, uniformity)))
          return signalPassFailure();
      for (auto [dma, scope] : transfers)
        if (failed(lower(dma, scope)))
          return signalPassFailure();
    }
  }

  LogicalResult lower(air::DmaMemcpyNdOp dma, Scope scope) {
    OpBuilder b(dma);
    Location loc = dma.getLoc();
    FailureOr<Transfer> transfer = createTransfer(b, dma);
    if (failed(transfer))
      return failure();
    if (std::optional<DirectTransfer> direct =
            getDirectTransfer(b, dma, *transfer, scope, directWidths)) {
      bool counted =
          dma->hasAttr(kernel::KernelDialect::PrefetchAttrHelper::getNameStr());
      if (!direct->fits) {
        emitDirectTransfer(b, loc, *transfer, *direct, counted);
        dma.erase();
        return success();
      }
      auto guard = scf::IfOp::create(b, loc, direct->fits,
                                     /*withElseRegion=*/true);
      guard->setAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
                     b.getUnitAttr());
      b.setInsertionPoint(guard.thenBlock()->getTerminator());
      emitDirectTransfer(b, loc, *transfer, *direct, counted);
      b.setInsertionPoint(guard.elseBlock()->getTerminator());
    }
    TransferLowering lowering(b, loc, *transfer, maxVectorBits);
    // In per-lane code, any lane may access any element before and after.
    bool isInLaneCode = scope == Scope::Wave && getScope(dma) == Scope::Lane;
    if (isInLaneCode)
      kernel::AccessOp::create(b, loc, Scope::Wave, /*written=*/dma.getDst(),
                               /*read=*/dma.getSrc());
    lowering.emit(scope);
    if (isInLaneCode)
      kernel::AccessOp::create(b, loc, Scope::Wave,
                               /*written=*/{dma.getDst(), dma.getSrc()},
                               /*read=*/ValueRange());
    dma.erase();
    return success();
  }
};

} // namespace
