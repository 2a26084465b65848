//===- RegisterNames.h - Names of registers ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_REGISTERNAMES_H
#define AIRCC_SIMULATOR_ISA_REGISTERNAMES_H

#include <string>

namespace aircc::sim {

/// Returns the assembly name of a row of vector registers or of a ScalarReg:
/// "v3", "a7", "s4", "vcc_lo".
std::string registerName(bool vector, unsigned reg);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_REGISTERNAMES_H
