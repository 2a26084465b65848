//===- LdsExchange.cpp - Exchange elements through LDS --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Lanes write their elements to LDS and read the elements of the result. A
// vector that is too large is exchanged in chunks, one after another. A chunk
// consists of the same registers in every lane, so each lane writes all chunks
// without a branch. The chunk that contains a source element may differ between
// lanes, so the lanes read all candidates and select the right one.
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/exchange/Exchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

namespace {

/// A vector divided into chunks. Each chunk has some of the registers of every
/// lane: a range of its cycles, batches and elements in each dimension.
class LdsChunks {
public:
  /// Creates as few chunks as possible with at most `capacity` elements each,
  /// or chunks of one register if even these have more.
  LdsChunks(const NestedLayout &layout, int64_t capacity);

  int64_t count() const;
  /// Returns the layout of each chunk.
  NestedLayout getChunkLayout() const;
  /// Returns the registers of the vector that form a chunk, in the order of the
  /// chunk.
  SmallVector<int64_t> registers(int64_t chunk) const;
  /// Returns the chunk that contains the element at these coordinates, and the
  /// coordinates in the chunk.
  AffineExpr getChunk(ArrayRef<AffineExpr> coordinates) const;
  SmallVector<AffineExpr>
  getCoordinatesInChunk(ArrayRef<AffineExpr> coordinates) const;
  /// Returns the number of elements along the last dimension that are
  /// contiguous in a chunk if they are contiguous in the vector; 0 for all of
  /// them.
  int64_t getContiguousSize() const;

private:
  /// The number of parts into which the registers of a dimension are cut.
  struct Cut {
    int64_t cycles = 1, batches = 1, element = 1;
    int64_t count() const { return cycles * batches * element; }
  };
  DimTiles part(int64_t i) const;
  bool cutOnce();

  NestedLayout layout;
  SmallVector<Cut> cuts;
};

} // namespace

static int64_t getBatches(const DimTiles &dim) { return dim.batch * dim.outer; }

static int64_t smallestFactor(int64_t n) {
  for (int64_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0)
      return factor;
  return n;
}

LdsChunks::LdsChunks(const NestedLayout &layout, int64_t capacity)
    : layout(layout), cuts(layout.rank()) {
  while (layout.numElements() / count() > capacity && cutOnce())
    ;
}

/// Cuts cycles and batches first, starting with the outermost dimension, and
/// elements last, which keeps the rows of a chunk long.
bool LdsChunks::cutOnce() {
  auto cut = [](int64_t &parts, int64_t tile) {
    int64_t rest = tile / parts;
    if (rest == 1)
      return false;
    parts *= smallestFactor(rest);
    return true;
  };
  for (int64_t i = 0; i < layout.rank(); ++i)
    if (cut(cuts[i].cycles, layout.dim(i).cycles) ||
        cut(cuts[i].batches, getBatches(layout.dim(i))))
      return true;
  for (int64_t i = 0; i < layout.rank(); ++i)
    if (cut(cuts[i].element, layout.dim(i).element))
      return true;
  return false;
}

int64_t LdsChunks::count() const {
  int64_t count = 1;
  for (const Cut &cut : cuts)
    count *= cut.count();
  return count;
}

DimTiles LdsChunks::part(int64_t i) const {
  DimTiles dim = layout.dim(i);
  dim.cycles /= cuts[i].cycles;
  dim.batch = getBatches(dim) / cuts[i].batches;
  dim.outer = 1;
  dim.element /= cuts[i].element;
  return dim;
}

NestedLayout LdsChunks::getChunkLayout() const {
  std::vector<DimTiles> dims;
  dims.reserve(layout.rank());
  for (int64_t i = 0; i < layout.rank(); ++i)
    dims.push_back(part(i));
  return *NestedLayout::ofDims(std::move(dims));
}

SmallVector<int64_t> LdsChunks::registers(int64_t chunk) const {
  // For each dimension, the values of the lane that are in the chunk.
  SmallVector<SmallVector<int64_t>> values(layout.rank());
  for (int64_t i = layout.rank() - 1; i >= 0; --i) {
    const Cut &cut = cuts[i];
    const DimTiles &dim = layout.dim(i);
    DimTiles own = part(i);
    int64_t index = chunk % cut.count();
    chunk /= cut.count();
    int64_t element = index % cut.element * own.element;
    int64_t batch = index / cut.element % cut.batches * own.batch;
    int64_t cycle = index / cut.element / cut.batches * own.cycles;
    for (int64_t r = 0; r < own.cycles; ++r)
      for (int64_t t = 0; t < own.batch; ++t)
        for (int64_t e = 0; e < own.element; ++e)
          values[i].push_back(((cycle + r) * getBatches(dim) + batch + t) *
                                  dim.element +
                              element + e);
  }
  SmallVector<int64_t> result = {0};
  for (int64_t i = 0; i < layout.rank(); ++i) {
    SmallVector<int64_t> longer;
    for (int64_t front : result)
      for (int64_t value : values[i])
        longer.push_back(front * layout.dim(i).values() + value);
    result = std::move(longer);
  }
  return result;
}

AffineExpr LdsChunks::getChunk(ArrayRef<AffineExpr> coordinates) const {
  AffineExpr chunk = getAffineConstantExpr(0, coordinates[0].getContext());
  for (int64_t i = 0; i < layout.rank(); ++i) {
    const DimTiles &dim = layout.dim(i);
    DimTiles own = part(i);
    AffineExpr x = coordinates[i];
    auto append = [&](int64_t parts, AffineExpr part) {
      if (parts > 1)
        chunk = chunk * parts + part;
    };
    append(cuts[i].cycles,
           x.floorDiv(dim.subgroup * dim.blockSize() * own.cycles));
    append(cuts[i].batches,
           x.floorDiv(dim.thread * dim.element * own.batch) % cuts[i].batches);
    append(cuts[i].element, (x % dim.element).floorDiv(own.element));
  }
  return chunk;
}

SmallVector<AffineExpr>
LdsChunks::getCoordinatesInChunk(ArrayRef<AffineExpr> coordinates) const {
  SmallVector<AffineExpr> result(coordinates);
  for (int64_t i = 0; i < layout.rank(); ++i) {
    if (cuts[i].count() == 1)
      continue;
    const DimTiles &dim = layout.dim(i);
    DimTiles own = part(i);
    AffineExpr x = coordinates[i];
    AffineExpr element = x % dim.element % own.element;
    AffineExpr thread = x.floorDiv(dim.element) % dim.thread;
    AffineExpr batch =
        x.floorDiv(dim.element * dim.thread) % getBatches(dim) % own.batch;
    AffineExpr wave = x.floorDiv(dim.blockSize()) % dim.subgroup;
    AffineExpr cycle = x.floorDiv(dim.blockSize() * dim.subgroup) % own.cycles;
    result[i] =
        (((cycle * dim.subgroup + wave) * own.batch + batch) * dim.thread +
         thread) *
            own.element +
        element;
  }
  return result;
}

int64_t LdsChunks::getContiguousSize() const {
  if (layout.rank() == 0 || cuts.back().count() == 1)
    return 0;
  DimTiles own = part(layout.rank() - 1);
  if (cuts.back().element > 1)
    return own.element;
  if (cuts.back().batches > 1)
    return own.blockSize();
  return own.size();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Returns the alignment of a swizzled access. LLVM cannot derive it from the
/// xor and would split some accesses.
static llvm::MaybeAlign alignmentOf(const LdsExchangePlan &plan,
                                    int64_t bytes) {
  return llvm::MaybeAlign(plan.swizzle ? bytes : 0);
}

FailureOr<Value> writeToLds(Distributor &d, Operation *op,
                            ArrayRef<Value> elements, const NestedLayout &from,
                            const LdsExchangePlan &plan, int64_t waves,
                            bool withinWave) {
  OpBuilder &b = d.b;
  Location loc = op->getLoc();
  Type type = elements.front().getType();
  FailureOr<Value> buffer =
      d.ldsBuffer.allocate(b, op, type, plan.count, withinWave);
  if (failed(buffer))
    return failure();
  Type stored = LdsExchangeBuffer::storedType(type);

  d.ldsBuffer.declareAccess(b, loc, *buffer, /*writes=*/true, withinWave);
  {
    OpBuilder::InsertionGuard guard(b);
    Value base;
    for (int64_t i = 0; i < from.rank(); ++i)
      if (Value own = d.ids.base(from.dim(i)))
        base = multiplyAdd(b, loc, base, own, plan.strides[i]);
    d.enterFirstHolder(loc, from, waves);
    LdsAddresses addresses(plan, base);
    int64_t length = plan.getAccessLength(
        from.rank() ? from.dim(from.rank() - 1).element : int64_t(1));
    for (int64_t reg = 0, end = elements.size(); reg < end; reg += length) {
      Value address = addresses.at(b, loc, plan.offsetOf(from, reg));
      if (!address)
        address = d.ids.constant(0);
      SmallVector<Value> chunk;
      for (int64_t i = 0; i < length; ++i)
        chunk.push_back(LdsExchangeBuffer::toStored(b, loc, elements[reg + i]));
      if (length == 1)
        memref::StoreOp::create(b, loc, chunk.front(), *buffer, address);
      else
        vector::StoreOp::create(
            b, loc, d.assemble(VectorType::get({length}, stored), chunk),
            *buffer, address, /*nontemporal=*/false,
            alignmentOf(plan, length * LdsExchangeBuffer::storedBytes(type)));
    }
  }
  d.ldsBuffer.declareAccess(b, loc, *buffer, /*writes=*/false, withinWave);
  return buffer;
}

//===----------------------------------------------------------------------===//
// Exchanging
//===----------------------------------------------------------------------===//

/// Returns whether both layouts distribute elements over waves in the same way,
/// so that every wave has all the elements it needs.
static bool staysInWave(const Exchange &ex) {
  return ex.map.isIdentity() && ex.from.shape() == ex.to.shape() &&
         llvm::all_of(llvm::zip(ex.from.dims(), ex.to.dims()), [](auto pair) {
           auto &[from, to] = pair;
           return from.cycles == 1 && to.cycles == 1 &&
                  from.subgroup == to.subgroup &&
                  from.subgroupStride == to.subgroupStride;
         });
}

/// Returns the layout of one wave's part, for a layout without cycles.
static NestedLayout getWaveLayout(const NestedLayout &layout) {
  std::vector<DimTiles> dims = layout.dims();
  for (DimTiles &dim : dims)
    dim.subgroup = 1, dim.subgroupStride = 0;
  return *NestedLayout::ofDims(std::move(dims));
}

static LdsChunks cutForLds(Distributor &d, const NestedLayout &from, Type type,
                           bool withinWave) {
  int64_t bytes = LdsExchangeBuffer::storedBytes(type);
  int64_t capacity = d.ldsBuffer.getCapacity(withinWave) / bytes;
  // If one chunk is not enough, leave space for later exchanges.
  if (from.numElements() > capacity)
    capacity /= 2;
  return LdsChunks(from, capacity);
}

int64_t countLdsChunks(Distributor &d, const Exchange &exchange) {
  Type type = getElementTypeOrSelf(exchange.source.getType());
  int64_t waves = d.getNumWaves(exchange.op);
  bool isLocal = waves != 1 && staysInWave(exchange);
  return cutForLds(d, isLocal ? getWaveLayout(exchange.from) : exchange.from,
                   type, waves == 1 || isLocal)
      .count();
}

/// Returns, for each register of the result, the chunks that contain its source
/// in some lane, or all chunks if the source is dynamic.
static std::vector<llvm::SmallSetVector<int64_t, 4>>
findSourceChunks(const Exchange &ex, AffineExpr chunkExpr, int64_t count,
                 int64_t waves, int64_t lanes) {
  std::vector<llvm::SmallSetVector<int64_t, 4>> found(ex.to.numRegisters());
  if (!ex.symbols.empty()) {
    for (auto &chunks : found)
      chunks.insert_range(llvm::seq<int64_t>(0, count));
    return found;
  }
  Ints element(ex.to.rank());
  for (int64_t wave = 0; wave < waves; ++wave)
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (auto [reg, chunks] : llvm::enumerate(found)) {
        ex.to.elementAt(wave, lane, reg, element);
        chunks.insert(evaluate(chunkExpr, element));
      }
  return found;
}

/// Returns the number of elements of the result that are contiguous both in a
/// lane and in LDS.
static int64_t getReadLength(const Exchange &ex, const LdsChunks &chunks) {
  if (!ex.to.rank() || !ex.from.rank())
    return 1;
  // Check that the last coordinate of the result is the last of the source.
  unsigned last = ex.to.rank() - 1;
  AffineExpr lastResult = ex.map.getResults().back();
  bool elsewhere =
      llvm::any_of(ex.map.getResults().drop_back(),
                   [&](AffineExpr expr) { return expr.isFunctionOfDim(last); });
  AffineExpr offset = lastResult - getAffineDimExpr(last, ex.map.getContext());
  if (elsewhere || offset.isFunctionOfDim(last))
    return 1;
  int64_t length = ex.to.dim(last).element;
  int64_t unit = chunks.getContiguousSize();
  if (unit == 0)
    return length;
  return offset == 0 ? std::gcd(length, unit) : 1;
}

/// Plans the storage of an exchange in one chunk.
static LdsExchangePlan choosePlan(Distributor &d, const Exchange &ex,
                                  int64_t length, bool withinWave) {
  Type type = getElementTypeOrSelf(ex.source.getType());
  LdsExchangeUse use;
  use.from = ex.from;
  use.readLength = length;
  use.numRead = ex.to.numRegisters();
  use.isBitwise = ex.map.isIdentity() && ex.from.shape() == ex.to.shape() &&
                  isBitwise(ex.from) && isBitwise(ex.to);
  use.lanes = d.target.waveSize;
  use.elementBytes = LdsExchangeBuffer::storedBytes(type);
  use.banks = d.target.ldsBanks;
  use.fits = [&](int64_t count) {
    return count * LdsExchangeBuffer::storedBytes(type) <=
           d.ldsBuffer.getCapacity(withinWave);
  };
  if (ex.symbols.empty())
    use.readFrom = [&](int64_t lane, int64_t reg, Ints &coordinates) {
      Ints element(ex.to.rank());
      ex.to.elementAt(0, lane, reg, element);
      for (auto [x, expr] : llvm::zip_equal(coordinates, ex.map.getResults()))
        x = evaluate(expr, element);
    };
  return planLdsExchange(use);
}

namespace {

/// Reads the elements of an exchange's result from LDS, `length` at a time.
class LdsReader {
public:
  /// `exchange` is the exchange of one chunk.
  LdsReader(Distributor &d, const Exchange &exchange,
            const LdsExchangePlan &plan, int64_t length)
      : d(d), exchange(exchange), plan(plan), addresses(plan, getSwizzleBase()),
        length(length) {}

  /// Reads the registers starting at `reg`.
  SmallVector<Value> read(Value buffer, int64_t reg) {
    OpBuilder &b = d.b;
    Location loc = exchange.op->getLoc();
    Type type = getElementTypeOrSelf(exchange.source.getType());
    Value address = getAddress(reg);
    SmallVector<Value> elements;
    if (length == 1)
      elements.push_back(memref::LoadOp::create(b, loc, buffer, address));
    else
      elements = d.getElements(vector::LoadOp::create(
          b, loc,
          VectorType::get({length}, LdsExchangeBuffer::storedType(type)),
          buffer, address, /*nontemporal=*/false,
          alignmentOf(plan, length * LdsExchangeBuffer::storedBytes(type))));
    return elements;
  }

private:
  /// Returns the part of a swizzled address that all registers share.
  Value getSwizzleBase() {
    Value base;
    if (plan.swizzle)
      for (auto [dim, stride] :
           llvm::zip_equal(exchange.to.dims(), plan.strides))
        if (Value own = d.ids.base(dim))
          base = multiplyAdd(d.b, exchange.op->getLoc(), base, own, stride);
    return base;
  }

  Value getAddress(int64_t reg) {
    OpBuilder &b = d.b;
    Location loc = exchange.op->getLoc();
    Value address;
    if (plan.swizzle)
      address = addresses.at(b, loc, plan.offsetOf(exchange.to, reg));
    else
      for (auto [x, stride] : llvm::zip_equal(
               createSourceCoordinates(d, exchange, reg), plan.strides))
        address = multiplyAdd(b, loc, address, x, stride);
    return address ? address : d.ids.constant(0);
  }

  Distributor &d;
  const Exchange &exchange;
  const LdsExchangePlan &plan;
  LdsAddresses addresses;
  int64_t length;
};

} // namespace

/// Returns whether the element at `reg` is in the chunk.
static Value isInChunk(Distributor &d, const Exchange &ex, AffineExpr chunkExpr,
                       int64_t reg, int64_t chunk) {
  Location loc = ex.op->getLoc();
  return arith::CmpIOp::create(
      d.b, loc, arith::CmpIPredicate::eq,
      expandUnsigned(d.b, loc, chunkExpr, createResultCoordinates(d, ex, reg),
                     ex.symbols),
      d.ids.constant(chunk));
}

FailureOr<SmallVector<Value>> exchangeThroughLds(Distributor &d, Exchange ex) {
  OpBuilder &b = d.b;
  Location loc = ex.op->getLoc();
  Type type = getElementTypeOrSelf(ex.source.getType());
  int64_t waves = d.getNumWaves(ex.op);
  // If every wave has all the elements it needs, each uses a separate part of
  // LDS.
  bool withinWave = waves == 1;
  if (!withinWave && staysInWave(ex)) {
    withinWave = true;
    ex.from = getWaveLayout(ex.from);
    ex.to = getWaveLayout(ex.to);
    waves = 1;
  }

  LdsChunks chunks = cutForLds(d, ex.from, type, withinWave);
  NestedLayout part = chunks.getChunkLayout();
  AffineExpr chunkExpr = chunks.getChunk(ex.map.getResults());
  std::vector<llvm::SmallSetVector<int64_t, 4>> sourceChunks;
  if (chunks.count() > 1)
    sourceChunks = findSourceChunks(ex, chunkExpr, chunks.count(), waves,
                                    d.target.waveSize);
  int64_t length = getReadLength(ex, chunks);
  Exchange chunkExchange = ex;
  chunkExchange.from = part;
  chunkExchange.map = AffineMap::get(
      ex.map.getNumDims(), ex.map.getNumSymbols(),
      chunks.getCoordinatesInChunk(ex.map.getResults()), ex.map.getContext());
  LdsExchangePlan plan = chunks.count() == 1
                             ? choosePlan(d, chunkExchange, length, withinWave)
                             : LdsExchangePlan::rowMajor(part.shape());
  length = plan.getAccessLength(length);
  LdsReader reader(d, chunkExchange, plan, length);

  SmallVector<Value> source = d.getElements(ex.source);
  SmallVector<Value> result(ex.to.numRegisters());
  for (int64_t chunk = 0; chunk < chunks.count(); ++chunk) {
    SmallVector<Value> written = llvm::map_to_vector(
        chunks.registers(chunk), [&](int64_t reg) { return source[reg]; });
    FailureOr<Value> buffer =
        writeToLds(d, ex.op, written, part, plan, waves, withinWave);
    if (failed(buffer))
      return failure();
    for (int64_t reg = 0, end = result.size(); reg < end; reg += length) {
      bool isKnownSource = chunks.count() == 1 || sourceChunks[reg].size() == 1;
      if (chunks.count() > 1 && !sourceChunks[reg].contains(chunk))
        continue;
      SmallVector<Value> read = reader.read(*buffer, reg);
      Value isSource;
      if (!isKnownSource && result[reg])
        isSource = isInChunk(d, ex, chunkExpr, reg, chunk);
      for (int64_t i = 0; i < length; ++i) {
        Value value = LdsExchangeBuffer::fromStored(b, loc, read[i], type);
        if (isSource)
          value =
              arith::SelectOp::create(b, loc, isSource, value, result[reg + i]);
        result[reg + i] = value;
      }
    }
  }
  return result;
}

} // namespace aircc::distribution
