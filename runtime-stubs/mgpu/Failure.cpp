//===- Failure.cpp - Ends the program after a failed call -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/mgpu/Call.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/ranks/World.h"

#include "runtime-stubs/include/aircc/runtime.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <mutex>
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

namespace {
constinit std::atomic<void (*)(const std::string &)> failureListener{nullptr};

constinit std::mutex handlerMutex;
constinit AirccErrorHandler errorHandler = nullptr;
constinit void *errorHandlerData = nullptr;
} // namespace

void aircc::rt::setHandler(AirccErrorHandler handler, void *data) {
  std::lock_guard<std::mutex> lock(handlerMutex);
  errorHandler = handler;
  errorHandlerData = data;
}

bool aircc::rt::reportToHandler(int32_t status, const char *message) {
  AirccErrorHandler handler;
  void *data;
  {
    std::lock_guard<std::mutex> lock(handlerMutex);
    handler = errorHandler;
    data = errorHandlerData;
  }
  // Call the handler without the lock, because it may set another handler.
  if (handler)
    handler(status, message, data);
  return handler != nullptr;
}

void aircc::rt::setFailureListener(
    void (*listener)(const std::string &message)) {
  failureListener = listener;
}

/// Prints the message and its notes. Other failing threads block here until the
/// process exits.
static void tell(const std::string &message) {
  static std::atomic<bool> failing{false};
  if (failing.exchange(true)) {
    for (;;)
      pause();
  }
  std::string text = "aircc runtime: error: " + message + '\n';
  if (Device *device = openedDevice())
    text +=
        "aircc runtime: note: the device is " + device->description() + '\n';
  World world;
  if (readWorld(world).ok() && world.size > 1)
    text += "aircc runtime: note: this is rank " + std::to_string(world.rank) +
            " of " + std::to_string(world.size) + '\n';
  // Write without buffering, to avoid interleaving with other output.
  for (size_t done = 0; done < text.size();) {
    ssize_t count =
        write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (count <= 0)
      break;
    done += static_cast<size_t>(count);
  }
}

void aircc::rt::fail(const char *entry, const std::string &arguments,
                     const std::string &message) {
  std::string text = std::string(entry) + '(' + arguments + "): " + message;
  // With several ranks, the process must exit, because other ranks would wait
  // for it forever.
  if (Call::current() && !failureListener.load())
    throw CallFailure{std::move(text)};
  if (!reportToHandler(AIRCC_DEVICE_ERROR, text.c_str())) {
    // Print pending output of the program before the message.
    std::fflush(nullptr);
    tell(text);
  }
  if (auto *listener = failureListener.load())
    listener(text);
  // Do not call exit(), because static destructors and the teardown of the
  // device would run on the state that the failed call left.
  _exit(failureExitStatus);
}

void aircc::rt::failFromOutside(const std::string &message) {
  if (ftrylockfile(stdout) == 0) {
    std::fflush(stdout);
    funlockfile(stdout);
  }
  tell(message);
  _exit(failureExitStatus);
}
