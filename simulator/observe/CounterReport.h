//===- CounterReport.h - Counters as a table and as JSON --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_COUNTERREPORT_H
#define AIRCC_SIMULATOR_OBSERVE_COUNTERREPORT_H

#include "simulator/observe/Counters.h"
#include "simulator/observe/LaneCounts.h"

#include "llvm/Support/Error.h"

#include <mutex>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace aircc::sim {

/// Counters of the launches of a SPIR-V kernel.
struct SpirvCounters {
  std::string kernel;
  unsigned subgroupSize = 16;
  uint64_t launches = 1;
  /// For a single launch, the grid in workgroups and the block in lanes.
  std::array<uint32_t, 3> grid{}, block{};
  bool failed = false; ///< Whether the kernel failed, in which case the counts
                       ///< end there.
  spirv::LaneCounts counts;

  void add(const SpirvCounters &other);
};

/// Prints the table of one kernel.
void printCounters(const KernelCounters &counters, llvm::raw_ostream &os);
void printCounters(const SpirvCounters &counters, llvm::raw_ostream &os);

/// Writes the launches of code objects, then those of SPIR-V, and their sums by
/// kernel. docs/simulator-reference.md describes the format.
void writeCountersJson(const std::vector<KernelCounters> &launches,
                       const std::vector<SpirvCounters> &spirvLaunches,
                       llvm::raw_ostream &os);

/// Collects the launches of a process and writes them when it exits, to a file
/// as JSON or as a table to standard error. Thread-safe.
class CounterCollection {
public:
  /// `destination` is the name of a file, or "-" for the table. "%p" is
  /// replaced with the process's number and "%r" with its rank. If there are
  /// several ranks, a name without either gets "-rRANK" before its extension.
  explicit CounterCollection(const std::string &destination);
  ~CounterCollection() { llvm::consumeError(write()); }

  std::unique_ptr<LaunchObserver> observe();
  void add(const SpirvCounters &launch);
  /// Writes the launches unless nothing was added since the last call.
  llvm::Error write();

private:
  std::string destination;
  std::mutex mutex;
  std::vector<KernelCounters> launches;
  std::vector<SpirvCounters> spirvLaunches;
  bool written = true;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_OBSERVE_COUNTERREPORT_H
