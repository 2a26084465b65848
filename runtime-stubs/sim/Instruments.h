//===- Instruments.h - Observers that the environment asks for --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_INSTRUMENTS_H
#define AIRCC_SIM_INSTRUMENTS_H

#include "runtime-stubs/sim/Observe.h"
#include "runtime-stubs/sim/spirv/LaneCounts.h"

#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace aircc::sim {

class CounterCollection;
class TraceSink;

/// What AIRCC_SIM_COUNTERS and AIRCC_SIM_TRACE ask for, for all launches of a
/// device.
class Instruments {
public:
  static llvm::Expected<std::unique_ptr<Instruments>> fromEnvironment();
  ~Instruments();

  /// The observers of one launch; they must be destroyed before this.
  std::vector<std::unique_ptr<LaunchObserver>> forLaunch();

  /// Adds what a launch of a SPIR-V kernel did. Says on standard error, once,
  /// that there is no trace of it, where one was asked for.
  void addSpirv(const std::string &kernel, const spirv::LaneCounts &counts);

  /// Writes what was counted since the last time; says on standard error when
  /// that fails.
  void write();

private:
  Instruments();

  std::unique_ptr<CounterCollection> counters;
  std::unique_ptr<TraceSink> trace;
  std::mutex mutex; ///< For what follows.
  bool saidSo = false;
  struct SpirvKernel {
    uint64_t launches = 0;
    spirv::LaneCounts counts;
  };
  std::map<std::string, SpirvKernel> spirvKernels;
};

} // namespace aircc::sim

#endif // AIRCC_SIM_INSTRUMENTS_H
