//===- Trace.h - Printing what a wave executes ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_TRACE_H
#define AIRCC_SIMULATOR_OBSERVE_TRACE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace aircc::sim {

class LaunchObserver;

/// The options of AIRCC_SIM_TRACE, a list of KEY=VALUE separated by commas.
///
///   kernel=NAME       this kernel only
///   launch=N          the Nth launch (of this kernel) only, from 0
///   group=X[,Y[,Z]]   this workgroup; default 0,0,0
///   wave=N            this wave (subgroup) of it only
///   lanes=A[-B]       values of these lanes; default 0-3
///   from=N, count=N   instructions of each wave to skip, and to print
///   file=NAME         the output file; default standard error
struct TraceOptions {
  std::string kernel, file;
  std::optional<uint64_t> launch;
  std::array<uint32_t, 3> group{};
  std::optional<unsigned> wave;
  unsigned firstLane = 0, lastLane = 3;
  uint64_t from = 0, count = UINT64_MAX;

  static llvm::Expected<TraceOptions> parse(llvm::StringRef text);
};

/// The output of the traces of all launches of a process.
class TraceSink {
public:
  /// Fails if the file cannot be written.
  static llvm::Expected<std::unique_ptr<TraceSink>> open(TraceOptions options);
  /// Creates the observer of one launch.
  std::unique_ptr<LaunchObserver> observe();
  /// Returns whether the options select the launch of `kernel` that begins now.
  bool selects(const std::string &kernel);
  llvm::raw_ostream &os();

  const TraceOptions options;
  std::mutex mutex; ///< Protects the output.

private:
  explicit TraceSink(TraceOptions options) : options(std::move(options)) {}

  std::unique_ptr<llvm::raw_fd_ostream> file; ///< Null for standard error.
  uint64_t launches = 0;                      ///< Launches of the selected
                                              ///< kernel.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_OBSERVE_TRACE_H
