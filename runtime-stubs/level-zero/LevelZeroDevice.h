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

/// Loads Level Zero and opens its GPUs. Fails if the loader or a driver is
/// missing, too old or cannot be initialized, or if there is no GPU. The device
/// is never destroyed.
Status openLevelZeroDevice(Device *&device);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_LEVELZERO_LEVELZERODEVICE_H
