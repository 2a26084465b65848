//===- Watchdog.h - Calls that take too long --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device that cannot tell waiting kernels from working ones is watched from
// outside: a program of several ranks ends when a call into the device takes
// longer than the time limit, which is what a kernel that waits for ever looks
// like. Programs of one rank are watched only where AIRCC_WAIT_LIMIT is set.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_WATCHDOG_H
#define AIRCC_RUNTIME_MGPU_WATCHDOG_H

#include <atomic>
#include <string>

namespace aircc::rt {

struct WaitLimit;

/// Starts to watch, where there is something to watch for.
void startWatchdog(const WaitLimit &limit);

/// Whether calls are watched.
extern std::atomic<bool> watchdogActive;

/// A call into the device, as long as this object lives.
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

/// A kernel was launched; it is named when a later call takes too long.
void noteLaunch(const std::string &kernel);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_WATCHDOG_H
