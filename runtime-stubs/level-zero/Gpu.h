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
  ContextHandle context = nullptr; ///< The context of all GPUs of the driver.
  /// Whether command lists execute their commands in order.
  bool inOrderLists = false;
  /// Whether host memory of the process can be imported for the GPUs.
  bool importsMemory = false;
  bool tellsIpVersion = false;
  std::unique_ptr<SignalPool> signals;
};

struct Gpu {
  Driver *driver = nullptr;
  DeviceHandle handle = nullptr;
  DeviceProperties properties;
  DeviceComputeProperties compute;
  uint32_t ipVersion = 0; ///< 0 if the driver does not report it.
  std::string chip;       ///< Empty if unknown.
  /// The group of engines that run kernels.
  uint32_t queueGroup = 0, queueCount = 0;
  size_t maxFillPattern = 0;
  /// Whether kernels can access all memory of the process.
  bool reachesSystemMemory = false;
  std::unique_ptr<StreamSet> streams;

  /// "Intel(R) Arc(TM) B580 Graphics, bmg", for messages.
  std::string describe() const;
};

/// Initializes Level Zero and lists its GPUs, in the order of the drivers and
/// of the devices of each driver. Other devices are omitted. Fails if there is
/// no GPU or a driver is too old.
Status openGpus(const Api &api, std::vector<std::unique_ptr<Driver>> &drivers,
                std::vector<std::unique_ptr<Gpu>> &gpus);

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_GPU_H
