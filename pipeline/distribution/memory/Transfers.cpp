//===- Transfers.cpp - Distribute reads and writes ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/memory/BlockAccess.h"
#include "pipeline/distribution/memory/Maskable.h"
#include "pipeline/distribution/memory/Memory.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

/// Returns the layout that the mask of an access must have.
static NestedLayout getMaskLayout(const NestedLayout &layout, AffineMap map) {
  std::vector<DimTiles> dims;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    if (auto position =
            map.getResultPosition(getAffineDimExpr(i, map.getContext())))
      dims.push_back(layout.dim(*position));
  return *NestedLayout::ofDims(std::move(dims));
}

/// Sets the distributed mask of an access. Emits an error if its layout does
/// not match.
static LogicalResult setMask(Distributor &d, MemoryAccess &access, Value mask) {
  if (!mask)
    return success();
  const NestedLayout *actual = d.getLayout(mask);
  NestedLayout expected = getMaskLayout(access.layout, access.map);
  if (!actual) {
    // A mask of rank 0 needs no layout.
    if (expected.rank() == 0) {
      access.mask = mask;
      return success();
    }
    return access.op->emitOpError("has a mask without a layout");
  }
  if (*actual != expected)
    return emitLayoutMismatch(access.op, "mask", *actual, expected);
  access.mask = d.getDistributed(mask);
  return success();
}

/// Returns whether the value for out-of-bounds elements is 0, as block accesses
/// require.
static bool readsZeroOutside(const MemoryAccess &access, ValueRange others) {
  return llvm::all_of(access.inBounds, [](bool inside) { return inside; }) ||
         (others.size() == 1 &&
          (matchPattern(others.front(), m_Zero()) ||
           matchPattern(others.front(), m_PosZeroFloat())));
}

static LogicalResult finishLoad(Distributor &d, MemoryAccess &access,
                                Value result, ValueRange others) {
  if (failed(checkAccess(access)))
    return failure();
  std::optional<SmallVector<Value>> elements;
  if (d.target.isXe() && readsZeroOutside(access, others)) {
    BlockOptions options;
    options.packed = isRightFactor(result);
    elements = createBlockLoads(d, access, options);
  }
  if (!elements)
    elements = createTransposedLoads(d, access);
  if (!elements)
    elements = createLoads(d, access, others);
  d.replace(access.op, d.assembleDistributed(result, *elements));
  return success();
}

static LogicalResult finishStore(Distributor &d, MemoryAccess &access,
                                 Value vector) {
  if (failed(checkAccess(access)))
    return failure();
  SmallVector<Value> elements = d.getDistributedElements(vector);
  if (!d.target.isXe() || !createBlockStores(d, access, elements, {}))
    createStores(d, access, elements);
  d.erase(access.op);
  return success();
}

/// Returns the access of a load or store along the last dimensions of the
/// memref.
static MemoryAccess createAccess(Distributor &d, Operation *op, Value memref,
                                 ValueRange indices, Value vector) {
  MemoryAccess access;
  access.op = op;
  access.memref = memref;
  access.indices.assign(indices.begin(), indices.end());
  access.layout = *d.getLayout(vector);
  access.map = AffineMap::getMinorIdentityMap(
      indices.size(), access.layout.rank(), op->getContext());
  access.inBounds.assign(access.layout.rank(), true);
  access.elementType = getElementTypeOrSelf(vector.getType());
  return access;
}

LogicalResult distributeTransferRead(Distributor &d, vector::TransferReadOp op,
                                     Value mask) {
  const NestedLayout *layout = d.getLayout(op.getResult());
  if (!layout)
    return op.emitOpError("has a result without a layout");
  MemoryAccess access =
      createAccess(d, op, op.getBase(), op.getIndices(), op.getResult());
  access.map = op.getPermutationMap();
  access.inBounds = op.getInBoundsValues();
  if (failed(setMask(d, access, mask)))
    return failure();
  return finishLoad(d, access, op.getResult(), op.getPadding());
}

LogicalResult distributeTransferWrite(Distributor &d,
                                      vector::TransferWriteOp op, Value mask) {
  if (!d.getLayout(op.getVector()))
    return op.emitOpError("writes a vector without a layout");
  MemoryAccess access =
      createAccess(d, op, op.getBase(), op.getIndices(), op.getVector());
  access.map = op.getPermutationMap();
  access.inBounds = op.getInBoundsValues();
  if (failed(setMask(d, access, mask)))
    return failure();
  return finishStore(d, access, op.getVector());
}

Distributed distributeTransfer(Distributor &d, Operation *op) {
  return llvm::TypeSwitch<Operation *, Distributed>(op)
      .Case([&](vector::TransferReadOp op) {
        return distributeTransferRead(d, op, op.getMask());
      })
      .Case([&](vector::TransferWriteOp op) {
        return distributeTransferWrite(d, op, op.getMask());
      })
      .Case([&](vector::LoadOp op) {
        MemoryAccess access =
            createAccess(d, op, op.getBase(), op.getIndices(), op.getResult());
        return finishLoad(d, access, op.getResult(), {});
      })
      .Case([&](vector::StoreOp op) {
        MemoryAccess access = createAccess(d, op, op.getBase(), op.getIndices(),
                                           op.getValueToStore());
        return finishStore(d, access, op.getValueToStore());
      })
      .Case([&](vector::MaskedLoadOp op) -> LogicalResult {
        MemoryAccess access =
            createAccess(d, op, op.getBase(), op.getIndices(), op.getResult());
        if (failed(setMask(d, access, op.getMask())))
          return failure();
        const NestedLayout *passThru = d.getLayout(op.getPassThru());
        if (!passThru)
          return op.emitOpError("has a pass-through value without a layout");
        if (*passThru != access.layout)
          return emitLayoutMismatch(op, "pass-through value", *passThru,
                                    access.layout);
        return finishLoad(d, access, op.getResult(),
                          d.getDistributedElements(op.getPassThru()));
      })
      .Case([&](vector::MaskedStoreOp op) -> LogicalResult {
        MemoryAccess access = createAccess(d, op, op.getBase(), op.getIndices(),
                                           op.getValueToStore());
        if (failed(setMask(d, access, op.getMask())))
          return failure();
        return finishStore(d, access, op.getValueToStore());
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace aircc::distribution
