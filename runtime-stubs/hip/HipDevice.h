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

/// Loads HIP and opens its devices. Fails if the library is missing, cannot be
/// initialized, or finds no device. The device is never destroyed.
Status openHipDevice(Device *&device);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_HIP_HIPDEVICE_H
