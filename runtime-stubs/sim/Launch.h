//===- Launch.h - Running a kernel over a grid ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_LAUNCH_H
#define AIRCC_SIM_LAUNCH_H

#include "runtime-stubs/sim/CheckKinds.h"
#include "runtime-stubs/sim/CodeObject.h"
#include "runtime-stubs/sim/GlobalMemory.h"
#include "runtime-stubs/sim/Program.h"
#include "runtime-stubs/sim/Simulator.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aircc::sim {

class LaunchObserver;
class LaunchOutput;
class LaunchWarnings;
class Observers;

/// What a launch is asked for. Grid in workgroups, block in lanes.
struct LaunchRequest {
  const CodeObject *object = nullptr;
  Program *program = nullptr;
  const Kernel *kernel = nullptr;
  GlobalMemory *memory = nullptr;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamicLdsBytes = 0;
  /// One pointer to the bytes of each explicit argument.
  std::vector<const void *> args;
  /// The kernarg segment instead, unless it is empty.
  llvm::ArrayRef<uint8_t> kernarg;
};

/// What all waves of a launch see. Read-only while the launch runs.
struct LaunchState {
  const LaunchRequest *request = nullptr;
  const Kernel *kernel = nullptr;
  const Chip *chip = nullptr;
  Program *program = nullptr;
  GlobalMemory *memory = nullptr;
  std::shared_ptr<const MemorySnapshot> ranges;
  MemoryRange shared;   ///< Where memory of several processes lies, or empty.
  uint64_t kernarg = 0; ///< Address of the kernarg segment.
  uint64_t dispatchPacket = 0; ///< Address of the AQL packet.
  uint64_t queue = 0;          ///< Address of the queue structure.
  uint32_t ldsBytes = 0;
  uint32_t scratchBytes = 0; ///< Of one lane.
  uint32_t wavesPerGroup = 1;
  const Op *entry = nullptr;
  Observers *observers = nullptr; ///< Null when nobody watches.
  /// The argument of kernels that may ask the host for something, else null,
  /// and where they print.
  const KernelArg *hostcallArg = nullptr;
  LaunchOutput *output = nullptr;
  LaunchWarnings *warnings = nullptr;
  /// Waves advance together, and LDS DMA lands at once.
  bool inStep = false;
};

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
  /// Leaves out what environmentProblem() finds.
  static LaunchOptions fromEnvironment();
  /// What is wrong with the variables above, or "".
  static std::string environmentProblem();

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

/// "at 0x7f… (kernel+0x40): s_endpgm [line]"
std::string describePlace(const LaunchState &state, const Op &op);

/// Runs the launch to its end. Returns false and says why in `error` when the
/// request is wrong or the kernel faulted.
bool runLaunch(const LaunchRequest &request, const LaunchOptions &options,
               LaunchResult &result, std::string &error);

} // namespace aircc::sim

#endif // AIRCC_SIM_LAUNCH_H
