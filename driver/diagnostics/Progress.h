//===- Progress.h - Progress line on the terminal ---------------*- C++ -*-===//
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

/// Shows the phase and the elapsed time on the last line of standard error, if
/// that is a terminal and the work takes more than a second.
class Progress {
public:
  explicit Progress(bool enabled);
  ~Progress();

  /// Sets the current phase.
  void setPhase(const llvm::Twine &phase);

  /// Sets how many kernels of the program have been compiled. Any thread may
  /// call it.
  void setKernels(unsigned done, unsigned total);

  /// Erases the line before other output. It reappears with the next phase.
  void clear();

private:
  void loop();
  void erase();

  std::mutex mutex;
  std::condition_variable changed;
  std::string phase;
  unsigned kernelsDone = 0, kernels = 0;
  std::chrono::steady_clock::time_point start;
  bool shown = false;
  bool paused = false;
  bool stopping = false;
  std::thread thread;
};

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_PROGRESS_H
