//===- TimingCollection.h - The times of a process's launches ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_TIMINGCOLLECTION_H
#define AIRCC_SIMULATOR_TIMING_TIMINGCOLLECTION_H

#include "simulator/timing/TimingModel.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace aircc::sim {

/// The options of AIRCC_SIM_TIMING, a comma-separated list.
///
///   -                 print the times to standard error
///   FILE              write them to FILE as JSON
///   profile=FILE      write each instruction with its cycles as text
///   timeline=FILE     write a timeline that Perfetto opens
///   full              time all workgroups of an XCD, not only the first ones
///   sample            execute only the workgroups that are timed
///   target=NAME|FILE  the profile with the figures; default: the processor's
struct TimingRequest {
  std::string file, profile, timeline, target;
  bool prints = false, timesAll = false, executesSample = false;

  static llvm::Expected<TimingRequest> parse(llvm::StringRef text);
};

/// Collects the times of a process's launches and writes them when it exits.
/// Thread-safe.
class TimingCollection {
public:
  explicit TimingCollection(TimingRequest request);
  ~TimingCollection();

  /// Creates the observer of one launch.
  std::unique_ptr<LaunchObserver> observe();
  /// Writes the launches if there are new ones since the last call.
  llvm::Error write();

private:
  class Launch;

  /// Reads the timing parameters for a processor once. Fails if there are none.
  llvm::Expected<TimingFigures> figuresFor(const std::string &processor);
  void add(KernelTiming timing);

  const TimingRequest request;
  std::mutex mutex; ///< Protects the members below.
  std::map<std::string, TimingFigures> figures;
  std::vector<KernelTiming> launches;
  bool written = true;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_TIMINGCOLLECTION_H
