//===- ChannelChecks.cpp - Checks that puts and gets match ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/ChannelChecks.h"
#include "pipeline/channels/RankLevel.h"

#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <map>

using namespace mlir;

namespace aircc::channels {

std::string printIndices(ArrayRef<int64_t> indices) {
  return "[" +
         llvm::join(
             llvm::map_range(
                 indices, [](int64_t index) { return std::to_string(index); }),
             ", ") +
         "]";
}

namespace {

/// Returns the channel's name with the indices of destination `number`.
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

/// The element type and count of the messages of one op; the count is unset if
/// it is unknown.
struct MessageKind {
  Type type;
  std::optional<int64_t> count;

  explicit MessageKind(Operation *op) {
    auto access = cast<air::ChannelAccessInterface>(op);
    type = cast<BaseMemRefType>(access.getMemref().getType()).getElementType();
    count = air::getMessageSize(access);
  }
  bool operator==(const MessageKind &) const = default;
  std::string describe() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (count)
      os << *count << ' ';
    os << "elements of type '" << type << "'";
    return text;
  }
};

InFlightDiagnostic emitSizeError(ChannelUses &uses, Operation *op,
                                 Operation *other) {
  InFlightDiagnostic diag = op->emitOpError("transfers ")
                            << MessageKind(op).describe()
                            << " through channel @" << uses.channel.getSymName()
                            << ", but another op on this channel transfers "
                            << MessageKind(other).describe();
  diag.attachNote(other->getLoc()) << "the other op is here";
  return diag;
}

/// Host channels may carry messages of different sizes one after the other, so
/// compare only messages that can match.
LogicalResult checkHostSizes(ChannelUses &uses) {
  bool mayDiffer =
      uses.elements.size() > 1 || uses.puts.size() > 1 || uses.gets.size() > 1;
  Operation *first = nullptr;
  for (Operation *op : uses.getAccesses()) {
    MessageKind kind(op);
    if (!first || (!MessageKind(first).count && kind.count &&
                   kind.type == MessageKind(first).type))
      first = op;
    MessageKind known(first);
    bool sameSize =
        mayDiffer || !kind.count || !known.count || *kind.count == *known.count;
    if (kind.type != known.type || !sameSize)
      return emitSizeError(uses, op, first);
  }
  return success();
}

/// Verifies that all messages of a destination have the same type and size,
/// unless it is known which put matches which get.
LogicalResult checkKernelSizes(ChannelUses &uses) {
  for (Operation *op : uses.getAccesses())
    if (!MessageKind(op).count)
      return op->emitOpError(
          "transfers a number of elements that is unknown at compile time; in "
          "kernels, channels require messages of static size");
  for (const ElementUse &element : uses.elements) {
    if (element.putOps.empty())
      continue;
    Operation *first = element.putOps.front();
    auto differs = [&](Operation *op) {
      return op != first && !(MessageKind(op) == MessageKind(first));
    };
    auto put = llvm::find_if(element.putOps, differs);
    auto get = llvm::find_if(element.getOps, differs);
    if (put == element.putOps.end() && get == element.getOps.end())
      continue;
    if (!uses.isCounted || !element.isOrdered || element.putRanks.size() > 1 ||
        element.getRanks.size() > 1)
      return emitSizeError(uses, put == element.putOps.end() ? *get : *put,
                           first);
    // One rank puts and one rank gets, each in program order.
    for (auto [from, to] : llvm::zip_equal(element.putOps, element.getOps))
      if (!(MessageKind(from) == MessageKind(to)))
        return emitSizeError(uses, to, from);
  }
  return success();
}

/// Verifies that each put has a matching get, and each get a matching put.
LogicalResult checkPairs(ChannelUses &uses) {
  air::ChannelOp channel = uses.channel;
  // Adds a note at each op on the other end.
  auto addPartners = [&](InFlightDiagnostic &diag, bool gets) {
    for (air::ChannelAccessInterface access : uses.getAccesses())
      if (isa<air::ChannelGetOp>(access) == gets)
        diag.attachNote(access.getLoc())
            << (gets ? "the channel is read here"
                     : "the channel is written here")
            << ", but never with these indices";
  };
  if (uses.gets.empty() || uses.puts.empty()) {
    bool lacksGets = uses.gets.empty();
    Operation *op = lacksGets ? uses.puts.front().getOperation()
                              : uses.gets.front().getOperation();
    InFlightDiagnostic diag =
        op->emitOpError(lacksGets ? "puts into" : "gets from")
        << " channel @" << channel.getSymName() << ", "
        << (lacksGets ? "but no op gets from it" : "but no op puts into it");
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
                                << "), but no rank gets from it";
      addPartners(diag, /*gets=*/true);
      return diag;
    }
    if (element.get && !element.put) {
      InFlightDiagnostic diag = element.get->emitOpError("gets from ")
                                << printTarget(channel, number) << " (as "
                                << printRanks(element.getRanks.getArrayRef())
                                << "), but no rank puts into it";
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
          << "), but got from " << element.gets << " times (by "
          << printRanks(element.getRanks.getArrayRef()) << ")";
      diag.attachNote((morePuts ? element.get : element.put)->getLoc())
          << "the other end is here";
      auto herd = op->getParentOfType<air::HerdOp>();
      if (herd && !uses.peIsLane && !hasLanePEs(herd) &&
          llvm::any_of(herd.getStaticSizes(),
                       [](int64_t size) { return size != 1; }))
        diag.attachNote(herd.getLoc())
            << "each point of this herd is a wave and executes the op "
               "separately; with --stage-option hierarchy.pe=lane, points are "
               "lanes and the herd executes the op once";
      return diag;
    }
  }
  return success();
}

/// Verifies that the rank that gets each message in a kernel is known.
LogicalResult checkKernelRanks(ChannelUses &uses) {
  air::ChannelOp channel = uses.channel;
  for (auto [number, element] : llvm::enumerate(uses.elements))
    if (element.getRanks.size() > 1 && !uses.isTold) {
      InFlightDiagnostic diag =
          element.get->emitOpError("gets from ")
          << printTarget(channel, number) << " on one of "
          << printRanks(element.getRanks.getArrayRef())
          << ", but it is unknown which one, and the numbers of puts and gets "
             "cannot be proven equal; use an array of channels indexed by "
             "rank, broadcast_shape, or conditions on the rank's id that are "
             "known at compile time";
      diag.attachNote(element.put->getLoc()) << "the channel is written here";
      return diag;
    }
  return success();
}

} // namespace

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
    return op->emitOpError("cannot pad the data that it gets; set pad_before "
                           "and pad_after on the put instead");
  return success();
}

LogicalResult checkUses(ChannelUses &uses) {
  if (failed(checkPairs(uses)))
    return failure();
  if (!uses.inKernel)
    return checkHostSizes(uses);
  if (failed(checkKernelSizes(uses)))
    return failure();
  return checkKernelRanks(uses);
}

//===----------------------------------------------------------------------===//
// Deadlocks
//===----------------------------------------------------------------------===//

namespace {
/// Executes the puts and gets of all ranks until none can proceed.
class Simulation {
public:
  explicit Simulation(ArrayRef<RankTrace> traces)
      : traces(traces), next(traces.size()), part(traces.size()) {}

  LogicalResult run();

private:
  /// Executes the rank's next event, or the next part of a broadcast.
  bool step(size_t rank);
  bool isDone(size_t rank) const {
    return next[rank] == traces[rank].events.size();
  }

  ArrayRef<RankTrace> traces;
  SmallVector<size_t> next, part;
  /// The messages in flight for each channel and destination, by the rank that
  /// put them.
  std::map<std::pair<Operation *, int64_t>, std::deque<int64_t>> queues;
};
} // namespace

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
  bool lacksRoom = false;
  for (size_t rank = 0; rank < traces.size(); ++rank)
    if (!isDone(rank)) {
      AccessEvent event = traces[rank].events[next[rank]];
      lacksRoom |= isa<air::ChannelPutOp>(event.op.getOperation());
    }
  std::optional<InFlightDiagnostic> diag;
  for (size_t rank = 0; rank < traces.size(); ++rank) {
    if (isDone(rank))
      continue;
    AccessEvent event = traces[rank].events[next[rank]];
    Operation *op = event.op;
    bool isPut = isa<air::ChannelPutOp>(op);
    air::ChannelOp channel = air::lookupChannel(op, event.op.getChanNameAttr());
    std::string what = isPut ? "for space in " : "for a message in ";
    what += printTarget(channel,
                        getTargets(channel, isPut, *event.indices)[part[rank]]);
    if (!diag) {
      diag.emplace(op->emitOpError("deadlocks: rank "));
      *diag << rank << " waits here " << what
            << ", and all ranks that could unblock it are waiting, too; "
            << (lacksRoom ? "make one of them get first, or increase the depth "
                            "of the channel"
                          : "make one of them put first");
    } else {
      diag->attachNote(op->getLoc())
          << "rank " << rank << " waits here " << what;
    }
  }
  return failure(diag.has_value());
}

LogicalResult checkDeadlock(ArrayRef<RankTrace> traces) {
  return Simulation(traces).run();
}

} // namespace aircc::channels
