//===- CurrentDevice.h - The device of this process -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A process uses one kind of device (hip, level-zero or sim). The first call
// that needs a device chooses the kind: AIRCC_DEVICE, or the first kind that is
// present. If there are several devices of that kind, each thread has its own
// current device.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_CURRENTDEVICE_H
#define AIRCC_RUNTIME_MGPU_CURRENTDEVICE_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/mgpu/Watchdog.h"

#include <utility>

namespace aircc::rt {

/// Returns the device, which the first caller opens. Terminates the program if
/// no device can be opened, or if the device has already been shut down.
/// `entry` and `arguments` describe the call in the message.
Device &device(const char *entry, const std::string &arguments = {});

/// Returns the device if it is open, otherwise null.
Device *openedDevice();

/// Returns whether the device has been shut down because the process is
/// exiting. Calls that only release something are then ignored.
bool deviceIsShutDown();

/// Returns the index of the calling thread's current device.
int currentDeviceIndex();
Status setCurrentDevice(Device &device, int index);

/// Runs `call(device)` for an entry point and terminates the program on
/// failure.
template <typename Fn, typename... T>
void onDevice(const char *entry, Fn &&call, const Arg<T> &...args) {
  Device *opened = openedDevice();
  if (!opened || deviceIsShutDown())
    opened = &device(entry, formatArguments(args...));
  Status status = Status::success();
  {
    WatchedCall watched(entry);
    status = std::forward<Fn>(call)(*opened);
  }
  if (!status.ok())
    fail(entry, formatArguments(args...), status.message());
}

/// Same as onDevice, for calls that release something. After shutdown, they do
/// nothing, because the device has already released it.
template <typename Fn, typename... T>
void releaseOnDevice(const char *entry, Fn &&call, const Arg<T> &...args) {
  if (!deviceIsShutDown())
    onDevice(entry, std::forward<Fn>(call), args...);
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_CURRENTDEVICE_H
