//===- Waiting.h - Waves that only wait -------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel may wait for something that never comes: a flag that another rank
// should set. How long it runs says nothing, as it may have much to compute.
// But a wave whose registers are again what they were will do again what it
// did, unless memory changes: such a wave waits. So does one that counts the
// rounds of its waiting, or looks at the time: it writes nothing, and reads the
// same places again and again, some of them for the device or the system, in
// which there is always the same. That is looked at in some of its turns.
//
// Waiting waves give their turns up early, so that the ranks that they wait for
// get the host's cores; and when no wave of a launch has done anything else for
// the time limit, the launch ends with a message that says what it waits for.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_LAUNCH_WAITING_H
#define AIRCC_SIMULATOR_LAUNCH_WAITING_H

#include "simulator/exec/Wave.h"
#include "simulator/launch/Launch.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace aircc::sim {

/// Tells whether a wave waits, from its state at the ends of its turns.
class WaveWatch {
public:
  /// Called at the end of a turn in which the wave executed `instructions`.
  void turnEnded(const Wave &wave, const Kernel &kernel, uint64_t instructions);
  /// Whether the next turn is to be one that runSample() runs.
  bool wantsSample() const;
  /// runWave, and looks at what the wave reads and writes.
  uint64_t runSample(Wave &wave, uint64_t budget);
  bool isWaiting() const { return waiting || polls >= kEnoughPolls; }

private:
  /// After how many turns in which the wave only polled it is said to wait.
  static constexpr unsigned kEnoughPolls = 4;

  uint64_t unsampled = 0; ///< Turns since the last sample.
  uint64_t places = 0;    ///< What the wave read then, and what was there.
  unsigned polls = 0;     ///< How many samples in a row came to the same.
  uint64_t executed = 0;
  uint64_t saved = 0;    ///< A state of the past,
  uint64_t turns = 0;    ///< the turns since then,
  uint64_t patience = 1; ///< after how many of them it is taken anew (Brent),
  uint64_t period = 0;   ///< and after how many it came again.
  bool waiting = false;
};

/// Whether the threads of a launch do nothing but wait, and since when.
class LaunchWatch {
public:
  LaunchWatch(unsigned threads, std::optional<std::chrono::milliseconds> limit)
      : threads(threads), limit(limit) {}

  /// A thread has begun or ceased to have only workgroups that wait.
  void threadWaits(bool waits);
  /// A thread has no more work.
  void threadEnds() { --threads; }
  /// Whether all threads have waited for longer than the limit.
  bool isOver() { return limit && haveWaited(*limit); }
  /// Whether all threads have waited for so long.
  bool haveWaited(std::chrono::milliseconds time);

private:
  std::atomic<unsigned> threads;
  std::atomic<unsigned> waiting{0};
  std::atomic<uint64_t> changes{0}; ///< How often a thread ceased to wait.
  std::optional<std::chrono::milliseconds> limit;
  std::mutex mutex;
  bool counting = false;
  uint64_t changesAtStart = 0;
  std::chrono::steady_clock::time_point start;
};

/// What a waiting wave reads, again and again: it runs the wave for a while, so
/// the launch must be about to end. Leaves `wave.pc` behind the operation that
/// reads.
std::string
describeWait(Wave &wave,
             const std::function<std::string(uint64_t)> &describeAddress);

/// A branch that was taken backwards.
struct LoopBranch {
  const Op *op = nullptr, *target = nullptr;
  bool operator==(const LoopBranch &) const = default;
};

/// The backward branches of the loop that a wave is in, in the order of the
/// code; none when it is in no loop. It runs the wave for a while, so the
/// launch must be about to end.
std::vector<LoopBranch> findLoop(Wave &wave);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_WAITING_H
