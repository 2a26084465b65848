//===- ScaledConversion.h - What scaled conversions write -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_SCALEDCONVERSION_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_SCALEDCONVERSION_H

#include "simulator/exec/Op.h"

#include <cstdint>

namespace aircc::sim {

/// Returns the bits that a V_CVT_SCALEF32_* instruction writes in the first
/// register of its result. It writes the other registers completely.
uint32_t getScaledConversionBits(const Op &op);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_SCALEDCONVERSION_H
