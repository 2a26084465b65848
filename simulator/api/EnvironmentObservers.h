//===- EnvironmentObservers.h - Observers set by variables ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_API_ENVIRONMENTOBSERVERS_H
#define AIRCC_SIMULATOR_API_ENVIRONMENTOBSERVERS_H

#include "simulator/exec/Observe.h"
#include "simulator/spirv/SpirvLaunch.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace aircc::sim {

class CounterCollection;
class TimingCollection;
class TraceSink;

/// The observers that AIRCC_SIM_COUNTERS, AIRCC_SIM_TIMING and AIRCC_SIM_TRACE
/// enable for all launches of a device.
class EnvironmentObservers {
public:
  static llvm::Expected<std::unique_ptr<EnvironmentObservers>>
  fromEnvironment();
  ~EnvironmentObservers();

  /// Creates the observers of one launch, which must be destroyed before this
  /// object.
  std::vector<std::unique_ptr<LaunchObserver>> forLaunch();

  /// Returns whether a trace is enabled, so that SPIR-V programs must be
  /// traceable.
  bool wantsTrace() const { return trace != nullptr; }
  /// Does the same as runSpirvLaunch, with the enabled observers.
  llvm::Error run(spirv::SpirvLaunchRequest request, LaunchOptions options,
                  LaunchResult &result);

  /// Writes the counters and times collected since the last call. Prints an
  /// error if that fails.
  void write();

private:
  EnvironmentObservers();

  std::unique_ptr<CounterCollection> counters;
  std::unique_ptr<TimingCollection> timing;
  std::unique_ptr<TraceSink> trace;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_ENVIRONMENTOBSERVERS_H
