//===- Launch.cpp - Running a kernel over a grid --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The waves of a workgroup execute in time slices: a wave executes until it
// ends, waits at a barrier, sleeps, or has used its time slice.
//
//===----------------------------------------------------------------------===//

#include "simulator/launch/Launch.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchOutput.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/exec/Mode.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/Wave.h"
#include "simulator/launch/Dispatch.h"
#include "simulator/launch/Waiting.h"
#include "simulator/launch/WorkgroupPool.h"

#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <thread>

using namespace aircc::sim;

namespace {

/// Returns a text such as "workgroup (0,0,0), wave 0".
std::string whichWave(const Workgroup &group, const Wave &wave) {
  return "workgroup (" + std::to_string(group.id[0]) + "," +
         std::to_string(group.id[1]) + "," + std::to_string(group.id[2]) +
         "), wave " + std::to_string(wave.index);
}

std::string whereAt(const LaunchState &state, const Op *op) {
  return describePlace(state, *op);
}

std::string explain(const LaunchState &state, const Workgroup &group,
                    const Wave &wave, const std::string &what, int lane) {
  std::string text =
      "kernel '" + state.kernel->name + "', " + whichWave(group, wave);
  if (lane >= 0)
    text += ", lane " + std::to_string(lane);
  text += ": " + what;
  const Op *op = wave.pc - 1;
  return op->inst ? text + "; " + whereAt(state, op) : text;
}

/// A workgroup of waves.
class WaveGroup : public PooledGroup {
public:
  WaveGroup(const LaunchState &state, const LaunchOptions &options)
      : state(state), options(options) {}

  void start(uint64_t number, uint64_t seed) override;
  bool runRound(uint64_t longest, bool &slept) override;
  void ended() override {
    if (isObserved)
      state.observers->groupEnd(storage.group);
    if (state.output)
      state.output->groupEnded(storage.group.number);
  }
  bool onlyWaits() const override { return findWaiting() != nullptr; }
  std::string whereItWaits() const override;
  std::string explainWaiting(const std::string &howLong) override;
  std::string explainStop(const std::string &why) override;

private:
  /// Returns the first running wave if all running waves only wait, otherwise
  /// null.
  Wave *findWaiting() const {
    Wave *first = nullptr;
    for (auto &wave : storage.group.waves) {
      if (wave->status != WaveStatus::Running)
        continue;
      if (!watches[wave->index].isWaiting())
        return nullptr;
      if (!first)
        first = wave.get();
    }
    return first;
  }

  const LaunchState &state;
  const LaunchOptions &options;
  GroupStorage storage;
  bool isObserved = false;
  std::vector<WaveWatch> watches; ///< By wave.
  /// Instructions not yet reported to the watch, by wave.
  std::vector<uint64_t> sinceWatched;
};

void WaveGroup::start(uint64_t number, uint64_t seed) {
  watches.assign(state.wavesPerGroup, WaveWatch());
  sinceWatched.assign(state.wavesPerGroup, 0);
  startGroup(state, number, seed, storage);
  isObserved = state.observers && state.observers->observesGroup(number);
  for (auto &wave : storage.group.waves)
    wave->observers = isObserved ? state.observers : nullptr;
  if (isObserved) {
    Observers *observers = state.observers;
    observers->groupBegin(storage.group);
    for (auto &wave : storage.group.waves)
      observers->waveBegin(*wave);
  }
}

std::string WaveGroup::whereItWaits() const {
  const Wave *wave = findWaiting();
  return whichWave(storage.group, *wave) + ", " + whereAt(state, wave->pc);
}

std::string WaveGroup::explainWaiting(const std::string &howLong) {
  Wave &wave = *findWaiting();
  std::string what = describeWait(wave, options.describeAddress);
  return explain(state, storage.group, wave,
                 "all waves have been waiting for " + howLong +
                     " (AIRCC_WAIT_LIMIT); " + what,
                 -1);
}

std::string WaveGroup::explainStop(const std::string &why) {
  // The running wave that has executed the most instructions.
  Wave *busiest = nullptr;
  for (auto &wave : storage.group.waves)
    if (wave->status == WaveStatus::Running &&
        (!busiest || wave->executed > busiest->executed))
      busiest = wave.get();
  if (!busiest)
    return "kernel '" + state.kernel->name + "': " + why;
  auto place = [&](const Op *op) {
    const CodeObject &object = *state.request->object;
    const uint64_t address = op->inst->address;
    const CodeSymbol *function = object.findFunction(address);
    return function ? function->name + "+0x" +
                          llvm::utohexstr(address - function->address, true)
                    : object.describeAddress(address);
  };
  const Op *at = busiest->pc;
  const std::vector<LoopBranch> branches = findLoop(*busiest);
  busiest->pc = at + 1;
  std::string text = why;
  if (!branches.empty()) {
    const Op *first = at, *last = at;
    for (const LoopBranch &branch : branches) {
      first = std::min(first, branch.target);
      last = std::max(last, branch.op);
    }
    text += "; it loops from " + place(first) + " to " + place(last) + ", by ";
    for (const LoopBranch &branch : branches)
      text += (&branch == &branches.front() ? "" : ", ") +
              branch.op->inst->text() + " at " + place(branch.op) + " to " +
              place(branch.target);
  }
  return explain(state, storage.group, *busiest, text, -1);
}

/// Executes one time slice of each running wave.
bool WaveGroup::runRound(uint64_t longest, bool &slept) {
  Workgroup &group = storage.group;
  bool progress = false;
  for (unsigned index : group.order) {
    Wave &wave = *group.waves[index];
    if (wave.status != WaveStatus::Running)
      continue;
    progress = true;
    WaveWatch &watch = watches[index];
    const bool isSample = !sinceWatched[index] && watch.wantsSample();
    const uint64_t slice = isSample            ? kTimeSlice
                           : state.inStep      ? 1
                           : watch.isWaiting() ? kWaitingTimeSlice
                                               : longest;
    uint64_t count;
    try {
      count = isSample ? watch.runSample(wave, slice) : runWave(wave, slice);
    } catch (const Fault &fault) {
      if (wave.observers)
        wave.observers->fault(wave, *(wave.pc - 1), fault.what());
      throw Fault(explain(state, group, wave, fault.what(), fault.lane));
    }
    steps += count;
    if (wave.status == WaveStatus::Ended) {
      --group.running;
      waveEnded(wave);
    } else if (wave.status == WaveStatus::AtBarrier)
      ++group.waiting;
    else if (wave.status == WaveStatus::Running) {
      slept |= count < slice;
      // Hashing all registers takes much longer than a single instruction.
      sinceWatched[index] += count;
      if (!state.inStep || isSample || sinceWatched[index] >= kTimeSlice) {
        watch.sliceEnded(wave, *state.kernel, sinceWatched[index]);
        sinceWatched[index] = 0;
      }
    }
    // A barrier completes when all waves that have not ended have arrived.
    if (group.waiting && group.waiting == group.running) {
      group.waiting = 0;
      for (auto &other : group.waves)
        if (other->status == WaveStatus::AtBarrier)
          other->status = WaveStatus::Running;
      if (isObserved)
        state.observers->barrierRelease(group);
    }
  }
  if (!progress && group.running) {
    for (auto &wave : group.waves)
      if (wave->status != WaveStatus::Ended)
        throw Fault(explain(state, group, *wave,
                            "all waves of the workgroup wait at barriers that "
                            "cannot complete",
                            -1));
  }
  return group.running == 0;
}

uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end = nullptr;
  uint64_t value = std::strtoull(text, &end, 0);
  return *end ? otherwise : value;
}

} // namespace

LaunchOptions LaunchOptions::fromEnvironment() {
  LaunchOptions options;
  options.threads =
      static_cast<unsigned>(::fromEnvironment("AIRCC_SIM_THREADS", 0));
  options.seed = ::fromEnvironment("AIRCC_SIM_SEED", 1);
  options.patience = std::chrono::seconds(
      ::fromEnvironment("AIRCC_SIM_PATIENCE", options.patience.count() / 1000));
  if (const char *schedule = std::getenv("AIRCC_SIM_SCHEDULE"))
    if (llvm::StringRef(schedule) == "in-step")
      options.schedule = simulator::Schedule::InStep;
  if (const char *surfaces = std::getenv("AIRCC_SIM_SURFACES"))
    options.lenientSurfaces = llvm::StringRef(surfaces) == "lenient";
  if (const char *check = std::getenv("AIRCC_SIM_CHECK"))
    CheckSelection::parse(check, options.check);
  options.checkLimit = static_cast<unsigned>(
      ::fromEnvironment("AIRCC_SIM_CHECK_LIMIT", options.checkLimit));
  return options;
}

size_t aircc::sim::slackFromEnvironment() {
  constexpr uint64_t kMost = 1 << 24;
  return std::min(::fromEnvironment("AIRCC_SIM_SLACK", 0), kMost);
}

llvm::Error LaunchOptions::checkEnvironment() {
  const char *check = std::getenv("AIRCC_SIM_CHECK");
  CheckSelection ignored;
  std::string problem;
  if (check)
    problem = CheckSelection::parse(check, ignored);
  if (problem.empty())
    return llvm::Error::success();
  return llvm::createStringError("AIRCC_SIM_CHECK: " + problem);
}

llvm::Error aircc::sim::runLaunch(const LaunchRequest &request,
                                  const LaunchOptions &options,
                                  LaunchResult &result) {
  LaunchState state;
  LaunchWarnings warnings;
  state.warnings = &warnings;
  state.inStep = options.isInStep();
  DispatchMemory memory(*request.memory);
  if (llvm::Error error = prepareLaunch(request, state, memory))
    return error;
  try {
    state.entry = request.program->lookup(entryAddress(state));
  } catch (const Fault &fault) {
    return llvm::createStringError("kernel '" + request.kernel->name +
                                   "': " + fault.what());
  }
  const std::vector<LaunchObserver *> &watchers = options.observers;
  if (watchers.size() > kMaxObservers)
    return llvm::createStringError("a launch can have at most " +
                                   std::to_string(kMaxObservers) +
                                   " observers");
  std::optional<LaunchOutput> output;
  if (state.hostcallArg)
    state.output = &output.emplace();
  Observers observers(watchers);
  if (!watchers.empty()) {
    state.observers = &observers;
    observers.launchBegin(state);
  }
  const uint64_t groups =
      uint64_t(request.grid[0]) * request.grid[1] * request.grid[2];
  uint64_t threads = options.threads
                         ? options.threads
                         : std::max(1u, std::thread::hardware_concurrency());
  if (observers.serial())
    threads = 1;
  LaunchOptions poolOptions = options;
  poolOptions.showsProgress &= !state.output;
  if (!watchers.empty())
    poolOptions.skipsGroup = [&](uint64_t number) {
      return observers.skipsGroup(number);
    };
  std::string message = llvm::toString(runWorkgroups(
      request.kernel->name, groups, static_cast<unsigned>(threads), poolOptions,
      [&] { return std::make_unique<WaveGroup>(state, options); },
      result.instructions, result.timedOut));
  result.warnings = warnings.lines(request.kernel->name);
  result.completed = message.empty();
  if (state.observers)
    observers.launchEnd(state, message);
  for (const LaunchObserver *watcher : watchers)
    if (std::string text = watcher->warnings(); !text.empty())
      result.warnings.push_back(std::move(text));
  if (message.empty())
    return llvm::Error::success();
  return llvm::createStringError(message);
}
