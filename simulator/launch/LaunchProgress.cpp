//===- LaunchProgress.cpp - Progress of a long launch ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/launch/LaunchProgress.h"

#include <cstdio>
#include <unistd.h>

using namespace aircc::sim;
using namespace std::chrono_literals;

static std::string describeTime(std::chrono::seconds time) {
  const long long seconds = time.count();
  char text[48];
  if (seconds < 3600)
    std::snprintf(text, sizeof(text), "%lld:%02lld", seconds / 60,
                  seconds % 60);
  else
    std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld", seconds / 3600,
                  seconds / 60 % 60, seconds % 60);
  return text;
}

std::string aircc::sim::describeProgress(const std::string &kernel,
                                         uint64_t done, uint64_t groups,
                                         std::chrono::seconds elapsed) {
  std::string text = "kernel '" + kernel + "': " + std::to_string(done) +
                     " of " + std::to_string(groups) + " workgroups, " +
                     describeTime(elapsed);
  if (done)
    text +=
        ", about " +
        describeTime(std::chrono::seconds(static_cast<long long>(
            double(elapsed.count()) * double(groups - done) / double(done)))) +
        " left";
  return text;
}

LaunchProgress::LaunchProgress(bool enabled, const std::string &kernel,
                               uint64_t groups,
                               const std::atomic<uint64_t> &done)
    : kernel(kernel), groups(groups), done(done) {
  if (enabled && ::isatty(STDERR_FILENO))
    thread = std::thread([this] { loop(); });
}

LaunchProgress::~LaunchProgress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}

void LaunchProgress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  erase();
}

void LaunchProgress::erase() {
  if (shown)
    std::fputs("\r\033[K", stderr);
  shown = false;
}

void LaunchProgress::loop() {
  std::unique_lock<std::mutex> lock(mutex);
  std::chrono::milliseconds wait = 3s;
  while (!changed.wait_for(lock, wait, [this] { return stopping; })) {
    wait = 1s;
    const std::string line =
        describeProgress(kernel, done, groups,
                         std::chrono::duration_cast<std::chrono::seconds>(
                             std::chrono::steady_clock::now() - start));
    std::fprintf(stderr, "\r\033[Kaircc simulator: %s", line.c_str());
    std::fflush(stderr);
    shown = true;
  }
  erase();
}
