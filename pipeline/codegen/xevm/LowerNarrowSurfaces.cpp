//===- LowerNarrowSurfaces.cpp - Lower blocks of narrow matrices ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

namespace aircc {
#define GEN_PASS_DEF_LOWERNARROWSURFACES
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

using namespace mlir;

namespace {

/// The minimum row size of 2-D block accesses, and the number that row pitches
/// must be a multiple of, in bytes.
constexpr int64_t kMinBytes = 64, kPitchMultiple = 16;
/// Lanes of a subgroup; each lane holds a column.
constexpr int64_t kLanes = 16;

/// A block of a matrix in memory. Lane l holds column l, one element of each
/// row.
struct Block {
  Value memref;
  MemRefType type;
  SmallVector<OpFoldResult> offsets;
  int64_t rows;
};

bool isNarrow(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t width = type.getDimSize(1) * bytes, pitch = strides[0] * bytes;
  return width < kMinBytes || pitch < kMinBytes || pitch % kPitchMultiple != 0;
}

/// Matches a block of a matrix that is known to be too narrow, if lanes hold it
/// in the layout of `Block`.
std::optional<Block> matchBlock(Value desc, ArrayRef<OpFoldResult> offsets,
                                VectorType value) {
  auto create = desc.getDefiningOp<xegpu::CreateNdDescOp>();
  if (!create || !create.getMixedOffsets().empty() || offsets.size() != 2)
    return std::nullopt;
  auto type = dyn_cast<MemRefType>(create.getSourceType());
  if (!type || type.getRank() != 2 || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8 != 0)
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(strides[0]) || strides[1] != 1 || !isNarrow(type))
    return std::nullopt;
  xegpu::TensorDescType tile = create.getType();
  if (tile.getRank() != 2 || tile.getDimSize(1) != kLanes ||
      tile.getArrayLength() != 1 ||
      tile.getElementType() != type.getElementType())
    return std::nullopt;
  if (value &&
      (value.getRank() != 1 || value.getDimSize(0) != tile.getDimSize(0)))
    return std::nullopt;
  return Block{create.getSource(), type, SmallVector<OpFoldResult>(offsets),
               tile.getDimSize(0)};
}

class BlockAccess {
public:
  BlockAccess(OpBuilder &b, Location loc, const Block &block)
      : b(b), loc(loc), block(block) {
    firstRow = getValueOrCreateConstantIndexOp(b, loc, block.offsets[0]);
    Value first = getValueOrCreateConstantIndexOp(b, loc, block.offsets[1]);
    Value lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr);
    column = arith::AddIOp::create(b, loc, first, lane);
    columnInside = isBelow(column, block.type.getDimSize(1));
  }

  /// Elements outside the matrix are zero.
  Value load(VectorType type) {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    SmallVector<Value> elements;
    for (int64_t r = 0; r < block.rows; ++r) {
      auto [row, inside] = getRow(r);
      auto guard = scf::IfOp::create(b, loc, type.getElementType(), inside,
                                     /*withElseRegion=*/true);
      OpBuilder then = guard.getThenBodyBuilder();
      Value loaded = memref::LoadOp::create(then, loc, block.memref,
                                            ValueRange{row, column});
      scf::YieldOp::create(then, loc, loaded);
      OpBuilder otherwise = guard.getElseBodyBuilder();
      scf::YieldOp::create(otherwise, loc, zero);
      elements.push_back(guard.getResult(0));
    }
    return vector::FromElementsOp::create(b, loc, type, elements);
  }

  void store(Value value) {
    for (int64_t r = 0; r < block.rows; ++r) {
      auto [row, inside] = getRow(r);
      Value element = vector::ExtractOp::create(b, loc, value, r);
      auto guard = scf::IfOp::create(b, loc, inside);
      OpBuilder then = guard.getThenBodyBuilder();
      memref::StoreOp::create(then, loc, element, block.memref,
                              ValueRange{row, column});
    }
  }

private:
  Value isBelow(Value index, int64_t end) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                                 arith::ConstantIndexOp::create(b, loc, end));
  }

  /// Returns the row's number and whether the lane's element is in the matrix.
  std::pair<Value, Value> getRow(int64_t r) {
    Value row = b.createOrFold<arith::AddIOp>(
        loc, firstRow, arith::ConstantIndexOp::create(b, loc, r));
    Value inside = isBelow(row, block.type.getDimSize(0));
    return {row, arith::AndIOp::create(b, loc, inside, columnInside)};
  }

  OpBuilder &b;
  Location loc;
  const Block &block;
  Value firstRow, column, columnInside;
};

struct LowerNarrowSurfaces
    : aircc::impl::LowerNarrowSurfacesBase<LowerNarrowSurfaces> {
  void runOnOperation() override {
    getOperation().walk([](xegpu::LoadNdOp load) {
      auto type = dyn_cast<VectorType>(load.getValue().getType());
      if (!type || load.getTranspose())
        return;
      std::optional<Block> block =
          matchBlock(load.getTensorDesc(), load.getMixedOffsets(), type);
      if (!block)
        return;
      OpBuilder b(load);
      load.getValue().replaceAllUsesWith(
          BlockAccess(b, load.getLoc(), *block).load(type));
      load.erase();
    });
    getOperation().walk([](xegpu::StoreNdOp store) {
      auto type = dyn_cast<VectorType>(store.getValue().getType());
      if (!type)
        return;
      std::optional<Block> block =
          matchBlock(store.getTensorDesc(), store.getMixedOffsets(), type);
      if (!block)
        return;
      OpBuilder b(store);
      BlockAccess(b, store.getLoc(), *block).store(store.getValue());
      store.erase();
    });
    // Prefetching such a small matrix is not worthwhile.
    getOperation().walk([](xegpu::PrefetchNdOp prefetch) {
      if (matchBlock(prefetch.getTensorDesc(), prefetch.getMixedOffsets(),
                     VectorType()))
        prefetch.erase();
    });
  }
};

} // namespace
