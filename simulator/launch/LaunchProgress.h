//===- LaunchProgress.h - Progress of a long launch -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_LAUNCH_LAUNCHPROGRESS_H
#define AIRCC_SIMULATOR_LAUNCH_LAUNCHPROGRESS_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace aircc::sim {

/// Returns a text such as "kernel 'k': 12 of 64 workgroups, 0:09, about 0:40
/// left". There is no estimate before the first workgroup has ended.
std::string describeProgress(const std::string &kernel, uint64_t done,
                             uint64_t groups, std::chrono::seconds elapsed);

/// Shows the progress of a launch on the last line of standard error, if that
/// is a terminal and the launch takes more than three seconds.
class LaunchProgress {
public:
  LaunchProgress(bool enabled, const std::string &kernel, uint64_t groups,
                 const std::atomic<uint64_t> &done);
  /// Erases the line.
  ~LaunchProgress();
  LaunchProgress(const LaunchProgress &) = delete;

  /// Erases the line before other output. The line is shown again after a
  /// second.
  void clear();

private:
  void loop();
  void erase();

  const std::string &kernel;
  const uint64_t groups;
  const std::atomic<uint64_t> &done;
  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  std::mutex mutex;
  std::condition_variable changed;
  bool shown = false, stopping = false;
  std::thread thread;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_LAUNCHPROGRESS_H
