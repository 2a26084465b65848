//===- BlockAccess.cpp - 2D block accesses of Xe --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/memory/BlockPlan.h"
#include "pipeline/distribution/memory/Divisibility.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;

namespace aircc::distribution {

namespace {

/// A matrix in memory, and the start of the vector in it.
struct Surface {
  Value base;                 // An address, i64.
  Value width, height, pitch; // Bytes, rows, bytes; i32.
  Value x, y;                 // Elements (transposed: words) and rows; i32.
};

class BlockBuilder {
public:
  BlockBuilder(Distributor &d, const BlockPlan &plan,
               const BlockOptions &options)
      : d(d), b(d.b), options(options), loc(plan.access.op->getLoc()),
        a(plan.access), type(plan.type), bits(plan.bits), form(plan.form),
        rowDim(plan.rowDim), columnDim(plan.columnDim), rows(plan.rows),
        columns(plan.columns), startsAtRow(plan.startsAtRow) {}

  SmallVector<Value> load();
  void store(ValueRange elements);
  void prefetch();

private:
  Surface createSurface(const Ints &outer);
  Value toI32(Value index, int64_t divisor = 1);
  Value extent(int64_t dim);
  Value i32Constant(int64_t value);
  /// The start of the wave's part along the dimension.
  Value waveBase(const DimTiles &dim);
  /// Calls `body` for each position in the dimensions other than rows and
  /// columns of a block.
  void forEachMatrix(function_ref<void(const Ints &, const Surface &)> body);
  int64_t registerAt(Ints position, int64_t row, int64_t column) const;
  SmallVector<Value> loadBlock(const Surface &surface, int64_t row,
                               int64_t column, int64_t height, int64_t width,
                               int64_t blocks, int64_t registers);
  Value shifted(Value coordinate, int64_t by);
  void loadRows(const Ints &position, const Surface &surface,
                const BlockSpan &rowSpan, const BlockSpan &columnSpan,
                MutableArrayRef<Value> result);
  void loadColumns(const Ints &position, const Surface &surface,
                   const BlockSpan &rowSpan, const BlockSpan &columnSpan,
                   MutableArrayRef<Value> result);
  void storeRows(const Ints &position, const Surface &surface,
                 const BlockSpan &rowSpan, const BlockSpan &columnSpan,
                 ValueRange elements);

  Distributor &d;
  OpBuilder &b;
  BlockOptions options;
  Location loc;
  /// The properties of the plan.
  const MemoryAccess &a;
  MemRefType type;
  int64_t bits;
  BlockForm form;
  int64_t rowDim, columnDim;
  const DimTiles &rows, &columns;
  bool startsAtRow;
};

} // namespace

/// Returns `index` / `divisor`. The divisor must be a power of two that divides
/// the index. Converts each term of a sum, because 64-bit sums take several
/// instructions on some GPUs.
Value BlockBuilder::toI32(Value index, int64_t divisor) {
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (sum && (divisor == 1 || (isKnownMultiple(sum.getLhs(), divisor) &&
                               isKnownMultiple(sum.getRhs(), divisor))))
    return b.createOrFold<arith::AddIOp>(loc, toI32(sum.getLhs(), divisor),
                                         toI32(sum.getRhs(), divisor));
  Value value = b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), index);
  if (divisor == 1)
    return value;
  return b.createOrFold<arith::ShRSIOp>(loc, value,
                                        i32Constant(llvm::Log2_64(divisor)));
}

Value BlockBuilder::i32Constant(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 32);
}

Value BlockBuilder::extent(int64_t dim) {
  if (!type.isDynamicDim(dim))
    return d.ids.constant(type.getDimSize(dim));
  return memref::DimOp::create(b, loc, a.memref, dim);
}

Value BlockBuilder::waveBase(const DimTiles &dim) {
  Value wave = d.ids.virtualSubgroup(dim);
  if (!wave)
    return {};
  return b.createOrFold<arith::MulIOp>(loc, wave,
                                       d.ids.constant(getWaveTileSize(dim)),
                                       arith::IntegerOverflowFlags::nsw);
}

Value BlockBuilder::shifted(Value coordinate, int64_t by) {
  if (by == 0)
    return coordinate;
  return b.createOrFold<arith::AddIOp>(loc, coordinate, i32Constant(by));
}

/// `outer` is the position of the registers in the dimensions other than rows
/// and columns.
Surface BlockBuilder::createSurface(const Ints &outer) {
  Surface surface;
  int64_t bytes = bits / 8, last = type.getRank() - 1;
  auto multiply = [&](Value value, Value by) -> Value {
    return b.createOrFold<arith::MulIOp>(loc, value, by,
                                         arith::IntegerOverflowFlags::nsw);
  };
  // The metadata is only needed for dynamic offsets and strides.
  memref::ExtractStridedMetadataOp metadata;
  auto [typeStrides, typeOffset] = type.getStridesAndOffset();
  auto getMetadata = [&]() {
    if (!metadata)
      metadata = memref::ExtractStridedMetadataOp::create(b, loc, a.memref);
    return metadata;
  };
  auto stride = [&](int64_t dim) -> Value {
    if (ShapedType::isDynamic(typeStrides[dim]))
      return getMetadata().getStrides()[dim];
    return d.ids.constant(typeStrides[dim]);
  };

  Value start;
  if (ShapedType::isDynamic(typeOffset))
    start = getMetadata().getOffset();
  else if (typeOffset != 0)
    start = d.ids.constant(typeOffset);
  Value row = last > 0 ? a.indices[last - 1] : d.ids.constant(0);
  if (last > 0)
    row = LaneIds::sum(b, loc, row, waveBase(rows));
  for (int64_t i = 0; i < last - 1; ++i) {
    Value index = a.indices[i];
    for (auto [dim, expr] : llvm::enumerate(a.map.getResults()))
      if (cast<AffineDimExpr>(expr).getPosition() == i) {
        const DimTiles &tiles = a.layout.dim(dim);
        index = LaneIds::sum(b, loc, index, waveBase(tiles));
        index = LaneIds::add(b, loc, index, tiles.coordinate(0, 0, outer[dim]));
      }
    start = LaneIds::sum(b, loc, start, multiply(index, stride(i)));
  }
  if (startsAtRow)
    start = LaneIds::sum(b, loc, start, multiply(row, stride(last - 1)));

  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, a.memref);
  if (start)
    address =
        LaneIds::sum(b, loc, address, multiply(start, d.ids.constant(bytes)));
  surface.base = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);

  Value width = extent(last);
  surface.width = toI32(multiply(width, d.ids.constant(bytes)));
  surface.pitch = last > 0
                      ? toI32(multiply(stride(last - 1), d.ids.constant(bytes)))
                      : surface.width;
  if (startsAtRow) {
    Value rest = b.createOrFold<arith::SubIOp>(loc, extent(last - 1), row);
    rest = arith::MinUIOp::create(b, loc, rest,
                                  d.ids.constant(kMaxBlockExtent - 1));
    surface.height = toI32(rest);
    surface.y = i32Constant(0);
  } else {
    surface.height = last > 0 ? toI32(extent(last - 1)) : i32Constant(1);
    surface.y = toI32(row);
  }
  // Columns of a transposed block are words.
  int64_t perColumn = form == BlockForm::Transposed ? 32 / bits : 1;
  surface.x = toI32(LaneIds::sum(b, loc, a.indices[last], waveBase(columns)),
                    perColumn);
  return surface;
}

void BlockBuilder::forEachMatrix(
    function_ref<void(const Ints &, const Surface &)> body) {
  Ints shape = a.layout.distributedShape();
  for (int64_t dim : {rowDim, columnDim})
    if (dim >= 0)
      shape[dim] = 1;
  for (int64_t i = 0, end = layout::product(shape); i < end; ++i) {
    Ints position = layout::delinearize(i, shape);
    Surface surface = createSurface(position);
    body(position, surface);
  }
}

int64_t BlockBuilder::registerAt(Ints position, int64_t row,
                                 int64_t column) const {
  if (rowDim >= 0)
    position[rowDim] = row;
  position[columnDim] = column;
  return layout::linearize(position, a.layout.distributedShape());
}

/// Returns the largest power of two that is at most `rows` and `most`.
static int64_t blockHeight(int64_t rows, int64_t most) {
  return llvm::bit_floor(static_cast<uint64_t>(std::min(rows, most)));
}

SmallVector<Value> BlockBuilder::loadBlock(const Surface &surface, int64_t row,
                                           int64_t column, int64_t height,
                                           int64_t width, int64_t blocks,
                                           int64_t registers) {
  bool packed = form == BlockForm::Packed,
       transposed = form == BlockForm::Transposed;
  int64_t size = transposed ? 32 : bits;
  // 8-bit elements are loaded in pairs.
  int64_t word = packed || transposed ? 32 : std::max<int64_t>(bits, 16);
  auto wordType =
      VectorType::get({registers * bits / word}, b.getIntegerType(word));
  Value x = shifted(surface.x, transposed ? column * bits / 32 : column);
  Value loaded = kernel::BlockLoadOp::create(
      b, loc, wordType, surface.base, surface.width, surface.height,
      surface.pitch, x, shifted(surface.y, row), height, width, blocks, size,
      transposed, packed, options.hints.l1, options.hints.l2, options.hints.l3);
  auto type = VectorType::get({registers}, a.elementType);
  if (type != wordType)
    loaded = vector::BitCastOp::create(b, loc, type, loaded);
  return d.getElements(loaded);
}

void BlockBuilder::loadRows(const Ints &position, const Surface &surface,
                            const BlockSpan &rowSpan,
                            const BlockSpan &columnSpan,
                            MutableArrayRef<Value> result) {
  const int64_t element = columns.element, numRows = rowSpan.count;
  const int64_t width = columns.thread * element;
  const bool isNarrow = form == BlockForm::Narrow,
             isPacked = form == BlockForm::Packed;
  const int64_t lanesPerRow = isNarrow ? 2 : 1;
  const int64_t maxBlocks =
      std::min(isPacked ? 32 / bits : (bits == 32 && !isNarrow ? 1 : 2),
               std::max<int64_t>(1, options.maxColumns / width));
  for (int64_t row = 0; row < numRows;) {
    int64_t height =
        blockHeight((numRows - row) * lanesPerRow, options.maxRows);
    // Packed blocks have a minimum number of rows; drop those not needed.
    if (isPacked)
      height = bits == 8 ? 32 : std::max<int64_t>(height, 16);
    const int64_t perLane = height / lanesPerRow;
    for (int64_t block = 0; block < columnSpan.count;) {
      int64_t blocks = blockHeight(columnSpan.count - block, maxBlocks);
      SmallVector<Value> loaded =
          loadBlock(surface, rowSpan.coordinate + row * lanesPerRow,
                    columnSpan.coordinate + block * width, height, width,
                    blocks, perLane * blocks * element);
      for (int64_t i = 0; i < blocks; ++i)
        for (int64_t r = 0; r < std::min(perLane, numRows - row); ++r)
          for (int64_t e = 0; e < element; ++e)
            result[registerAt(position, rowSpan.first + row + r,
                              columnSpan.first + (block + i) * element + e)] =
                loaded[(i * perLane + r) * element + e];
      block += blocks;
    }
    row += perLane;
  }
}

void BlockBuilder::loadColumns(const Ints &position, const Surface &surface,
                               const BlockSpan &rowSpan,
                               const BlockSpan &columnSpan,
                               MutableArrayRef<Value> result) {
  const int64_t inBlock = 8 * 32 / bits;
  for (int64_t row = 0; row < rowSpan.count; ++row)
    for (int64_t column = 0; column < columnSpan.count; column += inBlock) {
      SmallVector<Value> loaded =
          loadBlock(surface, rowSpan.coordinate + row * rows.thread,
                    columnSpan.coordinate + column, rows.thread, 8, 1, inBlock);
      for (int64_t i = 0; i < std::min(inBlock, columnSpan.count - column); ++i)
        result[registerAt(position, rowSpan.first + row,
                          columnSpan.first + column + i)] = loaded[i];
    }
}

SmallVector<Value> BlockBuilder::load() {
  SmallVector<Value> result(a.layout.numRegisters());
  forEachMatrix([&](const Ints &position, const Surface &surface) {
    for (const BlockSpan &row : getBlockSpans(rows, 1))
      for (const BlockSpan &column : getBlockSpans(
               columns, form == BlockForm::Transposed ? 1 : columns.element)) {
        if (form == BlockForm::Transposed)
          loadColumns(position, surface, row, column, result);
        else
          loadRows(position, surface, row, column, result);
      }
  });
  return result;
}

void BlockBuilder::storeRows(const Ints &position, const Surface &surface,
                             const BlockSpan &rowSpan,
                             const BlockSpan &columnSpan, ValueRange elements) {
  const int64_t element = columns.element, width = columns.thread * element;
  const int64_t word = std::max<int64_t>(bits, 16);
  for (int64_t row = 0; row < rowSpan.count;) {
    int64_t height =
        blockHeight(rowSpan.count - row, std::min<int64_t>(8, options.maxRows));
    for (int64_t block = 0; block < columnSpan.count; ++block) {
      SmallVector<Value> values;
      for (int64_t r = 0; r < height; ++r)
        for (int64_t e = 0; e < element; ++e)
          values.push_back(
              elements[registerAt(position, rowSpan.first + row + r,
                                  columnSpan.first + block * element + e)]);
      Value stored = d.assemble(
          VectorType::get({height * element}, a.elementType), values);
      auto wordType = VectorType::get({height}, b.getIntegerType(word));
      if (stored.getType() != wordType)
        stored = vector::BitCastOp::create(b, loc, wordType, stored);
      kernel::BlockStoreOp::create(
          b, loc, stored, surface.base, surface.width, surface.height,
          surface.pitch,
          shifted(surface.x, columnSpan.coordinate + block * width),
          shifted(surface.y, rowSpan.coordinate + row), height, width, bits,
          options.hints.l1, options.hints.l2, options.hints.l3);
    }
    row += height;
  }
}

void BlockBuilder::store(ValueRange elements) {
  OpBuilder::InsertionGuard guard(b);
  d.enterFirstHolder(loc, a.layout, d.getNumWaves(a.op));
  forEachMatrix([&](const Ints &position, const Surface &surface) {
    for (const BlockSpan &row : getBlockSpans(rows, 1))
      for (const BlockSpan &column : getBlockSpans(columns, columns.element))
        storeRows(position, surface, row, column, elements);
  });
}

void BlockBuilder::prefetch() {
  const int64_t width = bits == 8 ? 32 : 16;
  const int64_t maxBlocks = std::min<int64_t>(
      bits == 32 ? 1 : 2, std::max<int64_t>(1, options.maxColumns / width));
  const int64_t numRows = getWaveTileSize(rows),
                numColumns = getWaveTileSize(columns);
  auto prefetchPart = [&](const Surface &surface, int64_t y, int64_t x) {
    for (int64_t row = 0; row < numRows;) {
      int64_t height = blockHeight(numRows - row, options.maxRows);
      for (int64_t column = 0; column < numColumns;) {
        int64_t blocks = blockHeight(
            llvm::divideCeil(numColumns - column, width), maxBlocks);
        kernel::BlockPrefetchOp::create(
            b, loc, surface.base, surface.width, surface.height, surface.pitch,
            shifted(surface.x, x + column), shifted(surface.y, y + row), height,
            width, blocks, bits, options.hints.l1, options.hints.l2,
            options.hints.l3);
        column += blocks * width;
      }
      row += height;
    }
  };
  forEachMatrix([&](const Ints &, const Surface &surface) {
    for (int64_t y = 0; y < rows.size(); y += numRows * rows.subgroup)
      for (int64_t x = 0; x < columns.size();
           x += numColumns * columns.subgroup)
        prefetchPart(surface, y, x);
  });
}

std::optional<SmallVector<Value>>
createBlockLoads(Distributor &d, const MemoryAccess &access,
                 const BlockOptions &options) {
  auto plan = planBlocks(d, access, options, BlockDirection::Load);
  if (!plan)
    return std::nullopt;
  return BlockBuilder(d, *plan, options).load();
}

bool createBlockStores(Distributor &d, const MemoryAccess &access,
                       ValueRange elements, const BlockOptions &options) {
  auto plan = planBlocks(d, access, options, BlockDirection::Store);
  if (!plan)
    return false;
  BlockBuilder(d, *plan, options).store(elements);
  return true;
}

void createBlockPrefetches(Distributor &d, const MemoryAccess &access,
                           const BlockOptions &options) {
  if (auto plan = planBlocks(d, access, options, BlockDirection::Prefetch))
    BlockBuilder(d, *plan, options).prefetch();
}

} // namespace aircc::distribution
