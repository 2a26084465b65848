//===- LevelZeroDevice.h - Intel GPUs through Level Zero --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_LEVELZERODEVICE_H
#define AIRCC_RUNTIME_LEVELZERO_LEVELZERODEVICE_H

#include "runtime-stubs/Device.h"

namespace aircc::rt {

/// Loads Level Zero and opens its GPUs. Fails where the loader or a driver is
/// missing or too old, cannot be initialised, or sees no GPU. The device lives
/// as long as the process.
Status openLevelZeroDevice(Device *&device);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_LEVELZERO_LEVELZERODEVICE_H
