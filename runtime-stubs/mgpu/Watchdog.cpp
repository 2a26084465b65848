//===- Watchdog.cpp - Detects calls that take too long --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Watchdog.h"
#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/mgpu/Ranks.h"
#include "runtime-stubs/ranks/World.h"
#include "runtime-stubs/support/RuntimeThread.h"

#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

using namespace aircc::rt;
using Clock = std::chrono::steady_clock;

constinit std::atomic<bool> aircc::rt::watchdogActive{false};

namespace {
struct Watched {
  const char *entry;
  Clock::time_point begin;
  unsigned depth; ///< The nesting depth of the call.
};
struct State {
  std::mutex mutex;
  std::map<std::thread::id, Watched> calls;
  std::deque<std::string> kernels; ///< Kernels that were launched and may not
                                   ///< have finished.
};
/// The state is never destroyed, because calls are also made during process
/// exit.
State &state() {
  static State *state = new State;
  return *state;
}
/// Messages name only the last kernels.
constexpr size_t maxKernels = 4;
} // namespace

void WatchedCall::begin(const char *entry) {
  begun = true;
  std::lock_guard<std::mutex> lock(state().mutex);
  auto [it, isNew] = state().calls.try_emplace(std::this_thread::get_id(),
                                               Watched{entry, Clock::now(), 0});
  ++it->second.depth;
}

void WatchedCall::end() {
  std::lock_guard<std::mutex> lock(state().mutex);
  auto it = state().calls.find(std::this_thread::get_id());
  if (--it->second.depth == 0)
    state().calls.erase(it);
}

void aircc::rt::noteLaunch(const std::string &kernel) {
  if (!watchdogActive.load(std::memory_order_relaxed))
    return;
  std::lock_guard<std::mutex> lock(state().mutex);
  std::deque<std::string> &kernels = state().kernels;
  kernels.push_back(kernel);
  if (kernels.size() > maxKernels)
    kernels.pop_front();
}

static void watch(WaitLimit limit, World world) {
  const auto pause = std::max(*limit.limit / 8, std::chrono::milliseconds(1));
  for (;;) {
    std::this_thread::sleep_for(pause);
    std::string entry, kernels;
    {
      std::lock_guard<std::mutex> lock(state().mutex);
      for (auto &[thread, call] : state().calls)
        if (Clock::now() - call.begin > *limit.limit)
          entry = call.entry;
      for (const std::string &kernel : state().kernels)
        kernels += (kernels.empty() ? "'" : ", '") + kernel + "'";
    }
    if (entry.empty())
      continue;
    std::string text = entry + ": rank " + std::to_string(world.rank) + " of " +
                       std::to_string(world.size) + " has waited " +
                       limit.text() + " (AIRCC_WAIT_LIMIT) for the device";
    if (!kernels.empty())
      text += "; the last kernels launched are " + kernels;
    if (std::string names = listSymmetricNames(); !names.empty())
      text += "; they may wait for one of the channels " + names;
    failFromOutside(text);
  }
}

void aircc::rt::startWatchdog(const WaitLimit &limit) {
  World world;
  if (!limit.limit || !readWorld(world).ok() ||
      (world.size == 1 && !std::getenv("AIRCC_WAIT_LIMIT")))
    return;
  startRuntimeThread([limit, world] { watch(limit, world); }).detach();
  watchdogActive = true;
}
