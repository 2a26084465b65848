//===- TileLinalgToWorkgroups.cpp - Tile ops over workgroups --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/RowLoops.h"
#include "pipeline/hierarchy/launch/WrapLaunch.h"
#include "pipeline/hierarchy/tiles/MatchMatmul.h"
#include "pipeline/hierarchy/tiles/TilePasses.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_TILELINALGTOWORKGROUPS
#include "pipeline/hierarchy/tiles/TilePasses.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// The amount of work per workgroup: about 16 elements for each of 256 lanes.
constexpr int64_t kElementsPerWorkgroup = 4096;
/// The minimum tile size along the last dimension of an operand, such that
/// adjacent lanes read adjacent elements.
constexpr int64_t kContiguousElements = 64;
/// The minimum number of results per workgroup, one for each lane, if there are
/// at least kManyResults in total.
constexpr int64_t kMinResults = 256, kManyResults = 65536;
/// The assumed value of dynamic sizes.
constexpr int64_t kAssumedSize = 1024;
/// The maximum number of dimensions of a grid.
constexpr unsigned kMaxDims = 3;

/// The size of each loop in a workgroup; nullopt if the loop is not tiled.
using Tiles = SmallVector<std::optional<int64_t>>;

/// Returns the largest divisor of `size` that is at most `most`. If that is far
/// below `most`, returns a power of two instead, with a partial last tile.
int64_t getTile(std::optional<int64_t> size, int64_t most) {
  int64_t power = llvm::bit_floor(uint64_t(most));
  if (!size)
    return power;
  for (int64_t tile = most; tile * 4 > most; --tile)
    if (*size % tile == 0)
      return tile;
  return power;
}

/// Returns the parallel loops of `op` that index all results, so that each
/// element of a result belongs to one workgroup: first the `numLast` loops
/// along the last dimension of an operand, then the others, innermost of a
/// result first.
SmallVector<unsigned> orderLoops(linalg::LinalgOp op, unsigned &numLast) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  llvm::SetVector<unsigned> loops;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  ArrayRef<AffineMap> results =
      ArrayRef<AffineMap>(maps).take_back(op.getNumDpsInits());
  auto add = [&](AffineExpr index) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (loop && linalg::isParallelIterator(kinds[loop.getPosition()]) &&
        llvm::all_of(results, [&](AffineMap map) {
          return map.getResultPosition(loop).has_value();
        }))
      loops.insert(loop.getPosition());
  };
  for (AffineMap map : llvm::reverse(maps))
    if (map.getNumResults() > 0)
      add(map.getResults().back());
  numLast = loops.size();
  for (AffineExpr index : llvm::reverse(maps.back().getResults()))
    add(index);
  return loops.takeVector();
}

/// Chooses the tile of a workgroup. Returns nullopt if one workgroup is
/// sufficient.
std::optional<Tiles> chooseTiles(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto getSize = [&](unsigned loop) {
    return ShapedType::isDynamic(ranges[loop]) ? std::nullopt
                                               : std::optional(ranges[loop]);
  };
  int64_t elements = 1;
  for (unsigned loop = 0; loop < ranges.size(); ++loop)
    if (!linalg::isParallelIterator(kinds[loop]))
      elements *= std::max<int64_t>(getSize(loop).value_or(kAssumedSize), 1);
  Tiles tiles(ranges.size());
  unsigned numDims = 0, numLast;
  SmallVector<unsigned> loops = orderLoops(op, numLast);
  int64_t all = 1, results = 1;
  for (unsigned loop : loops)
    all *= std::max<int64_t>(getSize(loop).value_or(kAssumedSize), 1);
  int64_t fewest = all >= kManyResults ? kMinResults : 1;
  for (auto [index, loop] : llvm::enumerate(loops)) {
    std::optional<int64_t> size = getSize(loop);
    int64_t most = std::max<int64_t>(
        {kElementsPerWorkgroup / elements, fewest / results, 1});
    // If operands are contiguous along different loops, tile both loops, so
    // that a workgroup accesses contiguous ranges of both operands.
    if (index < numLast)
      most = numLast > 1 ? kContiguousElements
                         : std::max(most, kContiguousElements);
    if (numDims == kMaxDims || (size && *size <= most)) {
      int64_t whole = std::max<int64_t>(size.value_or(kAssumedSize), 1);
      elements *= whole;
      results *= whole;
      continue;
    }
    tiles[loop] = getTile(size, most);
    elements *= *tiles[loop];
    results *= *tiles[loop];
    ++numDims;
  }
  if (numDims == 0)
    return std::nullopt;
  return tiles;
}

/// Returns the linalg ops of a launch that contains only them and the
/// computation of their operands; otherwise, returns an empty list.
SmallVector<linalg::LinalgOp> getOnlyLinalgOps(air::LaunchOp launch) {
  SmallVector<linalg::LinalgOp> ops;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      if (!structured.hasPureBufferSemantics() ||
          !llvm::all_of(op.getOperands(), [](Value operand) {
            auto type = dyn_cast<MemRefType>(operand.getType());
            return !type || (isGlobal(type) && type.isStrided());
          }))
        return {};
      ops.push_back(structured);
    } else if (!isHostComputable(&op)) {
      return {};
    }
  }
  return ops;
}

class TileLinalgToWorkgroups
    : public hierarchy::impl::TileLinalgToWorkgroupsBase<
          TileLinalgToWorkgroups> {
public:
  void runOnOperation() final {
    for (air::LaunchOp launch : getSingleWorkgroupLaunches(getOperation()))
      tile(launch);
  }

private:
  void tile(air::LaunchOp launch);
  void tile(linalg::LinalgOp op, const Tiles &tiles,
            ArrayRef<NamedAttribute> attrs);
};

/// Creates a launch for each op, because an op may start only when all
/// workgroups have finished the previous one.
void TileLinalgToWorkgroups::tile(air::LaunchOp launch) {
  SmallVector<linalg::LinalgOp> ops = getOnlyLinalgOps(launch);
  IRRewriter rewriter(launch.getContext());
  for (linalg::LinalgOp &op : ops)
    if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
      op = joinRowLoops(rewriter, generic);
  SmallVector<std::optional<Tiles>> tiles =
      llvm::map_to_vector(ops, chooseTiles);
  if (llvm::none_of(tiles, [](const auto &some) { return some.has_value(); }))
    return;
  SmallVector<NamedAttribute> attrs(launch->getDiscardableAttrs());
  unwrapLaunch(launch);
  for (auto [op, some] : llvm::zip_equal(ops, tiles)) {
    OpBuilder b(op);
    if (some)
      tile(op, *some, attrs);
    else
      wrapInLaunch(b, op.getOperation(), ValueRange())
          ->setDiscardableAttrs(attrs);
  }
}

void TileLinalgToWorkgroups::tile(linalg::LinalgOp op, const Tiles &tiles,
                                  ArrayRef<NamedAttribute> attrs) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> grid;
  SmallVector<OpFoldResult> bounds;
  for (auto [range, tile] :
       llvm::zip_equal(op.createLoopRanges(b, loc), tiles)) {
    bounds.push_back(range.size);
    if (tile)
      grid.push_back(b.createOrFold<arith::CeilDivUIOp>(
          loc, getValueOrCreateConstantIndexOp(b, loc, range.size),
          arith::ConstantIndexOp::create(b, loc, *tile)));
  }
  createNonEmptyGuard(b, loc, bounds);
  air::LaunchOp launch = wrapInLaunch(b, op.getOperation(), grid);
  launch->setDiscardableAttrs(attrs);

  // In the launch, the op operates on a tile of each operand.
  auto whole = cast<linalg::LinalgOp>(launch.getBodyBlock()->front());
  b.setInsertionPoint(whole);
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> inner;
  for (Range range : whole.createLoopRanges(b, loc))
    inner.push_back(range.size);
  AffineExpr id = b.getAffineDimExpr(0);
  unsigned dim = 0;
  for (std::optional<int64_t> tile : tiles) {
    // A tile size of 0 means "not tiled" in makeTiledShapes.
    sizes.push_back(b.getIndexAttr(tile.value_or(0)));
    if (tile)
      offsets.push_back(affine::makeComposedFoldedAffineApply(
          b, loc, id * *tile, {OpFoldResult(launch.getIds()[dim++])}));
  }
  SmallVector<Value> parts = linalg::makeTiledShapes(
      b, loc, whole, whole->getOperands(), offsets, sizes, inner,
      /*omitPartialTileCheck=*/false);
  auto part = cast<linalg::LinalgOp>(mlir::clone(b, whole, TypeRange(), parts));
  SmallVector<OpFoldResult> starts;
  dim = 0;
  for (std::optional<int64_t> tile : tiles)
    starts.push_back(tile ? offsets[dim++] : b.getIndexAttr(0));
  linalg::offsetIndices(b, part, starts);
  whole->erase();
}

} // namespace
