//===- TransposedLoads.cpp - Transposing reads from LDS -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/memory/Memory.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/algebra/TransposedRead.h"
#include "pipeline/distribution/async/Swizzle.h"
#include "pipeline/distribution/memory/Divisibility.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::TransposedRead;

namespace aircc::distribution {

namespace {

class TransposedLoadBuilder {
public:
  TransposedLoadBuilder(Distributor &d, const MemoryAccess &access,
                        int64_t bits)
      : d(d), b(d.b), a(access), loc(access.op->getLoc()), read(bits),
        type(cast<MemRefType>(access.memref.getType())) {}

  /// Finds the dimensions of rows and columns. Returns false if such reads
  /// cannot perform the access.
  bool match();
  SmallVector<Value> load();

private:
  bool hasAlignedPieces();
  SmallVector<Value> createIndices();

  Distributor &d;
  OpBuilder &b;
  const MemoryAccess &a;
  Location loc;
  const TransposedRead read;
  const MemRefType type;
  int64_t rowDim = -1, columnDim = -1;
};

} // namespace

/// Returns whether each piece that a lane reads is contiguous and aligned.
bool TransposedLoadBuilder::hasAlignedPieces() {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1 || offset % read.rows())
    return false;
  strides.pop_back();
  if (llvm::any_of(strides,
                   [&](int64_t stride) { return stride % read.rows() != 0; }))
    return false;
  layout::SwizzleHintOp hint = findSwizzleHint(a.memref);
  return (!hint || hint.getSwizzle().getShuffle().keepsWhole(read.rows())) &&
         isKnownMultiple(OpFoldResult(a.indices.back()), read.rows());
}

bool TransposedLoadBuilder::match() {
  if (a.mask || !llvm::all_of(a.inBounds, [](bool inside) { return inside; }) ||
      !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return false;
  for (auto [dim, expr] : llvm::enumerate(a.map.getResults())) {
    auto memoryDim = dyn_cast<AffineDimExpr>(expr);
    if (memoryDim && memoryDim.getPosition() + 1 == type.getRank())
      columnDim = dim;
  }
  if (columnDim < 0)
    return false;
  for (auto [dim, expr] : llvm::enumerate(a.map.getResults()))
    if (int64_t(dim) != columnDim && isa<AffineDimExpr>(expr) &&
        read.produces(a.layout, dim, columnDim))
      rowDim = dim;
  // Reads transpose correctly only if all lanes of a wave are active.
  return rowDim >= 0 && hasAlignedPieces() && d.getNumWaves(a.op) > 0;
}

/// Returns the indices of the lane's piece of the block of its first registers.
SmallVector<Value> TransposedLoadBuilder::createIndices() {
  SmallVector<Value> indices(a.indices);
  for (auto [dim, expr] : llvm::enumerate(a.map.getResults())) {
    auto memoryDim = dyn_cast<AffineDimExpr>(expr);
    if (!memoryDim)
      continue;
    DimTiles tiles = a.layout.dim(dim), pieces;
    if (int64_t(dim) == columnDim) {
      // Each group of lanes reads a block, and each of its lanes reads a piece
      // of a row.
      tiles.element = tiles.threadStride = TransposedRead::kLanes;
      tiles.thread /= TransposedRead::kLanes;
      pieces.thread = read.piecesPerRow();
      pieces.threadStride = 1;
      pieces.element = read.rows();
    } else if (int64_t(dim) == rowDim) {
      pieces.thread = read.rows();
      pieces.threadStride = read.piecesPerRow();
    }
    Value base = LaneIds::sum(b, loc, d.ids.base(tiles), d.ids.base(pieces));
    Value &index = indices[memoryDim.getPosition()];
    index = LaneIds::sum(b, loc, index, base);
  }
  return indices;
}

SmallVector<Value> TransposedLoadBuilder::load() {
  SmallVector<Value> base = createIndices();
  SmallVector<Value> result(a.layout.numRegisters());
  Ints shape = a.layout.distributedShape();
  auto pieceType = VectorType::get({read.rows()}, a.elementType);
  // Place the reads of adjacent rows of a lane next to each other, because a
  // matrix instruction needs these rows together.
  int64_t element = a.layout.dim(rowDim).element;
  shape[rowDim] /= element;
  shape.push_back(element / read.rows());
  SmallVector<Ints> positions;
  for (int64_t i = 0, end = layout::product(shape); i < end; ++i) {
    Ints position = layout::delinearize(i, shape);
    position[rowDim] =
        position[rowDim] * element + position.back() * read.rows();
    position.pop_back();
    positions.push_back(std::move(position));
  }
  shape = a.layout.distributedShape();
  for (Ints &position : positions) {
    SmallVector<Value> indices(base);
    for (auto [dim, expr] : llvm::enumerate(a.map.getResults()))
      if (auto memoryDim = dyn_cast<AffineDimExpr>(expr)) {
        Value &index = indices[memoryDim.getPosition()];
        index = LaneIds::add(b, loc, index,
                             a.layout.dim(dim).coordinate(0, 0, position[dim]));
      }
    Value piece =
        amdgpu::TransposeLoadOp::create(b, loc, pieceType, a.memref, indices);
    for (Value element : d.getElements(piece)) {
      result[layout::linearize(position, shape)] = element;
      ++position[rowDim];
    }
  }
  return result;
}

std::optional<SmallVector<Value>>
createTransposedLoads(Distributor &d, const MemoryAccess &access) {
  if (!access.elementType.isIntOrFloat() ||
      !llvm::is_contained(d.target.ldsTransposeBits,
                          access.elementType.getIntOrFloatBitWidth()))
    return std::nullopt;
  TransposedLoadBuilder builder(d, access,
                                access.elementType.getIntOrFloatBitWidth());
  if (!builder.match())
    return std::nullopt;
  return builder.load();
}

} // namespace aircc::distribution
