//===- BlockAccess.cpp - Two-dimensional block accesses of Xe -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/BlockAccess.h"

#include "dialects/layout/LayoutValues.h"
#include "pipeline/distribution/Divisibility.h"
#include "pipeline/layout/WholeVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;

namespace aircc::distribution {

namespace {

constexpr int64_t kBaseAlignment = 64, kMinWidth = 64, kPitchMultiple = 16,
                  kMaxExtent = 1 << 24;

enum class Form { Rows, Packed, Narrow, Transposed };

/// Registers of a lane whose elements follow each other, a turn of the lanes
/// apart, in pieces.
struct Span {
  int64_t first;      ///< Register.
  int64_t coordinate; ///< Of that, in lane 0 of the first wave.
  int64_t count;      ///< Pieces.
};

enum class Direction { Load, Store, Prefetch };

/// A matrix in memory, and where the vector begins in it.
struct Surface {
  Value pointer;              // !llvm.ptr<1>
  Value width, height, pitch; // i32, in bytes, rows, bytes
  Value x, y;                 // i32, in elements and rows
};

class BlockBuilder {
public:
  BlockBuilder(Distributor &d, const MemoryAccess &access,
               const BlockOptions &options, Direction direction)
      : d(d), b(d.b), a(access), options(options), direction(direction),
        loc(access.op->getLoc()) {}

  /// False, before any code is made, if block accesses cannot do it.
  bool prepare();
  SmallVector<Value> load();
  void store(ValueRange elements);
  void prefetch();

private:
  bool findDims();
  bool findForm();
  bool checkRules();
  void foldSubViews();
  bool knownMultiple(Value index, int64_t count) const;
  Surface createSurface(const Ints &outer);
  Value toI32(Value index);
  Value extent(int64_t dim);
  Value i32Constant(int64_t value);
  /// The part of a wave begins here along the dimension.
  Value waveBase(const DimTiles &dim);
  /// Calls `body` for each position of the dimensions that are neither rows nor
  /// columns of a block.
  void forEachMatrix(function_ref<void(const Ints &, const Surface &)> body);
  int64_t registerAt(Ints position, int64_t row, int64_t column) const;
  /// `column` counts elements of `unit` columns.
  SmallVector<Value> loadBlock(const Surface &surface, int64_t row,
                               int64_t column, int64_t height, int64_t width,
                               int64_t blocks, int64_t registers);
  Value shifted(Value coordinate, int64_t by);
  void loadRows(const Ints &position, const Surface &surface,
                const Span &rowSpan, const Span &columnSpan,
                MutableArrayRef<Value> result);
  void loadColumns(const Ints &position, const Surface &surface,
                   const Span &rowSpan, const Span &columnSpan,
                   MutableArrayRef<Value> result);
  void storeRows(const Ints &position, const Surface &surface,
                 const Span &rowSpan, const Span &columnSpan,
                 ValueRange elements);

  Distributor &d;
  OpBuilder &b;
  MemoryAccess a;
  BlockOptions options;
  Direction direction;
  Location loc;

  MemRefType type;
  SmallVector<int64_t> strides;
  int64_t bits = 0;
  Form form = Form::Rows;
  /// The vector's dimensions that go along rows and columns of memory; -1 where
  /// it has one row.
  int64_t rowDim = -1, columnDim = -1;
  DimTiles rows, columns;
  /// Rows are counted from where the vector begins: then they are few.
  bool startsAtRow = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Whether it can be done
//===----------------------------------------------------------------------===//

/// Places in a view are places in what it is a view of, as long as they are
/// inside.
void BlockBuilder::foldSubViews() {
  if (!llvm::all_of(a.inBounds, [](bool inside) { return inside; }))
    return;
  while (auto view = a.memref.getDefiningOp<memref::SubViewOp>()) {
    if (!view.hasUnitStride() || view.getDroppedDims().any() ||
        !isa<MemRefType>(view.getSource().getType()))
      return;
    for (auto [index, offset] :
         llvm::zip_equal(a.indices, view.getMixedOffsets()))
      index = LaneIds::sum(b, loc, index,
                           getValueOrCreateConstantIndexOp(b, loc, offset));
    a.memref = view.getSource();
  }
}

static SmallVector<Span> getSpans(const DimTiles &dim, int64_t piece) {
  SmallVector<Span> spans;
  for (int64_t k = 0; k < dim.values(); k += piece) {
    int64_t x = dim.coordinate(0, 0, k);
    if (!spans.empty() &&
        x == spans.back().coordinate + spans.back().count * dim.thread * piece)
      ++spans.back().count;
    else
      spans.push_back({k, x, 1});
  }
  return spans;
}

/// How much of the dimension a wave has at a stretch.
static int64_t sizeOfPart(const DimTiles &dim) {
  return dim.subgroup > 1 ? dim.coordinate(1, 0, 0) : dim.size();
}

bool BlockBuilder::findDims() {
  type = dyn_cast<MemRefType>(a.memref.getType());
  if (!type || type.getRank() == 0 || a.mask)
    return false;
  if (auto space = type.getMemorySpace()) {
    auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space);
    auto number = dyn_cast<IntegerAttr>(space);
    if (!(gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Global) &&
        !(number && (number.getInt() == 0 || number.getInt() == 1)))
      return false;
  }
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || element != a.elementType)
    return false;
  bits = element.getIntOrFloatBitWidth();
  if (bits != 8 && bits != 16 && bits != 32)
    return false;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  int64_t last = type.getRank() - 1;
  std::vector<bool> seen(a.layout.rank(), false);
  for (auto [i, expr] : llvm::enumerate(a.map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return false;
    int64_t memoryDim = dim.getPosition();
    if (memoryDim == last)
      columnDim = i;
    else if (memoryDim == last - 1)
      rowDim = i;
    else if (a.layout.dim(i).thread > 1)
      return false;
  }
  if (columnDim < 0)
    return false;
  columns = a.layout.dim(columnDim);
  rows = rowDim < 0 ? DimTiles() : a.layout.dim(rowDim);
  return true;
}

bool BlockBuilder::findForm() {
  if (direction == Direction::Prefetch)
    return true;
  const int64_t lanes = d.machine.waveSize;
  bool acrossColumns =
      columns.thread == lanes && columns.threadStride == 1 && rows.thread == 1;
  if (acrossColumns && columns.element == (bits == 8 ? 2 : 1)) {
    form = Form::Rows;
    auto isPackable = [](const Span &span) { return span.count % 16 == 0; };
    if (direction == Direction::Load && bits == 16 && options.packed &&
        llvm::all_of(getSpans(rows, 1), isPackable))
      form = Form::Packed;
    return true;
  }
  if (direction == Direction::Store)
    return false;
  if (acrossColumns && bits == 8 && columns.element == 1) {
    form = Form::Packed;
    return true;
  }
  if (bits == 32 && columns.thread == 8 && columns.threadStride == 1 &&
      columns.element == 1 && rows.thread == 2 && rows.threadStride == 8 &&
      rows.element == 1) {
    form = Form::Narrow;
    return true;
  }
  if (rows.thread == lanes && rows.threadStride == 1 && rows.element == 1 &&
      columns.thread == 1) {
    form = Form::Transposed;
    return llvm::all_of(getSpans(columns, 1), [&](const Span &span) {
      return span.count % (32 / bits) == 0 &&
             span.coordinate % (32 / bits) == 0;
    });
  }
  return false;
}

/// Is the index surely a multiple? Those of waves are looked at apart.
bool BlockBuilder::knownMultiple(Value index, int64_t count) const {
  return count == 1 || isKnownMultiple(index, count);
}

/// Does the memref begin where a buffer does, which the runtime aligns, or at a
/// known multiple of the alignment from there?
static bool isAligned(Value memref, int64_t bytes) {
  auto type = cast<MemRefType>(memref.getType());
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  auto [strides, offset] = type.getStridesAndOffset();
  auto argument = dyn_cast<BlockArgument>(memref);
  return argument && isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()) &&
         !ShapedType::isDynamic(offset) && offset * bytes % kBaseAlignment == 0;
}

bool BlockBuilder::checkRules() {
  int64_t bytes = bits / 8, last = type.getRank() - 1;
  // What is known to be wrong is wrong even where the program asks for it.
  auto check = [&](int64_t value, function_ref<bool(int64_t)> rule) {
    return ShapedType::isDynamic(value) ? options.asked : rule(value);
  };
  ArrayRef<int64_t> shape = type.getShape();
  bool rightWidth = check(shape[last], [&](int64_t count) {
    return count * bytes >= kMinWidth && count * bytes % 4 == 0 &&
           count * bytes <= kMaxExtent;
  });
  if (!rightWidth)
    return false;
  int64_t pitch = ShapedType::kDynamic;
  if (last > 0) {
    pitch = strides[last - 1];
    bool rightPitch = check(pitch, [&](int64_t count) {
      return count * bytes >= kMinWidth &&
             count * bytes % kPitchMultiple == 0 && count * bytes <= kMaxExtent;
    });
    if (!rightPitch)
      return false;
    if (!ShapedType::isDynamic(pitch) && !ShapedType::isDynamic(shape[last]) &&
        pitch < shape[last])
      return false;
    bool rightHeight = check(shape[last - 1], [](int64_t count) {
      return count > 0 && count < kMaxExtent;
    });
    if (!rightHeight) {
      // Of many rows, those of the vector are few: the matrix may begin there.
      startsAtRow = ShapedType::isDynamic(shape[last - 1]) && !options.asked &&
                    (rowDim < 0 || a.inBounds[rowDim]) &&
                    pitch * bytes % kBaseAlignment == 0;
      if (!startsAtRow)
        return false;
    }
  } else if (ShapedType::isDynamic(shape[last]) ||
             shape[last] * bytes % kPitchMultiple != 0) {
    // A single row is its own pitch.
    return false;
  }
  for (int64_t i = 0; i < last - 1; ++i)
    if (!options.asked && (ShapedType::isDynamic(strides[i]) ||
                           strides[i] * bytes % kBaseAlignment != 0))
      return false;
  // Where the block begins within a row.
  int64_t step = std::max<int64_t>(1, 4 / bytes);
  int64_t inWave =
      columns.batch * columns.outer * columns.thread * columns.element;
  if (columns.subgroup > 1 && inWave % step != 0)
    return false;
  bool mustKnow = !options.asked || form == Form::Transposed ||
                  getConstantIntValue(a.indices[last]).has_value();
  if (mustKnow && !knownMultiple(a.indices[last], step))
    return false;
  return options.asked || isAligned(a.memref, bytes);
}

bool BlockBuilder::prepare() {
  if (!options.asked)
    foldSubViews();
  return findDims() && findForm() && checkRules();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Value BlockBuilder::toI32(Value index) {
  return b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), index);
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
                                       d.ids.constant(sizeOfPart(dim)),
                                       arith::IntegerOverflowFlags::nsw);
}

Value BlockBuilder::shifted(Value coordinate, int64_t by) {
  if (by == 0)
    return coordinate;
  return b.createOrFold<arith::AddIOp>(loc, coordinate, i32Constant(by));
}

/// `outer`: the position of the vector's registers, of which those along rows
/// and columns do not count.
Surface BlockBuilder::createSurface(const Ints &outer) {
  Surface surface;
  int64_t bytes = bits / 8, last = type.getRank() - 1;
  auto multiply = [&](Value value, Value by) -> Value {
    return b.createOrFold<arith::MulIOp>(loc, value, by,
                                         arith::IntegerOverflowFlags::nsw);
  };
  // Offset and strides that the type does not tell.
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
  address = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  surface.pointer = LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext(), 1), address);

  Value width = extent(last);
  surface.width = toI32(multiply(width, d.ids.constant(bytes)));
  surface.pitch = last > 0
                      ? toI32(multiply(stride(last - 1), d.ids.constant(bytes)))
                      : surface.width;
  if (startsAtRow) {
    Value rest = b.createOrFold<arith::SubIOp>(loc, extent(last - 1), row);
    rest = arith::MinUIOp::create(b, loc, rest, d.ids.constant(kMaxExtent - 1));
    surface.height = toI32(rest);
    surface.y = i32Constant(0);
  } else {
    surface.height = last > 0 ? toI32(extent(last - 1)) : i32Constant(1);
    surface.y = toI32(row);
  }
  surface.x = toI32(LaneIds::sum(b, loc, a.indices[last], waveBase(columns)));
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

/// The most rows of a block: a power of two.
static int64_t blockHeight(int64_t rows, int64_t most) {
  return std::min<int64_t>(most, llvm::bit_floor(static_cast<uint64_t>(rows)));
}

SmallVector<Value> BlockBuilder::loadBlock(const Surface &surface, int64_t row,
                                           int64_t column, int64_t height,
                                           int64_t width, int64_t blocks,
                                           int64_t registers) {
  bool packed = form == Form::Packed, transposed = form == Form::Transposed;
  int64_t size = transposed ? 32 : bits;
  // 8 bits come in pairs.
  int64_t word = packed || transposed ? 32 : std::max<int64_t>(bits, 16);
  auto wordType =
      VectorType::get({registers * bits / word}, b.getIntegerType(word));
  Value x = shifted(surface.x, column);
  if (transposed && bits < 32)
    x = arith::ShRSIOp::create(b, loc, x, i32Constant(bits == 16 ? 1 : 2));
  Value loaded = xevm::BlockLoad2dOp::create(
      b, loc, wordType, surface.pointer, surface.width, surface.height,
      surface.pitch, x, shifted(surface.y, row), size, width, height, blocks,
      transposed, packed, options.loadControl);
  auto type = VectorType::get({registers}, a.elementType);
  if (type != wordType)
    loaded = vector::BitCastOp::create(b, loc, type, loaded);
  return d.elements(loaded);
}

void BlockBuilder::loadRows(const Ints &position, const Surface &surface,
                            const Span &rowSpan, const Span &columnSpan,
                            MutableArrayRef<Value> result) {
  const int64_t element = columns.element, numRows = rowSpan.count;
  const int64_t width = columns.thread * element;
  const bool isNarrow = form == Form::Narrow, isPacked = form == Form::Packed;
  const int64_t lanesPerRow = isNarrow ? 2 : 1;
  const int64_t mostBlocks =
      isPacked ? 32 / bits : (bits == 32 && !isNarrow ? 1 : 2);
  for (int64_t row = 0; row < numRows;) {
    int64_t height = blockHeight((numRows - row) * lanesPerRow, /*most=*/32);
    // There are no packed blocks of fewer rows: what is too much is dropped.
    if (isPacked)
      height = bits == 8 ? 32 : std::max<int64_t>(height, 16);
    const int64_t perLane = height / lanesPerRow;
    for (int64_t block = 0; block < columnSpan.count;) {
      int64_t blocks = blockHeight(columnSpan.count - block, mostBlocks);
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
                               const Span &rowSpan, const Span &columnSpan,
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
    for (const Span &row : getSpans(rows, 1))
      for (const Span &column :
           getSpans(columns, form == Form::Transposed ? 1 : columns.element)) {
        if (form == Form::Transposed)
          loadColumns(position, surface, row, column, result);
        else
          loadRows(position, surface, row, column, result);
      }
  });
  return result;
}

void BlockBuilder::storeRows(const Ints &position, const Surface &surface,
                             const Span &rowSpan, const Span &columnSpan,
                             ValueRange elements) {
  const int64_t element = columns.element, width = columns.thread * element;
  const int64_t word = std::max<int64_t>(bits, 16);
  for (int64_t row = 0; row < rowSpan.count;) {
    int64_t height = blockHeight(rowSpan.count - row, /*most=*/8);
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
      xevm::BlockStore2dOp::create(
          b, loc, surface.pointer, surface.width, surface.height, surface.pitch,
          shifted(surface.x, columnSpan.coordinate + block * width),
          shifted(surface.y, rowSpan.coordinate + row), bits, width, height,
          stored, options.storeControl);
    }
    row += height;
  }
}

void BlockBuilder::store(ValueRange elements) {
  OpBuilder::InsertionGuard guard(b);
  if (Value first = d.ids.isFirstHolder(a.layout, d.numWaves(a.op))) {
    auto branch = scf::IfOp::create(b, loc, first, /*withElse=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  forEachMatrix([&](const Ints &position, const Surface &surface) {
    for (const Span &row : getSpans(rows, 1))
      for (const Span &column : getSpans(columns, columns.element))
        storeRows(position, surface, row, column, elements);
  });
}

void BlockBuilder::prefetch() {
  const int64_t width = bits == 8 ? 32 : 16;
  const int64_t mostBlocks = bits == 32 ? 1 : 2;
  const int64_t numRows = sizeOfPart(rows), numColumns = sizeOfPart(columns);
  auto prefetchPart = [&](const Surface &surface, int64_t y, int64_t x) {
    for (int64_t row = 0; row < numRows;) {
      int64_t height = blockHeight(numRows - row, /*most=*/32);
      for (int64_t column = 0; column < numColumns;) {
        int64_t blocks = blockHeight(
            llvm::divideCeil(numColumns - column, width), mostBlocks);
        xevm::BlockPrefetch2dOp::create(
            b, loc, surface.pointer, surface.width, surface.height,
            surface.pitch, shifted(surface.x, x + column),
            shifted(surface.y, y + row), bits, width, height, blocks,
            options.loadControl);
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
  BlockBuilder builder(d, access, options, Direction::Load);
  if (!builder.prepare())
    return std::nullopt;
  return builder.load();
}

bool createBlockStores(Distributor &d, const MemoryAccess &access,
                       ValueRange elements, const BlockOptions &options) {
  BlockBuilder builder(d, access, options, Direction::Store);
  if (!builder.prepare())
    return false;
  builder.store(elements);
  return true;
}

void createBlockPrefetches(Distributor &d, const MemoryAccess &access,
                           const BlockOptions &options) {
  BlockBuilder builder(d, access, options, Direction::Prefetch);
  if (builder.prepare())
    builder.prefetch();
}

static bool isRightFactor(Value value, unsigned depth) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<vector::ContractionOp, xegpu::DpasOp>(user)) {
      if (use.getOperandNumber() == 1 &&
          user->hasAttr(layout::kMatrixInstructionAttr))
        return true;
      continue;
    }
    // Around loops it stays what it is.
    Operation *flow =
        layout::isControlFlowTerminator(user) ? user->getParentOp() : user;
    if (depth == 0 || !layout::isControlFlow(flow))
      continue;
    for (const layout::Slot &slot : layout::getSlots(flow))
      if (llvm::is_contained(slot.operands, &use) &&
          llvm::any_of(slot.values, [&](Value inner) {
            return isRightFactor(inner, depth - 1);
          }))
        return true;
  }
  return false;
}

bool isRightFactor(Value value) { return isRightFactor(value, /*depth=*/3); }

} // namespace aircc::distribution
