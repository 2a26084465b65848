//===- FoldTransferLoops.cpp - Loops as dimensions of transfers -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A perfect nest of loops around one transfer becomes a single transfer with
// more dimensions, which all workers copy together. It needs one barrier
// instead of one in each iteration.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"

#include "dialects/air/AIROps.h"
#include "dialects/air/Descriptor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/MathExtras.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_FOLDTRANSFERLOOPS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Returns whether a transfer does not change if loops become its dimensions,
/// because it copies between two levels of memory, which do not overlap.
bool isFoldable(air::DmaMemcpyNdOp dma) {
  if (dma.isAsync() || !dma.getAsyncDependencies().empty() ||
      dma.isCrossRank() || dma.getDest() || dma.getPadBefore() ||
      dma.getPadAfter())
    return false;
  auto dst = dyn_cast<MemRefType>(dma.getDst().getType());
  auto src = dyn_cast<MemRefType>(dma.getSrc().getType());
  if (!dst || !src)
    return false;
  std::optional<air::MemorySpace> to = air::getMemorySpace(dst);
  std::optional<air::MemorySpace> from = air::getMemorySpace(src);
  return to && from && to != from;
}

/// Returns the descriptor of a side, whose first dimension holds the offset of
/// the first element and has size 1 and stride 1.
std::optional<air::Descriptor> getSide(const air::AccessPattern &pattern) {
  auto type = cast<MemRefType>(pattern.getType());
  SmallVector<int64_t> units;
  int64_t start;
  if (failed(type.getStridesAndOffset(units, start)) ||
      llvm::any_of(units, ShapedType::isDynamic))
    return std::nullopt;
  // A side without sizes has the sizes of the other side, unless it is the
  // whole memref.
  if (!pattern.isWholeMemref() &&
      (pattern.sizes.empty() || pattern.strides.empty()))
    return std::nullopt;
  air::AccessPattern lists = pattern;
  lists.offsets.clear();
  std::optional<air::Descriptor> side = air::Descriptor::get(lists);
  if (!side || side->hasNoElements())
    return std::nullopt;
  if (pattern.offsets.size() != units.size())
    units = side->strides;
  if (!pattern.offsets.empty() && pattern.offsets.size() != units.size())
    return std::nullopt;
  air::LinearIndex base;
  for (auto [offset, unit] : llvm::zip(pattern.offsets, units)) {
    if (unit < 0 || unit >= air::LinearIndex::kMaxFactor)
      return std::nullopt;
    base = base + air::LinearIndex::get(offset) * unit;
  }
  if (!base.isTractable())
    return std::nullopt;
  side->insert(0, base, 1, 1);
  return side;
}

/// Returns whether all elements have different addresses, because each
/// dimension steps over the elements of those with smaller strides.
bool isInjective(const air::Descriptor &side) {
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : llvm::zip_equal(side.sizes, side.strides))
    if (size > 1)
      dims.push_back({stride, size});
  llvm::sort(dims);
  int64_t extent = 1;
  for (auto [stride, size] : dims) {
    int64_t length;
    if (stride < extent || llvm::MulOverflow(stride, size - 1, length) ||
        llvm::AddOverflow(extent, length, extent))
      return false;
  }
  return true;
}

/// Returns whether all elements are known to be in the memref, or nothing is
/// known.
bool isInside(const air::Descriptor &side, MemRefType type) {
  std::optional<int64_t> volume = air::getVolume(type);
  std::optional<std::pair<int64_t, int64_t>> range = side.getRange();
  return !volume || !range || (range->first >= 0 && range->second < *volume);
}

class NestFolder {
public:
  explicit NestFolder(scf::ForOp root) : root(root) {}

  /// Replaces the nest with one transfer. Returns false if that is impossible.
  bool run();

private:
  bool match();
  std::optional<air::Descriptor> fold(const air::AccessPattern &pattern);
  air::AccessPattern createPattern(OpBuilder &b, const air::Descriptor &side,
                                   MemRefType type);
  bool isOutside(Value value) {
    return !root.getRegion().isAncestor(value.getParentRegion());
  }

  scf::ForOp root;
  SmallVector<air::TransferLoop> loops;
  air::DmaMemcpyNdOp dma;
};

/// Returns the loop as a dimension, if its step and trip count are constant.
std::optional<air::TransferLoop> getLoop(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  air::LinearIndex lower = air::LinearIndex::get(loop.getLowerBound());
  air::LinearIndex length =
      air::LinearIndex::get(loop.getUpperBound()) + lower * -1;
  if (!step || *step < 1 || !length.isConstant() || length.getConstant() < 1 ||
      loop.getNumRegionIterArgs() != 0)
    return std::nullopt;
  return air::TransferLoop{
      loop.getInductionVar(), lower, *step,
      int64_t(llvm::divideCeil(length.getConstant(), *step))};
}

bool NestFolder::match() {
  scf::ForOp loop = root;
  while (loop) {
    std::optional<air::TransferLoop> dim = getLoop(loop);
    if (!dim)
      return false;
    loops.push_back(*dim);
    Operation *only = nullptr;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (op.getNumRegions() == 0 && isPure(&op))
        continue;
      if (only)
        return false;
      only = &op;
    }
    dma = dyn_cast_or_null<air::DmaMemcpyNdOp>(only);
    if (dma)
      return isFoldable(dma) && isOutside(dma.getDst()) &&
             isOutside(dma.getSrc());
    loop = dyn_cast_or_null<scf::ForOp>(only);
  }
  return false;
}

std::optional<air::Descriptor>
NestFolder::fold(const air::AccessPattern &pattern) {
  std::optional<air::Descriptor> side = getSide(pattern);
  auto type = cast<MemRefType>(pattern.getType());
  // An access that leaves the memref is reported where the transfer is lowered.
  if (!side)
    return std::nullopt;
  for (const air::TransferLoop &loop : llvm::reverse(loops))
    if (!side->addLoop(loop, air::DescriptorLimits(), /*elementBits=*/32))
      return std::nullopt;
  if (!isInside(*side, type) ||
      !llvm::all_of(side->offsets, [&](const air::LinearIndex &offset) {
        return llvm::all_of(offset.getTerms(), [&](const auto &term) {
          return isOutside(term.first);
        });
      }))
    return std::nullopt;
  return side;
}

/// Returns the lists of a side. Each offset is in units of its stride, which
/// holds if there are not as many offsets as dimensions of the memref.
air::AccessPattern NestFolder::createPattern(OpBuilder &b,
                                             const air::Descriptor &side,
                                             MemRefType type) {
  air::Descriptor simple = side;
  simple.canonicalize(air::DescriptorLimits(), /*elementBits=*/32,
                      air::getVolume(type));
  if (!simple.isEmpty() && int64_t(simple.size()) == type.getRank())
    simple.insert(0, air::LinearIndex(), 1, 0);
  air::AccessPattern pattern;
  for (const air::LinearIndex &offset : simple.offsets)
    pattern.offsets.push_back(offset.materialize(b, dma.getLoc()));
  pattern.sizes = getAsIndexOpFoldResult(b.getContext(), simple.sizes);
  pattern.strides = getAsIndexOpFoldResult(b.getContext(), simple.strides);
  return pattern;
}

bool NestFolder::run() {
  if (!match())
    return false;
  air::AccessPattern target = dma.getTargetPattern();
  air::AccessPattern source = dma.getSourcePattern();
  if (!target.getNumElements() ||
      target.getNumElements() != source.getNumElements())
    return false;
  std::optional<air::Descriptor> to = fold(target), from = fold(source);
  // Later iterations must not overwrite what earlier ones wrote.
  if (!to || !from || !isInjective(*to))
    return false;
  OpBuilder b(root);
  dma.setTargetPattern(
      createPattern(b, *to, cast<MemRefType>(target.getType())));
  dma.setSourcePattern(
      createPattern(b, *from, cast<MemRefType>(source.getType())));
  dma->moveBefore(root);
  root.erase();
  return true;
}

struct FoldTransferLoopsPass
    : hierarchy::impl::FoldTransferLoopsBase<FoldTransferLoopsPass> {
  void runOnOperation() override {
    // Visit outermost loops first: a nest that folds completely leaves no
    // others to try.
    SmallVector<scf::ForOp> worklist;
    auto addLoops = [&](Region &region) {
      region.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        worklist.push_back(loop);
        return WalkResult::skip();
      });
    };
    for (Region &region : getOperation()->getRegions())
      addLoops(region);
    while (!worklist.empty()) {
      scf::ForOp loop = worklist.pop_back_val();
      if (!NestFolder(loop).run())
        addLoops(loop.getRegion());
    }
  }
};

} // namespace
