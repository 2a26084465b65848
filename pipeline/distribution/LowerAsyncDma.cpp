//===- LowerAsyncDma.cpp - Transfers straight to LDS ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave's direct-to-LDS load puts its lanes' pieces side by side, so what a
// lane moves follows from where its piece lands: the plan (planAsyncDma) gives
// the place in the tile as it lies in LDS; the swizzle, its own inverse, turns
// that into the element that belongs there; and that element's index is what
// the lane reads from.
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/AsyncWaits.h"
#include "pipeline/distribution/Divisibility.h"
#include "pipeline/distribution/Passes.h"
#include "pipeline/distribution/Swizzle.h"
#include "pipeline/distribution/TileLanes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "dialects/layout/algebra/AsyncDma.h"
#include "pipeline/layout/PassTarget.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace aircc::distribution {
#define GEN_PASS_DEF_LOWERASYNCDMA
#include "pipeline/distribution/Passes.h.inc"
} // namespace aircc::distribution

using namespace mlir;
using namespace aircc;
using namespace aircc::distribution;
using layout::AsyncDmaPlan;
using layout::AsyncDmaRequest;
using layout::Ints;

namespace {

/// On an async_dma that the compiler made: where no load fits it is a copy.
constexpr llvm::StringLiteral kMayCopyAttr = "may_copy";

/// Bytes that a buffer's descriptor can count here: offsets are 32 bits wide.
constexpr int64_t kMaxBufferBytes = (int64_t(1) << 31) - 1;

bool isFatBuffer(MemRefType type) {
  auto space =
      dyn_cast_or_null<amdgpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == amdgpu::AddressSpace::FatRawBuffer;
}

/// One async_dma on its way to loads.
class AsyncDma {
public:
  AsyncDma(layout::AsyncDmaOp op, TileLanes &lanes, ArrayRef<int64_t> widths)
      : op(op), lanes(lanes), widths(widths), tile(op.getTileType()),
        elementBits(tile.getElementType().isIntOrFloat()
                        ? tile.getElementTypeBitWidth()
                        : 0) {}

  /// Replaces the op. Errors at the op.
  LogicalResult lower();
  /// The loads that every wave has made for it; 0 if not all make as many.
  int64_t getLoads() const { return loads; }

private:
  LogicalResult inspect();
  FailureOr<AsyncDmaPlan> choosePlan(std::string &reasons);
  /// Why a plan that deals the tile out does not do for this op; empty if it
  /// does.
  std::string findObstacle(const AsyncDmaPlan &plan);
  std::string findSwizzleObstacle();
  void emitLoads(const AsyncDmaPlan &plan);
  void emitCopy();
  void emitReachCheck();

  /// The element of the tile that is stored where position `place` of it lies.
  SmallVector<Value> unswizzle(OpBuilder &b, ArrayRef<Value> place);
  SmallVector<Value> unswizzle(OpBuilder &b, Value linear);

  Value constant(OpBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, op.getLoc(), value);
  }
  Value add(OpBuilder &b, Value x, Value y) {
    return b.createOrFold<arith::AddIOp>(op.getLoc(), x, y);
  }
  Value add(OpBuilder &b, Value x, int64_t y) {
    return y == 0 ? x : add(b, x, constant(b, y));
  }
  Value mul(OpBuilder &b, Value x, int64_t y) {
    return y == 1
               ? x
               : b.createOrFold<arith::MulIOp>(op.getLoc(), x, constant(b, y));
  }
  /// Size of a dimension of the source.
  Value sourceSize(OpBuilder &b, unsigned dim) {
    return b.createOrFold<memref::DimOp>(op.getLoc(), op.getSource(), dim);
  }
  bool isGathered(unsigned sourceDim) {
    return isa<VectorType>(op.getSourceIndices()[sourceDim].getType());
  }
  /// The dimension of the tile that runs along one of the source, or -1.
  int64_t getTileDim(unsigned sourceDim) {
    for (int64_t d = 0; d < tile.getRank(); ++d)
      if (op.getSourceDim(d) == sourceDim)
        return d;
    return -1;
  }

  /// What lanes read from, and how.
  struct Source {
    Value memref;
    /// Added to the tile's coordinates, or the vector of places; null for 0.
    SmallVector<Value> start;
    /// For each dimension, an index at and beyond which nothing is read.
    SmallVector<Value> beyond;
  };
  Source prepareSource(OpBuilder &b, bool needsBounds);
  Value createBuffer(OpBuilder &b, const Source &source,
                     ArrayRef<OpFoldResult> extents);
  /// The indices of the element of the tile at `at`; `inside` becomes whether
  /// it lies in the source (null: surely).
  SmallVector<Value> getSourceIndices(OpBuilder &b, const Source &source,
                                      ArrayRef<Value> at, Value &inside);

  layout::AsyncDmaOp op;
  TileLanes &lanes;
  const ArrayRef<int64_t> widths;
  const VectorType tile;
  const int64_t elementBits;

  /// The destination without its hint.
  Value dest;
  std::optional<layout::XorShuffle> swizzle;
  SmallVector<int64_t> sourceStrides, destStrides;
  int64_t sourceOffset = 0, destOffset = 0;
  int64_t loads = 0;
};

/// What does not depend on how the tile is dealt out.
LogicalResult AsyncDma::inspect() {
  if (elementBits == 0 || elementBits % 8)
    return op.emitOpError("moves elements of type ")
           << tile.getElementType()
           << ", which are not a whole number of bytes; copy them with "
              "vector.transfer_read and vector.transfer_write";
  dest = op.getDest();
  if (auto hint = dest.getDefiningOp<layout::SwizzleHintOp>()) {
    dest = hint.getSource();
    swizzle = hint.getSwizzle().getShuffle();
  }
  if (op.getSource().getDefiningOp<layout::SwizzleHintOp>())
    return op.emitOpError("reads from a swizzled buffer; only the destination "
                          "of a transfer to LDS can be one");
  if (failed(
          op.getSourceType().getStridesAndOffset(sourceStrides, sourceOffset)))
    return op.emitOpError("needs a source with strides");
  if (failed(op.getDestType().getStridesAndOffset(destStrides, destOffset)) ||
      llvm::is_contained(destStrides, ShapedType::kDynamic))
    return op.emitOpError("needs a destination of constant strides");
  return success();
}

std::string AsyncDma::findSwizzleObstacle() {
  if (!swizzle)
    return {};
  // Whole rows, next to each other.
  bool partial = false;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    if (partial && tile.getDimSize(d) != 1)
      return "swizzle: a tile of " + layout::shapeText(tile.getShape()) +
             " is not one run of rows of its buffer of " +
             layout::shapeText(op.getDestType().getShape());
    partial |= tile.getDimSize(d) != op.getDestType().getDimSize(d);
  }
  int64_t row = swizzle->rowWidth();
  int64_t first = 0;
  for (auto [index, stride] : llvm::zip_equal(op.getDestIndices(), destStrides))
    first = std::gcd(first, getKnownDivisor(index) * stride);
  if (first % row || tile.getNumElements() % row)
    return "swizzle: the tile does not surely consist of whole rows of " +
           std::to_string(row) + " elements";
  return {};
}

std::string AsyncDma::findObstacle(const AsyncDmaPlan &plan) {
  auto text = [](int64_t n) { return std::to_string(n); };
  // A lane's piece is one run of the source.
  int64_t run = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    int64_t elements = plan.params.elementTile[d];
    if (elements == 1)
      continue;
    unsigned dim = op.getSourceDim(d);
    if (isGathered(dim))
      return "source: dimension " + text(dim) +
             " is gathered, but a lane's piece has " + text(elements) +
             " elements along it";
    if (sourceStrides[dim] != run)
      return "source: a lane's piece has " + text(elements) +
             " elements along dimension " + text(dim) + ", whose stride is " +
             (ShapedType::isDynamic(sourceStrides[dim])
                  ? std::string("not known")
                  : text(sourceStrides[dim])) +
             ", not " + text(run);
    if (!op.isInBounds(d)) {
      int64_t size = op.getSourceType().getDimSize(dim);
      if (ShapedType::isDynamic(size) || size % elements ||
          !isKnownMultiple(op.getSourceIndices()[dim], elements))
        return "bounds: along dimension " + text(dim) +
               " the source may end within a lane's piece of " +
               text(elements) + " elements";
    }
    run *= elements;
  }
  // A wave's load is one run of the destination.
  run = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    int64_t block = plan.params.threadTile[d] * plan.params.elementTile[d];
    if (block == 1)
      continue;
    if (destStrides[d] != run)
      return "destination: a load of " + text(lanes.getWaveSize()) +
             " lanes covers " + text(block) + " elements along dimension " +
             text(d) + ", whose stride is " + text(destStrides[d]) + ", not " +
             text(run);
    run *= block;
  }
  return {};
}

FailureOr<AsyncDmaPlan> AsyncDma::choosePlan(std::string &reasons) {
  AsyncDmaRequest request;
  request.shape.assign(tile.getShape().begin(), tile.getShape().end());
  request.elementBits = elementBits;
  request.waveSize = lanes.getWaveSize();
  request.waves = lanes.getNumWaves();
  request.widths.assign(widths.begin(), widths.end());
  if (swizzle)
    request.accessWidth = swizzle->accessWidth();
  reasons = findSwizzleObstacle();
  if (!reasons.empty())
    return failure();
  std::string obstacles;
  while (true) {
    layout::Result<AsyncDmaPlan> plan = planAsyncDma(request);
    if (!plan) {
      reasons = (request.widths.empty() && !obstacles.empty()
                     ? "no direct-to-LDS width moves a tile of " +
                           layout::shapeText(request.shape) + " elements of " +
                           std::to_string(elementBits) + " bits"
                     : plan.message()) +
                obstacles;
      return failure();
    }
    std::string obstacle = findObstacle(*plan);
    if (obstacle.empty())
      return *plan;
    obstacles +=
        (obstacles.empty() && request.widths.size() == 1 ? ": " : "; ") +
        std::to_string(plan->width) + " bits: " + obstacle;
    std::erase(request.widths, plan->width);
  }
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

/// A descriptor of the part of the source that the tile may touch. What lies
/// beyond reads as zero; the tile's place is in the descriptor, so that what
/// lanes add to it does not change in loops. (LLVM 22.1.8 takes a load from a
/// plain address to LDS for one that counts as an access to LDS, too, and then
/// waits too little for those.)
Value AsyncDma::createBuffer(OpBuilder &b, const Source &source,
                             ArrayRef<OpFoldResult> extents) {
  Location loc = op.getLoc();
  int64_t bytes = elementBits / 8;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(b, loc, op.getSource());
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  Value offset = getValueOrCreateConstantIndexOp(
      b, loc, metadata.getConstifiedMixedOffset());
  // From the first element to the last that may be read.
  Value last = constant(b, 0), isSome;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Value stride = getValueOrCreateConstantIndexOp(b, loc, strides[dim]);
    if (!isGathered(dim))
      offset = add(b, offset,
                   b.createOrFold<arith::MulIOp>(
                       loc, op.getSourceIndices()[dim], stride));
    Value size = getValueOrCreateConstantIndexOp(b, loc, extent);
    Value some = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt,
                                               size, constant(b, 0));
    isSome = isSome ? b.createOrFold<arith::AndIOp>(loc, isSome, some) : some;
    last = add(b, last,
               b.createOrFold<arith::MulIOp>(loc, add(b, size, -1), stride));
  }
  Value valid = b.createOrFold<arith::SelectOp>(
      loc, isSome, mul(b, add(b, last, 1), bytes), constant(b, 0));
  valid = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), valid);
  auto type = op.getSourceType();
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(extents, dynamic, shape);
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                                       sourceStrides);
  Value view = memref::ReinterpretCastOp::create(
      b, loc,
      MemRefType::get(shape, type.getElementType(), layout,
                      type.getMemorySpace()),
      metadata.getBaseBuffer(), OpFoldResult(offset), extents, strides);
  return amdgpu::FatRawBufferCastOp::create(
      b, loc, view, valid, /*cacheSwizzleStride=*/Value(),
      /*boundsCheck=*/true, /*resetOffset=*/true);
}

AsyncDma::Source AsyncDma::prepareSource(OpBuilder &b, bool needsBounds) {
  Location loc = op.getLoc();
  Source source;
  source.memref = op.getSource();
  source.start.assign(op.getSourceIndices().begin(),
                      op.getSourceIndices().end());
  source.beyond.resize(source.start.size());
  if (!needsBounds && isFatBuffer(op.getSourceType()))
    return source;
  SmallVector<OpFoldResult> extents;
  for (unsigned dim = 0; dim < source.start.size(); ++dim) {
    int64_t tileDim = getTileDim(dim);
    int64_t extent = tileDim < 0 ? 1 : tile.getDimSize(tileDim);
    Value size = sourceSize(b, dim);
    if (isFatBuffer(op.getSourceType()) || isGathered(dim)) {
      source.beyond[dim] = size;
      extents.push_back(getAsOpFoldResult(size));
      continue;
    }
    source.beyond[dim] = constant(b, extent);
    if (tileDim < 0 || op.isInBounds(tileDim)) {
      extents.push_back(b.getIndexAttr(extent));
      continue;
    }
    Value left = b.createOrFold<arith::SubIOp>(loc, size, source.start[dim]);
    extents.push_back(getAsOpFoldResult(
        b.createOrFold<arith::MinSIOp>(loc, left, constant(b, extent))));
  }
  if (isFatBuffer(op.getSourceType()))
    return source;
  source.memref = createBuffer(b, source, extents);
  for (unsigned dim = 0; dim < source.start.size(); ++dim)
    if (!isGathered(dim))
      source.start[dim] = Value();
  return source;
}

SmallVector<Value> AsyncDma::getSourceIndices(OpBuilder &b,
                                              const Source &source,
                                              ArrayRef<Value> at,
                                              Value &inside) {
  Location loc = op.getLoc();
  SmallVector<Value> indices;
  inside = Value();
  for (unsigned dim = 0; dim < source.start.size(); ++dim) {
    int64_t tileDim = getTileDim(dim);
    Value own = tileDim < 0 ? Value() : at[tileDim];
    Value start = source.start[dim];
    Value index;
    if (isGathered(dim))
      index = vector::ExtractOp::create(b, loc, op.getSourceIndices()[dim],
                                        OpFoldResult(own));
    else if (!own || !start)
      index = own ? own : start ? start : constant(b, 0);
    else
      index = add(b, start, own);
    indices.push_back(index);
    if (tileDim < 0 || op.isInBounds(tileDim))
      continue;
    Value whole = index;
    if (!isGathered(dim) && !start)
      whole = add(b, op.getSourceIndices()[dim], own);
    // One unsigned comparison: negative numbers wrap around to large ones.
    Value in = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, whole,
                                     sourceSize(b, dim));
    inside = inside ? arith::AndIOp::create(b, loc, inside, in) : in;
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

SmallVector<Value> AsyncDma::unswizzle(OpBuilder &b, ArrayRef<Value> place) {
  if (!swizzle)
    return SmallVector<Value>(place);
  Value linear = constant(b, 0);
  int64_t stride = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    linear = add(b, mul(b, place[d], stride), linear);
    stride *= tile.getDimSize(d);
  }
  return unswizzle(b, linear);
}

/// The same for a position in the row-major tile. The tile is a run of whole
/// rows, so only the rows before it count for how its rows are permuted.
SmallVector<Value> AsyncDma::unswizzle(OpBuilder &b, Value linear) {
  Location loc = op.getLoc();
  int64_t row = swizzle->rowWidth();
  Value width = constant(b, row);
  Value ownRow = b.createOrFold<arith::DivUIOp>(loc, linear, width);
  Value column = b.createOrFold<arith::RemUIOp>(loc, linear, width);
  Value first = constant(b, 0);
  int64_t divisor = 0;
  for (auto [index, stride] :
       llvm::zip_equal(op.getDestIndices(), destStrides)) {
    first = add(b, first, mul(b, index, stride));
    divisor = std::gcd(divisor, getKnownDivisor(index) * stride);
  }
  Value turn = ownRow;
  if (divisor % swizzle->period())
    turn = add(b, ownRow, b.createOrFold<arith::DivUIOp>(loc, first, width));
  column = swizzleColumn(b, loc, *swizzle, {turn, column});
  Value element = add(b, mul(b, ownRow, row), column);
  // Back to coordinates of the tile.
  SmallVector<Value> at(tile.getRank());
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    Value size = constant(b, tile.getDimSize(d));
    at[d] =
        d == 0 ? element : b.createOrFold<arith::RemUIOp>(loc, element, size);
    element = b.createOrFold<arith::DivUIOp>(loc, element, size);
  }
  return at;
}

void AsyncDma::emitLoads(const AsyncDmaPlan &plan) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  int64_t rank = tile.getRank();
  const layout::NestedParams &p = plan.params;
  bool needsBounds = false;
  for (int64_t d = 0; d < rank; ++d)
    needsBounds |= !op.isInBounds(d);

  // The place of load 0's piece, and that of its wave's first lane.
  SmallVector<Value> place, wavePlace;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t below = p.threadTile[d] * p.elementTile[d];
    Value wave = mul(
        b, lanes.getWavePosition(b, p.subgroupStrides[d], p.subgroupTile[d]),
        p.batchTile[d] * below);
    wavePlace.push_back(wave);
    Value lane =
        mul(b, lanes.getLanePosition(b, p.threadStrides[d], p.threadTile[d]),
            p.elementTile[d]);
    place.push_back(add(b, wave, lane));
  }
  SmallVector<Value> first = unswizzle(b, place);
  Source source = prepareSource(b, needsBounds);
  Type piece =
      plan.elementsPerLane == 1
          ? tile.getElementType()
          : VectorType::get({plan.elementsPerLane}, tile.getElementType());

  for (int64_t load = 0; load < plan.loads; ++load) {
    Ints batch = layout::delinearize(load, p.batchTile);
    int64_t stride = 1, linear = 0;
    bool movesRows = true;
    for (int64_t d = rank - 1; d >= 0; --d) {
      batch[d] *= p.threadTile[d] * p.elementTile[d];
      linear += batch[d] * stride;
      if (swizzle)
        movesRows &= batch[d] * stride % swizzle->rowWidth() == 0;
      stride *= tile.getDimSize(d);
    }
    // Whole turns of the swizzle further on, all is as in load 0.
    bool same = !swizzle || (movesRows && linear % swizzle->period() == 0);
    SmallVector<Value> at;
    if (same)
      for (int64_t d = 0; d < rank; ++d)
        at.push_back(add(b, first[d], batch[d]));
    else {
      SmallVector<Value> here;
      for (int64_t d = 0; d < rank; ++d)
        here.push_back(add(b, place[d], batch[d]));
      at = unswizzle(b, here);
    }
    Value inside;
    SmallVector<Value> indices = getSourceIndices(b, source, at, inside);
    if (inside)
      for (auto [index, beyond] : llvm::zip_equal(indices, source.beyond))
        index = arith::SelectOp::create(b, loc, inside, index, beyond);
    SmallVector<Value> destIndices;
    for (int64_t d = 0; d < rank; ++d)
      destIndices.push_back(
          add(b, op.getDestIndices()[d], add(b, wavePlace[d], batch[d])));
    amdgpu::GatherToLDSOp::create(b, loc, source.memref, indices, dest,
                                  destIndices, TypeAttr::get(piece));
  }
}

/// Through registers, one run of elements at a time, the runs dealt out over
/// the lanes in turn: for what the compiler made itself and no load fits.
void AsyncDma::emitCopy() {
  OpBuilder b(op);
  Location loc = op.getLoc();
  int64_t rank = tile.getRank();
  // The longest run that is one in source and destination.
  int64_t run = 1, inner = tile.getDimSize(rank - 1);
  unsigned sourceDim = op.getSourceDim(rank - 1);
  bool contiguous = destStrides[rank - 1] == 1 &&
                    sourceStrides[sourceDim] == 1 && !isGathered(sourceDim);
  while (contiguous && run * 2 * elementBits <= 128 && inner % (run * 2) == 0 &&
         (!swizzle || swizzle->keepsWhole(run * 2)))
    run *= 2;
  if (!op.isInBounds(rank - 1)) {
    int64_t size = op.getSourceType().getDimSize(sourceDim);
    while (run > 1 && (ShapedType::isDynamic(size) || size % run ||
                       !isKnownMultiple(op.getSourceIndices()[sourceDim], run)))
      run /= 2;
  }
  Value id = lanes.getThread(b);
  int64_t workers = lanes.getWaveSize() * lanes.getNumWaves();
  int64_t pieces = tile.getNumElements() / run;
  auto pieceType = VectorType::get({run}, tile.getElementType());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(pieceType));

  auto emitPiece = [&](OpBuilder &b, Value number) {
    SmallVector<Value> place(rank);
    Value rest = mul(b, number, run);
    for (int64_t d = rank - 1; d >= 0; --d) {
      Value size = constant(b, tile.getDimSize(d));
      place[d] =
          d == 0 ? rest : b.createOrFold<arith::RemUIOp>(loc, rest, size);
      rest = b.createOrFold<arith::DivUIOp>(loc, rest, size);
    }
    Source source;
    source.memref = op.getSource();
    source.start.assign(op.getSourceIndices().begin(),
                        op.getSourceIndices().end());
    Value inside;
    SmallVector<Value> at = unswizzle(b, place);
    SmallVector<Value> indices = getSourceIndices(b, source, at, inside);
    Value data;
    if (inside) {
      auto guard = scf::IfOp::create(b, loc, TypeRange(Type(pieceType)), inside,
                                     /*withElseRegion=*/true);
      OpBuilder in = guard.getThenBodyBuilder();
      scf::YieldOp::create(in, loc,
                           Value(vector::LoadOp::create(
                               in, loc, pieceType, source.memref, indices)));
      OpBuilder out = guard.getElseBodyBuilder();
      scf::YieldOp::create(out, loc, zero);
      data = guard.getResult(0);
    } else {
      data = vector::LoadOp::create(b, loc, pieceType, source.memref, indices);
    }
    SmallVector<Value> destIndices;
    for (int64_t d = 0; d < rank; ++d)
      destIndices.push_back(add(b, op.getDestIndices()[d], place[d]));
    vector::StoreOp::create(b, loc, data, dest, destIndices);
  };
  int64_t full = pieces / workers;
  for (int64_t round = 0; round < full; ++round)
    emitPiece(b, add(b, id, round * workers));
  if (int64_t rest = pieces % workers) {
    Value takesPart = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                            id, constant(b, rest));
    auto guard = scf::IfOp::create(b, loc, takesPart);
    OpBuilder in = guard.getThenBodyBuilder();
    emitPiece(in, add(in, id, full * workers));
  }
}

/// A program whose strides, known only now, are too long for a descriptor ends
/// where they are known.
void AsyncDma::emitReachCheck() {
  OpBuilder b(op);
  b.setInsertionPointAfterValue(op.getSource());
  Location loc = op.getLoc();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(b, loc, op.getSource());
  Value reach = constant(b, 1);
  for (auto [dim, stride] :
       llvm::enumerate(metadata.getConstifiedMixedStrides())) {
    int64_t tileDim = getTileDim(dim);
    Value extent =
        isGathered(dim)
            ? sourceSize(b, dim)
            : constant(b, tileDim < 0 ? 1 : tile.getDimSize(tileDim));
    reach =
        add(b, reach,
            b.createOrFold<arith::MulIOp>(
                loc, extent, getValueOrCreateConstantIndexOp(b, loc, stride)));
  }
  Value tooFar =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, reach,
                            constant(b, kMaxBufferBytes / (elementBits / 8)));
  auto guard = scf::IfOp::create(b, loc, tooFar);
  OpBuilder inner = guard.getThenBodyBuilder();
  LLVM::Trap::create(inner, loc);
}

LogicalResult AsyncDma::lower() {
  if (failed(inspect()))
    return failure();
  std::string reasons;
  FailureOr<AsyncDmaPlan> plan = choosePlan(reasons);
  bool mayCopy = op->hasAttr(kMayCopyAttr);
  if (failed(plan)) {
    if (!mayCopy)
      return op.emitOpError()
             << "cannot be made of direct-to-LDS loads: " << reasons;
    emitCopy();
    op.erase();
    return success();
  }
  if (!isFatBuffer(op.getSourceType())) {
    // A descriptor's offsets are 32 bits wide.
    int64_t reach = elementBits / 8;
    bool known = true;
    for (unsigned dim = 0; dim < sourceStrides.size(); ++dim) {
      int64_t tileDim = getTileDim(dim);
      int64_t extent = tileDim < 0       ? 1
                       : isGathered(dim) ? op.getSourceType().getDimSize(dim)
                                         : tile.getDimSize(tileDim);
      if (ShapedType::isDynamic(sourceStrides[dim]) ||
          ShapedType::isDynamic(extent))
        known = false;
      else
        reach += extent * sourceStrides[dim] * (elementBits / 8);
    }
    if (reach > kMaxBufferBytes) {
      if (!mayCopy)
        return op.emitOpError("has a tile that spans ")
               << reach
               << " bytes of its source, and the offsets of direct-to-LDS "
                  "loads cannot go beyond "
               << kMaxBufferBytes << "; make the source's rows shorter";
      emitCopy();
      op.erase();
      return success();
    }
    if (!known)
      emitReachCheck();
  }
  loads = plan->copies > 1 ? 0 : plan->loads;
  if (plan->copies > 1) {
    // Waves that are left over have nothing to do.
    OpBuilder b(op);
    int64_t waves = lanes.getNumWaves();
    Value isBusy = arith::CmpIOp::create(
        b, op.getLoc(), arith::CmpIPredicate::ult,
        lanes.getWavePosition(b, 1, waves), constant(b, waves / plan->copies));
    auto guard = scf::IfOp::create(b, op.getLoc(), isBusy);
    op->moveBefore(guard.thenBlock()->getTerminator());
  }
  emitLoads(*plan);
  op.erase();
  return success();
}

class LowerAsyncDma
    : public distribution::impl::LowerAsyncDmaBase<LowerAsyncDma> {
public:
  using Base::Base;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = layout::PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    WalkResult result = getOperation()->walk(
        [&](gpu::GPUFuncOp kernel) { return WalkResult(lower(kernel)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    result = getOperation()->walk([&](layout::AsyncDmaOp op) {
      op.emitOpError("stands outside of a gpu.func: only a kernel has lanes to "
                     "carry it out");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult lower(gpu::GPUFuncOp kernel) {
    SmallVector<layout::AsyncDmaOp> ops;
    kernel.walk([&](layout::AsyncDmaOp op) { ops.push_back(op); });
    AsyncWaits waits(kernel);
    if (ops.empty()) {
      waits.lower();
      return success();
    }
    bool hasOthers =
        kernel
            .walk([](amdgpu::GatherToLDSOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    const TargetProfile *profile =
        passTarget.get(getArgument(), target, ops.front());
    if (!profile)
      return failure();
    int64_t waveSize = profile->waveSize;
    SmallVector<int64_t> widths(profile->dmaWidths.begin(),
                                profile->dmaWidths.end());
    std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
    if (!block)
      return ops.front().emitOpError(
          "needs to know how many waves share it; give the kernel a "
          "known_block_size");
    int64_t threads = int64_t((*block)[0]) * (*block)[1] * (*block)[2];
    if (threads % waveSize)
      return ops.front().emitOpError("is shared by whole waves of ")
             << waveSize << " lanes, and the kernel has a block of " << threads;
    TileLanes workgroup(kernel, layout::Scope::Workgroup, waveSize,
                        threads / waveSize);
    TileLanes wave(kernel, layout::Scope::Wave, waveSize, 1);
    for (layout::AsyncDmaOp op : ops) {
      auto scope = op->getAttrOfType<layout::ScopeAttr>(layout::kScopeAttr);
      if (!scope)
        scope = kernel->getAttrOfType<layout::ScopeAttr>(layout::kScopeAttr);
      bool isWave = scope && scope.getValue() == layout::Scope::Wave;
      AsyncDma dma(op, isWave ? wave : workgroup, widths);
      if (failed(dma.lower()))
        return failure();
      waits.setLoads(op, dma.getLoads());
    }
    waits.lower();
    if (!hasOthers)
      kernel->setAttr(layout::kPlacedWaitsAttr, UnitAttr::get(&getContext()));
    kernel->removeAttr(layout::kScopeAttr);
    return success();
  }

  layout::PassTarget passTarget;
};

} // namespace

std::unique_ptr<Pass> aircc::distribution::createLowerAsyncDma(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<LowerAsyncDma>();
  pass->setTarget(std::move(profile));
  return pass;
}
