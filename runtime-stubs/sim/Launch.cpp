//===- Launch.cpp - Running a kernel over a grid --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of the host take workgroups one after the other and run their waves
// in turns: a wave runs until it ends, waits at a barrier, sleeps, or has had
// its share. A workgroup that sleeps or runs very long shares its thread with
// further ones, so that workgroups may wait for each other.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/Launch.h"

#include "runtime-stubs/sim/Dispatch.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/Mode.h"
#include "runtime-stubs/sim/Observe.h"
#include "runtime-stubs/sim/Waiting.h"
#include "runtime-stubs/sim/Wave.h"
#include "runtime-stubs/sim/check/Checker.h"

#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <thread>

using namespace aircc::sim;

namespace {

/// Instructions of one turn of a wave.
constexpr uint64_t kTurn = 4096;
/// The same of a wave that only waits, and of one whose workgroup shares its
/// thread with such: on hardware a wave that polls sees what another wrote a
/// few hundred instructions later, and programs rely on it. And how long a
/// thread that has only waves that wait rests between the rounds of their
/// turns.
constexpr uint64_t kWaitingTurn = 256;
constexpr std::chrono::microseconds kShortRest(20), kLongRest(1000);
/// Instructions after which a workgroup shares its thread.
constexpr uint64_t kPatience = uint64_t(1) << 22;
/// Workgroups that may share a thread: what keeps memory bounded.
constexpr size_t kMaxResident = 64;

uint64_t mix(uint64_t v) {
  v += 0x9e3779b97f4a7c15;
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9;
  v = (v ^ (v >> 27)) * 0x94d049bb133111eb;
  return v ^ (v >> 31);
}

/// What all threads of a launch share.
struct Shared {
  Shared(const LaunchState &state, const LaunchOptions &options,
         uint64_t groups, unsigned threads)
      : state(state), options(options), groups(groups),
        watch(threads, options.waitLimit) {}

  const LaunchState &state;
  const LaunchOptions &options;
  uint64_t groups;
  LaunchWatch watch;
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> instructions{0};
  std::atomic<uint64_t> running{0}; ///< Workgroups begun and not ended.
  std::atomic<bool> failed{false};
  std::atomic<bool> warned{false};
  std::mutex mutex;
  uint64_t failedGroup = UINT64_MAX;
  std::string error;

  void fail(uint64_t group, const std::string &what) {
    std::lock_guard<std::mutex> lock(mutex);
    failed = true;
    if (group < failedGroup) {
      failedGroup = group;
      error = what;
    }
  }
};

struct Resident {
  uint64_t number = 0;
  GroupStorage storage;
  uint64_t instructions = 0;
  std::vector<WaveWatch> watches; ///< By wave.

  /// The first of its waves if all that could run only wait, else null.
  Wave *findWaiting() {
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
};

/// "workgroup (0,0,0), wave 0"
std::string whichWave(const Workgroup &group, const Wave &wave) {
  return "workgroup (" + std::to_string(group.id[0]) + "," +
         std::to_string(group.id[1]) + "," + std::to_string(group.id[2]) +
         "), wave " + std::to_string(wave.index);
}

/// "at 0x7f… (kernel+0x40): s_endpgm"
std::string whereAt(const LaunchState &state, const Op *op) {
  std::string text = "at 0x" + llvm::utohexstr(op->inst->address, true);
  for (const CodeSymbol &symbol : state.request->object->functions())
    if (op->inst->address >= symbol.address &&
        op->inst->address < symbol.address + symbol.size) {
      text += " (" + symbol.name + "+0x" +
              llvm::utohexstr(op->inst->address - symbol.address, true) + ")";
      break;
    }
  text += ": " + op->inst->text;
  std::string line = state.request->object->sourceLine(op->inst->address);
  return line.empty() ? text : text + " [" + line + "]";
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

/// One round of turns. True when the workgroup has ended.
bool runRound(Shared &shared, Resident &resident, uint64_t longest,
              bool &slept) {
  Workgroup &group = resident.storage.group;
  bool progress = false;
  for (unsigned index : group.order) {
    Wave &wave = *group.waves[index];
    if (wave.status != WaveStatus::Running)
      continue;
    progress = true;
    WaveWatch &watch = resident.watches[index];
    const bool isSample = watch.wantsSample();
    const uint64_t turn = isSample            ? kTurn
                          : watch.isWaiting() ? kWaitingTurn
                                              : longest;
    uint64_t count;
    try {
      count = isSample ? watch.runSample(wave, turn) : runWave(wave, turn);
    } catch (const Fault &fault) {
      if (wave.observers)
        wave.observers->fault(wave, *(wave.pc - 1), fault.what());
      shared.fail(resident.number,
                  explain(shared.state, group, wave, fault.what(), fault.lane));
      return true;
    }
    resident.instructions += count;
    if (wave.status == WaveStatus::Ended) {
      --group.running;
      waveEnded(wave);
    } else if (wave.status == WaveStatus::AtBarrier)
      ++group.waiting;
    else if (wave.status == WaveStatus::Running) {
      slept |= count < turn;
      watch.turnEnded(wave, *shared.state.kernel, count);
    }
    // A barrier waits for the waves that have not ended.
    if (group.waiting && group.waiting == group.running) {
      group.waiting = 0;
      for (auto &other : group.waves)
        if (other->status == WaveStatus::AtBarrier)
          other->status = WaveStatus::Running;
      if (shared.state.observers)
        shared.state.observers->barrierRelease(group);
    }
  }
  if (!progress && group.running) {
    for (auto &wave : group.waves)
      if (wave->status != WaveStatus::Ended) {
        shared.fail(resident.number,
                    explain(shared.state, group, *wave,
                            "all waves of the workgroup wait at barriers that "
                            "nobody completes",
                            -1));
        break;
      }
    return true;
  }
  return group.running == 0;
}

/// Says, once a launch, that for long nothing but waiting has happened.
void warnOfWaiting(Shared &shared,
                   const std::deque<std::unique_ptr<Resident>> &residents) {
  constexpr size_t kNamed = 4;
  if (shared.warned.exchange(true))
    return;
  char time[40];
  std::snprintf(time, sizeof(time), "%g",
                double(shared.options.patience.count()) / 1000);
  std::string text = "aircc simulator: warning: kernel '" +
                     shared.state.kernel->name + "': for " + time +
                     " seconds all waves have only waited; workgroups that "
                     "have begun and not ended: " +
                     std::to_string(shared.running) + "\n";
  for (size_t i = 0; i < std::min(residents.size(), kNamed); ++i)
    if (const Wave *wave = residents[i]->findWaiting())
      text += "  " + whichWave(residents[i]->storage.group, *wave) + ", " +
              whereAt(shared.state, wave->pc) + "\n";
  std::fputs(text.c_str(), stderr);
}

/// Ends the launch for a workgroup that waits for what does not come.
void failWaiting(Shared &shared, Resident &resident, Wave &wave) {
  std::string what = describeWait(wave, shared.options.describeAddress);
  char limit[40];
  std::snprintf(limit, sizeof(limit), "%g s",
                double(shared.options.waitLimit->count()) / 1000);
  shared.fail(resident.number,
              explain(shared.state, resident.storage.group, wave,
                      "all waves have waited " + std::string(limit) +
                          " (AIRCC_WAIT_LIMIT) for what does not come; " + what,
                      -1));
}

void work(Shared &shared) {
  std::deque<std::unique_ptr<Resident>> residents;
  std::vector<std::unique_ptr<Resident>> spare;
  bool crowded = false, waits = false;
  bool anyWaits = false; // A workgroup of this thread.
  std::chrono::microseconds rest = kShortRest;
  try {
    while (!shared.failed) {
      // One more workgroup when there is none, or when those here may wait for
      // ones that have not begun.
      if (residents.empty() || (crowded && residents.size() < kMaxResident)) {
        crowded = false;
        uint64_t number = shared.next.fetch_add(1);
        if (number < shared.groups) {
          std::unique_ptr<Resident> resident;
          if (spare.empty()) {
            resident = std::make_unique<Resident>();
          } else {
            resident = std::move(spare.back());
            spare.pop_back();
          }
          resident->number = number;
          resident->instructions = 0;
          ++shared.running;
          resident->watches.assign(shared.state.wavesPerGroup, WaveWatch());
          startGroup(shared.state, number,
                     mix(shared.options.seed ^ mix(number)), resident->storage);
          if (Observers *observers = shared.state.observers) {
            observers->groupBegin(resident->storage.group);
            for (auto &wave : resident->storage.group.waves)
              observers->waveBegin(*wave);
          }
          residents.push_back(std::move(resident));
        } else if (residents.empty()) {
          break;
        }
      }
      for (size_t i = 0; i < residents.size() && !shared.failed;) {
        bool slept = false;
        uint64_t before = residents[i]->instructions;
        bool ended = runRound(shared, *residents[i],
                              anyWaits ? kWaitingTurn : kTurn, slept);
        shared.instructions.fetch_add(residents[i]->instructions - before,
                                      std::memory_order_relaxed);
        crowded |= slept || residents[i]->instructions > kPatience;
        if (ended) {
          --shared.running;
          if (shared.state.observers && !shared.failed)
            shared.state.observers->groupEnd(residents[i]->storage.group);
          spare.push_back(std::move(residents[i]));
          residents.erase(residents.begin() + i);
        } else {
          if (slept && residents.size() == 1)
            std::this_thread::yield();
          ++i;
        }
      }
      Wave *waiting = nullptr;
      size_t waitingGroups = 0;
      for (auto &resident : residents)
        if (Wave *wave = resident->findWaiting()) {
          waiting = wave;
          ++waitingGroups;
        }
      anyWaits = waitingGroups != 0;
      if (waitingGroups != residents.size())
        waiting = nullptr;
      crowded |= waiting != nullptr;
      // Workgroups that have not begun may be what is waited for.
      if (residents.size() < kMaxResident && shared.next < shared.groups)
        waiting = nullptr;
      if (waits != (waiting != nullptr)) {
        waits = !waits;
        shared.watch.threadWaits(waits);
        rest = kShortRest;
      }
      if (waits && shared.watch.isOver() && !shared.failed)
        failWaiting(shared, *residents.back(), *waiting);
      if (waits && !shared.options.waitLimit && !shared.warned &&
          shared.options.patience.count() &&
          shared.watch.haveWaited(shared.options.patience))
        warnOfWaiting(shared, residents);
      if (waits) {
        std::this_thread::sleep_for(rest);
        rest = std::min(2 * rest, kLongRest);
      }
    }
    if (waits)
      shared.watch.threadWaits(false);
    shared.watch.threadEnds();
  } catch (const std::exception &error) {
    shared.fail(0, "kernel '" + shared.state.kernel->name +
                       "': " + std::string(error.what()));
  }
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
  options.check = ::fromEnvironment("AIRCC_SIM_CHECK", 0) != 0;
  options.checkLimit = static_cast<unsigned>(
      ::fromEnvironment("AIRCC_SIM_CHECK_LIMIT", options.checkLimit));
  return options;
}

bool aircc::sim::runLaunch(const LaunchRequest &request,
                           const LaunchOptions &options, LaunchResult &result,
                           std::string &error) {
  LaunchState state;
  DispatchMemory memory(*request.memory);
  if (!prepareLaunch(request, state, memory, error))
    return false;
  try {
    state.entry = request.program->lookup(entryAddress(state));
  } catch (const Fault &fault) {
    error = "kernel '" + request.kernel->name + "': " + fault.what();
    return false;
  }
  std::vector<LaunchObserver *> watchers = options.observers;
  std::unique_ptr<Checker> checker;
  if (options.check) {
    checker = std::make_unique<Checker>(options.checkLimit);
    watchers.push_back(checker.get());
  }
  if (watchers.size() > kMaxObservers) {
    error =
        "a launch has at most " + std::to_string(kMaxObservers) + " observers";
    return false;
  }
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
  threads = std::min(threads, groups);
  if (observers.serial())
    threads = 1;
  Shared shared(state, options, groups, static_cast<unsigned>(threads));
  std::vector<std::thread> helpers;
  for (uint64_t i = 1; i < threads; ++i)
    helpers.emplace_back([&shared] { work(shared); });
  work(shared);
  for (std::thread &helper : helpers)
    helper.join();
  result.instructions = shared.instructions;
  error = shared.error;
  if (state.observers)
    observers.launchEnd(state, error);
  return error.empty();
}
