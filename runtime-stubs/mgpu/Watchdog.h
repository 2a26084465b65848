//===- Watchdog.h - Detects calls that take too long ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The watchdog is for devices that cannot distinguish a waiting kernel from a
// working one. A program with several ranks is terminated if a call into the
// device takes longer than the time limit, because the kernel probably waits
// forever. A program with one rank is watched only if AIRCC_WAIT_LIMIT is set.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_WATCHDOG_H
#define AIRCC_RUNTIME_MGPU_WATCHDOG_H

#include <atomic>
#include <string>

namespace aircc::rt {

struct WaitLimit;

/// Starts the watchdog if it is needed.
void startWatchdog(const WaitLimit &limit);

/// Whether calls are watched.
extern std::atomic<bool> watchdogActive;

/// Marks a call into the device while it exists.
class WatchedCall {
public:
  explicit WatchedCall(const char *entry) {
    if (watchdogActive.load(std::memory_order_relaxed))
      begin(entry);
  }
  ~WatchedCall() {
    if (begun)
      end();
  }
  WatchedCall(const WatchedCall &) = delete;
  WatchedCall &operator=(const WatchedCall &) = delete;

private:
  void begin(const char *entry);
  void end();
  bool begun = false;
};

/// Records a launched kernel, in order to name it if a later call takes too
/// long.
void noteLaunch(const std::string &kernel);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_WATCHDOG_H
