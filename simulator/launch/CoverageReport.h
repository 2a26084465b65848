//===- CoverageReport.h - Instructions that can be simulated ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_LAUNCH_COVERAGEREPORT_H
#define AIRCC_SIMULATOR_LAUNCH_COVERAGEREPORT_H

#include "simulator/api/Simulator.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace aircc::sim {

class GlobalMemory;

/// Adds an instruction that is not simulated.
void addGap(simulator::Coverage &coverage, const std::string &what,
            const std::string &reason, const std::string &where);

/// Adds the instructions of a code object.
llvm::Error addCoverage(llvm::StringRef image, GlobalMemory &memory,
                        simulator::Coverage &coverage);

namespace spirv {
/// Adds the instructions of a SPIR-V module.
llvm::Error addCoverage(llvm::StringRef image, simulator::Coverage &coverage);
} // namespace spirv

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_COVERAGEREPORT_H
