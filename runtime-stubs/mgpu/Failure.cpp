//===- Failure.cpp - How a failed runtime call ends the program -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <unistd.h>

using namespace aircc::rt;

std::string aircc::rt::formatValue(const void *pointer) {
  if (!pointer)
    return "null";
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof(text), "0x%" PRIxPTR,
                reinterpret_cast<uintptr_t>(pointer));
  return text;
}

std::string aircc::rt::formatValue(const char *text) {
  return text ? '"' + std::string(text) + '"' : "null";
}

void aircc::rt::fail(const char *entry, const std::string &arguments,
                     const std::string &message) {
  static std::atomic<bool> failing{false};
  if (failing.exchange(true)) {
    // Another thread is writing its message and ends the process.
    for (;;)
      pause();
  }
  // What the program has printed so far comes before the message.
  std::fflush(stdout);
  std::string text = "aircc runtime: error: ";
  text += entry;
  text += '(' + arguments + "): " + message + '\n';
  if (Device *device = openedDevice())
    text +=
        "aircc runtime: note: the device is " + device->description() + '\n';
  std::fputs(text.c_str(), stderr);
  std::fflush(nullptr);
  // Not exit(): static destructors and the device's own tear-down would run on
  // a state that a failed call left behind.
  _exit(failureExitStatus);
}
