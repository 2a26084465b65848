//===- Waiting.h - Detection of waves that only wait ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A kernel may wait forever, for example for a flag that another rank never
// sets. Its execution time does not reveal this, because it may have much to
// compute. Two observations do:
// - If the registers of a wave have the same values as before, the wave repeats
//   what it did unless memory changes.
// - A wave that counts iterations or reads the time while it waits has changing
//   registers, but it writes no memory and reads the same values at the same
//   addresses again and again, some of them with device or system scope. Some
//   time slices are sampled to find this.
//
// Waiting waves get short time slices, so that the ranks for which they wait
// get the host's cores. If all waves of a launch have only waited for the time
// limit, the launch fails with a message that names the memory for which they
// wait.
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

/// Determines whether a wave waits, from its state after each time slice.
class WaveWatch {
public:
  /// Called after a time slice in which the wave executed `instructions`.
  void sliceEnded(const Wave &wave, const Kernel &kernel,
                  uint64_t instructions);
  /// Returns whether runSample() should execute the next time slice.
  bool wantsSample() const;
  /// Does the same as runWave, and records what the wave reads and writes.
  uint64_t runSample(Wave &wave, uint64_t budget);
  bool isWaiting() const { return waiting || polls >= kEnoughPolls; }

private:
  /// The wave is waiting if this many consecutive samples only polled.
  static constexpr unsigned kEnoughPolls = 4;

  uint64_t unsampled = 0; ///< The number of time slices since the last sample.
  uint64_t pollHash = 0;  ///< The hash of addresses and values of that sample.
  unsigned polls = 0;     ///< The number of consecutive samples with the same
                          ///< hash.
  uint64_t executed = 0;
  // Brent's algorithm finds a period in the sequence of states:
  uint64_t saved = 0;    ///< The hash of an earlier state.
  uint64_t slices = 0;   ///< The number of time slices since then.
  uint64_t patience = 1; ///< The number of time slices until `saved` is
                         ///< replaced.
  uint64_t period = 0;   ///< The number of time slices until the state
                         ///< recurred.
  bool waiting = false;
};

/// Tracks whether all threads of a launch are just waiting, and for how long.
class LaunchWatch {
public:
  LaunchWatch(unsigned threads, std::optional<std::chrono::milliseconds> limit)
      : threads(threads), limit(limit) {}

  /// Called when all workgroups of a thread begin to wait, or one of them
  /// ceases to.
  void threadWaits(bool waits);
  /// Called when a thread has no more work.
  void threadEnds() { --threads; }
  /// Returns whether all threads have waited for longer than the limit.
  bool isOver() { return limit && haveWaited(*limit); }
  /// Returns whether all threads have waited for longer than `time`.
  bool haveWaited(std::chrono::milliseconds time);

private:
  std::atomic<unsigned> threads;
  std::atomic<unsigned> waiting{0};
  std::atomic<uint64_t> changes{0}; ///< The number of times that a thread
                                    ///< ceased to wait.
  std::optional<std::chrono::milliseconds> limit;
  std::mutex mutex;
  bool counting = false;
  uint64_t changesAtStart = 0;
  std::chrono::steady_clock::time_point start;
};

/// Describes the memory that a waiting wave polls. Executes the wave for a
/// while, so this is only for launches that are about to fail. Leaves `wave.pc`
/// after the operation that reads.
std::string
describeWait(Wave &wave,
             const std::function<std::string(uint64_t)> &describeAddress);

/// A backward branch that was taken.
struct LoopBranch {
  const Op *op = nullptr, *target = nullptr;
  bool operator==(const LoopBranch &) const = default;
};

/// Returns the backward branches of the loop that a wave executes, in program
/// order. Empty if it is not in a loop. Executes the wave for a while, so this
/// is only for launches that are about to fail.
std::vector<LoopBranch> findLoop(Wave &wave);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_WAITING_H
