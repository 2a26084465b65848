//===- Forwarding.cpp - Puts and gets as one transfer ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/Forwarding.h"
#include "pipeline/analysis/ConstantEvaluator.h"
#include "pipeline/hierarchy/channels/BufferAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace aircc::hierarchy {

/// The maximum number of elements for which regions are compared.
static constexpr int64_t kMaxElements = 1 << 20;

air::AccessPattern makeExplicit(air::AccessPattern pattern, OpBuilder &b) {
  auto type = dyn_cast<MemRefType>(pattern.memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!pattern.isWholeMemref() || !type || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamicShape(strides))
    return pattern;
  pattern.offsets.assign(type.getRank(), b.getIndexAttr(0));
  pattern.sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape());
  pattern.strides = getAsIndexOpFoldResult(b.getContext(), strides);
  return pattern;
}

std::optional<EventGroups> pairEvents(const ChannelEnds &ends, bool pull) {
  EventGroups groups;
  for (auto &[target, stream] : ends.streams) {
    if (stream.puts.size() != stream.gets.size())
      return std::nullopt;
    for (auto [put, get] : llvm::zip_equal(stream.puts, stream.gets)) {
      if (air::getMessageSize(put->access) != air::getMessageSize(get->access))
        return std::nullopt;
      EventPair pair = pull ? EventPair{get, put} : EventPair{put, get};
      groups[pair.local->access].push_back(pair);
    }
  }
  return groups;
}

bool isPossible(const RemotePlan &plan, Operation *local) {
  if (plan.selector)
    return llvm::all_of(plan.cases, [&](const RemotePlan &part) {
      return isPossible(part, local);
    });
  air::ChannelAccessInterface remote = plan.remote;
  return ValueCloner::canClone(remote.getPattern(), getVariables(remote),
                               local);
}

void emitTransfers(const RemotePlan &plan, air::ChannelAccessInterface local,
                   bool pull, OpBuilder &b, ValueCloner &cloner) {
  auto getVariable = [&](unsigned number) {
    return cloner.bring(getVariables(local)[number], local);
  };
  Location loc = local.getLoc();
  if (plan.selector) {
    OpBuilder::InsertionGuard restore(b);
    for (auto [i, part] : llvm::enumerate(plan.cases)) {
      if (i + 1 < plan.cases.size()) {
        Value value =
            arith::ConstantIndexOp::create(b, loc, plan.caseValues[i]);
        Value isCase =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                  getVariable(*plan.selector), value);
        auto branch = scf::IfOp::create(b, loc, isCase,
                                        /*withElseRegion=*/true);
        b.setInsertionPointToStart(branch.thenBlock());
        emitTransfers(part, local, pull, b, cloner);
        b.setInsertionPointToStart(branch.elseBlock());
      } else {
        emitTransfers(part, local, pull, b, cloner);
      }
    }
    return;
  }
  air::ChannelAccessInterface remote = plan.remote;
  IRMapping mapping;
  for (auto [variable, function] :
       llvm::zip_equal(getVariables(remote), plan.functions))
    mapping.map(variable, function.create(b, loc, getVariable));
  air::AccessPattern other =
      cloner.clone(makeExplicit(remote.getPattern(), b), local, b, mapping);
  air::AccessPattern own = makeExplicit(local.getPattern(), b);
  auto dma = air::DmaMemcpyNdOp::create(b, loc, ValueRange(),
                                        pull ? own : other, pull ? other : own);
  auto put = cast<air::TransferInterface>(pull ? remote.getOperation()
                                               : local.getOperation());
  dma.setPadBefore(put.getPadBefore());
  dma.setPadAfter(put.getPadAfter());
}

namespace {

/// The elements of a buffer that the executions of an op access, indexed by the
/// number of the trace and the address. The value is the process at the other
/// end of the channel, or -1 if there are several.
using Region = std::map<std::pair<int64_t, int64_t>, int64_t>;

class Forwarder {
public:
  Forwarder(air::LaunchOp launch, LaunchTrace &trace)
      : launch(launch), trace(trace), accesses(launch) {}

  /// Replaces the ops of the channel if possible. With `pull`, its gets become
  /// transfers from the memrefs of its puts; otherwise, its puts become
  /// transfers to the memrefs of its gets.
  bool forward(ChannelEnds &ends, bool pull);

private:
  bool isStable(air::ChannelAccessInterface remote,
                air::ChannelAccessInterface local);
  bool isFree(air::ChannelAccessInterface remote,
              air::ChannelAccessInterface local, const Region &own);
  std::optional<Region> getRegion(ArrayRef<EventPair> pairs);

  air::LaunchOp launch;
  LaunchTrace &trace;
  BufferAccesses accesses;
  ValueCloner cloner;
};

bool isInHerd(Operation *op) {
  return bool(op->getParentOfType<air::HerdOp>());
}

/// Returns true if the buffer of the remote op has the same contents when the
/// local op executes as when the remote op does.
bool Forwarder::isStable(air::ChannelAccessInterface remote,
                         air::ChannelAccessInterface local) {
  for (const BufferAccesses::Entry &entry :
       accesses.lookup(getRootBuffer(remote.getMemref()))) {
    if (!entry.writes || entry.op == local)
      continue;
    ProgramOrder toRemote = getProgramOrder(entry.op, remote);
    if (toRemote == ProgramOrder::Interleaved ||
        toRemote != getProgramOrder(entry.op, local))
      return false;
  }
  return true;
}

/// Returns the elements that the remote ops access; nullopt if they are unknown
/// or there are too many.
std::optional<Region> Forwarder::getRegion(ArrayRef<EventPair> pairs) {
  Region region;
  for (const EventPair &pair : pairs) {
    air::ChannelAccessInterface access = pair.remote->access;
    OpBuilder b(access);
    air::AccessPattern pattern = makeExplicit(access.getPattern(), b);
    auto type = dyn_cast<MemRefType>(pattern.memref.getType());
    SmallVector<int64_t> memrefStrides;
    int64_t offset;
    // The start of a view is unknown.
    if (!type || type != getRootBuffer(pattern.memref).getType() ||
        pattern.memref.getDefiningOp<ViewLikeOpInterface>() ||
        failed(type.getStridesAndOffset(memrefStrides, offset)))
      return std::nullopt;
    ConstantEvaluator known;
    for (auto [variable, value] :
         llvm::zip_equal(getVariables(access), pair.remote->variables))
      known.set(variable, value);
    auto evaluateAll = [&](ArrayRef<OpFoldResult> list)
        -> std::optional<SmallVector<int64_t>> {
      SmallVector<int64_t> numbers;
      for (OpFoldResult entry : list) {
        std::optional<int64_t> number = getConstantIntValue(entry);
        if (!number && isa<Value>(entry))
          number = known.evaluate(cast<Value>(entry));
        if (!number)
          return std::nullopt;
        numbers.push_back(*number);
      }
      return numbers;
    };
    auto offsets = evaluateAll(pattern.offsets);
    auto sizes = evaluateAll(pattern.sizes);
    auto strides = evaluateAll(pattern.strides);
    if (!offsets || !sizes || !strides)
      return std::nullopt;
    if (strides->empty())
      strides = memrefStrides;
    if (sizes->size() != strides->size())
      return std::nullopt;
    ArrayRef<int64_t> units = offsets->size() == memrefStrides.size()
                                  ? ArrayRef(memrefStrides)
                                  : ArrayRef(*strides);
    if (offsets->size() > units.size() || ShapedType::isDynamicShape(units) ||
        ShapedType::isDynamicShape(*strides))
      return std::nullopt;
    int64_t base = 0, count = 1;
    for (auto [position, unit] : llvm::zip(*offsets, units))
      base += position * unit;
    for (int64_t size : *sizes)
      count *= size;
    if (count + int64_t(region.size()) > kMaxElements)
      return std::nullopt;
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, address = base;
      for (size_t dim = sizes->size(); dim-- > 0; rest /= (*sizes)[dim])
        address += rest % (*sizes)[dim] * (*strides)[dim];
      auto [it, isNew] = region.try_emplace({pair.local->assumption, address},
                                            pair.local->process);
      if (!isNew && it->second != pair.local->process)
        it->second = -1;
    }
  }
  return region;
}

/// Returns true if the local op may write the buffer of the remote op when it
/// executes, because no other op uses these elements in between. `own` contains
/// the elements that the channel writes.
bool Forwarder::isFree(air::ChannelAccessInterface remote,
                       air::ChannelAccessInterface local, const Region &own) {
  for (const BufferAccesses::Entry &entry :
       accesses.lookup(getRootBuffer(remote.getMemref()))) {
    auto other = dyn_cast<air::ChannelGetOp>(entry.op);
    if (other && other.getChanNameAttr() == remote.getChanNameAttr())
      continue;
    ProgramOrder toRemote = getProgramOrder(entry.op, remote);
    if (toRemote != ProgramOrder::Interleaved &&
        toRemote == getProgramOrder(entry.op, local))
      continue;
    // Gets from other channels may write other elements.
    if (!other)
      return false;
    auto ends = trace.channels.find(other.getChanNameAttr().getAttr());
    if (ends == trace.channels.end())
      return false;
    std::optional<EventGroups> groups =
        pairEvents(ends->second, /*pull=*/false);
    if (!groups)
      return false;
    for (auto &[op, pairs] : *groups) {
      std::optional<Region> region = getRegion(pairs);
      if (!region || own.empty())
        return false;
      for (auto &[address, process] : *region)
        if (own.count(address))
          return false;
    }
  }
  return true;
}

bool Forwarder::forward(ChannelEnds &ends, bool pull) {
  // The remote ops must be in the code of the launch or a segment.
  SmallVector<Operation *> remotes;
  for (air::ChannelAccessInterface access : ends.getAccesses())
    if (isa<air::ChannelPutOp>(access.getOperation()) == pull)
      remotes.push_back(access);
  if (llvm::any_of(remotes, isInHerd) || (!pull && ends.isBroadcast))
    return false;
  std::optional<EventGroups> groups = pairEvents(ends, pull);
  if (!groups)
    return false;
  Region own;
  if (!pull) {
    SmallVector<EventPair> all;
    for (auto &[op, pairs] : *groups)
      all.append(pairs);
    own = getRegion(all).value_or(Region());
    // The last of several writes must win.
    if (llvm::any_of(own, [](auto &entry) { return entry.second == -1; }))
      return false;
  }
  SmallVector<std::pair<Operation *, RemotePlan>> plans;
  for (auto &[op, pairs] : *groups) {
    auto local = cast<air::ChannelAccessInterface>(op);
    SmallPtrSet<Operation *, 4> used;
    for (const EventPair &pair : pairs)
      if (used.insert(pair.remote->access).second &&
          !(pull ? isStable(pair.remote->access, local)
                 : isFree(pair.remote->access, local, own)))
        return false;
    std::optional<RemotePlan> plan = findRemotePlan(pairs);
    if (!plan || !isPossible(*plan, op))
      return false;
    plans.push_back({op, std::move(*plan)});
  }
  for (auto &[op, plan] : plans) {
    OpBuilder b(op);
    emitTransfers(plan, cast<air::ChannelAccessInterface>(op), pull, b, cloner);
  }
  for (air::ChannelAccessInterface access : ends.getAccesses())
    access->erase();
  return true;
}

} // namespace

unsigned forwardChannels(air::LaunchOp launch, LaunchTrace &trace) {
  unsigned count = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &entry : llvm::make_early_inc_range(trace.channels)) {
      Forwarder forwarder(launch, trace);
      if (!forwarder.forward(entry.second, /*pull=*/true) &&
          !forwarder.forward(entry.second, /*pull=*/false))
        continue;
      trace.channels.erase(entry.first);
      ++count;
      changed = true;
      break;
    }
  }
  return count;
}

} // namespace aircc::hierarchy
