//===- WorkgroupPool.cpp - Scheduling workgroups on host threads ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/launch/WorkgroupPool.h"

#include "simulator/exec/Fault.h"
#include "simulator/launch/LaunchProgress.h"
#include "simulator/launch/Waiting.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

using namespace aircc::sim;

namespace {

/// How long a thread sleeps between time slices if all its workgroups wait.
constexpr std::chrono::microseconds kShortRest(20), kLongRest(1000);
/// The number of steps after which a workgroup shares its thread with others.
constexpr uint64_t kPatience = uint64_t(1) << 22;
/// The maximum number of workgroups that share a thread, which limits memory.
constexpr size_t kMaxResident = 64;

uint64_t mix(uint64_t v) {
  v += 0x9e3779b97f4a7c15;
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9;
  v = (v ^ (v >> 27)) * 0x94d049bb133111eb;
  return v ^ (v >> 31);
}

using MakeGroup = std::function<std::unique_ptr<PooledGroup>()>;

/// The state that all threads of a launch share.
struct Shared {
  Shared(const std::string &kernel, const LaunchOptions &options,
         const MakeGroup &makeGroup, uint64_t groups, unsigned threads)
      : kernel(kernel), options(options), makeGroup(makeGroup), groups(groups),
        watch(threads, options.waitLimit),
        progress(options.showsProgress, kernel, groups, done) {}

  const std::string &kernel;
  const LaunchOptions &options;
  const MakeGroup &makeGroup;
  uint64_t groups;
  LaunchWatch watch;
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> steps{0};
  std::atomic<uint64_t> instructions{0};
  std::atomic<bool> timedOut{false};
  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  std::atomic<uint64_t> running{0}; ///< The number of workgroups that have not
                                    ///< ended.
  std::atomic<uint64_t> done{0};    ///< The number of workgroups that have
                                    ///< ended.
  std::atomic<bool> failed{false};
  std::atomic<bool> warned{false};
  std::mutex mutex;
  uint64_t failedGroup = UINT64_MAX;
  std::string error;
  LaunchProgress progress;

  void fail(uint64_t group, const std::string &what) {
    std::lock_guard<std::mutex> lock(mutex);
    failed = true;
    if (group < failedGroup) {
      failedGroup = group;
      error = what;
    }
  }
};

/// Warns, once per launch, that all waves have only waited for a long time.
void warnOfWaiting(Shared &shared,
                   const std::deque<std::unique_ptr<PooledGroup>> &residents) {
  constexpr size_t kNamed = 4;
  if (shared.warned.exchange(true))
    return;
  char time[40];
  std::snprintf(time, sizeof(time), "%g",
                double(shared.options.patience.count()) / 1000);
  std::string text = "aircc simulator: warning: kernel '" + shared.kernel +
                     "': for " + time +
                     " seconds, all waves have been waiting; workgroups that "
                     "have started but not finished: " +
                     std::to_string(shared.running) + "\n";
  for (size_t i = 0; i < std::min(residents.size(), kNamed); ++i)
    if (residents[i]->onlyWaits())
      text += "  " + residents[i]->whereItWaits() + "\n";
  shared.progress.clear();
  std::fputs(text.c_str(), stderr);
}

/// Fails the launch because a workgroup has waited for too long.
void failWaiting(Shared &shared, PooledGroup &resident) {
  char limit[40];
  std::snprintf(limit, sizeof(limit), "%g s",
                double(shared.options.waitLimit->count()) / 1000);
  shared.fail(resident.number, resident.explainWaiting(limit));
}

/// Fails the launch if one of its limits is reached.
void checkLimits(Shared &shared, PooledGroup &resident) {
  const LaunchOptions &options = shared.options;
  if (options.maxInstructions && shared.instructions > options.maxInstructions)
    return shared.fail(
        resident.number,
        resident.explainStop("the launch has executed more than " +
                             std::to_string(options.maxInstructions) +
                             " instructions (--max-instructions)"));
  if (!options.timeLimit ||
      std::chrono::steady_clock::now() - shared.start < *options.timeLimit)
    return;
  char limit[40];
  std::snprintf(limit, sizeof(limit), "%g s", options.timeLimit->count());
  shared.timedOut = true;
  shared.fail(resident.number,
              resident.explainStop("the launch has run for more than " +
                                   std::string(limit) + " (--timeout)"));
}

/// A thread of the launch with the workgroups that share it.
class Worker {
public:
  explicit Worker(Shared &shared) : shared(shared) {}
  void run();

private:
  void startGroup();
  void runRound();
  void waitIfAllWait();

  Shared &shared;
  std::deque<std::unique_ptr<PooledGroup>> residents;
  std::vector<std::unique_ptr<PooledGroup>> spare; ///< Ended workgroups, for
                                                   ///< reuse.
  bool crowded = false;  ///< Whether the residents may wait for further
                         ///< workgroups.
  bool anyWaits = false; ///< Whether at least one resident only waits.
  bool waits = false;    ///< Whether all do, and no further workgroup can
                         ///< begin.
  std::chrono::microseconds rest = kShortRest;
};

/// Begins a workgroup if there is none, or if the residents may wait for one
/// that has not begun.
void Worker::startGroup() {
  if (!residents.empty() && (!crowded || residents.size() >= kMaxResident))
    return;
  crowded = false;
  uint64_t number = shared.next.fetch_add(1);
  const auto &skips = shared.options.skipsGroup;
  for (; skips && number < shared.groups && skips(number);
       number = shared.next.fetch_add(1))
    ++shared.done;
  if (number >= shared.groups)
    return;
  std::unique_ptr<PooledGroup> resident;
  if (spare.empty()) {
    resident = shared.makeGroup();
  } else {
    resident = std::move(spare.back());
    spare.pop_back();
  }
  resident->number = number;
  resident->steps = 0;
  ++shared.running;
  resident->start(number, mix(shared.options.seed ^ mix(number)));
  residents.push_back(std::move(resident));
}

void Worker::runRound() {
  for (size_t i = 0; i < residents.size() && !shared.failed;) {
    bool slept = false;
    PooledGroup &resident = *residents[i];
    const uint64_t before = resident.steps;
    const uint64_t executedBefore = resident.instructions();
    bool ended = true;
    try {
      ended =
          resident.runRound(anyWaits ? kWaitingTimeSlice : kTimeSlice, slept);
    } catch (const Fault &fault) {
      shared.fail(resident.number, fault.what());
    }
    shared.steps.fetch_add(resident.steps - before, std::memory_order_relaxed);
    shared.instructions += resident.instructions() - executedBefore;
    if (!shared.failed)
      checkLimits(shared, resident);
    crowded |= slept || resident.steps > kPatience;
    if (ended) {
      --shared.running;
      ++shared.done;
      if (!shared.failed)
        resident.ended();
      spare.push_back(std::move(residents[i]));
      residents.erase(residents.begin() + i);
    } else {
      if (slept && residents.size() == 1)
        std::this_thread::yield();
      ++i;
    }
  }
}

/// Rests if all residents only wait. Ends the launch, or warns, if all threads
/// have done so for too long.
void Worker::waitIfAllWait() {
  const auto waitingGroups =
      std::count_if(residents.begin(), residents.end(),
                    [](const auto &resident) { return resident->onlyWaits(); });
  anyWaits = waitingGroups != 0;
  const bool allWait =
      anyWaits && static_cast<size_t>(waitingGroups) == residents.size();
  crowded |= allWait;
  // The residents may wait for workgroups that have not begun.
  const bool canStartMore =
      residents.size() < kMaxResident && shared.next < shared.groups;
  if (waits != (allWait && !canStartMore)) {
    waits = !waits;
    shared.watch.threadWaits(waits);
    rest = kShortRest;
  }
  if (!waits)
    return;
  if (shared.watch.isOver() && !shared.failed)
    failWaiting(shared, *residents.back());
  if (!shared.options.waitLimit && !shared.warned &&
      shared.options.patience.count() &&
      shared.watch.haveWaited(shared.options.patience))
    warnOfWaiting(shared, residents);
  std::this_thread::sleep_for(rest);
  rest = std::min(2 * rest, kLongRest);
}

void Worker::run() {
  try {
    while (!shared.failed) {
      startGroup();
      if (residents.empty())
        break;
      runRound();
      waitIfAllWait();
    }
    if (waits)
      shared.watch.threadWaits(false);
    shared.watch.threadEnds();
  } catch (const std::exception &error) {
    shared.fail(0,
                "kernel '" + shared.kernel + "': " + std::string(error.what()));
  }
}

} // namespace

llvm::Error aircc::sim::runWorkgroups(const std::string &kernelName,
                                      uint64_t groups, unsigned threads,
                                      const LaunchOptions &options,
                                      const MakeGroup &makeGroup,
                                      uint64_t &steps, bool &timedOut) {
  threads = static_cast<unsigned>(std::min<uint64_t>(threads, groups));
  Shared shared(kernelName, options, makeGroup, groups, threads);
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads; ++i)
    helpers.emplace_back([&shared] { Worker(shared).run(); });
  Worker(shared).run();
  for (std::thread &helper : helpers)
    helper.join();
  steps = shared.steps;
  timedOut = shared.timedOut;
  if (shared.error.empty())
    return llvm::Error::success();
  return llvm::createStringError(shared.error);
}
