//===- WorkgroupPool.h - Scheduling workgroups on host threads --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Host threads execute workgroups in time slices. A workgroup that sleeps,
// waits or runs for very long shares its thread with further workgroups,
// because it may wait for one of them. A launch in which all workgroups have
// only waited for too long fails or prints a warning.
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

/// The time slice of a wave or lane, in steps (instructions).
constexpr uint64_t kTimeSlice = 4096;
/// The time slice of a wave that only waits, and of waves that share a thread
/// with a waiting workgroup. On hardware, a polling wave sees another wave's
/// write within a few hundred instructions, and programs rely on this.
constexpr uint64_t kWaitingTimeSlice = 256;

/// A started workgroup of any kind of kernel. The object is reused for further
/// workgroups.
class PooledGroup {
public:
  virtual ~PooledGroup() = default;

  virtual void start(uint64_t number, uint64_t seed) = 0;
  /// Executes one time slice of at most `longest` steps for each wave or lane.
  /// Returns true if the workgroup has ended. Sets `slept` if a wave or lane
  /// ended its time slice early. Throws Fault with the complete message.
  virtual bool runRound(uint64_t longest, bool &slept) = 0;
  /// Called when the workgroup has ended, unless the launch has failed.
  virtual void ended() {}
  /// Returns whether all waves or lanes that can run only wait for other
  /// workgroups.
  virtual bool onlyWaits() const = 0;
  /// If onlyWaits() is true, returns a line with a waiting wave and its
  /// instruction.
  virtual std::string whereItWaits() const = 0;
  /// Returns the message of a launch that fails because this workgroup has
  /// waited for too long.
  virtual std::string explainWaiting(const std::string &howLong) = 0;
  /// Returns the message of a launch that a limit (`why`) stops. It names the
  /// position and the loop of this workgroup.
  virtual std::string explainStop(const std::string &why) = 0;
  /// Returns the number of instructions executed since the start.
  virtual uint64_t instructions() const { return steps; }

  uint64_t number = 0;
  uint64_t steps = 0; ///< The number of steps done so far.
};

/// Executes `groups` workgroups on `threads` threads. Fails with the message of
/// the failed workgroup with the lowest number; messages from the pool itself
/// begin with "kernel 'name'". `steps` is the total number of steps, and
/// `timedOut` is set if the time limit was reached.
llvm::Error
runWorkgroups(const std::string &kernelName, uint64_t groups, unsigned threads,
              const LaunchOptions &options,
              const std::function<std::unique_ptr<PooledGroup>()> &makeGroup,
              uint64_t &steps, bool &timedOut);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_WORKGROUPPOOL_H
