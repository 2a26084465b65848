//===- WorkgroupPool.h - Workgroups on threads of the host ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of the host take workgroups one after the other and give them turns.
// A workgroup that sleeps, waits or runs very long shares its thread with
// further ones, so that workgroups may wait for each other; and a launch in
// which for too long nothing but waiting has happened is ended, or warned of.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_LAUNCH_WORKGROUPPOOL_H
#define AIRCC_SIMULATOR_LAUNCH_WORKGROUPPOOL_H

#include "simulator/launch/Launch.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace aircc::sim {

/// Steps (instructions) of one turn of a wave or lane.
constexpr uint64_t kTurn = 4096;
/// The same of one that only waits, and of one whose workgroup shares its
/// thread with such: on hardware a wave that polls sees what another wrote a
/// few hundred instructions later, and programs rely on it.
constexpr uint64_t kWaitingTurn = 256;

/// The state of a workgroup that has begun, of any kind of kernel; used again
/// for the next one.
class PooledGroup {
public:
  virtual ~PooledGroup() = default;

  virtual void start(uint64_t number, uint64_t seed) = 0;
  /// One round of turns, none of more than `longest` steps. True when the
  /// workgroup has ended. `slept`: something in it gave its turn up. Throws
  /// Fault with the whole message.
  virtual bool runRound(uint64_t longest, bool &slept) = 0;
  /// After it has ended, and the launch has not failed.
  virtual void ended() {}
  /// All in it that could run only waits for what others do.
  virtual bool onlyWaits() const = 0;
  /// Of one that waits: where, in a line, and what it reads.
  virtual std::string whereItWaits() const = 0;
  /// Of one that has waited too long; the launch is about to end.
  virtual std::string explainWaiting(const std::string &howLong) = 0;
  /// Of one that is stopped because of a limit, `why`: where it is, and the
  /// loop that it is in. The launch is about to end.
  virtual std::string explainStop(const std::string &why) = 0;
  /// Instructions executed since it has begun.
  virtual uint64_t instructions() const { return steps; }

  uint64_t number = 0;
  uint64_t steps = 0; ///< Done so far.
};

/// Runs so many workgroups to their ends, by so many threads. Fails with the
/// message of the first of them that failed; the messages that the pool adds
/// begin with "kernel 'name'". `steps` are all of them.
/// `timedOut`: it failed because of the time limit.
llvm::Error
runWorkgroups(const std::string &kernelName, uint64_t groups, unsigned threads,
              const LaunchOptions &options,
              const std::function<std::unique_ptr<PooledGroup>()> &makeGroup,
              uint64_t &steps, bool &timedOut);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_WORKGROUPPOOL_H
