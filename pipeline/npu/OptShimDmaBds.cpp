//===- OptShimDmaBds.cpp - Fold loops into descriptors of shim DMAs -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/Passes.h"
#include "pipeline/npu/ShimLoops.h"

#include "targets/TargetFolders.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/Support/FileSystem.h"

namespace aircc::npu {
#define GEN_PASS_DEF_OPTSHIMDMABDS
#include "pipeline/npu/Passes.h.inc"
} // namespace aircc::npu

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

// Some systems locate the program through the address of a symbol in it.
static char programAnchor;

namespace {

/// How the nests of a scope are tiled.
struct Tiling {
  enum Kind { None, Sizes, Automatic } kind = None;
  SmallVector<int64_t> sizes = {};

  /// Returns the size of each loop of a nest. A single size applies to all
  /// loops.
  SmallVector<int64_t> getSizes(size_t depth) const {
    if (sizes.size() == 1)
      return SmallVector<int64_t>(depth, sizes.front());
    return sizes;
  }
};

class OptShimDmaBdsPass
    : public npu::impl::OptShimDmaBdsBase<OptShimDmaBdsPass> {
public:
  using OptShimDmaBdsBase::OptShimDmaBdsBase;

  void runOnOperation() override {
    if (getOperation().isDeclaration())
      return;
    if (failed(loadProfile()) || failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult loadProfile();
  LogicalResult run();
  FailureOr<SmallVector<air::LaunchOp>> convertLaunches();
  FailureOr<Tiling> getOptionTiling();
  FailureOr<Tiling> getTiling(air::LaunchOp launch);
  FailureOr<bool> tile(Region &scope, const Tiling &tiling);
  FailureOr<bool> runScope(Region &scope, const Tiling &tiling);
  LogicalResult simplify(Region &scope);

  std::optional<NpuProfile> profile;
  ShimDmaOptions options;
};

LogicalResult OptShimDmaBdsPass::loadProfile() {
  func::FuncOp function = getOperation();
  std::vector<ProfileError> errors;
  std::string binary = llvm::sys::fs::getMainExecutable("", &programAnchor);
  profile = loadNpuProfile(getTargetFolders(binary), device, errors);
  if (!profile) {
    for (const ProfileError &error : errors) {
      InFlightDiagnostic diag =
          function.emitError("invalid aie.device option '")
          << device << "': " << error.message;
      if (!error.file.empty())
        diag.attachNote() << error.file << ":" << error.line << ":"
                          << error.column << ": " << error.pointer;
      for (const std::string &note : error.notes)
        diag.attachNote() << note;
    }
    return failure();
  }
  const NpuDma &dma = profile->dma;
  options.limits = {dma.dims, dma.maxSize, dma.maxStrideWords, dma.granuleBits,
                    dma.repeatDim.has_value()};
  options.profile = &*profile;
  return success();
}

//===----------------------------------------------------------------------===//
// Tile sizes
//===----------------------------------------------------------------------===//

FailureOr<Tiling> OptShimDmaBdsPass::getOptionTiling() {
  if (profile->controlLoops)
    return Tiling();
  ArrayRef<unsigned> sizes = shimDmaTileSizes;
  if (sizes.size() > 1 && llvm::is_contained(sizes, 0)) {
    getOperation().emitError("shim-dma-tile-sizes=0 is only valid as a single "
                             "value, but got a list that contains 0");
    return failure();
  }
  if (autoTileSizes && !sizes.empty()) {
    getOperation().emitError("shim-dma-tile-sizes and auto-tile-sizes cannot "
                             "be combined; use one of them");
    return failure();
  }
  if (autoTileSizes)
    return Tiling{Tiling::Automatic};
  if (sizes.empty() || sizes.front() == 0)
    return Tiling();
  return Tiling{Tiling::Sizes, {sizes.begin(), sizes.end()}};
}

/// Checks the attribute with the tile sizes of a launch.
static LogicalResult checkTileSizes(air::LaunchOp launch) {
  Attribute attribute = launch->getAttr(kTileSizes);
  if (!attribute)
    return success();
  auto sizes = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!sizes)
    return launch.emitOpError("expects '")
           << kTileSizes << "' to be an array<i64>, but got " << attribute;
  if (sizes.empty())
    return launch.emitOpError("attribute '")
           << kTileSizes << "' must not be empty";
  if (sizes.asArrayRef() != ArrayRef<int64_t>{0} &&
      llvm::any_of(sizes.asArrayRef(), [](int64_t size) { return size <= 0; }))
    return launch.emitOpError("attribute '")
           << kTileSizes
           << "' values must be positive; use [0] alone to skip tiling";
  return success();
}

FailureOr<Tiling> OptShimDmaBdsPass::getTiling(air::LaunchOp launch) {
  if (failed(checkTileSizes(launch)))
    return failure();
  FailureOr<Tiling> tiling = getOptionTiling();
  auto attribute = launch->getAttrOfType<DenseI64ArrayAttr>(kTileSizes);
  if (failed(tiling) || !shimDmaTileSizes.empty() || autoTileSizes ||
      !attribute || profile->controlLoops)
    return tiling;
  ArrayRef<int64_t> sizes = attribute;
  if (sizes == ArrayRef<int64_t>{0})
    return Tiling();
  return Tiling{Tiling::Sizes, llvm::to_vector(sizes)};
}

/// Returns whether tiles of these sizes preserve the order of the iterations,
/// that is, only one loop is cut, and the loops around it have tiles of one
/// iteration.
static bool isOrderPreserving(MutableArrayRef<scf::ForOp> nest,
                              ArrayRef<int64_t> sizes) {
  bool isCut = false;
  for (auto [loop, size] : llvm::zip(nest, sizes)) {
    int64_t tripCount = getBounds(loop)->tripCount;
    if (isCut && size < tripCount)
      return false;
    isCut |= size > 1 && tripCount > 1;
  }
  return true;
}

FailureOr<bool> OptShimDmaBdsPass::tile(Region &scope, const Tiling &tiling) {
  // The points of a launch are unordered.
  bool hasOrder = !scope.getParentOp()->hasAttr(kDummyLaunch);
  bool changed = false;
  for (scf::ForOp loop : getShimLoops(scope)) {
    SmallVector<scf::ForOp> nest = getPerfectNest(loop);
    bool isDead = llvm::any_of(nest, [](scf::ForOp inner) {
      return getBounds(inner)->tripCount == 0;
    });
    if (nest.empty() || isDead)
      continue;
    FailureOr<SmallVector<int64_t>> sizes = tiling.getSizes(nest.size());
    if (tiling.kind == Tiling::Automatic)
      sizes = chooseTileSizes(nest, options);
    if (failed(sizes))
      return failure();
    if (hasOrder && !isOrderPreserving(nest, *sizes))
      loop.emitRemark(
          "the tile sizes change the order of iterations, and thus of the data "
          "in channels; to preserve it, use a size of 1 for all loops around "
          "the first tiled loop, and no sizes for the loops inside it");
    tileNest(nest, *sizes);
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

/// Removes duplicate dependencies of the ops in a scope.
static void removeDuplicateTokens(Region &scope) {
  walkShimOps(scope, [](Operation *op) {
    auto async = dyn_cast<air::AsyncOpInterface>(op);
    if (!async)
      return;
    llvm::SmallSetVector<Value, 4> tokens;
    tokens.insert_range(async.getAsyncDependencies());
    if (tokens.size() != async.getAsyncDependencies().size())
      async.getAsyncDependenciesMutable().assign(tokens.getArrayRef());
  });
}

/// Simplifies the index computations of the shim ops of a scope.
LogicalResult OptShimDmaBdsPass::simplify(Region &scope) {
  MLIRContext *context = &getContext();
  RewritePatternSet patterns(context);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineMinOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineMaxOp::getCanonicalizationPatterns(patterns, context);
  arith::AddIOp::getCanonicalizationPatterns(patterns, context);
  arith::MulIOp::getCanonicalizationPatterns(patterns, context);
  SmallVector<Operation *> ops;
  walkShimOps(scope, [&](Operation *op) {
    if (isFree(*op))
      ops.push_back(op);
  });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// Ends the scope with a wait for all tokens that no op waits for.
static void createFinalWait(Region &scope, bool ifTokens) {
  Block &block = scope.back();
  Operation *terminator = block.getTerminator();
  Operation *last = terminator->getPrevNode();
  if (last && isa<air::WaitAllOp>(last) && last->hasAttr(kLaunchEnd))
    return;
  SmallVector<Value> tokens = getUnusedTokens(block);
  if (tokens.empty() && ifTokens)
    return;
  OpBuilder b(terminator);
  createGroupEnd(b, terminator->getLoc(), tokens);
}

/// Runs the steps on one scope. Returns whether it was tiled.
FailureOr<bool> OptShimDmaBdsPass::runScope(Region &scope,
                                            const Tiling &tiling) {
  auto launch = dyn_cast<air::LaunchOp>(scope.getParentOp());
  ShimDmaOptions scopeOptions = options;
  scopeOptions.fold = !launch || !launch->hasAttr(kPreserveOrder);
  prepareLoops(scope);
  bool tiled = false;
  if (tiling.kind != Tiling::None) {
    FailureOr<bool> changed = tile(scope, tiling);
    if (failed(changed) || failed(simplify(scope)))
      return failure();
    tiled = *changed;
    prepareLoops(scope);
  }
  if (scopeOptions.fold)
    splitLoops(scope);
  if (failed(foldLoops(scope, scopeOptions)) || failed(simplify(scope)))
    return failure();
  removeDuplicateTokens(scope);
  if (launch)
    markOrderedTransfers(launch);
  if (!profile->controlLoops)
    reportDescriptors(scope, scopeOptions);
  return tiled;
}

FailureOr<SmallVector<air::LaunchOp>> OptShimDmaBdsPass::convertLaunches() {
  SmallVector<air::LaunchOp> launches, converted;
  getOperation().walk(
      [&](air::LaunchOp launch) { launches.push_back(launch); });
  if (profile->controlLoops)
    return launches;
  for (air::LaunchOp launch : launches) {
    yieldBranchTokens(launch);
    FailureOr<air::LaunchOp> result = convertLaunch(launch);
    if (failed(result))
      return failure();
    converted.push_back(*result);
  }
  return converted;
}

LogicalResult OptShimDmaBdsPass::run() {
  FailureOr<Tiling> functionTiling = getOptionTiling();
  if (failed(functionTiling))
    return failure();
  FailureOr<SmallVector<air::LaunchOp>> launches = convertLaunches();
  if (failed(launches))
    return failure();
  Region &body = getOperation().getBody();
  SmallVector<Region *> others = {&body};
  getOperation().walk(
      [&](air::RankOp rank) { others.push_back(&rank.getRegion()); });

  bool hasShimLoops = false;
  auto addLoops = [&](Region &scope) {
    hasShimLoops |= llvm::any_of(scope.getOps(), [](Operation &op) {
      return isa<scf::ForOp, scf::ParallelOp, affine::AffineForOp>(op);
    });
  };
  for (air::LaunchOp launch : *launches)
    addLoops(launch.getRegion());
  for (Region *scope : others)
    addLoops(*scope);

  bool anyTiled = false;
  for (air::LaunchOp launch : *launches) {
    FailureOr<Tiling> tiling = getTiling(launch);
    if (failed(tiling))
      return failure();
    FailureOr<bool> tiled = runScope(launch.getRegion(), *tiling);
    if (failed(tiled))
      return failure();
    anyTiled |= *tiled;
    if (hasShimLoops && !*tiled && launch.isAsync() && !profile->controlLoops)
      createFinalWait(launch.getRegion(), /*ifTokens=*/false);
  }
  for (Region *scope : others) {
    FailureOr<bool> tiled = runScope(*scope, *functionTiling);
    if (failed(tiled))
      return failure();
    anyTiled |= *tiled;
  }
  if (hasShimLoops && !anyTiled && !profile->controlLoops)
    createFinalWait(body, /*ifTokens=*/true);
  return success();
}

} // namespace
