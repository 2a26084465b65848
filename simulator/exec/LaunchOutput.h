//===- LaunchOutput.h - What the kernels of a launch print ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Workgroups run on several host threads, in an unpredictable order. Their
// output is in the order of their numbers: output of the first workgroup that
// has not ended is written immediately, and that of later ones is kept until
// they are the first.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_LAUNCHOUTPUT_H
#define AIRCC_SIMULATOR_EXEC_LAUNCHOUTPUT_H

#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace aircc::sim {

class LaunchOutput {
public:
  LaunchOutput() = default;
  LaunchOutput(const LaunchOutput &) = delete;
  /// Writes the remaining output, including that of workgroups that did not
  /// end, and flushes.
  ~LaunchOutput();

  /// Appends `text` to the output of workgroup `group`. `stream` is stdout or
  /// stderr. Must be called on the thread that runs the workgroup.
  void print(uint64_t group, FILE *stream, std::string text);
  /// Called when workgroup `group` prints nothing more.
  void groupEnded(uint64_t group);

private:
  struct Waiting {
    std::vector<std::pair<FILE *, std::string>> texts;
    bool ended = false;
  };
  void write(const Waiting &waiting);

  std::mutex mutex;
  uint64_t first = 0; ///< The first workgroup that has not ended.
  /// The later workgroups that have printed or ended.
  std::map<uint64_t, Waiting> waiting;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_LAUNCHOUTPUT_H
