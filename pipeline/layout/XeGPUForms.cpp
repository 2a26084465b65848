//===- XeGPUForms.cpp - Normalization of XeGPU ops ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/XeGPUForms.h"

#include "pipeline/layout/XeGPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <numeric>

using namespace mlir;

namespace aircc::layout {

//===----------------------------------------------------------------------===//
// Packed factors
//===----------------------------------------------------------------------===//

/// Returns the permutation that exchanges the last two of `rank` dimensions.
static SmallVector<int64_t> swapLast(int64_t rank) {
  SmallVector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[rank - 2], order[rank - 1]);
  return order;
}

/// Reshapes <… x k/v x n x v> to <… x k x n>.
static Value unpack(OpBuilder &b, Location loc, Value packed) {
  auto type = cast<VectorType>(packed.getType());
  Value rows =
      vector::TransposeOp::create(b, loc, packed, swapLast(type.getRank()));
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape[shape.size() - 2] *= type.getShape().back();
  return vector::ShapeCastOp::create(
      b, loc, VectorType::get(shape, type.getElementType()), rows);
}

/// Returns the inverse of `unpack`.
static Value pack(OpBuilder &b, Location loc, Value plain, VectorType type) {
  SmallVector<int64_t> order = swapLast(type.getRank());
  auto rows = VectorType::get(applyPermutation(type.getShape(), order),
                              type.getElementType());
  plain = vector::ShapeCastOp::create(b, loc, rows, plain);
  return vector::TransposeOp::create(b, loc, plain, order);
}

void unpackFactors(gpu::GPUFuncOp function) {
  SmallVector<xegpu::LoadNdOp> loads;
  SmallVector<xegpu::DpasOp> factors;
  function.walk([&](Operation *op) {
    auto load = dyn_cast<xegpu::LoadNdOp>(op);
    if (load && load.getPacked() && isUndistributedXeGPUOp(op))
      loads.push_back(load);
    auto dpas = dyn_cast<xegpu::DpasOp>(op);
    if (dpas && isUndistributedXeGPUOp(op) && dpas.getRhsType().getRank() == 3)
      factors.push_back(dpas);
  });
  llvm::DenseMap<Value, Value> plain; // by packed value
  for (xegpu::LoadNdOp load : loads) {
    OpBuilder b(load);
    VectorType type = load.getType();
    SmallVector<int64_t> shape(type.getShape().drop_back());
    shape[shape.size() - 2] *= type.getShape().back();
    load.setPacked(false);
    load.getResult().setType(VectorType::get(shape, type.getElementType()));
    b.setInsertionPointAfter(load);
    Value packed = pack(b, load.getLoc(), load.getResult(), type);
    load.getResult().replaceUsesWithIf(packed, [&](OpOperand &use) {
      return use.get() != packed && !isa<vector::ShapeCastOp>(use.getOwner());
    });
    plain[packed] = load.getResult();
  }
  for (xegpu::DpasOp dpas : factors) {
    OpBuilder b(dpas);
    Value packed = dpas.getRhs();
    Value known = plain.lookup(packed);
    dpas.getRhsMutable().assign(known ? known
                                      : unpack(b, dpas.getLoc(), packed));
  }
  for (auto [packed, value] : plain)
    if (packed.use_empty()) {
      Operation *cast = packed.getDefiningOp()->getOperand(0).getDefiningOp();
      packed.getDefiningOp()->erase();
      cast->erase();
    }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void copyVectorArguments(gpu::GPUFuncOp function) {
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<VectorType>(argument.getType());
    if (!type || type.isScalable() || argument.use_empty())
      continue;
    auto elements =
        vector::ToElementsOp::create(b, argument.getLoc(), argument);
    auto copy = vector::FromElementsOp::create(b, argument.getLoc(), type,
                                               elements.getElements());
    argument.replaceAllUsesExcept(copy, elements);
  }
}

//===----------------------------------------------------------------------===//
// Accesses of lanes
//===----------------------------------------------------------------------===//

namespace {

/// Splits one access by a lane to its part of a tile that the subgroup accesses
/// together.
class LaneBlockSplitter {
public:
  LaneBlockSplitter(Operation *op, Value desc, ArrayRef<OpFoldResult> offsets,
                    unsigned lanes)
      : op(op), b(op), loc(op->getLoc()),
        create(desc.getDefiningOp<xegpu::CreateNdDescOp>()),
        type(cast<xegpu::TensorDescType>(desc.getType())), offsets(offsets),
        lanes(lanes) {}

  LogicalResult run();

private:
  LogicalResult checkElement();
  bool splitsRows(int64_t most);
  Value getPiece(int64_t rows);
  SmallVector<OpFoldResult> getOffsets(int64_t row);
  LogicalResult splitLoad(xegpu::LoadNdOp load);
  LogicalResult splitStore(xegpu::StoreNdOp store);
  LogicalResult accessLine();

  Operation *op;
  OpBuilder b;
  Location loc;
  xegpu::CreateNdDescOp create;
  xegpu::TensorDescType type;
  SmallVector<OpFoldResult> offsets;
  unsigned lanes;
};

} // namespace

LogicalResult LaneBlockSplitter::checkElement() {
  unsigned bits = type.getElementTypeBitWidth();
  if (bits == 8 || bits == 16 || bits == 32)
    return success();
  return op->emitOpError("transfers a tile of ")
         << type.getElementType()
         << " as per-lane vectors, which requires elements of 8, 16 or 32 "
            "bits; use a vector of the whole tile, or load single elements";
}

/// Returns whether the tile has too many rows for one access, or a number of
/// rows that no access supports, and the elements of the lane are known to be
/// in row order.
bool LaneBlockSplitter::splitsRows(int64_t most) {
  if (type.getRank() != 2 || !create)
    return false;
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  bool isPlain = columns == lanes || (type.getElementTypeBitWidth() == 8 &&
                                      columns == 2 * int64_t(lanes));
  return isPlain && (rows > most || !llvm::isPowerOf2_64(rows));
}

/// Returns a descriptor of `rows` rows of the same memory.
Value LaneBlockSplitter::getPiece(int64_t rows) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(create);
  auto piece = cast<xegpu::CreateNdDescOp>(b.clone(*create));
  piece.getResult().setType(xegpu::TensorDescType::get(
      type.getContext(), {rows, type.getDimSize(1)}, type.getElementType(),
      type.getEncoding(), type.getLayout()));
  return piece;
}

SmallVector<OpFoldResult> LaneBlockSplitter::getOffsets(int64_t row) {
  SmallVector<OpFoldResult> moved(offsets);
  OpFoldResult &first = moved[moved.size() - 2];
  AffineExpr sum = b.getAffineSymbolExpr(0) + row;
  first = affine::makeComposedFoldedAffineApply(b, loc, sum, {first});
  return moved;
}

LogicalResult LaneBlockSplitter::splitLoad(xegpu::LoadNdOp load) {
  constexpr int64_t kMostRows = 32;
  auto result = load.getType();
  if (load.getPacked() || load.getTranspose() || !splitsRows(kMostRows) ||
      offsets.size() < 2)
    return success();
  int64_t rows = type.getDimSize(0);
  int64_t perRow = result.getNumElements() / rows;
  Value whole =
      arith::ConstantOp::create(b, loc, result, b.getZeroAttr(result));
  for (int64_t row = 0; row < rows;) {
    int64_t height = std::min<int64_t>(
        kMostRows, llvm::bit_floor(static_cast<uint64_t>(rows - row)));
    auto part = VectorType::get({height * perRow}, result.getElementType());
    Value loaded = xegpu::LoadNdOp::create(
        b, loc, part, getPiece(height), getOffsets(row), /*packed=*/nullptr,
        /*transpose=*/nullptr, load.getL1HintAttr(), load.getL2HintAttr(),
        load.getL3HintAttr(), /*layout=*/nullptr);
    whole = vector::InsertStridedSliceOp::create(
        b, loc, loaded, whole, ArrayRef<int64_t>{row * perRow},
        ArrayRef<int64_t>{1});
    row += height;
  }
  load.getResult().replaceAllUsesWith(whole);
  load.erase();
  return success();
}

LogicalResult LaneBlockSplitter::splitStore(xegpu::StoreNdOp store) {
  constexpr int64_t kMostRows = 8;
  if (!splitsRows(kMostRows) || offsets.size() < 2)
    return success();
  int64_t rows = type.getDimSize(0);
  auto vector = cast<VectorType>(store.getValue().getType());
  int64_t perRow = vector.getNumElements() / rows;
  for (int64_t row = 0; row < rows;) {
    int64_t height = std::min<int64_t>(
        kMostRows, llvm::bit_floor(static_cast<uint64_t>(rows - row)));
    Value part = vector::ExtractStridedSliceOp::create(
        b, loc, store.getValue(), ArrayRef<int64_t>{row * perRow},
        ArrayRef<int64_t>{height * perRow}, ArrayRef<int64_t>{1});
    xegpu::StoreNdOp::create(b, loc, part, getPiece(height), getOffsets(row),
                             store.getL1HintAttr(), store.getL2HintAttr(),
                             store.getL3HintAttr(), /*layout=*/nullptr);
    row += height;
  }
  store.erase();
  return success();
}

/// Accesses a row of memory, in which lane l has the elements l, l + lanes, l +
/// 2 * lanes, …
LogicalResult LaneBlockSplitter::accessLine() {
  auto memory =
      create ? dyn_cast<MemRefType>(create.getSourceType()) : MemRefType();
  // A descriptor with its own sizes is another view of the memory.
  if (!memory || create.getConstShapeAttr() || !create.getShape().empty() ||
      memory.getElementType() != type.getElementType() || offsets.empty() ||
      static_cast<int64_t>(offsets.size()) > memory.getRank())
    return success();
  // A block access transfers 2, 4 or 8 elements per lane.
  auto load = dyn_cast<xegpu::LoadNdOp>(op);
  auto part = cast<VectorType>(
      load ? load.getType() : cast<xegpu::StoreNdOp>(op).getValue().getType());
  if (memory.getRank() == 1 &&
      llvm::is_contained({2, 4, 8}, part.getNumElements()))
    return success();
  // Dimensions before that of the row have the offsets of the descriptor, or
  // none.
  SmallVector<Value> indices;
  SmallVector<OpFoldResult> first = create.getMixedOffsets();
  for (int64_t i = 0, rank = memory.getRank(); i < rank; ++i) {
    int64_t own = i - (rank - static_cast<int64_t>(offsets.size()));
    OpFoldResult offset = own >= 0 ? offsets[own]
                          : i < static_cast<int64_t>(first.size())
                              ? first[i]
                              : b.getIndexAttr(0);
    indices.push_back(getValueOrCreateConstantIndexOp(b, loc, offset));
  }
  Value lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr);
  Value last = arith::AddIOp::create(b, loc, indices.back(), lane);
  auto forEach = [&](int64_t count, function_ref<void(int64_t)> body) {
    for (int64_t i = 0; i < count; ++i) {
      Value by = arith::ConstantIndexOp::create(b, loc, i * lanes);
      indices.back() = arith::AddIOp::create(b, loc, last, by);
      body(i);
    }
  };
  if (load) {
    SmallVector<Value> elements;
    forEach(part.getNumElements(), [&](int64_t) {
      elements.push_back(
          memref::LoadOp::create(b, loc, create.getSource(), indices));
    });
    load.getResult().replaceAllUsesWith(
        vector::FromElementsOp::create(b, loc, load.getType(), elements)
            .getResult());
  } else {
    Value value = cast<xegpu::StoreNdOp>(op).getValue();
    forEach(part.getNumElements(), [&](int64_t i) {
      Value element = vector::ExtractOp::create(b, loc, value, i);
      memref::StoreOp::create(b, loc, element, create.getSource(), indices);
    });
  }
  op->erase();
  return success();
}

LogicalResult LaneBlockSplitter::run() {
  if (type.getRank() == 1 && !type.isScattered())
    return accessLine();
  if (failed(checkElement()))
    return failure();
  if (auto memory =
          create ? dyn_cast<MemRefType>(create.getSourceType()) : MemRefType();
      memory && memory.getRank() > type.getRank())
    return op->emitOpError("transfers a tile of rank ")
           << type.getRank() << " as per-lane vectors in memory of rank "
           << memory.getRank()
           << ", which is not supported; use a vector of the whole tile";
  if (auto load = dyn_cast<xegpu::LoadNdOp>(op))
    return splitLoad(load);
  return splitStore(cast<xegpu::StoreNdOp>(op));
}

LogicalResult splitLaneBlocks(gpu::GPUFuncOp function, unsigned lanes) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<xegpu::LoadNdOp, xegpu::StoreNdOp>(op) &&
        !isUndistributedXeGPUOp(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    auto load = dyn_cast<xegpu::LoadNdOp>(op);
    Value desc = load ? load.getTensorDesc()
                      : cast<xegpu::StoreNdOp>(op).getTensorDesc();
    SmallVector<OpFoldResult> offsets =
        load ? load.getMixedOffsets()
             : cast<xegpu::StoreNdOp>(op).getMixedOffsets();
    if (failed(LaneBlockSplitter(op, desc, offsets, lanes).run()))
      return failure();
  }
  // Descriptors that were used only by accesses that have been split.
  SmallVector<xegpu::CreateNdDescOp> unused;
  function.walk([&](xegpu::CreateNdDescOp create) {
    if (create.getResult().use_empty())
      unused.push_back(create);
  });
  for (xegpu::CreateNdDescOp create : unused)
    create.erase();
  return success();
}

} // namespace aircc::layout
