//===- SimulatorApi.h - The simulator for other programs --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_API_SIMULATORAPI_H
#define AIRCC_SIMULATOR_API_SIMULATORAPI_H

#include "simulator/api/Simulator.h"

#include "llvm/Support/Error.h"

namespace aircc::sim {

/// Creates the simulator for the plug-in's airccCreateSimulator. Fails if an
/// environment variable is invalid.
llvm::Expected<std::unique_ptr<simulator::Simulator>> createSimulator();

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_SIMULATORAPI_H
