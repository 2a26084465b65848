//===- ChannelUses.cpp - Who is at the ends of each channel ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/ChannelUses.h"
#include "pipeline/channels/RankLevel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <map>

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

std::optional<int64_t> getNumElements(air::ChannelAccessInterface access) {
  air::AccessPattern pattern = access.getPattern();
  auto transfer = cast<air::TransferInterface>(access.getOperation());
  if (!transfer.hasPadding())
    return pattern.getNumElements();
  std::optional<SmallVector<int64_t>> sizes = pattern.getStaticSizes();
  if (!sizes)
    return std::nullopt;
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(*sizes)) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    for (std::optional<ArrayRef<int32_t>> widths :
         {transfer.getPadBefore(), transfer.getPadAfter()})
      if (widths && dim < widths->size())
        size += (*widths)[dim];
    count *= size;
  }
  return count;
}

namespace {

std::string printIndices(ArrayRef<int64_t> indices) {
  return "[" +
         llvm::join(
             llvm::map_range(
                 indices, [](int64_t index) { return std::to_string(index); }),
             ", ") +
         "]";
}

/// The indices of the destination with this number.
std::string printTarget(air::ChannelOp channel, int64_t number) {
  SmallVector<int64_t> sizes = channel.getTargetSizes();
  SmallVector<int64_t> indices(sizes.size());
  for (int64_t dim = sizes.size(); dim-- > 0;) {
    indices[dim] = number % sizes[dim];
    number /= sizes[dim];
  }
  return ("@" + channel.getSymName()).str() +
         (indices.empty() ? "" : printIndices(indices));
}

std::string printRanks(ArrayRef<int64_t> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (auto [i, rank] : llvm::enumerate(ranks)) {
    if (i == 8)
      return text + ", …";
    text += (i ? ", " : "") + std::to_string(rank);
  }
  return text;
}

/// What can be said about each use by itself.
LogicalResult checkAccess(air::ChannelAccessInterface access,
                          ChannelUses &uses) {
  Operation *op = access;
  air::ChannelOp channel = uses.channel;
  SmallVector<int64_t> sizes = isa<air::ChannelPutOp>(op)
                                   ? channel.getSizes()
                                   : channel.getTargetSizes();
  if (access.getIndices().size() != sizes.size()) {
    InFlightDiagnostic diag =
        op->emitOpError("has ")
        << access.getIndices().size() << " indices for channel @"
        << channel.getSymName() << " of " << sizes.size() << " dimensions";
    diag.attachNote(channel.getLoc()) << "the channel is declared here";
    return diag;
  }
  if (isa<air::ChannelGetOp>(op) &&
      cast<air::TransferInterface>(op).hasPadding())
    return op->emitOpError(
        "pads what it gets; give pad_before and pad_after to "
        "the put instead");
  return success();
}

/// All messages of a channel have the same elements, as far as can be told.
LogicalResult checkSizes(ChannelUses &uses) {
  Operation *first = nullptr;
  Type firstType;
  std::optional<int64_t> firstCount;
  for (air::ChannelAccessInterface access : uses.getAccesses()) {
    Operation *op = access;
    Type type =
        cast<BaseMemRefType>(access.getMemref().getType()).getElementType();
    std::optional<int64_t> count = getNumElements(access);
    if (uses.inKernel && !count)
      return op->emitOpError("moves a number of elements that is not known at "
                             "compile time; in kernels, channels carry "
                             "messages of static size");
    if (!first) {
      first = op;
      firstType = type;
      firstCount = count;
      continue;
    }
    if (!firstCount && count && type == firstType) {
      first = op;
      firstCount = count;
    }
    bool sameSize = !count || !firstCount || *count == *firstCount;
    // The host's channels may carry messages of several sizes one after the
    // other, so only what can meet is compared.
    if (!uses.inKernel && uses.elements.size() > 1)
      sameSize = true;
    if (!uses.inKernel && (uses.puts.size() > 1 || uses.gets.size() > 1))
      sameSize = true;
    if (type == firstType && sameSize)
      continue;
    InFlightDiagnostic diag = op->emitOpError("moves ");
    if (count)
      diag << *count << " elements";
    else
      diag << "elements";
    diag << " of type " << type << " through channel @"
         << uses.channel.getSymName() << ", which elsewhere carries ";
    if (firstCount)
      diag << *firstCount << " elements";
    else
      diag << "elements";
    diag << " of type " << firstType;
    diag.attachNote(first->getLoc()) << "it does so here";
    return diag;
  }
  return success();
}

/// Each put must have a get, and the other way round.
LogicalResult checkPairs(ChannelUses &uses) {
  air::ChannelOp channel = uses.channel;
  // With a note for each op at the other end.
  auto addPartners = [&](InFlightDiagnostic &diag, bool gets) {
    for (air::ChannelAccessInterface access : uses.getAccesses())
      if (isa<air::ChannelGetOp>(access) == gets)
        diag.attachNote(access.getLoc())
            << (gets ? "it is got from here" : "it is put into here")
            << ", but never with these indices";
  };
  if (uses.gets.empty() || uses.puts.empty()) {
    bool lacksGets = uses.gets.empty();
    Operation *op = lacksGets ? uses.puts.front().getOperation()
                              : uses.gets.front().getOperation();
    InFlightDiagnostic diag =
        op->emitOpError(lacksGets ? "puts into" : "gets from")
        << " channel @" << channel.getSymName() << ", "
        << (lacksGets ? "which nothing gets from" : "into which nothing puts");
    diag.attachNote(channel.getLoc()) << "the channel is declared here";
    return diag;
  }
  if (!uses.isComplete)
    return success();
  for (auto [number, element] : llvm::enumerate(uses.elements)) {
    if (element.put && !element.get) {
      InFlightDiagnostic diag = element.put->emitOpError("puts into ")
                                << printTarget(channel, number) << " (as "
                                << printRanks(element.putRanks.getArrayRef())
                                << "), which no rank gets from";
      addPartners(diag, /*gets=*/true);
      return diag;
    }
    if (element.get && !element.put) {
      InFlightDiagnostic diag = element.get->emitOpError("gets from ")
                                << printTarget(channel, number) << " (as "
                                << printRanks(element.getRanks.getArrayRef())
                                << "), into which no rank puts";
      addPartners(diag, /*gets=*/false);
      return diag;
    }
    if (uses.isCounted && element.puts != element.gets) {
      bool morePuts = element.puts > element.gets;
      Operation *op = morePuts ? element.put : element.get;
      InFlightDiagnostic diag =
          op->emitOpError("is not balanced: ")
          << printTarget(channel, number) << " is put into " << element.puts
          << " times (by " << printRanks(element.putRanks.getArrayRef())
          << ") and got from " << element.gets << " times (by "
          << printRanks(element.getRanks.getArrayRef()) << ")";
      diag.attachNote((morePuts ? element.get : element.put)->getLoc())
          << "the other end is here";
      return diag;
    }
  }
  return success();
}

/// A kernel must know which rank gets what it puts.
LogicalResult checkKernelRanks(ChannelUses &uses) {
  air::ChannelOp channel = uses.channel;
  for (auto [number, element] : llvm::enumerate(uses.elements))
    if (element.getRanks.size() > 1) {
      InFlightDiagnostic diag =
          element.get->emitOpError("gets from ")
          << printTarget(channel, number) << " on "
          << printRanks(element.getRanks.getArrayRef())
          << ", so that a put does not know whose heap to write to; one rank "
             "gets from each element: use an array of channels indexed by "
             "rank, broadcast_shape, or conditions on the rank's id that are "
             "known at compile time";
      diag.attachNote(element.put->getLoc()) << "it is put into here";
      return diag;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Deadlocks
//===----------------------------------------------------------------------===//

/// Lets ranks carry out their puts and gets until none can go on.
class Simulation {
public:
  explicit Simulation(ArrayRef<RankTrace> traces)
      : traces(traces), next(traces.size()), part(traces.size()) {}

  LogicalResult run();

private:
  /// Carries out the rank's next event, or the next part of a broadcast.
  bool step(size_t rank);
  bool isDone(size_t rank) const {
    return next[rank] == traces[rank].events.size();
  }

  ArrayRef<RankTrace> traces;
  SmallVector<size_t> next, part;
  /// By channel and destination: messages on the way, by the rank that put
  /// them.
  std::map<std::pair<Operation *, int64_t>, std::deque<int64_t>> queues;
};

bool Simulation::step(size_t rank) {
  AccessEvent event = traces[rank].events[next[rank]];
  air::ChannelOp channel =
      air::lookupChannel(event.op, event.op.getChanNameAttr());
  bool isPut = isa<air::ChannelPutOp>(event.op.getOperation());
  SmallVector<int64_t> targets = getTargets(channel, isPut, *event.indices);
  auto &queue = queues[{channel, targets[part[rank]]}];
  if (isPut) {
    int64_t limit =
        isInKernel(event.op) ? getNumSlots(channel) : getChannelDepth(channel);
    int64_t onTheWay =
        isInKernel(event.op) ? queue.size() : llvm::count(queue, int64_t(rank));
    if (onTheWay >= limit)
      return false;
    queue.push_back(rank);
  } else {
    if (queue.empty())
      return false;
    queue.pop_front();
  }
  if (++part[rank] == targets.size()) {
    part[rank] = 0;
    ++next[rank];
  }
  return true;
}

LogicalResult Simulation::run() {
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t rank = 0; rank < traces.size(); ++rank)
      while (!isDone(rank) && step(rank))
        progress = true;
  }
  std::optional<InFlightDiagnostic> diag;
  for (size_t rank = 0; rank < traces.size(); ++rank) {
    if (isDone(rank))
      continue;
    AccessEvent event = traces[rank].events[next[rank]];
    Operation *op = event.op;
    bool isPut = isa<air::ChannelPutOp>(op);
    air::ChannelOp channel = air::lookupChannel(op, event.op.getChanNameAttr());
    std::string what = isPut ? "until room is made in " : "for a message in ";
    what += printTarget(channel,
                        getTargets(channel, isPut, *event.indices)[part[rank]]);
    if (!diag) {
      diag.emplace(op->emitOpError("never ends: rank "));
      *diag << rank << " waits here " << what
            << ", and the ranks that could help wait too; let one of them put "
               "first, or give the channel a larger depth";
    } else {
      diag->attachNote(op->getLoc())
          << "rank " << rank << " waits here " << what;
    }
  }
  return failure(diag.has_value());
}

//===----------------------------------------------------------------------===//
// All uses
//===----------------------------------------------------------------------===//

using ChannelMap = llvm::MapVector<Operation *, ChannelUses>;

ChannelUses &findUses(ChannelMap &channels,
                      air::ChannelAccessInterface access) {
  return channels.find(air::lookupChannel(access, access.getChanNameAttr()))
      ->second;
}

/// Enters what the ranks of one air.rank do with the channels that `filter`
/// lets through.
LogicalResult addTraces(ArrayRef<RankTrace> traces, ChannelMap &channels,
                        function_ref<bool(const ChannelUses &)> filter) {
  for (const RankTrace &trace : traces)
    for (AccessEvent event : trace.events) {
      Operation *op = event.op;
      // Channels inside of a device are not looked at.
      if (!channels.contains(
              air::lookupChannel(op, event.op.getChanNameAttr())))
        continue;
      ChannelUses &uses = findUses(channels, event.op);
      if (!filter(uses))
        continue;
      uses.isCounted &= trace.counted;
      if (!event.indices) {
        if (uses.inKernel)
          return op->emitOpError("has indices that cannot be told for rank ")
                 << trace.rank
                 << " at compile time; compute them from constants, the rank's "
                    "id, and the ids and variables of spaces and loops of "
                    "constant size";
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
              << ", outside of channel @" << uses.channel.getSymName() << " "
              << printIndices(sizes);
          diag.attachNote(uses.channel.getLoc())
              << "the channel is declared here";
          return diag;
        }
      for (int64_t target : getTargets(uses.channel, isPut, *event.indices)) {
        ElementUse &element = uses.elements[target];
        (isPut ? element.putRanks : element.getRanks).insert(trace.rank);
        ++(isPut ? element.puts : element.gets);
        Operation *&first = isPut ? element.put : element.get;
        if (!first)
          first = op;
      }
    }
  return success();
}

/// True if the events of all ranks are known in full and in order.
bool isOrdered(ArrayRef<RankTrace> traces, ChannelMap &channels) {
  return llvm::all_of(traces, [&](const RankTrace &trace) {
    return trace.ordered && trace.counted &&
           llvm::all_of(trace.events, [&](AccessEvent event) {
             return event.indices && channels.contains(air::lookupChannel(
                                         event.op, event.op.getChanNameAttr()));
           });
  });
}

LogicalResult checkUses(ChannelUses &uses) {
  if (failed(checkPairs(uses)) || failed(checkSizes(uses)))
    return failure();
  return uses.inKernel ? checkKernelRanks(uses) : success();
}

/// For an air.rank whose number of ranks is known at run time only: tries the
/// numbers that there may be. Those for which puts and gets do not meet are
/// left out; the runtime refuses them.
LogicalResult addDynamicRank(air::RankOp rank, ChannelMap &channels) {
  SmallVector<ChannelUses *> kernelUses;
  for (auto &entry : channels) {
    ChannelUses &uses = entry.second;
    if (!uses.ranks.contains(rank))
      continue;
    if (!uses.inKernel) {
      // The host's channels need not know the ranks at their ends.
      uses.isComplete = uses.isCounted = false;
      continue;
    }
    bool isAlone = uses.ranks.size() == 1 && rank.getNumDims() == 1;
    if (!isAlone || getRankCount(rank) || !traceRanks(rank, 1)) {
      InFlightDiagnostic diag = uses.getAccesses().front()->emitOpError(
          "is in a kernel, where the ranks at both ends must be known at "
          "compile time, but the number of ranks is not");
      diag.attachNote(rank.getLoc())
          << "give this air.rank a space of constant size, of at most 1024; or "
             "one dimension, and let no other air.rank use the channel";
      return diag;
    }
    kernelUses.push_back(&uses);
  }
  if (kernelUses.empty())
    return success();
  auto tryCount = [&](int64_t count) -> LogicalResult {
    SmallVector<RankTrace> traces = *traceRanks(rank, count);
    for (ChannelUses *uses : kernelUses) {
      uses->isCounted = true;
      uses->elements.assign(uses->elements.size(), ElementUse());
    }
    if (failed(addTraces(traces, channels, [&](const ChannelUses &uses) {
          return uses.inKernel && uses.ranks.contains(rank);
        })))
      return failure();
    for (ChannelUses *uses : kernelUses)
      if (failed(checkUses(*uses)))
        return failure();
    return isOrdered(traces, channels) ? Simulation(traces).run() : success();
  };
  for (int64_t count = 1; count <= kMaxDynamicRanks; ++count) {
    ScopedDiagnosticHandler quiet(rank.getContext(),
                                  [](Diagnostic &) { return success(); });
    if (succeeded(tryCount(count)))
      for (ChannelUses *uses : kernelUses)
        uses->elementsByCount[count] = uses->elements;
  }
  // What is wrong with any number is wrong with two.
  if (kernelUses.front()->elementsByCount.empty() && succeeded(tryCount(2)))
    return rank.emitOpError("has channels that suit no number of ranks");
  return success(!kernelUses.front()->elementsByCount.empty());
}

} // namespace

FailureOr<std::vector<ChannelUses>> findChannelUses(ModuleOp module) {
  ChannelMap channels;
  SmallVector<air::RankOp> ranks;
  WalkResult result = module.walk([&](air::RankOp rank) {
    WalkResult inner = rank.walk([&](air::ChannelAccessInterface access) {
      Operation *op = access;
      air::ChannelOp channel = air::lookupChannel(op, access.getChanNameAttr());
      if (!channel) {
        op->emitOpError("uses a channel that is not declared");
        return WalkResult::interrupt();
      }
      // In a kernel, other channels move data inside of the device.
      if (isInKernel(op) &&
          channel.getChannelType() != air::ChannelOp::kGpuSymmetricHeap)
        return WalkResult::advance();
      auto [it, isNew] = channels.insert({channel, ChannelUses()});
      ChannelUses &uses = it->second;
      if (isNew) {
        uses.channel = channel;
        uses.inKernel = isInKernel(op);
        int64_t count = 1;
        for (int64_t size : channel.getTargetSizes())
          count *= size;
        uses.elements.resize(count);
      }
      if (uses.inKernel != isInKernel(op)) {
        InFlightDiagnostic diag =
            op->emitOpError("uses channel @")
            << channel.getSymName() << " in "
            << (isInKernel(op) ? "a kernel" : "code of the host")
            << ", but the other end is in "
            << (isInKernel(op) ? "code of the host" : "a kernel")
            << "; both ends must be one or the other";
        diag.attachNote(uses.getAccesses().front().getLoc())
            << "it is used here";
        return WalkResult::interrupt();
      }
      uses.ranks.insert(rank);
      if (auto put = dyn_cast<air::ChannelPutOp>(op))
        uses.puts.push_back(put);
      else
        uses.gets.push_back(cast<air::ChannelGetOp>(op));
      return failed(checkAccess(access, uses)) ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
    ranks.push_back(rank);
    return inner.wasInterrupted() ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (channels.empty())
    return std::vector<ChannelUses>();
  for (auto &entry : channels)
    // How often functions are called, nobody counts.
    entry.second.isCounted = entry.second.ranks.size() == 1;
  SmallVector<SmallVector<RankTrace>> ordered;
  for (air::RankOp rank : ranks) {
    std::optional<SmallVector<RankTrace>> traces = traceRanks(rank);
    if (!traces) {
      if (failed(addDynamicRank(rank, channels)))
        return failure();
      continue;
    }
    if (failed(addTraces(*traces, channels,
                         [](const ChannelUses &) { return true; })))
      return failure();
    bool isAlone = llvm::all_of(channels, [&](auto &entry) {
      const ChannelUses &uses = entry.second;
      return uses.ranks.size() == 1 || !uses.ranks.contains(rank);
    });
    // What other functions do at the same time is not known.
    if (isAlone && isOrdered(*traces, channels))
      ordered.push_back(std::move(*traces));
  }
  std::vector<ChannelUses> all;
  for (auto &entry : channels) {
    if (entry.second.elementsByCount.empty() && failed(checkUses(entry.second)))
      return failure();
    all.push_back(std::move(entry.second));
  }
  for (ArrayRef<RankTrace> traces : ordered)
    if (failed(Simulation(traces).run()))
      return failure();
  return all;
}

} // namespace aircc::channels
