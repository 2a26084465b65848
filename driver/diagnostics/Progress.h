//===- Progress.h - A line that says what takes so long ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_DIAGNOSTICS_PROGRESS_H
#define AIRCC_DRIVER_DIAGNOSTICS_PROGRESS_H

#include "llvm/ADT/Twine.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace aircc {

/// On a terminal, and only when the work takes more than a second, shows the
/// phase and the time on the last line of standard error; otherwise does
/// nothing.
class Progress {
public:
  explicit Progress(bool enabled);
  ~Progress();

  /// Says what is being done now.
  void setPhase(const llvm::Twine &phase);

  /// Takes the line away, because something else is to be printed. It comes
  /// back with the next phase.
  void clear();

private:
  void loop();
  void erase();

  std::mutex mutex;
  std::condition_variable changed;
  std::string phase;
  std::chrono::steady_clock::time_point start;
  bool shown = false;
  bool paused = false;
  bool stopping = false;
  std::thread thread;
};

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_PROGRESS_H
