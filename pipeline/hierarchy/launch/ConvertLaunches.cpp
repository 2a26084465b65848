//===- ConvertLaunches.cpp - Turn air.launch into gpu.launch --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/launch/BlockSize.h"
#include "pipeline/hierarchy/launch/GridMapping.h"
#include "pipeline/hierarchy/launch/LaunchStreams.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_CONVERTLAUNCHES
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Moves the body of a hierarchy op to `before` in `block`. `ids`, `sizes` and
/// the kernel operands replace its arguments.
void inlineBody(air::HierarchyInterface op, ValueRange ids, ValueRange sizes,
                Block *block, Block::iterator before) {
  Block *body = op.getBodyBlock();
  for (auto [arg, value] : llvm::zip_equal(op.getIds(), ids))
    arg.replaceAllUsesWith(value);
  for (auto [arg, value] : llvm::zip_equal(op.getSizes(), sizes))
    arg.replaceAllUsesWith(value);
  for (auto [arg, value] :
       llvm::zip_equal(op.getKernelArguments(), op.getKernelOperands()))
    arg.replaceAllUsesWith(value);
  body->getTerminator()->erase();
  block->getOperations().splice(before, body->getOperations());
}

/// Returns true if `segment` is the only op of its block with effects other
/// than allocation. Each of its instances can then execute the surrounding
/// code.
bool isOnlyEffect(air::SegmentOp segment) {
  for (Operation &op : *segment->getBlock())
    if (&op != segment && !isMemoryEffectFree(&op) && !isAllocation(&op) &&
        !isa<memref::DeallocOp>(op) && !op.hasTrait<OpTrait::IsTerminator>())
      return false;
  return true;
}

class LaunchLowering {
public:
  LaunchLowering(air::LaunchOp launch, const BlockLimits &limits, int64_t xcds,
                 bool hasWaveIds, LaunchStreams &streams)
      : launch(launch), streams(streams), limits(limits), xcds(xcds),
        hasWaveIds(hasWaveIds) {}

  LogicalResult run();

private:
  void findGridSegments();
  LogicalResult createLaunch();
  void moveBody(OpBuilder &b, Value one);
  LogicalResult addGridSegments(OpBuilder &b, GridSpaces &spaces);
  void inlineGridSegments(const GridSpaces &spaces);
  void guardEmptyGrid(const GridSpaces &spaces, Value one);
  void eraseEmptyLaunch();
  void inlineSegments();
  void setScopes();
  void lowerChiplets();

  air::LaunchOp launch;
  LaunchStreams &streams;
  /// The streams that the launch waits for, and its own stream.
  SmallVector<unsigned> dependencies;
  unsigned stream = 0;
  bool isStreamed = false;
  const BlockLimits limits;
  const int64_t xcds;
  const bool hasWaveIds;

  gpu::LaunchOp gpuLaunch;
  /// Segments whose instances are workgroups, outermost first.
  SmallVector<air::SegmentOp> gridSegments;
  SmallVector<air::HerdOp> herds;
};

/// Finds the segments whose instances become workgroups, so that their sizes
/// multiply the grid. Such a segment is the only op with effects in the launch
/// or in the enclosing segment. The instances of other segments run one after
/// another, to keep their order with the surrounding code.
void LaunchLowering::findGridSegments() {
  Block *block = launch.getBodyBlock();
  while (true) {
    auto segments = llvm::to_vector(block->getOps<air::SegmentOp>());
    if (segments.size() != 1 || !isOnlyEffect(segments.front()))
      return;
    gridSegments.push_back(segments.front());
    block = segments.front().getBodyBlock();
  }
}

/// Creates a gpu.launch of one workgroup with the body of the air.launch. The
/// ids of the air.launch remain block arguments until the grid is known.
void LaunchLowering::moveBody(OpBuilder &b, Value one) {
  Location loc = launch.getLoc();
  if (isStreamed) {
    stream = streams.start(b, loc, dependencies);
    gpuLaunch = gpu::LaunchOp::create(b, loc, one, one, one, one, one, one,
                                      /*dynamicSharedMemorySize=*/Value(),
                                      b.getType<gpu::AsyncTokenType>(),
                                      streams.getLatest(stream));
  } else {
    gpuLaunch = gpu::LaunchOp::create(b, loc, one, one, one, one, one, one);
  }
  // Replace the arguments of the launch with its operands, so that getHostValue
  // can trace the sizes of segments to the host.
  for (auto [arg, value] :
       llvm::zip_equal(launch.getKernelArguments(), launch.getKernelOperands()))
    arg.replaceAllUsesWith(value);
  for (auto [arg, value] :
       llvm::zip_equal(launch.getSizes(), launch.getSizeOperands()))
    arg.replaceAllUsesWith(value);
  Block *block = &gpuLaunch.getBody().front();
  Block *launchBody = launch.getBodyBlock();
  launchBody->getTerminator()->erase();
  block->getOperations().splice(block->end(), launchBody->getOperations());
  OpBuilder body = OpBuilder::atBlockEnd(block);
  gpu::TerminatorOp::create(body, loc);
}

/// Adds the spaces of the segments that are part of the grid to `spaces`, and
/// removes all others from `gridSegments`, because the host must know their
/// sizes.
LogicalResult LaunchLowering::addGridSegments(OpBuilder &b,
                                              GridSpaces &spaces) {
  unsigned numGrid = 0;
  for (air::SegmentOp segment : gridSegments) {
    SmallVector<Value> sizes;
    for (Value size : segment.getSizeOperands()) {
      Value outside = getHostValue(size, gpuLaunch, b);
      if (!outside)
        break;
      sizes.push_back(outside);
    }
    if (sizes.size() != segment.getNumDims())
      break;
    if (auto granularity =
            segment->getAttrOfType<StringAttr>("backend-granularity")) {
      if (granularity.getValue() != "XCD")
        return segment.emitOpError("has the unknown backend-granularity \"")
               << granularity.getValue() << "\"; the known one is \"XCD\"";
      if (spaces.xcdSpace >= 0)
        return segment.emitOpError(
            "has the backend-granularity \"XCD\", but so does an enclosing "
            "segment; only one level can be distributed over XCDs");
      spaces.xcdSpace = int(spaces.spaces.size());
    }
    spaces.spaces.push_back(sizes);
    ++numGrid;
    // From here on, the body of the segment can use values of the kernel.
    for (auto [arg, value] : llvm::zip_equal(segment.getKernelArguments(),
                                             segment.getKernelOperands()))
      arg.replaceAllUsesWith(value);
    for (auto [arg, value] :
         llvm::zip_equal(segment.getSizes(), segment.getSizeOperands()))
      arg.replaceAllUsesWith(value);
  }
  gridSegments.truncate(numGrid);
  return success();
}

/// Creates an scf.if at the insertion point, which is in `block`, and moves the
/// rest of the block into it.
static void guardRest(OpBuilder &b, Location loc, Block *block,
                      Value condition) {
  auto guard = scf::IfOp::create(b, loc, condition);
  Block *then = guard.thenBlock();
  then->getOperations().splice(then->begin(), block->getOperations(),
                               std::next(Block::iterator(guard)),
                               std::prev(block->end()));
}

/// Computes the point of a workgroup in `spaces` and inlines the segments that
/// are part of the grid.
void LaunchLowering::inlineGridSegments(const GridSpaces &spaces) {
  Location loc = launch.getLoc();
  Block *block = &gpuLaunch.getBody().front();
  OpBuilder body = OpBuilder::atBlockBegin(block);
  gpu::KernelDim3 ids = gpuLaunch.getBlockIds();
  GridPoint point = createGridPoint(body, loc, spaces, {ids.x, ids.y, ids.z});
  for (auto [arg, id] : llvm::zip_equal(launch.getIds(), point.ids.front()))
    arg.replaceAllUsesWith(id);
  for (auto [segment, segmentIds] :
       llvm::zip_equal(gridSegments, ArrayRef(point.ids).drop_front())) {
    SmallVector<Value> sizes = llvm::to_vector(segment.getSizeOperands());
    inlineBody(segment, segmentIds, sizes, segment->getBlock(),
               Block::iterator(segment));
    segment.erase();
  }
  if (point.isUsed) {
    body.setInsertionPointAfterValue(point.isUsed);
    guardRest(body, loc, block, point.isUsed);
  }
}

/// Erases a launch that is known to have no points, and guards one that may
/// have none, because a device cannot launch an empty grid.
void LaunchLowering::guardEmptyGrid(const GridSpaces &spaces, Value one) {
  OpBuilder b(gpuLaunch);
  Location loc = launch.getLoc();
  Value zero, nonEmpty;
  for (ArrayRef<Value> space : spaces.spaces)
    for (Value size : space) {
      if (std::optional<int64_t> known = getConstantIntValue(size)) {
        if (*known > 0)
          continue;
        eraseEmptyLaunch();
        return;
      }
      if (!zero)
        zero = arith::ConstantIndexOp::create(b, loc, 0);
      Value some =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, size, zero);
      nonEmpty =
          nonEmpty ? arith::AndIOp::create(b, loc, nonEmpty, some) : some;
    }
  if (!nonEmpty)
    return;
  if (!isStreamed) {
    auto guard = scf::IfOp::create(b, loc, nonEmpty);
    gpuLaunch->moveBefore(guard.thenBlock()->getTerminator());
    return;
  }
  // A launch must be enqueued on the stream even if the grid is empty; one
  // workgroup then does nothing.
  for (OpOperand *size :
       {&gpuLaunch.getGridSizeXMutable(), &gpuLaunch.getGridSizeYMutable(),
        &gpuLaunch.getGridSizeZMutable()})
    size->assign(arith::SelectOp::create(b, loc, nonEmpty, size->get(), one));
  Block *block = &gpuLaunch.getBody().front();
  OpBuilder body = OpBuilder::atBlockBegin(block);
  guardRest(body, loc, block, nonEmpty);
}

LogicalResult LaunchLowering::createLaunch() {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  dependencies = streams.getRunning(launch.getAsyncDependencies());
  isStreamed = launch.getAsyncToken() || !dependencies.empty();
  moveBody(b, one);

  b.setInsertionPoint(gpuLaunch);
  GridSpaces spaces;
  spaces.xcds = xcds;
  spaces.spaces.push_back(llvm::to_vector(launch.getSizeOperands()));
  if (failed(addGridSegments(b, spaces)))
    return failure();
  SmallVector<Value, 3> grid = createGridSizes(b, loc, spaces);
  gpuLaunch.getGridSizeXMutable().assign(grid[0]);
  gpuLaunch.getGridSizeYMutable().assign(grid[1]);
  gpuLaunch.getGridSizeZMutable().assign(grid[2]);
  inlineGridSegments(spaces);
  guardEmptyGrid(spaces, one);
  if (!gpuLaunch || !isStreamed)
    return success();
  streams.setLatest(stream, gpuLaunch.getAsyncToken());
  if (Value token = launch.getAsyncToken()) {
    streams.set(token, stream);
  } else {
    b.setInsertionPointAfter(gpuLaunch);
    streams.wait(b, loc, stream);
  }
  return success();
}

/// Erases a launch without points. Its dependencies replace its token.
void LaunchLowering::eraseEmptyLaunch() {
  OpBuilder b(gpuLaunch);
  if (Value token = launch.getAsyncToken()) {
    // If a stream was started for the launch, it still has to be waited for.
    streams.set(token, dependencies.size() > 1 ? ArrayRef<unsigned>(stream)
                                               : dependencies);
  } else {
    streams.wait(b, launch.getLoc(), dependencies);
  }
  gpuLaunch.erase();
  gpuLaunch = {};
}

/// Inlines the segments that are not part of the grid, as loops over their
/// instances.
void LaunchLowering::inlineSegments() {
  while (true) {
    air::SegmentOp segment;
    gpuLaunch.walk<WalkOrder::PreOrder>([&](air::SegmentOp op) {
      segment = op;
      return WalkResult::interrupt();
    });
    if (!segment)
      return;
    OpBuilder b(segment);
    Location loc = segment.getLoc();
    SmallVector<Value> ids;
    if (segment.getNumDims()) {
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      Value one = arith::ConstantIndexOp::create(b, loc, 1);
      for (Value size : segment.getSizeOperands()) {
        auto loop = scf::ForOp::create(b, loc, zero, size, one);
        ids.push_back(loop.getInductionVar());
        b.setInsertionPoint(loop.getBody()->getTerminator());
      }
    }
    // The region marks the code of the segment until setScopes runs.
    auto region = scf::ExecuteRegionOp::create(b, loc, TypeRange());
    region.setNoInline(true);
    Block *block = b.createBlock(&region.getRegion());
    scf::YieldOp::create(b, loc);
    SmallVector<Value> sizes = llvm::to_vector(segment.getSizeOperands());
    inlineBody(segment, ids, sizes, block, std::prev(block->end()));
    segment.erase();
  }
}

/// Sets the scopes of the kernel, of each inlined segment and of each herd. The
/// scope is Scope::Lane if the code refers to individual lanes.
void LaunchLowering::setScopes() {
  gpuLaunch.walk([&](air::HerdOp herd) { herds.push_back(herd); });
  for (air::HerdOp herd : herds)
    setScope(herd, limits.peIsLane || codeNamesLanes(herd) ? Scope::Lane
                                                           : Scope::Wave);
  SmallVector<scf::ExecuteRegionOp> segments;
  gpuLaunch.walk([&](scf::ExecuteRegionOp region) {
    if (region.getNoInline())
      segments.push_back(region);
  });
  // Visit inner segments first, because their scope does not affect the
  // surrounding code.
  DenseMap<Operation *, Scope> scopes;
  auto scopeOf = [&](Operation *root) {
    bool names = false, acts = false;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == root)
        return WalkResult::advance();
      if (isa<air::HerdOp>(op) || llvm::is_contained(segments, op))
        return WalkResult::skip();
      names |= op->getNumRegions() ? namesLanes(op) : codeNamesLanes(op);
      acts |= !op->getNumRegions() && !isMemoryEffectFree(op);
      return WalkResult::advance();
    });
    if (names)
      return Scope::Lane;
    // Code without effects has the scope of the first segment in it.
    if (!acts)
      for (scf::ExecuteRegionOp inner : segments)
        if (root->isProperAncestor(inner))
          return scopes.lookup(inner);
    return Scope::Workgroup;
  };
  for (scf::ExecuteRegionOp region : segments)
    scopes[region] = scopeOf(region);
  setScope(gpuLaunch, scopeOf(gpuLaunch));
  // Visit outer segments first, because a region is inlined if its scope equals
  // that of the surrounding code.
  for (scf::ExecuteRegionOp region : llvm::reverse(segments)) {
    if (getScope(region) != scopes.lookup(region)) {
      setScope(region, scopes.lookup(region));
      continue;
    }
    Block &body = region.getRegion().front();
    body.getTerminator()->erase();
    region->getBlock()->getOperations().splice(Block::iterator(region),
                                               body.getOperations());
    region.erase();
  }
}

/// Lowers the ops for XCD ids. The hardware assigns workgroup w, with x as the
/// fastest dimension, to XCD `w mod xcds`.
void LaunchLowering::lowerChiplets() {
  SmallVector<Operation *> ops;
  gpuLaunch.walk([&](Operation *op) {
    if (isa<air::ChipletIdOp, air::ChipletBlockIdOp, air::ChipletDimBlocksOp>(
            op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    Value linear, total;
    for (auto dim : {gpu::Dimension::z, gpu::Dimension::y, gpu::Dimension::x}) {
      Value id = gpu::BlockIdOp::create(b, loc, b.getIndexType(), dim);
      Value size = gpu::GridDimOp::create(b, loc, b.getIndexType(), dim);
      linear =
          linear ? arith::AddIOp::create(
                       b, loc, arith::MulIOp::create(b, loc, linear, size), id)
                 : id;
      total = total ? arith::MulIOp::create(b, loc, total, size) : size;
    }
    Value count = arith::ConstantIndexOp::create(b, loc, xcds);
    Value xcd = arith::RemUIOp::create(b, loc, linear, count);
    Value result = xcd;
    if (isa<air::ChipletBlockIdOp>(op))
      result = arith::DivUIOp::create(b, loc, linear, count);
    else if (isa<air::ChipletDimBlocksOp>(op))
      result = createCeilDiv(b, loc, arith::SubIOp::create(b, loc, total, xcd),
                             count);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}

LogicalResult LaunchLowering::run() {
  findGridSegments();
  if (failed(createLaunch()))
    return failure();
  if (!gpuLaunch)
    return success();
  inlineSegments();
  setScopes();
  lowerChiplets();
  if (failed(setBlockSize(gpuLaunch, herds, limits)))
    return failure();
  OpBuilder b(gpuLaunch);
  gpuLaunch->setAttr(kernel::KernelDialect::WaveSizeAttrHelper::getNameStr(),
                     b.getI64IntegerAttr(limits.waveSize));
  if (hasWaveIds)
    gpuLaunch->setAttr(
        kernel::KernelDialect::HasWaveIdsAttrHelper::getNameStr(),
        b.getUnitAttr());
  if (limits.peIsLane)
    gpuLaunch->setAttr(kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr(),
                       b.getUnitAttr());
  if (StringAttr name = launch.getSymNameAttr())
    gpuLaunch->setAttr(kernel::KernelDialect::NameAttrHelper::getNameStr(),
                       name);
  return success();
}

struct ConvertLaunchesPass
    : hierarchy::impl::ConvertLaunchesBase<ConvertLaunchesPass> {
  using ConvertLaunchesBase::ConvertLaunchesBase;

  void runOnOperation() override {
    if (pe != "wave" && pe != "lane") {
      getOperation().emitError("option 'pe' of hierarchy-convert-launches must "
                               "be 'wave' or 'lane', but got '")
          << pe << "'";
      return signalPassFailure();
    }
    // Visit launches in program order, so that the stream of a token is known
    // at its uses.
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<air::LaunchOp, air::WaitAllOp>(op))
        ops.push_back(op);
    });
    BlockLimits limits{waveSize, pe == "lane", maxThreads, maxWaves};
    LaunchStreams streams;
    for (Operation *op : ops) {
      if (auto launch = dyn_cast<air::LaunchOp>(op)) {
        BlockLimits own = limits;
        own.peIsLane |= launch->hasAttr(
            kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr());
        LaunchLowering lowering(launch, own, xcds, waveIds, streams);
        if (failed(lowering.run()))
          return signalPassFailure();
        continue;
      }
      auto wait = cast<air::WaitAllOp>(op);
      SmallVector<unsigned> running =
          streams.getRunning(wait.getAsyncDependencies());
      OpBuilder b(wait);
      if (wait.getAsyncToken())
        streams.set(wait.getAsyncToken(), running);
      else
        streams.wait(b, wait.getLoc(), running);
    }
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    streams.waitForAll();
    WalkResult left = getOperation().walk([&](Operation *op) {
      if (!isa_and_nonnull<air::AIRDialect>(op->getDialect()) ||
          isa<air::ChannelOp>(op) || op->getParentOfType<gpu::LaunchOp>() ||
          op->getParentOfType<gpu::GPUFuncOp>())
        return WalkResult::advance();
      op->emitOpError("must be in a kernel; put it into an air.launch");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
