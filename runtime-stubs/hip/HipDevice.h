//===- HipDevice.h - AMD GPUs through HIP -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_HIP_HIPDEVICE_H
#define AIRCC_RUNTIME_HIP_HIPDEVICE_H

#include "runtime-stubs/Device.h"

namespace aircc::rt {

/// Loads HIP and opens its devices. Fails where the library is missing, cannot
/// be initialised, or sees no device. The device lives as long as the process.
Status openHipDevice(Device *&device);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_HIP_HIPDEVICE_H
