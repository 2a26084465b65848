//===- SinkLoops.cpp - Loops of a segment that feed a loop of a herd ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A segment's loop fills a tile in L2 in each iteration and puts it to the PEs
// of a herd, which get it in a loop with the same iterations; or it gets a tile
// from the PEs and copies it elsewhere. This pass merges the two loops: the
// body of the segment's loop moves into the herd's loop, between two barriers,
// and its transfers are divided among the PEs.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/BufferAccesses.h"
#include "pipeline/hierarchy/channels/ChannelPasses.h"
#include "pipeline/hierarchy/channels/Forwarding.h"
#include "pipeline/hierarchy/channels/PatternParts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// A loop of the segment, and the loop of the herd that it is merged into.
struct LoopMatch {
  LoopLikeOpInterface segmentLoop, herdLoop;
  /// The induction variable of the segment's loop as a function of the herd's
  /// induction variable.
  AffineFunction iteration;
};

/// A channel between the two loops.
struct SunkChannel {
  StringAttr name;
  /// Whether the segment's loop puts.
  bool pull;
  EventGroups groups;
};

class LoopSinking {
public:
  LoopSinking(air::LaunchOp launch, LaunchTrace &trace,
              LoopLikeOpInterface loop)
      : launch(launch), trace(trace), outer(loop), accesses(launch) {}

  bool run();

private:
  bool findChannels();
  bool matchLoops();
  std::optional<LoopMatch> matchLoop(LoopLikeOpInterface segmentLoop,
                                     LoopLikeOpInterface herdLoop);
  bool checkBuffers();
  bool findPlace();
  void emit();
  void moveBody(OpBuilder &b);
  void divide(air::DmaMemcpyNdOp dma);
  bool canDivide(ArrayRef<Operation *> moved);

  air::LaunchOp launch;
  LaunchTrace &trace;
  LoopLikeOpInterface outer;
  BufferAccesses accesses;
  ValueCloner cloner;
  air::HerdOp herd;
  SmallVector<SunkChannel> channels;
  SmallVector<LoopMatch> matches;
  /// Where the body of the segment's loop is inserted.
  Operation *before = nullptr;
  SmallVector<std::pair<Operation *, RemotePlan>> plans;
};

/// Returns the loop that contains all of `ops`, directly in `block`; null if
/// there is none.
LoopLikeOpInterface findLoop(Block *block, ArrayRef<Operation *> ops) {
  Operation *common = nullptr;
  for (Operation *op : ops) {
    Operation *ancestor = block->findAncestorOpInBlock(*op);
    if (!ancestor || (common && common != ancestor))
      return {};
    common = ancestor;
  }
  if (!isa_and_nonnull<scf::ForOp, affine::AffineForOp>(common))
    return {};
  return cast<LoopLikeOpInterface>(common);
}

/// Finds the channels that the loop uses. Returns false unless they all connect
/// it with the same herd.
bool LoopSinking::findChannels() {
  for (auto &[name, ends] : trace.channels) {
    bool isUsed = false;
    for (air::ChannelAccessInterface access : ends.getAccesses())
      isUsed |= outer->isAncestor(access);
    if (!isUsed)
      continue;
    bool pull = outer->isAncestor(ends.puts.front());
    for (air::ChannelAccessInterface access : ends.getAccesses()) {
      bool isHere = outer->isAncestor(access);
      if (isHere != (isa<air::ChannelPutOp>(access.getOperation()) == pull))
        return false;
      auto level = access->getParentOfType<air::HerdOp>();
      if (isHere)
        continue;
      if (!level || (herd && herd != level) ||
          level->getBlock() != outer->getBlock())
        return false;
      herd = level;
    }
    if (!pull && ends.isBroadcast)
      return false;
    std::optional<EventGroups> groups = pairEvents(ends, pull);
    if (!groups)
      return false;
    channels.push_back({name, pull, std::move(*groups)});
  }
  return herd && !herd->getParentOfType<LoopLikeOpInterface>();
}

/// Returns true if all PEs execute the same iterations.
bool hasUniformBounds(LoopLikeOpInterface loop) {
  return llvm::all_of(loop->getOperands(), [](Value operand) {
    if (getConstantIntValue(operand))
      return true;
    auto arg = dyn_cast<BlockArgument>(operand);
    auto level =
        arg ? dyn_cast<air::HerdOp>(arg.getOwner()->getParentOp()) : nullptr;
    return !operand.getType().isIndex() ||
           (level && arg.getArgNumber() >= level.getNumDims());
  });
}

/// The position of an induction variable in the list of variables of `op`.
unsigned getPosition(Operation *op, Value iv) {
  SmallVector<Value> variables = getVariables(op);
  return llvm::find(variables, iv) - variables.begin();
}

std::optional<LoopMatch> LoopSinking::matchLoop(LoopLikeOpInterface segmentLoop,
                                                LoopLikeOpInterface herdLoop) {
  std::optional<Value> segmentIv = segmentLoop.getSingleInductionVar();
  std::optional<Value> herdIv = herdLoop.getSingleInductionVar();
  if (!segmentIv || !herdIv || !hasUniformBounds(herdLoop))
    return std::nullopt;
  SmallVector<SmallVector<int64_t, 1>> storage, inverseStorage;
  SmallVector<int64_t> values, inverseValues;
  for (const SunkChannel &channel : channels)
    for (auto &[op, pairs] : channel.groups) {
      unsigned local = getPosition(op, *herdIv);
      for (const EventPair &pair : pairs) {
        int64_t inner = pair.local->variables[local];
        int64_t outside =
            pair.remote
                ->variables[getPosition(pair.remote->access, *segmentIv)];
        storage.push_back({inner});
        inverseStorage.push_back({outside});
        values.push_back(outside);
        inverseValues.push_back(inner);
      }
    }
  SmallVector<ArrayRef<int64_t>> points(storage.begin(), storage.end());
  SmallVector<ArrayRef<int64_t>> inverse(inverseStorage.begin(),
                                         inverseStorage.end());
  std::optional<AffineFunction> iteration = fitAffine(points, values, {});
  if (!iteration || !fitAffine(inverse, inverseValues, {}))
    return std::nullopt;
  return LoopMatch{segmentLoop, herdLoop, *iteration};
}

/// Returns true if all ops with effects in `block` are in `loop`.
bool isOnlyLoop(Block &block, Operation *loop) {
  return llvm::all_of(block.without_terminator(), [&](Operation &op) {
    return &op == loop || isMemoryEffectFree(&op);
  });
}

bool LoopSinking::matchLoops() {
  SmallVector<Operation *> remote, local;
  for (const SunkChannel &channel : channels)
    for (air::ChannelAccessInterface access :
         trace.channels.find(channel.name)->second.getAccesses())
      (outer->isAncestor(access) ? remote : local).push_back(access);
  LoopLikeOpInterface segmentLoop = outer;
  Block *herdBlock = herd.getBodyBlock();
  while (true) {
    LoopLikeOpInterface herdLoop = findLoop(herdBlock, local);
    if (!herdLoop || segmentLoop->getNumResults())
      return false;
    std::optional<LoopMatch> match = matchLoop(segmentLoop, herdLoop);
    if (!match)
      return false;
    matches.push_back(std::move(*match));
    if (checkBuffers() && findPlace())
      return true;
    // The tile may be filled in an inner loop.
    Block *body = &segmentLoop->getRegion(0).front();
    LoopLikeOpInterface inner = findLoop(body, remote);
    if (!inner || !isOnlyLoop(*body, inner))
      return false;
    segmentLoop = inner;
    herdBlock = &herdLoop->getRegion(0).front();
  }
}

/// Returns true if, in the body of the segment's innermost loop, each buffer
/// that is put is complete before its first put, each buffer that is received
/// is used only after its last get, and no other code uses the buffers.
bool LoopSinking::checkBuffers() {
  LoopLikeOpInterface loop = matches.back().segmentLoop;
  Block *body = &loop->getRegion(0).front();
  for (const SunkChannel &channel : channels)
    for (air::ChannelAccessInterface access :
         trace.channels.find(channel.name)->second.getAccesses()) {
      Operation *end = body->findAncestorOpInBlock(*access);
      if (!end)
        continue;
      Value root = getRootBuffer(access.getMemref());
      for (const BufferAccesses::Entry &entry : accesses.lookup(root)) {
        Operation *other = body->findAncestorOpInBlock(*entry.op);
        auto otherGet = dyn_cast<air::ChannelGetOp>(entry.op);
        if (channel.pull) {
          if (entry.writes &&
              (!other || other == end || end->isBeforeInBlock(other)))
            return false;
        } else if (!otherGet ||
                   otherGet.getChanNameAttr() != access.getChanNameAttr()) {
          if (!other || other == end || other->isBeforeInBlock(end))
            return false;
        }
      }
    }
  return true;
}

/// Finds the op in the herd's loop before which the segment's code executes:
/// the first op that gets from it, or the op after the last one that puts to
/// it.
bool LoopSinking::findPlace() {
  Block *body = &matches.back().herdLoop->getRegion(0).front();
  Operation *firstGet = nullptr, *lastPut = nullptr;
  for (const SunkChannel &channel : channels)
    for (auto &[op, pairs] : channel.groups) {
      Operation *here = body->findAncestorOpInBlock(*op);
      if (!here)
        return false;
      if (channel.pull && (!firstGet || here->isBeforeInBlock(firstGet)))
        firstGet = here;
      if (!channel.pull && (!lastPut || lastPut->isBeforeInBlock(here)))
        lastPut = here;
    }
  if (firstGet && lastPut &&
      (firstGet == lastPut || firstGet->isBeforeInBlock(lastPut)))
    return false;
  before = firstGet ? firstGet : lastPut->getNextNode();
  return true;
}

/// Returns true if the transfers of the moved ops can be divided among the PEs,
/// because none of them uses elements that another one writes.
bool LoopSinking::canDivide(ArrayRef<Operation *> moved) {
  DenseMap<Value, unsigned> writes;
  SmallVector<air::DmaMemcpyNdOp> dmas;
  for (Operation *root : moved) {
    WalkResult result = root->walk([&](Operation *op) {
      if (auto dma = dyn_cast<air::DmaMemcpyNdOp>(op)) {
        dmas.push_back(dma);
        ++writes[getRootBuffer(dma.getDst())];
        return WalkResult::advance();
      }
      bool isControlFlow = isa<LoopLikeOpInterface, scf::IfOp,
                               affine::AffineIfOp, scf::IndexSwitchOp>(op);
      return isControlFlow || isMemoryEffectFree(op) ? WalkResult::advance()
                                                     : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return false;
  }
  return llvm::all_of(dmas, [&](air::DmaMemcpyNdOp dma) {
    return writes[getRootBuffer(dma.getDst())] == 1 &&
           !writes.contains(getRootBuffer(dma.getSrc()));
  });
}

/// Returns the number of a PE in its herd, in row-major order of its ids.
Value createPeNumber(OpBuilder &b, air::HerdOp herd) {
  Location loc = herd.getLoc();
  Value number;
  for (auto [id, size] :
       llvm::zip_equal(herd.getIds(), herd.getStaticSizes())) {
    if (size == 1)
      continue;
    Value extent = arith::ConstantIndexOp::create(b, loc, size);
    number =
        number ? arith::AddIOp::create(
                     b, loc, arith::MulIOp::create(b, loc, number, extent), id)
               : Value(id);
  }
  return number ? number : arith::ConstantIndexOp::create(b, loc, 0);
}

/// Replaces a transfer with one that transfers a part of it for each PE.
void LoopSinking::divide(air::DmaMemcpyNdOp dma) {
  OpBuilder b(dma);
  Location loc = dma.getLoc();
  int64_t numPEs = 1;
  for (int64_t size : herd.getStaticSizes())
    numPEs *= size;
  air::AccessPattern dst = makeExplicit(dma.getTargetPattern(), b);
  air::AccessPattern src = makeExplicit(dma.getSourcePattern(), b);
  std::optional<int64_t> count = dst.getNumElements();
  int64_t parts = dma.hasPadding() || !count ? 1 : numPEs;
  std::optional<PatternParts> dstParts, srcParts;
  for (; parts > 1; --parts) {
    if (*count % parts)
      continue;
    dstParts = PatternParts::get(dst, *count / parts);
    srcParts = PatternParts::get(src, *count / parts);
    if (dstParts && srcParts)
      break;
  }
  if (numPEs == 1)
    return;
  Value number = createPeNumber(b, herd);
  if (parts < numPEs) {
    Value isFirst =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number,
                              arith::ConstantIndexOp::create(b, loc, parts));
    auto branch = scf::IfOp::create(b, loc, isFirst);
    dma->moveBefore(branch.thenBlock()->getTerminator());
    b.setInsertionPoint(dma);
  }
  if (parts == 1)
    return;
  air::DmaMemcpyNdOp::create(b, loc, ValueRange(),
                             dstParts->createPart(b, loc, number),
                             srcParts->createPart(b, loc, number));
  dma.erase();
}

/// Clones the body of the segment's loop, which no longer has channels, into
/// the herd's loop.
void LoopSinking::moveBody(OpBuilder &b) {
  Location loc = outer.getLoc();
  IRMapping mapping;
  for (LoopMatch &match : matches) {
    Value herdIv = *match.herdLoop.getSingleInductionVar();
    mapping.map(
        *match.segmentLoop.getSingleInductionVar(),
        match.iteration.create(b, loc, [&](unsigned) { return herdIv; }));
  }
  SmallVector<Operation *> bodyOps;
  for (Operation &op :
       matches.back().segmentLoop->getRegion(0).front().without_terminator())
    if (!isMemoryEffectFree(&op))
      bodyOps.push_back(&op);
  if (bodyOps.empty())
    return;
  for (Operation *op : bodyOps)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
          cloner.clone(operand, before, b, mapping);
    });
  gpu::BarrierOp::create(b, loc);
  SmallVector<Operation *> moved;
  for (Operation *op : bodyOps)
    moved.push_back(b.clone(*op, mapping));
  if (canDivide(moved)) {
    for (Operation *op : moved) {
      SmallVector<air::DmaMemcpyNdOp> dmas;
      op->walk([&](air::DmaMemcpyNdOp dma) { dmas.push_back(dma); });
      for (air::DmaMemcpyNdOp dma : dmas)
        divide(dma);
    }
  } else {
    Value isFirst = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, createPeNumber(b, herd),
        arith::ConstantIndexOp::create(b, loc, 0));
    auto branch = scf::IfOp::create(b, loc, isFirst);
    for (Operation *op : moved)
      op->moveBefore(branch.thenBlock()->getTerminator());
    outer->emitRemark("is moved into the loop of the herd, where only the "
                      "first PE executes it");
  }
  gpu::BarrierOp::create(b, loc);
}

void LoopSinking::emit() {
  // Mark the insertion point, because the op there may be erased.
  OpBuilder b(before);
  Operation *marker = gpu::BarrierOp::create(b, outer.getLoc());
  before = marker;
  b.setInsertionPoint(marker);
  for (auto &[op, plan] : plans) {
    OpBuilder atLocal(op);
    auto local = cast<air::ChannelAccessInterface>(op);
    emitTransfers(plan, local, isa<air::ChannelGetOp>(op), atLocal, cloner);
  }
  for (const SunkChannel &channel : channels) {
    for (air::ChannelAccessInterface access :
         trace.channels.find(channel.name)->second.getAccesses())
      access->erase();
    trace.channels.erase(channel.name);
  }
  moveBody(b);
  marker->erase();
  outer->erase();
}

bool LoopSinking::run() {
  if (!findChannels() || !matchLoops())
    return false;
  if (llvm::any_of(herd.getStaticSizes(), ShapedType::isDynamic))
    return false;
  for (const SunkChannel &channel : channels)
    for (auto &[op, pairs] : channel.groups) {
      std::optional<RemotePlan> plan = findRemotePlan(pairs);
      if (!plan || !isPossible(*plan, op))
        return false;
      plans.push_back({op, std::move(*plan)});
    }
  // The values that the body uses must be available in the herd.
  SmallVector<Value> ivs;
  for (LoopMatch &match : matches)
    ivs.push_back(*match.segmentLoop.getSingleInductionVar());
  LoopLikeOpInterface inner = matches.back().segmentLoop;
  WalkResult result = inner->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!inner->isAncestor(operand.getParentBlock()->getParentOp()) &&
          !ValueCloner::canClone(operand, ivs, before))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  emit();
  return true;
}

} // namespace

bool sinkLoops(air::LaunchOp launch, LaunchTrace &trace) {
  SmallVector<LoopLikeOpInterface> loops;
  for (Operation &op : *launch.getBodyBlock())
    if (isa<scf::ForOp, affine::AffineForOp>(op))
      loops.push_back(cast<LoopLikeOpInterface>(op));
  for (LoopLikeOpInterface loop : loops)
    if (LoopSinking(launch, trace, loop).run())
      return true;
  return false;
}

} // namespace aircc::hierarchy
