//===- ChannelUses.cpp - The puts and gets of each channel ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/ChannelUses.h"
#include "pipeline/channels/ChannelChecks.h"
#include "pipeline/channels/RankLevel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc::channels {

SmallVector<air::ChannelAccessInterface> ChannelUses::getAccesses() {
  SmallVector<air::ChannelAccessInterface> accesses;
  for (air::ChannelPutOp put : puts)
    accesses.push_back(cast<air::ChannelAccessInterface>(put.getOperation()));
  for (air::ChannelGetOp get : gets)
    accesses.push_back(cast<air::ChannelAccessInterface>(get.getOperation()));
  return accesses;
}

int64_t getNumSlots(air::ChannelOp channel) {
  return llvm::PowerOf2Ceil(getChannelDepth(channel));
}

SmallVector<int64_t> getTargets(air::ChannelOp channel, bool isPut,
                                ArrayRef<int64_t> indices) {
  SmallVector<int64_t> numbers{0};
  for (auto [index, size, target] :
       llvm::zip_equal(indices, channel.getSizes(), channel.getTargetSizes())) {
    SmallVector<int64_t> next;
    for (int64_t number : numbers)
      if (isPut && size != target)
        for (int64_t i = 0; i < target; ++i)
          next.push_back(number * target + i);
      else
        next.push_back(number * target + index);
    numbers = std::move(next);
  }
  return numbers;
}

namespace {

using ChannelMap = llvm::MapVector<Operation *, ChannelUses>;

ChannelUses &findUses(ChannelMap &channels,
                      air::ChannelAccessInterface access) {
  return channels.find(air::lookupChannel(access, access.getChanNameAttr()))
      ->second;
}

/// Records the events of one air.rank for the channels accepted by `filter`.
LogicalResult addTraces(ArrayRef<RankTrace> traces, ChannelMap &channels,
                        function_ref<bool(const ChannelUses &)> filter) {
  for (const RankTrace &trace : traces)
    for (AccessEvent event : trace.events) {
      Operation *op = event.op;
      // Channels within a device are lowered elsewhere.
      if (!channels.contains(
              air::lookupChannel(op, event.op.getChanNameAttr())))
        continue;
      ChannelUses &uses = findUses(channels, event.op);
      if (!filter(uses))
        continue;
      uses.isCounted &= trace.counted;
      uses.isTold &= event.certain;
      if (!event.indices) {
        if (uses.inKernel)
          return op->emitOpError("has indices whose values on rank ")
                 << trace.rank
                 << " are unknown at compile time; compute them from "
                    "constants, the rank's id, ids of enclosing AIR ops, and "
                    "induction variables of loops with constant bounds";
        uses.isComplete = false;
        continue;
      }
      bool isPut = isa<air::ChannelPutOp>(op);
      SmallVector<int64_t> sizes =
          isPut ? uses.channel.getSizes() : uses.channel.getTargetSizes();
      for (auto [index, size] : llvm::zip_equal(*event.indices, sizes))
        if (index < 0 || index >= size) {
          InFlightDiagnostic diag =
              op->emitOpError("has the indices ")
              << printIndices(*event.indices) << " on rank " << trace.rank
              << ", which are out of bounds for channel @"
              << uses.channel.getSymName() << " " << printIndices(sizes);
          diag.attachNote(uses.channel.getLoc())
              << "the channel is declared here";
          return diag;
        }
      for (int64_t target : getTargets(uses.channel, isPut, *event.indices)) {
        ElementUse &element = uses.elements[target];
        (isPut ? element.putRanks : element.getRanks).insert(trace.rank);
        ++(isPut ? element.puts : element.gets);
        (isPut ? element.putOps : element.getOps).push_back(op);
        element.isOrdered &= trace.ordered;
        Operation *&first = isPut ? element.put : element.get;
        if (!first)
          first = op;
      }
    }
  return success();
}

/// Returns true if the events of all ranks are completely known, including
/// their order, and it is known which puts and gets match.
bool isOrdered(ArrayRef<RankTrace> traces, ChannelMap &channels) {
  SmallPtrSet<Operation *, 8> known;
  for (auto &[channel, uses] : channels)
    if (llvm::all_of(uses.elements, [](const ElementUse &element) {
          return element.getRanks.size() <= 1;
        }))
      known.insert(channel);
  return llvm::all_of(traces, [&](const RankTrace &trace) {
    return trace.ordered && trace.counted &&
           llvm::all_of(trace.events, [&](AccessEvent event) {
             return event.indices && known.contains(air::lookupChannel(
                                         event.op, event.op.getChanNameAttr()));
           });
  });
}

/// Returns true if two values are equal whenever both are evaluated, because
/// they are the same computation on constants and the world size.
bool isSameValue(Value a, Value b) {
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (!first || !second || first->getName() != second->getName() ||
      first->getAttrDictionary() != second->getAttrDictionary() ||
      first->getNumOperands() != second->getNumOperands() ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber())
    return false;
  auto callee = first->getAttrOfType<FlatSymbolRefAttr>("callee");
  bool isWorldSize = callee && callee.getValue() == "mgpuGetWorldSize";
  if (!isWorldSize && (first->getNumRegions() || !isMemoryEffectFree(first)))
    return false;
  return llvm::all_of(
      llvm::zip_equal(first->getOperands(), second->getOperands()),
      [](auto pair) {
        return isSameValue(std::get<0>(pair), std::get<1>(pair));
      });
}

/// The air.rank ops that share channels in kernels and whose number of ranks is
/// known only at run time.
struct DynamicGroup {
  SmallVector<air::RankOp> ranks;
  SmallVector<ChannelUses *> uses;
};

LogicalResult checkDynamicUses(ChannelUses &uses,
                               ArrayRef<air::RankOp> dynamic) {
  auto first = cast<air::RankOp>(uses.ranks.front());
  for (Operation *op : uses.ranks) {
    auto rank = cast<air::RankOp>(op);
    bool isFit = rank.getNumDims() == 1 && llvm::is_contained(dynamic, rank);
    if (isFit && isSameValue(rank.getSizeOperands().front(),
                             first.getSizeOperands().front()))
      continue;
    InFlightDiagnostic diag = uses.getAccesses().front()->emitOpError(
        "is in a kernel, so the ranks at both ends of the channel must be "
        "known at compile time, but the number of ranks is unknown");
    diag.attachNote(rank.getLoc())
        << "use a space of constant size, at most 1024, in this air.rank; or "
           "use one dimension, and the same size (such as the world size) in "
           "all air.rank ops that use the channel";
    return diag;
  }
  return success();
}

/// Tries each possible number of ranks. The runtime rejects those for which
/// puts and gets do not match.
LogicalResult addDynamicGroup(DynamicGroup &group, ChannelMap &channels,
                              bool peIsLane) {
  for (air::RankOp rank : group.ranks)
    if (!traceRanks(rank, peIsLane, /*assumed=*/1))
      return rank.emitOpError(
                 "uses channels in kernels, so its space must have 1 to ")
             << kMaxRanks << " ranks";
  auto isOfGroup = [&](const ChannelUses &uses) {
    return llvm::is_contained(group.uses, &uses);
  };
  auto tryCount = [&](int64_t count) -> LogicalResult {
    for (ChannelUses *uses : group.uses) {
      uses->isCounted = uses->ranks.size() == 1;
      uses->isTold = true;
      uses->elements.assign(uses->elements.size(), ElementUse());
    }
    SmallVector<SmallVector<RankTrace>> traces;
    for (air::RankOp rank : group.ranks) {
      traces.push_back(*traceRanks(rank, peIsLane, count));
      if (failed(addTraces(traces.back(), channels, isOfGroup)))
        return failure();
    }
    for (ChannelUses *uses : group.uses)
      if (failed(checkUses(*uses)))
        return failure();
    if (traces.size() > 1 || !isOrdered(traces.front(), channels))
      return success();
    return checkDeadlock(traces.front());
  };
  air::RankOp first = group.ranks.front();
  for (int64_t count = 1; count <= kMaxDynamicRanks; ++count) {
    ScopedDiagnosticHandler quiet(first.getContext(),
                                  [](Diagnostic &) { return success(); });
    if (succeeded(tryCount(count)))
      for (ChannelUses *uses : group.uses)
        uses->elementsByCount[count] = uses->elements;
  }
  if (!group.uses.front()->elementsByCount.empty())
    return success();
  // An error that does not depend on the number of ranks also occurs with two
  // ranks, so report it for two.
  [[maybe_unused]] LogicalResult checked = tryCount(2);
  assert(failed(checked));
  return failure();
}

LogicalResult addDynamicRanks(ArrayRef<air::RankOp> dynamic,
                              ChannelMap &channels, bool peIsLane) {
  SmallPtrSet<Operation *, 4> done;
  for (air::RankOp start : dynamic) {
    DynamicGroup group;
    SmallVector<air::RankOp> next{start};
    while (!next.empty()) {
      air::RankOp rank = next.pop_back_val();
      if (!done.insert(rank).second)
        continue;
      group.ranks.push_back(rank);
      for (auto &entry : channels) {
        ChannelUses &uses = entry.second;
        if (!uses.ranks.contains(rank))
          continue;
        if (!uses.inKernel) {
          // For channels in host code, the ranks at their ends need not be
          // known.
          uses.isComplete = uses.isCounted = false;
          continue;
        }
        if (llvm::is_contained(group.uses, &uses))
          continue;
        if (failed(checkDynamicUses(uses, dynamic)))
          return failure();
        group.uses.push_back(&uses);
        for (Operation *other : uses.ranks)
          next.push_back(cast<air::RankOp>(other));
      }
    }
    if (!group.uses.empty() &&
        failed(addDynamicGroup(group, channels, peIsLane)))
      return failure();
  }
  return success();
}

/// The maximum number of elements of a channel, each of which is checked
/// separately.
constexpr int64_t kMaxElements = 65536;

/// Initializes the uses of a channel from its first use, `op`.
LogicalResult startUses(ChannelUses &uses, air::ChannelOp channel,
                        Operation *op, bool peIsLane) {
  uses.channel = channel;
  uses.inKernel = isInKernel(op);
  uses.peIsLane = peIsLane;
  int64_t count = 1;
  for (int64_t size : channel.getTargetSizes())
    if (llvm::MulOverflow(count, size, count) || count > kMaxElements)
      return channel.emitOpError("has more than ")
             << kMaxElements
             << " elements, each of which takes memory on every rank";
  uses.elements.resize(count);
  return success();
}

/// Adds a put or get of `rank` to the uses of its channel.
LogicalResult addAccess(air::ChannelAccessInterface access, air::RankOp rank,
                        ChannelMap &channels, bool peIsLane) {
  Operation *op = access;
  air::ChannelOp channel = air::lookupChannel(op, access.getChanNameAttr());
  if (!channel)
    return op->emitOpError("uses an undeclared channel");
  // In a kernel, other channel types transfer data within the device.
  if (isInKernel(op) &&
      channel.getChannelType() != air::ChannelOp::kGpuSymmetricHeap)
    return success();
  auto [it, isNew] = channels.insert({channel, ChannelUses()});
  ChannelUses &uses = it->second;
  if (isNew && failed(startUses(uses, channel, op, peIsLane)))
    return failure();
  if (uses.inKernel != isInKernel(op)) {
    InFlightDiagnostic diag =
        op->emitOpError("uses channel @")
        << channel.getSymName() << " in "
        << (isInKernel(op) ? "a kernel" : "host code")
        << ", but the other end is in "
        << (isInKernel(op) ? "host code" : "a kernel")
        << "; both ends must be in kernels, or both in host code";
    diag.attachNote(uses.getAccesses().front().getLoc())
        << "the other end is here";
    return diag;
  }
  uses.ranks.insert(rank);
  if (auto put = dyn_cast<air::ChannelPutOp>(op))
    uses.puts.push_back(put);
  else
    uses.gets.push_back(cast<air::ChannelGetOp>(op));
  return checkAccess(access, uses);
}

/// Finds the uses of all channels, and the air.rank ops in program order.
LogicalResult collectUses(ModuleOp module, ChannelMap &channels,
                          SmallVectorImpl<air::RankOp> &ranks, bool peIsLane) {
  WalkResult result = module.walk([&](air::RankOp rank) {
    ranks.push_back(rank);
    return rank.walk([&](air::ChannelAccessInterface access) {
      return WalkResult(addAccess(access, rank, channels, peIsLane));
    });
  });
  for (auto &[channel, uses] : channels)
    // It is unknown how often a function is called.
    uses.isCounted = uses.ranks.size() == 1;
  return failure(result.wasInterrupted());
}

/// Executes the ranks and adds their puts and gets. Appends to `ordered` the
/// traces in which all messages are known.
LogicalResult traceUses(ArrayRef<air::RankOp> ranks, ChannelMap &channels,
                        SmallVectorImpl<SmallVector<RankTrace>> &ordered,
                        bool peIsLane) {
  SmallVector<air::RankOp> dynamic;
  for (air::RankOp rank : ranks) {
    std::optional<SmallVector<RankTrace>> traces = traceRanks(rank, peIsLane);
    if (!traces) {
      dynamic.push_back(rank);
      continue;
    }
    if (failed(addTraces(*traces, channels,
                         [](const ChannelUses &) { return true; })))
      return failure();
    bool isAlone = llvm::all_of(channels, [&](auto &entry) {
      const ChannelUses &uses = entry.second;
      return uses.ranks.size() == 1 || !uses.ranks.contains(rank);
    });
    // Accesses that other functions make at the same time are unknown.
    if (isAlone && isOrdered(*traces, channels))
      ordered.push_back(std::move(*traces));
  }
  return addDynamicRanks(dynamic, channels, peIsLane);
}

} // namespace

FailureOr<std::vector<ChannelUses>> findChannelUses(ModuleOp module,
                                                    bool peIsLane) {
  ChannelMap channels;
  SmallVector<air::RankOp> ranks;
  if (failed(collectUses(module, channels, ranks, peIsLane)))
    return failure();
  std::vector<ChannelUses> all;
  if (channels.empty())
    return all;
  SmallVector<SmallVector<RankTrace>> ordered;
  if (failed(traceUses(ranks, channels, ordered, peIsLane)))
    return failure();
  for (auto &[channel, uses] : channels) {
    if (uses.elementsByCount.empty() && failed(checkUses(uses)))
      return failure();
    all.push_back(std::move(uses));
  }
  for (ArrayRef<RankTrace> traces : ordered)
    if (failed(checkDeadlock(traces)))
      return failure();
  return all;
}

} // namespace aircc::channels
