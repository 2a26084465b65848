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

/// What launches of a SPIR-V kernel did.
struct SpirvCounters {
  std::string kernel;
  unsigned subgroupSize = 16;
  uint64_t launches = 1;
  /// Of one launch: in workgroups and lanes.
  std::array<uint32_t, 3> grid{}, block{};
  bool failed = false; ///< The counts end where the kernel failed.
  spirv::LaneCounts counts;

  void add(const SpirvCounters &other);
};

/// A table of one kernel for people.
void printCounters(const KernelCounters &counters, llvm::raw_ostream &os);
void printCounters(const SpirvCounters &counters, llvm::raw_ostream &os);

/// The launches of code objects, those of SPIR-V behind them, and, by kernel,
/// their sums, as docs/simulator-reference.md describes them.
void writeCountersJson(const std::vector<KernelCounters> &launches,
                       const std::vector<SpirvCounters> &spirvLaunches,
                       llvm::raw_ostream &os);

/// Collects the launches of a process and writes them out in the end: to a
/// file, as JSON, or as a table on standard error. Thread-safe.
class CounterCollection {
public:
  /// `destination` is the name of a file, or "-" for the table. A "%p" in it
  /// becomes the process's number, a "%r" its rank; a name without either gets
  /// "-rRANK" before its extension when there are several ranks.
  explicit CounterCollection(const std::string &destination);
  ~CounterCollection() { llvm::consumeError(write()); }

  std::unique_ptr<LaunchObserver> observe();
  void add(const SpirvCounters &launch);
  /// Writes what there is since the last time.
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
