//===- FoldLoops.cpp - Fold or unroll loops around transfers --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// If a nest of loops around one transfer exceeds what a descriptor supports,
// its outermost loop is unrolled, and the nests in it are tried again.
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

namespace {

/// Loops without any variable in the offsets are not unrolled if they have at
/// least this many iterations, because the other end of the channel has a lock
/// for each.
constexpr int64_t kMaxRepetitions = 16;
/// Unrolling stops where more transfers than this would be created.
constexpr int64_t kMaxCopies = 1 << 16;

class LoopFolder {
public:
  explicit LoopFolder(const ShimDmaOptions &options) : options(options) {}

  /// Folds or unrolls the loops of `op` and canonicalizes transfers. `isCopy`
  /// is set for a copy of a loop's body, whose loops may be unrolled by an
  /// earlier decision.
  LogicalResult run(Operation *op, bool isCopy = false);

  /// In blocks in which loops were unrolled, makes the puts into each element
  /// of a channel depend on each other, and likewise the gets from it.
  void chainTransfers();

private:
  LogicalResult runLoop(scf::ForOp loop, bool isCopy);
  LogicalResult runRegions(Operation *op);
  bool canUnroll(scf::ForOp loop, bool isCopy);

  const ShimDmaOptions &options;
  llvm::SmallSetVector<Block *, 4> unrolled;
};

/// Returns whether the op and the ops in it only transfer data, wait or compute
/// indices.
bool onlyTransfers(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return carriesAtMostOneToken(loop) &&
           llvm::all_of(loop.getBody()->without_terminator(), onlyTransfers);
  return isa<air::ChannelAccessInterface, air::WaitAllOp>(op) || isFree(op);
}

/// Returns the number of transfers into which the op unrolls, at most
/// kMaxCopies + 1.
int64_t countCopies(Operation &op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return isa<air::ChannelAccessInterface>(op);
  int64_t count = 0;
  for (Operation &nested : loop.getBody()->without_terminator())
    count += countCopies(nested);
  std::optional<LoopBounds> bounds = getBounds(loop);
  if (bounds && llvm::MulOverflow(count, bounds->tripCount, count))
    return kMaxCopies + 1;
  return std::min(count, kMaxCopies + 1);
}

/// Returns whether `value` is computed from `variable` by ops in loops.
bool dependsOn(Value value, Value variable) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == variable)
      return true;
    Operation *op = seen[i].getDefiningOp();
    if (op && op->getParentOfType<scf::ForOp>())
      seen.insert_range(op->getOperands());
  }
  return false;
}

/// Returns whether the loops around the transfer repeat it too often without
/// changing what is transferred.
bool isLongRepetition(air::ChannelAccessInterface access) {
  air::AccessPattern pattern =
      getPattern(cast<air::TransferInterface>(access.getOperation()));
  SmallVector<OpFoldResult> entries = pattern.offsets;
  llvm::append_range(entries, pattern.sizes);
  llvm::append_range(entries, pattern.strides);
  for (Value index : access.getIndices())
    entries.push_back(index);
  int64_t count = 1;
  for (Operation *parent = access->getParentOp();
       parent && !isa<air::HierarchyInterface>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      continue;
    for (OpFoldResult entry : entries)
      if (auto value = dyn_cast<Value>(entry);
          value && dependsOn(value, loop.getInductionVar()))
        return false;
    std::optional<LoopBounds> bounds = getBounds(loop);
    if (bounds && llvm::MulOverflow(count, bounds->tripCount, count))
      return true;
  }
  return count >= kMaxRepetitions;
}

bool LoopFolder::canUnroll(scf::ForOp loop, bool isCopy) {
  if (options.profile->controlLoops)
    return false;
  if (getBounds(loop)->tripCount == 1)
    return true;
  if (!onlyTransfers(*loop))
    return false;
  if (isCopy)
    return true;
  bool repeats = loop.walk([&](air::ChannelAccessInterface access) {
                       return isLongRepetition(access) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
                     })
                     .wasInterrupted();
  if (repeats)
    return false;
  if (countCopies(*loop) <= kMaxCopies)
    return true;
  if (options.report)
    loop.emitRemark(
        "the transfers in this loop do not fit into one descriptor, "
        "and the loop is not unrolled, because that would make "
        "more than ")
        << kMaxCopies << " transfers; make each transfer larger";
  return false;
}

LogicalResult LoopFolder::runLoop(scf::ForOp loop, bool isCopy) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (step && *step < 1)
    return loop.emitOpError("has step ")
           << *step << "; loops around transfers must have a positive step";
  std::optional<LoopBounds> bounds = getBounds(loop);
  if (!bounds)
    return runRegions(loop);
  if (bounds->tripCount == 0) {
    loop.replaceAllUsesWith(loop.getInits());
    loop.erase();
    return success();
  }
  if (options.fold) {
    FailureOr<bool> folded = foldNest(loop, options);
    if (failed(folded))
      return failure();
    if (*folded)
      return success();
  }
  if (!canUnroll(loop, isCopy))
    return runRegions(loop);
  unrolled.insert(loop->getBlock());
  SmallVector<Operation *> copies;
  unrollLoop(loop, /*reduceHerds=*/false, copies);
  for (Operation *copy : copies)
    if (failed(run(copy, /*isCopy=*/true)))
      return failure();
  return success();
}

LogicalResult LoopFolder::runRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      SmallVector<Operation *> ops;
      for (Operation &nested : block)
        ops.push_back(&nested);
      for (Operation *nested : ops)
        if (failed(run(nested)))
          return failure();
    }
  return success();
}

LogicalResult LoopFolder::run(Operation *op, bool isCopy) {
  if (auto access = dyn_cast<air::ChannelAccessInterface>(op))
    return canonicalizeTransfer(access, options);
  if (isa<air::HierarchyInterface>(op))
    return success();
  auto loop = dyn_cast<scf::ForOp>(op);
  bool holdsTransfer = false;
  if (loop)
    walkShimOps(loop.getRegion(), [&](Operation *nested) {
      holdsTransfer |= isa<air::ChannelAccessInterface>(nested);
    });
  if (holdsTransfer || (loop && isCopy))
    return runLoop(loop, isCopy);
  return runRegions(op);
}

/// Returns whether `token` is `earlier` or a join that contains it.
bool contains(Value token, Value earlier) {
  llvm::SetVector<Value> seen;
  seen.insert(token);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == earlier)
      return true;
    if (auto join = seen[i].getDefiningOp<air::WaitAllOp>())
      seen.insert_range(join.getAsyncDependencies());
  }
  return false;
}

void LoopFolder::chainTransfers() {
  for (Block *block : unrolled) {
    std::map<ChannelElement, Value> last;
    for (Operation &op : *block) {
      auto access = dyn_cast<air::ChannelAccessInterface>(op);
      if (!access)
        continue;
      auto async = cast<air::AsyncOpInterface>(op);
      Value &previous = last[getChannelElement(access)];
      if (previous &&
          llvm::none_of(async.getAsyncDependencies(),
                        [&](Value token) { return contains(token, previous); }))
        async.addAsyncDependency(previous);
      previous = async.getAsyncToken();
    }
  }
}

} // namespace

LogicalResult npu::foldLoops(Region &scope, const ShimDmaOptions &options) {
  LoopFolder folder(options);
  SmallVector<Operation *> ops;
  for (Operation &op : scope.getOps())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(folder.run(op)))
      return failure();
  folder.chainTransfers();
  return success();
}
