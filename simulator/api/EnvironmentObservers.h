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
class TraceSink;

/// What AIRCC_SIM_COUNTERS and AIRCC_SIM_TRACE ask for, for all launches of a
/// device.
class EnvironmentObservers {
public:
  static llvm::Expected<std::unique_ptr<EnvironmentObservers>>
  fromEnvironment();
  ~EnvironmentObservers();

  /// The observers of one launch; they must be destroyed before this.
  std::vector<std::unique_ptr<LaunchObserver>> forLaunch();

  /// Whether SPIR-V programs are to be made such that they can be traced.
  bool wantsTrace() const { return trace != nullptr; }
  /// Runs a launch of a SPIR-V kernel, watched; as runSpirvLaunch.
  llvm::Error run(spirv::SpirvLaunchRequest request, LaunchOptions options,
                  LaunchResult &result);

  /// Writes what was counted since the last time; says on standard error when
  /// that fails.
  void write();

private:
  EnvironmentObservers();

  std::unique_ptr<CounterCollection> counters;
  std::unique_ptr<TraceSink> trace;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_ENVIRONMENTOBSERVERS_H
