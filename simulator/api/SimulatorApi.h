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

/// What the plug-in's airccCreateSimulator hands out. Fails when the
/// environment asks for what cannot be.
llvm::Expected<std::unique_ptr<simulator::Simulator>> createSimulator();

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_SIMULATORAPI_H
