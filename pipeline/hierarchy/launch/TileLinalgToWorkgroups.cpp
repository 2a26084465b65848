//===- TileLinalgToWorkgroups.cpp - Whole ops to many workgroups ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// What a workgroup is given: about 16 elements for each of 256 lanes.
constexpr int64_t kElementsPerWorkgroup = 4096;
/// At least so many along the last dimension of an operand, which lanes side by
/// side read together.
constexpr int64_t kContiguousElements = 64;
/// Elements of the result, where there are plenty: one for each lane.
constexpr int64_t kMinResults = 256, kManyResults = 65536;
/// Sizes that are not known count as this.
constexpr int64_t kAssumedSize = 1024;
/// Of a grid.
constexpr unsigned kMaxDims = 3;

/// A loop's size in each workgroup; empty: all of it.
using Tiles = SmallVector<std::optional<int64_t>>;

/// The largest divisor of `size` up to `most`, unless that is far from it: then
/// a power of two, with less in the last tile.
int64_t getTile(std::optional<int64_t> size, int64_t most) {
  int64_t power = llvm::bit_floor(uint64_t(most));
  if (!size)
    return power;
  for (int64_t tile = most; tile * 4 > most; --tile)
    if (*size % tile == 0)
      return tile;
  return power;
}

/// Parallel loops of `op` that results have, too, so that each place of these
/// is one workgroup's: those that run along the last dimension of an operand
/// first
/// (`numLast`), then the others from a result's innermost outward.
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

/// What a workgroup does of `op`; nothing where one can do it all.
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
    // Operands that lie across each other: blocks, so that both have runs.
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

/// The linalg ops of a launch that holds nothing else but what they are
/// computed from; none otherwise.
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

/// A launch for each op: one begins when all workgroups of the one before are
/// done.
void TileLinalgToWorkgroups::tile(air::LaunchOp launch) {
  SmallVector<linalg::LinalgOp> ops = getOnlyLinalgOps(launch);
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

  // Inside, the op on its part of each operand.
  auto whole = cast<linalg::LinalgOp>(launch.getBodyBlock()->front());
  b.setInsertionPoint(whole);
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> inner;
  for (Range range : whole.createLoopRanges(b, loc))
    inner.push_back(range.size);
  AffineExpr id = b.getAffineDimExpr(0);
  unsigned dim = 0;
  for (std::optional<int64_t> tile : tiles) {
    // To upstream, a tile of 0 is no tile.
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
