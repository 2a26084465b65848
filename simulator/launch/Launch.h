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

/// How launches are executed. Set by environment variables, API calls or tests.
struct LaunchOptions {
  unsigned threads = 0; ///< AIRCC_SIM_THREADS, or 0 for all cores.
  uint64_t seed = 0;    ///< AIRCC_SIM_SEED, which determines the order of
                        ///< waves.
  /// AIRCC_SIM_CHECK, the kinds of checks (check/Checker.h).
  CheckSelection check;
  unsigned checkLimit = 10; ///< AIRCC_SIM_CHECK_LIMIT, the number of detailed
                            ///< reports.
  /// Observers of the launch (Observe.h), at most kMaxObservers. Not owned.
  std::vector<LaunchObserver *> observers;
  /// The launch fails if all waves have only waited for this time (Waiting.h).
  /// If unset, there is no limit.
  std::optional<std::chrono::milliseconds> waitLimit;
  /// Without waitLimit, a warning is printed once if all waves have only waited
  /// for this time (AIRCC_SIM_PATIENCE, in seconds). If zero, there is no
  /// warning.
  std::chrono::milliseconds patience{10000};
  /// Returns whether a workgroup is not executed. If null, all are executed.
  std::function<bool(uint64_t)> skipsGroup;
  /// Returns a name for an address that a wave waits for, or "".
  std::function<std::string(uint64_t)> describeAddress;
  simulator::Schedule schedule =
      simulator::Schedule::Adversarial; ///< AIRCC_SIM_SCHEDULE
  /// Whether 2-D block surfaces narrower than 64 bytes are a warning rather
  /// than a failure (AIRCC_SIM_SURFACES).
  bool lenientSurfaces = false;
  /// The launch fails if it takes longer. If unset, there is no limit.
  std::optional<std::chrono::duration<double>> timeLimit;
  /// The launch fails if all waves together execute more. 0 means no limit.
  uint64_t maxInstructions = 0;
  /// Whether to show the progress of a long launch on a terminal. Not for
  /// launches that print other text at the same time.
  bool showsProgress = false;
  /// Returns the options from the environment. Ignores values that
  /// checkEnvironment() rejects.
  static LaunchOptions fromEnvironment();
  /// Fails if a variable above has an invalid value.
  static llvm::Error checkEnvironment();

  bool isInStep() const { return schedule == simulator::Schedule::InStep; }
};

/// Returns AIRCC_SIM_SLACK, the number of readable bytes after each allocation.
size_t slackFromEnvironment();

/// The outcome of a launch.
struct LaunchResult {
  uint64_t instructions = 0; ///< Executed by waves.
  bool timedOut = false;     ///< Whether the time limit was reached.
  /// Whether all waves have ended. If the launch failed nevertheless, the
  /// checker or another observer reported a fault.
  bool completed = false;
  std::vector<std::string> warnings;
};

/// Executes a launch. Fails if the request is invalid, the kernel faults or an
/// observer reports a fault. `result` is filled in nevertheless.
llvm::Error runLaunch(const LaunchRequest &request,
                      const LaunchOptions &options, LaunchResult &result);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_LAUNCH_H
