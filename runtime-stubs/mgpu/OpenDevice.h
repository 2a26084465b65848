//===- OpenDevice.h - Selects and loads a device ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_OPENDEVICE_H
#define AIRCC_RUNTIME_MGPU_OPENDEVICE_H

#include "runtime-stubs/Device.h"

namespace aircc::rt {

/// Opens the kind of device that AIRCC_DEVICE names ("hip", "level-zero",
/// "sim") or, if it is unset or empty, the first of these that is present. The
/// failure message says why each kind that was tried cannot be used. The device
/// is never destroyed.
Status openDevice(Device *&device);

/// Loads the simulator plug-in (libaircc_sim.so) from the directories in
/// AIRCC_RUNTIME_PATH (separated by colons), the directory of the file that
/// contains this code, the search path of the dynamic linker (RUNPATH,
/// LD_LIBRARY_PATH), or the directory of the executable, in this order.
Status openSimulator(Device *&device);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_OPENDEVICE_H
