//===- CurrentDevice.h - The device of this process -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process uses one kind of device (hip, level-zero or sim), chosen at the
// first call that needs one: by AIRCC_DEVICE, else the first kind that is
// present. Which of several devices of that kind is current is a matter of each
// thread.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_CURRENTDEVICE_H
#define AIRCC_RUNTIME_MGPU_CURRENTDEVICE_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/mgpu/Watchdog.h"

#include <utility>

namespace aircc::rt {

/// The device, opened by the first caller. Ends the program where none can be
/// opened, or when it has been shut down already; `entry` and `arguments` name
/// the call in the message.
Device &device(const char *entry, const std::string &arguments = {});

/// The device if it is open, else null.
Device *openedDevice();

/// True once the process is ending and the device was told so. Calls that only
/// release something are then ignored.
bool deviceIsShutDown();

/// The calling thread's current device.
int currentDeviceIndex();
Status setCurrentDevice(Device &device, int index);

/// Runs `call(device)` for an entry point and ends the program when it fails.
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

/// As onDevice, for calls that release something: at the end of the process the
/// device has released it already.
template <typename Fn, typename... T>
void releaseOnDevice(const char *entry, Fn &&call, const Arg<T> &...args) {
  if (!deviceIsShutDown())
    onDevice(entry, std::forward<Fn>(call), args...);
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_CURRENTDEVICE_H
