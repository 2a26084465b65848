//===- Gpu.h - The drivers and GPUs of Level Zero ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_GPU_H
#define AIRCC_RUNTIME_LEVELZERO_GPU_H

#include "runtime-stubs/level-zero/Streams.h"

#include <memory>
#include <string>
#include <vector>

namespace aircc::rt::ze {

struct Driver {
  DriverHandle handle = nullptr;
  ContextHandle context = nullptr; ///< One, for all its GPUs.
  /// Command lists keep the order of their commands themselves.
  bool inOrderLists = false;
  /// Memory of the process can be imported for the GPUs.
  bool importsMemory = false;
  bool tellsIpVersion = false;
  std::unique_ptr<SignalPool> signals;
};

struct Gpu {
  Driver *driver = nullptr;
  DeviceHandle handle = nullptr;
  DeviceProperties properties;
  DeviceComputeProperties compute;
  uint32_t ipVersion = 0; ///< 0 where the driver does not tell.
  std::string chip;       ///< Empty where it is not known.
  /// The group of engines that run kernels.
  uint32_t queueGroup = 0, queueCount = 0;
  size_t maxFillPattern = 0;
  /// Kernels reach all memory of the process.
  bool reachesSystemMemory = false;
  std::unique_ptr<StreamSet> streams;

  /// "Intel(R) Arc(TM) B580 Graphics, bmg", for messages.
  std::string describe() const;
};

/// Initialises Level Zero and lists its GPUs, in the order of the drivers and
/// of each driver's devices. Other devices are left out. Fails where there is
/// no GPU, or a driver is too old.
Status openGpus(const Api &api, std::vector<std::unique_ptr<Driver>> &drivers,
                std::vector<std::unique_ptr<Gpu>> &gpus);

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_GPU_H
