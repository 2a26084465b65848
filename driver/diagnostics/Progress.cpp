//===- Progress.cpp - Progress line on the terminal -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/diagnostics/Progress.h"

#include <cstdio>
#include <unistd.h>

using namespace aircc;
using namespace std::chrono_literals;

Progress::Progress(bool enabled) : start(std::chrono::steady_clock::now()) {
  if (enabled && ::isatty(STDERR_FILENO))
    thread = std::thread([this] { loop(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}

void Progress::setPhase(const llvm::Twine &text) {
  if (!thread.joinable())
    return;
  std::lock_guard lock(mutex);
  phase = text.str();
  paused = false;
}

void Progress::setKernels(unsigned done, unsigned total) {
  if (!thread.joinable())
    return;
  std::lock_guard lock(mutex);
  kernelsDone = done;
  kernels = total;
}

void Progress::clear() {
  if (!thread.joinable())
    return;
  std::lock_guard lock(mutex);
  erase();
  paused = true;
}

void Progress::erase() {
  if (shown)
    std::fputs("\r\033[K", stderr);
  shown = false;
}

void Progress::loop() {
  std::unique_lock lock(mutex);
  auto wait = 1000ms;
  while (!changed.wait_for(lock, wait, [this] { return stopping; })) {
    wait = 100ms;
    if (paused || phase.empty())
      continue;
    std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - start;
    std::string text = phase;
    if (kernelsDone < kernels)
      text += ", kernel " + std::to_string(kernelsDone + 1) + " of " +
              std::to_string(kernels);
    std::fprintf(stderr, "\r\033[Kaircc: %s … %.1f s", text.c_str(),
                 elapsed.count());
    std::fflush(stderr);
    shown = true;
  }
  erase();
}
