//===- OpenDevice.h - Choosing and loading a device -------------*- C++ -*-===//
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
/// "sim"), or, where it is unset or empty, the first of these that is present.
/// The message of a failure says for each kind tried why it cannot be used. The
/// device lives as long as the process.
Status openDevice(Device *&device);

/// Loads the simulator's plug-in (libaircc_sim.so) from, in this order, the
/// folders in AIRCC_RUNTIME_PATH (separated by colons), the folder of the file
/// this code is linked into, where the dynamic linker finds it by name
/// (RUNPATH, LD_LIBRARY_PATH), and the folder of the executable.
Status openSimulator(Device *&device);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_OPENDEVICE_H
