//===- Plugin.cpp - The simulated device as a plug-in ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/api/EnvironmentObservers.h"
#include "simulator/api/SimDevice.h"
#include "simulator/api/SimulatorApi.h"
#include "simulator/isa/Chip.h"

#include <cstdlib>
#include <string>

/// The entry that the runtime looks up (Device.h).
extern "C" aircc::rt::Device *airccCreateDevice(const char **error) {
  const char *chip = std::getenv("AIRCC_SIM_CHIP");
  if (chip && *chip && !aircc::sim::SimDevice::isSpirvTarget(chip) &&
      !aircc::sim::Chip::parse(chip)) {
    static std::string message;
    message = "AIRCC_SIM_CHIP is '" + std::string(chip) +
              "', which is not a processor that the simulator supports";
    *error = message.c_str();
    return nullptr;
  }
  auto environmentObservers =
      aircc::sim::EnvironmentObservers::fromEnvironment();
  if (!environmentObservers) {
    static std::string message;
    message = llvm::toString(environmentObservers.takeError());
    *error = message.c_str();
    return nullptr;
  }
  auto *device = new aircc::sim::SimDevice();
  device->setObservers(std::move(*environmentObservers));
  return device;
}

// The entries for programs that use the simulator on its own (Simulator.h).

extern "C" int airccSimulatorAbiVersion() {
  return aircc::simulator::simulatorAbiVersion;
}

extern "C" aircc::simulator::Simulator *
airccCreateSimulator(const char **error) {
  auto simulator = aircc::sim::createSimulator();
  if (simulator)
    return simulator->release();
  static std::string message;
  message = llvm::toString(simulator.takeError());
  *error = message.c_str();
  return nullptr;
}
