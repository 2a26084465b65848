//===- OpenSimulator.h - Loads the simulated device -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_SIM_OPENSIMULATOR_H
#define AIRCC_DRIVER_SIM_OPENSIMULATOR_H

#include "driver/files/Installation.h"
#include "simulator/api/Simulator.h"

#include "llvm/Support/Error.h"

namespace aircc {

/// Loads the plug-in from the directory of the aircc binary, unless the
/// environment overrides the directory. The caller deletes the result.
llvm::Expected<simulator::Simulator *>
openSimulator(const Installation &installation);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_OPENSIMULATOR_H
