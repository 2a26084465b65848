//===- CurrentDevice.cpp - The device of this process ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/mgpu/OpenDevice.h"
#include "runtime-stubs/mgpu/Ranks.h"
#include "runtime-stubs/mgpu/Watchdog.h"
#include "runtime-stubs/ranks/World.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

using namespace aircc::rt;

namespace {
// Constant-initialized, because constructors and destructors of globals call
// the entry points.
constinit std::atomic<Device *> opened{nullptr};
constinit std::atomic<bool> shutDown{false};
constinit std::mutex openMutex;
constinit thread_local int threadDevice = 0;

void shutDownAtExit() {
  shutDown = true;
  if (Device *device = opened)
    device->shutdown();
}
} // namespace

Device *aircc::rt::openedDevice() {
  return opened.load(std::memory_order_acquire);
}

bool aircc::rt::deviceIsShutDown() {
  return shutDown.load(std::memory_order_acquire);
}

int aircc::rt::currentDeviceIndex() { return threadDevice; }

Status aircc::rt::setCurrentDevice(Device &device, int index) {
  int count = 0;
  if (Status status = device.getDeviceCount(count); !status.ok())
    return status;
  if (index < 0 || index >= count)
    return Status::failure("there is no device " + std::to_string(index) +
                           ": " + device.name() + " has " +
                           std::to_string(count) +
                           (count == 1 ? " device" : " devices"));
  if (Status status = device.setDevice(index); !status.ok())
    return status;
  threadDevice = index;
  return Status::success();
}

Device &aircc::rt::device(const char *entry, const std::string &arguments) {
  if (deviceIsShutDown())
    fail(entry, arguments,
         "called while the process ends, after the device was shut down");
  if (Device *device = openedDevice())
    return *device;
  std::unique_lock<std::mutex> lock(openMutex);
  if (Device *device = openedDevice())
    return *device;
  Device *device = nullptr;
  WaitLimit limit;
  Status status = readWaitLimit(limit);
  if (status.ok())
    status = openDevice(device);
  if (!status.ok()) {
    lock.unlock();
    fail(entry, arguments, status.message());
  }
  if (!device->setWaitLimit(limit.limit, describeSymmetricAddress))
    startWatchdog(limit);
  // Register this after the device library has been loaded, so that it runs
  // before the exit handlers of that library.
  std::atexit(shutDownAtExit);
  opened.store(device, std::memory_order_release);
  return *device;
}
