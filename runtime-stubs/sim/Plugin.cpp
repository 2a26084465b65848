//===- Plugin.cpp - The simulated device as a plug-in ---------------------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/SimDevice.h"

/// The entry that the runtime looks up: see Device.h.
extern "C" aircc::rt::Device *airccCreateDevice(const char **error) {
  (void)error;
  return new aircc::sim::SimDevice();
}
