//===- DescriptorBudget.cpp - Descriptors of groups of transfers ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A group consists of the transfers between two waits with air.launch_end; its
// descriptors are in use until its wait. A later pass assigns channels to shim
// tiles. The count assumes that this pass minimizes the number of tiles:
// channels fill one shim tile after another, in the order of their first
// transfers, and channels beyond the last tile share those of the first ones.
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include <set>

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

namespace {

/// The descriptors of a group of transfers.
class DescriptorCount {
public:
  explicit DescriptorCount(const NpuProfile &profile) : profile(&profile) {}

  void add(air::ChannelAccessInterface access) {
    ChannelElement element = getChannelElement(access);
    auto [it, isNew] = uses.try_emplace(element);
    if (isNew) {
      unsigned &channels = numChannels[std::get<2>(element)];
      unsigned numTiles = std::max(profile->shimTiles, 1u);
      it->second.tile = channels++ / profile->dma.channels % numTiles;
      it->second.first = access;
    }
    ++it->second.count;
    ++perTile[it->second.tile];
  }

  bool fits() const { return !findFullTile() && !findFullChannel(); }
  /// Emits a remark at a transfer for what exceeds the NPU.
  void report() const;

private:
  struct Use {
    unsigned tile = 0;
    int64_t count = 0;
    air::ChannelAccessInterface first;
  };

  std::optional<unsigned> findFullTile() const {
    for (auto [tile, count] : perTile)
      if (count > profile->dma.descriptors)
        return tile;
    return std::nullopt;
  }
  const Use *findFullChannel() const {
    for (const auto &[element, use] : uses)
      if (use.count > profile->dma.queueDepth)
        return &use;
    return nullptr;
  }

  const NpuProfile *profile;
  std::map<ChannelElement, Use> uses;
  std::map<unsigned, int64_t> perTile;
  /// The numbers of channels that are got from and put into.
  unsigned numChannels[2] = {0, 0};
};

void DescriptorCount::report() const {
  constexpr StringLiteral advice =
      "; use smaller shim-dma-tile-sizes, or auto-tile-sizes";
  if (const Use *use = findFullChannel()) {
    air::ChannelAccessInterface access = use->first;
    access->emitRemark("is one of ")
        << use->count << " transfers of its channel before the next wait; "
        << profile->name << " supports at most " << profile->dma.queueDepth
        << " in flight" << advice;
    return;
  }
  std::optional<unsigned> tile = findFullTile();
  if (!tile)
    return;
  for (const auto &[element, use] : uses)
    if (use.tile == *tile) {
      air::ChannelAccessInterface access = use.first;
      access->emitRemark("is one of ")
          << perTile.at(*tile)
          << " transfers of a shim tile before the next wait; a shim tile of "
          << profile->name << " has " << profile->dma.descriptors
          << " descriptors" << advice;
      return;
    }
}

/// Adds the transfers in `op`. A loop that remains in the program counts once.
void addTransfers(Operation *op, DescriptorCount &descriptors) {
  if (auto access = dyn_cast<air::ChannelAccessInterface>(op))
    descriptors.add(access);
  if (isa<air::HierarchyInterface>(op))
    return;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      addTransfers(&nested, descriptors);
}

bool isGroupEnd(Operation &op) {
  return isa<air::WaitAllOp>(op) && op.hasAttr(kLaunchEnd);
}

/// Returns the factors of `value` in descending order.
SmallVector<int64_t> getFactors(int64_t value) {
  std::set<int64_t, std::greater<>> factors;
  for (int64_t i = 1; i * i <= value; ++i)
    if (value % i == 0)
      factors.insert({i, value / i});
  return {factors.begin(), factors.end()};
}

/// Returns whether one tile of the nest has enough descriptors: copies the nest
/// with the trip counts of a tile, folds it and counts.
FailureOr<bool> fitsTile(MutableArrayRef<scf::ForOp> loops,
                         ArrayRef<int64_t> sizes,
                         const ShimDmaOptions &options) {
  // A loop with one iteration around the copy makes it a scope.
  OpBuilder b(loops.front());
  auto scope =
      scf::ExecuteRegionOp::create(b, loops.front().getLoc(), TypeRange());
  b.setInsertionPointToEnd(&scope.getRegion().emplaceBlock());
  auto copy = cast<scf::ForOp>(b.clone(*loops.front()));
  scf::YieldOp::create(b, copy.getLoc());
  for (auto [loop, size] : llvm::zip_equal(getPerfectNest(copy), sizes)) {
    LoopBounds bounds = *getBounds(loop);
    b.setInsertionPoint(loop);
    air::LinearIndex upper =
        bounds.lowerBound + air::LinearIndex(bounds.step * size);
    Value value = getValueOrCreateConstantIndexOp(
        b, loop.getLoc(), upper.materialize(b, loop.getLoc()));
    loop.setUpperBound(getValueOrCreateCastToIndexLike(
        b, loop.getLoc(), loop.getUpperBound().getType(), value));
  }
  ShimDmaOptions quiet = options;
  quiet.report = false;
  splitLoops(scope.getRegion());
  LogicalResult folded = foldLoops(scope.getRegion(), quiet);
  DescriptorCount descriptors(*options.profile);
  if (succeeded(folded))
    addTransfers(scope, descriptors);
  scope.erase();
  if (failed(folded))
    return failure();
  return descriptors.fits();
}

} // namespace

FailureOr<SmallVector<int64_t>>
npu::chooseTileSizes(MutableArrayRef<scf::ForOp> loops,
                     const ShimDmaOptions &options) {
  SmallVector<int64_t> sizes;
  for (scf::ForOp loop : loops)
    sizes.push_back(getBounds(loop)->tripCount);
  // Cut the outer loops first, because the transfers of inner loops are close
  // to each other and merge.
  FailureOr<bool> fits = fitsTile(loops, sizes, options);
  for (size_t dim = 0; dim < loops.size() && succeeded(fits) && !*fits; ++dim)
    for (int64_t factor : llvm::drop_begin(getFactors(sizes[dim]))) {
      sizes[dim] = factor;
      fits = fitsTile(loops, sizes, options);
      if (failed(fits) || *fits)
        break;
    }
  if (failed(fits))
    return failure();
  return sizes;
}

void npu::reportDescriptors(Region &scope, const ShimDmaOptions &options) {
  for (Block &block : scope) {
    DescriptorCount descriptors(*options.profile);
    for (Operation &op : block) {
      if (isGroupEnd(op)) {
        descriptors.report();
        descriptors = DescriptorCount(*options.profile);
        continue;
      }
      addTransfers(&op, descriptors);
    }
    descriptors.report();
  }
}
