//===- LaunchToGPU.cpp - Turn air.launch into gpu.launch ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/ExecutionModel.h"
#include "pipeline/hierarchy/GridMapping.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/UpperBound.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_LAUNCHTOGPU
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Threads of a workgroup without herds whose work can be shared out.
constexpr int64_t kDefaultThreads = 256;

std::optional<int64_t> getConstant(Value value) {
  APInt known;
  if (matchPattern(value, m_ConstantInt(&known)))
    return known.getSExtValue();
  return std::nullopt;
}

/// Moves the ops of a hierarchy op's body in front of `before` (or to the end
/// of its block), with `ids`, `sizes` and the kernel operands for its
/// arguments.
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

/// True if running the code around `segment` once for each of its instances,
/// and all instances at once, cannot be told from running it once.
bool isOnlyWork(air::SegmentOp segment) {
  for (Operation &op : *segment->getBlock())
    if (&op != segment && !isMemoryEffectFree(&op) && !isAllocation(&op) &&
        !isa<memref::DeallocOp>(op) && !op.hasTrait<OpTrait::IsTerminator>())
      return false;
  return true;
}

/// The streams behind the tokens of launches. What depends on one stream goes
/// on in it, what depends on several starts one that waits for them. A stream
/// ends with the one wait of the host for it, so a token is only as good as the
/// stream it belongs to: waiting for it waits for all that the stream has got.
class Streams {
public:
  /// The streams of `tokens` that the host has not waited for.
  SmallVector<unsigned> getRunning(ValueRange tokens) {
    SetVector<unsigned> running;
    for (Value token : tokens)
      for (unsigned stream : tokenStreams[token])
        if (!streams[stream].isDone)
          running.insert(stream);
    return running.takeVector();
  }
  void set(Value token, ArrayRef<unsigned> running) {
    tokenStreams[token] = llvm::to_vector(running);
  }
  /// The stream for a launch that depends on `running`.
  unsigned start(OpBuilder &b, Location loc, ArrayRef<unsigned> running) {
    if (running.size() == 1)
      return running.front();
    SmallVector<Value> latest;
    for (unsigned stream : running)
      latest.push_back(streams[stream].latest);
    auto wait =
        gpu::WaitOp::create(b, loc, b.getType<gpu::AsyncTokenType>(), latest);
    streams.push_back({wait.getAsyncToken()});
    return streams.size() - 1;
  }
  Value getLatest(unsigned stream) { return streams[stream].latest; }
  void setLatest(unsigned stream, Value token) {
    streams[stream].latest = token;
  }
  void wait(OpBuilder &b, Location loc, ArrayRef<unsigned> running) {
    for (unsigned stream : running) {
      gpu::WaitOp::create(b, loc, /*asyncToken=*/Type(),
                          streams[stream].latest);
      streams[stream].isDone = true;
    }
  }
  /// Waits for all that still runs, at the ends of the blocks it was started
  /// in.
  void waitForRest() {
    for (unsigned stream = 0; stream < streams.size(); ++stream) {
      if (streams[stream].isDone)
        continue;
      Value latest = streams[stream].latest;
      OpBuilder b(latest.getParentBlock()->getTerminator());
      wait(b, latest.getLoc(), stream);
    }
  }

private:
  struct Stream {
    Value latest;
    bool isDone = false;
  };
  DenseMap<Value, SmallVector<unsigned>> tokenStreams;
  SmallVector<Stream> streams;
};

class LaunchLowering {
public:
  LaunchLowering(air::LaunchOp launch, int64_t waveSize, bool peIsLane,
                 int64_t maxThreads, int64_t maxWaves, int64_t xcds,
                 bool hasWaveIds, Streams &streams)
      : launch(launch), streams(streams), waveSize(waveSize),
        peIsLane(peIsLane), hasWaveIds(hasWaveIds), maxThreads(maxThreads),
        maxWaves(maxWaves), xcds(xcds) {}

  LogicalResult run();

private:
  void findGridSegments();
  LogicalResult createLaunch();
  void dropLaunch(ArrayRef<unsigned> after);
  void inlineSegments();
  void setScopes();
  void lowerChiplets();
  LogicalResult setBlockSize();
  LogicalResult checkBlockSize(ArrayRef<Value> block);
  bool shouldUseRow();
  Value getOutside(Value value, OpBuilder &b);
  unsigned numThreadsWithoutHerds();

  air::LaunchOp launch;
  Streams &streams;
  unsigned stream = 0;
  const int64_t waveSize;
  const bool peIsLane, hasWaveIds;
  const int64_t maxThreads, maxWaves, xcds;

  gpu::LaunchOp gpuLaunch;
  /// Segments whose instances are workgroups, from the outside in.
  SmallVector<air::SegmentOp> gridSegments;
  SmallVector<air::HerdOp> herds;
};

/// The segments that multiply the grid: those that are all that the launch, or
/// the segment around them, does. Others go through their instances one after
/// another, because only then what is around them keeps its order.
void LaunchLowering::findGridSegments() {
  Block *block = launch.getBodyBlock();
  while (true) {
    auto segments = llvm::to_vector(block->getOps<air::SegmentOp>());
    if (segments.size() != 1 || !isOnlyWork(segments.front()))
      return;
    gridSegments.push_back(segments.front());
    block = segments.front().getBodyBlock();
  }
}

/// `value`, computed before the launch; null where that cannot be.
Value LaunchLowering::getOutside(Value value, OpBuilder &b) {
  // The ids of the launch, which only the kernel has.
  if (value.getParentBlock() == launch.getBodyBlock())
    return {};
  if (!gpuLaunch.getBody().isAncestor(value.getParentRegion()))
    return value;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    gpu::KernelDim3 grid = gpuLaunch.getGridSize();
    gpu::KernelDim3 sizes = gpuLaunch.getGridSizeOperandValues();
    if (arg == grid.x)
      return sizes.x;
    if (arg == grid.y)
      return sizes.y;
    if (arg == grid.z)
      return sizes.z;
    return {};
  }
  Operation *def = value.getDefiningOp();
  if (!isPure(def) || def->getNumRegions() || namesLanes(def) ||
      isa<gpu::BlockIdOp>(def))
    return {};
  IRMapping mapping;
  for (Value operand : def->getOperands()) {
    Value outside = getOutside(operand, b);
    if (!outside)
      return {};
    mapping.map(operand, outside);
  }
  Operation *clone = b.clone(*def, mapping);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

LogicalResult LaunchLowering::createLaunch() {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  GridSpaces spaces;
  spaces.xcds = xcds;
  spaces.spaces.push_back(llvm::to_vector(launch.getSizeOperands()));

  // The launch's operands are visible in its body from here on, so that sizes
  // of segments can be followed to the host.
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<unsigned> after =
      streams.getRunning(launch.getAsyncDependencies());
  bool isStreamed = launch.getAsyncToken() || !after.empty();
  if (isStreamed) {
    stream = streams.start(b, loc, after);
    gpuLaunch = gpu::LaunchOp::create(b, loc, one, one, one, one, one, one,
                                      /*dynamicSharedMemorySize=*/Value(),
                                      b.getType<gpu::AsyncTokenType>(),
                                      streams.getLatest(stream));
  } else {
    gpuLaunch = gpu::LaunchOp::create(b, loc, one, one, one, one, one, one);
  }
  Block *block = &gpuLaunch.getBody().front();
  b.setInsertionPoint(gpuLaunch);
  for (auto [arg, value] :
       llvm::zip_equal(launch.getKernelArguments(), launch.getKernelOperands()))
    arg.replaceAllUsesWith(value);
  for (auto [arg, value] :
       llvm::zip_equal(launch.getSizes(), launch.getSizeOperands()))
    arg.replaceAllUsesWith(value);
  // The ids stay arguments of the launch's block until the grid is known.
  Block *launchBody = launch.getBodyBlock();
  SmallVector<BlockArgument> launchIds = llvm::to_vector(launch.getIds());
  launchBody->getTerminator()->erase();
  block->getOperations().splice(block->end(), launchBody->getOperations());
  OpBuilder body = OpBuilder::atBlockEnd(block);
  gpu::TerminatorOp::create(body, loc);

  // A segment can be part of the grid if the host knows its size.
  unsigned numGrid = 0;
  for (air::SegmentOp segment : gridSegments) {
    SmallVector<Value> sizes;
    for (Value size : segment.getSizeOperands()) {
      Value outside = getOutside(size, b);
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
        return segment.emitOpError("and a segment around it both have the "
                                   "backend-granularity \"XCD\"; only one "
                                   "level can go over the XCDs");
      spaces.xcdSpace = int(spaces.spaces.size());
    }
    spaces.spaces.push_back(sizes);
    ++numGrid;
    // What is in the segment is visible in the kernel as well.
    for (auto [arg, value] : llvm::zip_equal(segment.getKernelArguments(),
                                             segment.getKernelOperands()))
      arg.replaceAllUsesWith(value);
    for (auto [arg, value] :
         llvm::zip_equal(segment.getSizes(), segment.getSizeOperands()))
      arg.replaceAllUsesWith(value);
  }

  SmallVector<Value, 3> grid = createGridSizes(b, loc, spaces);
  gpuLaunch.getGridSizeXMutable().assign(grid[0]);
  gpuLaunch.getGridSizeYMutable().assign(grid[1]);
  gpuLaunch.getGridSizeZMutable().assign(grid[2]);

  body.setInsertionPointToStart(block);
  gpu::KernelDim3 ids = gpuLaunch.getBlockIds();
  GridPoint point = createGridPoint(body, loc, spaces, {ids.x, ids.y, ids.z});
  for (auto [arg, id] : llvm::zip_equal(launchIds, point.ids.front()))
    arg.replaceAllUsesWith(id);
  for (unsigned i = 0; i < numGrid; ++i) {
    air::SegmentOp segment = gridSegments[i];
    SmallVector<Value> sizes = llvm::to_vector(segment.getSizeOperands());
    inlineBody(segment, point.ids[i + 1], sizes, segment->getBlock(),
               Block::iterator(segment));
    segment.erase();
  }
  if (point.isUsed) {
    body.setInsertionPointAfterValue(point.isUsed);
    auto guard = scf::IfOp::create(body, loc, point.isUsed);
    Block *then = guard.thenBlock();
    then->getOperations().splice(then->begin(), block->getOperations(),
                                 std::next(Block::iterator(guard)),
                                 std::prev(block->end()));
  }

  // A grid without points is nothing that a device can be asked to run.
  b.setInsertionPoint(gpuLaunch);
  Value zero, nonEmpty;
  for (ArrayRef<Value> space : spaces.spaces)
    for (Value size : space) {
      if (std::optional<int64_t> known = getConstant(size)) {
        if (*known > 0)
          continue;
        dropLaunch(after);
        return success();
      }
      if (!zero)
        zero = arith::ConstantIndexOp::create(b, loc, 0);
      Value some =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, size, zero);
      nonEmpty =
          nonEmpty ? arith::AndIOp::create(b, loc, nonEmpty, some) : some;
    }
  if (nonEmpty && !isStreamed) {
    auto guard = scf::IfOp::create(b, loc, nonEmpty);
    gpuLaunch->moveBefore(guard.thenBlock()->getTerminator());
  } else if (nonEmpty) {
    // A stream goes through its launch in any case: an empty grid becomes one
    // workgroup that does nothing.
    for (OpOperand *size :
         {&gpuLaunch.getGridSizeXMutable(), &gpuLaunch.getGridSizeYMutable(),
          &gpuLaunch.getGridSizeZMutable()})
      size->assign(arith::SelectOp::create(b, loc, nonEmpty, size->get(), one));
    body.setInsertionPointToStart(block);
    auto guard = scf::IfOp::create(body, loc, nonEmpty);
    Block *then = guard.thenBlock();
    then->getOperations().splice(then->begin(), block->getOperations(),
                                 std::next(Block::iterator(guard)),
                                 std::prev(block->end()));
  }
  if (!isStreamed)
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

/// Takes away a launch without points; its token stands for what it would have
/// waited for.
void LaunchLowering::dropLaunch(ArrayRef<unsigned> after) {
  OpBuilder b(gpuLaunch);
  if (Value token = launch.getAsyncToken()) {
    // A stream that was started for it is still one that has to be waited for.
    streams.set(token, after.size() > 1 ? ArrayRef<unsigned>(stream) : after);
  } else {
    streams.wait(b, launch.getLoc(), after);
  }
  gpuLaunch.erase();
  gpuLaunch = {};
}

/// Inlines the segments that are not part of the grid: their instances run one
/// after another.
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
    // The region remembers whose program its code is, see setScopes.
    auto region = scf::ExecuteRegionOp::create(b, loc, TypeRange());
    region.setNoInline(true);
    Block *block = b.createBlock(&region.getRegion());
    scf::YieldOp::create(b, loc);
    SmallVector<Value> sizes = llvm::to_vector(segment.getSizeOperands());
    inlineBody(segment, ids, sizes, block, std::prev(block->end()));
    segment.erase();
  }
}

/// Decides for the kernel, each inlined segment and each herd whether its code
/// names lanes.
void LaunchLowering::setScopes() {
  gpuLaunch.walk([&](air::HerdOp herd) { herds.push_back(herd); });
  for (air::HerdOp herd : herds)
    setScope(herd,
             peIsLane || codeNamesLanes(herd) ? Scope::Lane : Scope::Wave);
  SmallVector<scf::ExecuteRegionOp> segments;
  gpuLaunch.walk([&](scf::ExecuteRegionOp region) {
    if (region.getNoInline())
      segments.push_back(region);
  });
  // Inner segments first: what they are does not make the outer code so.
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
    // Code that does nothing itself goes along with the first segment in it.
    if (!acts)
      for (scf::ExecuteRegionOp inner : segments)
        if (root->isProperAncestor(inner))
          return scopes.lookup(inner);
    return Scope::Workgroup;
  };
  for (scf::ExecuteRegionOp region : segments)
    scopes[region] = scopeOf(region);
  setScope(gpuLaunch, scopeOf(gpuLaunch));
  // Outer segments first: where nothing changes, no region is needed.
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

/// Computes what workgroups know of their XCD from the order in which the
/// hardware deals them out: workgroup w, x running fastest, goes to XCD
/// `w mod xcds`.
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

/// How many threads a workgroup without herds gets.
unsigned LaunchLowering::numThreadsWithoutHerds() {
  bool shares =
      gpuLaunch
          .walk([](Operation *op) {
            bool isShared =
                isa<air::DmaMemcpyNdOp, memref::CopyOp, scf::ParallelOp,
                    scf::ForallOp, affine::AffineParallelOp>(op) ||
                op->getName().getDialectNamespace() == "linalg";
            return isShared ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (!shares)
    return peIsLane ? 1 : waveSize;
  int64_t threads = std::min(kDefaultThreads, maxThreads);
  return threads / waveSize * waveSize;
}

LogicalResult LaunchLowering::setBlockSize() {
  OpBuilder b(gpuLaunch);
  Location loc = gpuLaunch.getLoc();
  auto setBlock = [&](ArrayRef<Value> sizes) {
    gpuLaunch.getBlockSizeXMutable().assign(sizes[0]);
    gpuLaunch.getBlockSizeYMutable().assign(sizes[1]);
    gpuLaunch.getBlockSizeZMutable().assign(sizes[2]);
  };
  SmallVector<Value> block(3);
  SmallVector<int64_t> known(3, 1);
  bool inRow = !herds.empty() && shouldUseRow();
  if (inRow)
    gpuLaunch->setAttr(kPesInRowAttr, b.getUnitAttr());
  for (air::HerdOp herd : herds) {
    if (herd.getNumDims() > 3)
      return herd.emitOpError("has ")
             << herd.getNumDims()
             << " dimensions; a workgroup has three, so linearize some of them";
    // The herd's sizes on the host, or what they are at most.
    SmallVector<Value> sizes;
    for (Value size : herd.getSizeOperands()) {
      std::optional<int64_t> constant = getConstant(size);
      if (constant && *constant < 0)
        return herd.emitOpError("has the negative size ") << *constant;
      Value outside = constant ? Value() : getOutside(size, b);
      if (!outside) {
        if (!constant)
          constant = getUpperBound(size);
        if (!constant)
          return herd.emitOpError("has a size that only the kernel knows, and "
                                  "no bound of it is known; compute it from "
                                  "constants and values outside of air.launch, "
                                  "or limit it with arith.minui to a constant");
        outside = arith::ConstantIndexOp::create(b, loc, *constant);
      }
      sizes.push_back(outside);
    }
    if (inRow) {
      Value product;
      for (Value size : sizes)
        product =
            product ? b.createOrFold<arith::MulIOp>(loc, product, size) : size;
      sizes = {product};
    }
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (std::optional<int64_t> constant = getConstant(size))
        known[dim] = std::max(known[dim], *constant);
      else
        block[dim] = block[dim]
                         ? arith::MaxSIOp::create(b, loc, block[dim], size)
                         : size;
    }
  }
  for (unsigned dim = 0; dim < 3; ++dim) {
    Value least = arith::ConstantIndexOp::create(b, loc, known[dim]);
    block[dim] =
        block[dim] ? arith::MaxSIOp::create(b, loc, block[dim], least) : least;
  }
  if (herds.empty()) {
    block[0] = arith::ConstantIndexOp::create(b, loc, numThreadsWithoutHerds());
    setBlock(block);
    return success();
  }
  if (failed(checkBlockSize(block)))
    return failure();
  if (!peIsLane)
    block[0] = b.createOrFold<arith::MulIOp>(
        loc, block[0], arith::ConstantIndexOp::create(b, loc, waveSize));
  setBlock(block);
  return success();
}

/// Herds of different shapes need a block that holds each in each dimension,
/// which may be far more than the largest of them; one row of PEs, each herd
/// numbered along it, is no larger. But code that asks for its place in the
/// block expects the herd's shape there.
bool LaunchLowering::shouldUseRow() {
  SmallVector<SmallVector<int64_t>> shapes;
  SmallVector<int64_t> largest(3, 1);
  int64_t most = 1;
  for (air::HerdOp herd : herds) {
    SmallVector<int64_t> shape;
    int64_t points = 1;
    for (Value size : herd.getSizeOperands()) {
      shape.push_back(getConstant(size).value_or(ShapedType::kDynamic));
      points *= shape.back();
    }
    shape.resize(3, 1);
    for (unsigned dim = 0; dim < 3; ++dim)
      largest[dim] = std::max(largest[dim], shape[dim]);
    most = std::max(most, points);
    shapes.push_back(shape);
  }
  bool known = llvm::none_of(llvm::concat<int64_t>(shapes[0], largest),
                             ShapedType::isDynamic);
  for (auto &shape : shapes)
    known &= llvm::none_of(shape, ShapedType::isDynamic);
  if (known && largest[0] * largest[1] * largest[2] <= most)
    return false;
  if (!known) {
    // The same sizes in all herds, or no second dimension: no row is needed.
    bool flat = llvm::all_of(
        herds, [](air::HerdOp herd) { return herd.getNumDims() == 1; });
    bool same = llvm::all_of(herds, [&](air::HerdOp herd) {
      return llvm::equal(herd.getSizeOperands(),
                         herds.front().getSizeOperands());
    });
    if (flat || same)
      return false;
  }
  return !codeHolds(gpuLaunch, /*intoHerds=*/true, [](Operation *op) {
    return isa<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GlobalIdOp,
               gpu::SubgroupIdOp>(op);
  });
}

/// Compares the block with what the target allows.
LogicalResult LaunchLowering::checkBlockSize(ArrayRef<Value> block) {
  int64_t pes = 1;
  SmallVector<int64_t> sizes;
  for (Value size : block) {
    std::optional<int64_t> known = getConstant(size);
    if (!known)
      return success();
    sizes.push_back(*known);
    pes *= *known;
  }
  int64_t threads = pes * (peIsLane ? 1 : waveSize);
  int64_t waves = llvm::divideCeil(threads, waveSize);
  if (threads <= maxThreads && (!maxWaves || waves <= maxWaves))
    return success();
  // Blame the largest herd.
  air::HerdOp largest = herds.front();
  int64_t most = 0;
  for (air::HerdOp herd : herds) {
    int64_t points = 1;
    for (Value size : herd.getSizeOperands())
      points *= getConstant(size).value_or(1);
    if (points > most) {
      most = points;
      largest = herd;
    }
  }
  InFlightDiagnostic diag = largest.emitOpError("needs a workgroup of ");
  llvm::interleave(
      sizes, [&](int64_t s) { diag << s; }, [&] { diag << " x "; });
  if (peIsLane) {
    diag << " = " << threads << " lanes, but the target allows " << maxThreads
         << " threads in a workgroup; use a smaller herd and more workgroups";
    return diag;
  }
  diag << " PEs, each a wavefront of " << waveSize << " lanes: " << threads
       << " threads in " << waves << " waves, but the target allows "
       << maxThreads << " threads in a workgroup";
  if (maxWaves)
    diag << " and " << maxWaves << " waves on a compute unit";
  diag << "; use a smaller herd, or, if a PE is meant to be one lane, the "
          "option pe=lane of the stage 'hierarchy'";
  return diag;
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
  if (failed(setBlockSize()))
    return failure();
  OpBuilder b(gpuLaunch);
  gpuLaunch->setAttr(kWaveSizeAttr, b.getI64IntegerAttr(waveSize));
  if (hasWaveIds)
    gpuLaunch->setAttr(kHasWaveIdsAttr, b.getUnitAttr());
  if (peIsLane)
    gpuLaunch->setAttr(kPeIsLaneAttr, b.getUnitAttr());
  if (StringAttr name = launch.getSymNameAttr())
    gpuLaunch->setAttr("air.name", name);
  return success();
}

struct LaunchToGPUPass : hierarchy::impl::LaunchToGPUBase<LaunchToGPUPass> {
  using LaunchToGPUBase::LaunchToGPUBase;

  void runOnOperation() override {
    if (pe != "wave" && pe != "lane") {
      getOperation().emitError("the option pe of air-launch-to-gpu is '")
          << pe << "'; it may be 'wave' or 'lane'";
      return signalPassFailure();
    }
    // In program order, so that what a token stands for is known at its uses.
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<air::LaunchOp, air::WaitAllOp>(op))
        ops.push_back(op);
    });
    Streams streams;
    for (Operation *op : ops) {
      if (auto launch = dyn_cast<air::LaunchOp>(op)) {
        LaunchLowering lowering(launch, waveSize, pe == "lane", maxThreads,
                                maxWaves, xcds, waveIds, streams);
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
    streams.waitForRest();
    WalkResult left = getOperation().walk([&](Operation *op) {
      if (!isa_and_nonnull<air::AIRDialect>(op->getDialect()) ||
          isa<air::ChannelOp>(op) || op->getParentOfType<gpu::LaunchOp>() ||
          op->getParentOfType<gpu::GPUFuncOp>())
        return WalkResult::advance();
      op->emitOpError("stands outside of a kernel; put it into air.launch");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
