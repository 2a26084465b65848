//===- Launch.h - Running a kernel over a grid ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_LAUNCH_LAUNCH_H
#define AIRCC_SIMULATOR_LAUNCH_LAUNCH_H

#include "simulator/api/CheckKinds.h"
#include "simulator/api/Simulator.h"
#include "simulator/exec/LaunchState.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aircc::sim {

class LaunchObserver;

/// How launches are run; from the environment unless a test says otherwise.
struct LaunchOptions {
  unsigned threads = 0; ///< AIRCC_SIM_THREADS, 0: all cores.
  uint64_t seed = 0;    ///< AIRCC_SIM_SEED: the order of waves.
  /// AIRCC_SIM_CHECK: what to look for (check/Checker.h).
  CheckSelection check;
  unsigned checkLimit = 10; ///< AIRCC_SIM_CHECK_LIMIT: reports in full.
  /// Who watches the launch (Observe.h), at most kMaxObservers. Not owned.
  std::vector<LaunchObserver *> observers;
  /// How long all waves may wait for what does not come (Waiting.h); nothing:
  /// for ever.
  std::optional<std::chrono::milliseconds> waitLimit;
  /// After how long a launch without such a limit says, once, on standard error
  /// that all waves wait (AIRCC_SIM_PATIENCE, in seconds); zero: never.
  std::chrono::milliseconds patience{10000};
  /// Names an address that they wait for, or "".
  std::function<std::string(uint64_t)> describeAddress;
  simulator::Schedule schedule =
      simulator::Schedule::Adversarial; ///< AIRCC_SIM_SCHEDULE
  /// 2-D block surfaces of less than 64 bytes are a warning
  /// (AIRCC_SIM_SURFACES).
  bool lenientSurfaces = false;
  /// How long a launch may run, whatever it does; nothing: for ever.
  std::optional<std::chrono::duration<double>> timeLimit;
  uint64_t maxInstructions = 0; ///< Of all waves together; 0: no limit.
  /// A long launch says on a terminal how far it is. Not for launches of which
  /// something else is printed meanwhile.
  bool showsProgress = false;
  /// Leaves out what checkEnvironment() refuses.
  static LaunchOptions fromEnvironment();
  /// What is wrong with the variables above, or "".
  static llvm::Error checkEnvironment();

  bool isInStep() const { return schedule == simulator::Schedule::InStep; }
};

/// AIRCC_SIM_SLACK: readable bytes behind each allocation.
size_t slackFromEnvironment();

/// Counts of a finished launch.
struct LaunchResult {
  uint64_t instructions = 0; ///< Executed by waves.
  bool timedOut = false;     ///< It failed because of the time limit.
  /// All waves have ended. If the launch failed all the same, the checker or
  /// another observer found something.
  bool completed = false;
  std::vector<std::string> warnings;
};

/// Runs the launch to its end. Fails when the request is wrong, the kernel
/// faulted or an observer found something; `result` is of such launches too.
llvm::Error runLaunch(const LaunchRequest &request,
                      const LaunchOptions &options, LaunchResult &result);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_LAUNCH_H
