//===- ChannelDeadlocks.cpp - PEs that wait for each other ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/ChannelPasses.h"

#include "dialects/kernel/KernelDialect.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// Executes the puts and gets of all processes in the first trace.
class Simulation {
public:
  explicit Simulation(const LaunchTrace &trace);

  /// Executes until no process can proceed. Emits an error if any processes
  /// remain.
  LogicalResult run();

private:
  void addStream(const ChannelStream &stream);
  bool canRun(const ChannelEvent *event) {
    return llvm::all_of(roles[event], [&](auto role) {
      return counts[role.first] >= role.second;
    });
  }

  /// The events of each process that have not been executed.
  std::map<int64_t, std::deque<const ChannelEvent *>> waiting;
  /// For each event, its streams and the number of puts that it needs.
  std::map<const ChannelEvent *, SmallVector<std::pair<size_t, size_t>>> roles;
  /// The number of puts into each stream so far.
  std::vector<size_t> counts;
};

} // namespace

void Simulation::addStream(const ChannelStream &stream) {
  size_t number = counts.size();
  counts.push_back(0);
  for (const ChannelEvent *put : stream.puts)
    roles[put].push_back({number, 0});
  size_t puts = 0;
  int64_t available = 0, needed = 0;
  for (const ChannelEvent *get : stream.gets) {
    needed += air::getMessageSize(get->access).value_or(1);
    while (puts < stream.puts.size() && available < needed)
      available += air::getMessageSize(stream.puts[puts++]->access).value_or(1);
    roles[get].push_back({number, puts});
  }
}

Simulation::Simulation(const LaunchTrace &trace) {
  for (auto &[name, ends] : trace.channels)
    for (auto &[target, stream] : ends.streams)
      if (target.front() == 0)
        addStream(stream);
  for (const ChannelEvent &event : trace.getEvents().front())
    if (roles.count(&event))
      waiting[event.process].push_back(&event);
}

LogicalResult Simulation::run() {
  for (bool progress = true; progress;) {
    progress = false;
    for (auto &[process, events] : waiting)
      while (!events.empty() && canRun(events.front())) {
        if (isa<air::ChannelPutOp>(events.front()->access.getOperation()))
          for (auto role : roles[events.front()])
            ++counts[role.first];
        events.pop_front();
        progress = true;
      }
  }
  std::optional<InFlightDiagnostic> diag;
  for (auto &[process, events] : waiting) {
    if (events.empty())
      continue;
    Operation *op = events.front()->access;
    if (diag)
      diag->attachNote(op->getLoc()) << "another PE waits here";
    else
      diag.emplace(op->emitOpError(
          "deadlocks: it waits for data from PEs that are also waiting and "
          "would put the data only later; make one of them put first"));
  }
  return failure(diag.has_value());
}

LogicalResult checkDeadlock(const LaunchTrace &trace) {
  return Simulation(trace).run();
}

LogicalResult checkWaves(air::LaunchOp launch, air::HerdOp herd,
                         int64_t maxWaves) {
  int64_t numPEs = 1;
  for (int64_t size : herd.getStaticSizes())
    numPEs *= size;
  bool isLane =
      launch->hasAttr(kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr());
  if (numPEs <= maxWaves && !isLane)
    return success();
  return herd.emitOpError("has ")
         << numPEs
         << " PEs that wait for each other at channels, so each needs a wave, "
            "but a workgroup has at most "
         << maxWaves << " waves; use a smaller herd";
}

} // namespace aircc::hierarchy
