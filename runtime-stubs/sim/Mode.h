//===- Mode.h - The MODE register -------------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MODE bits 1:0 round f32, 3:2 round f64 and f16 (0 nearest even, 1 up, 2 down,
// 3 to zero); 5:4 and 7:6 are the denormal modes (bit 0: inputs are kept, bit
// 1: outputs are kept).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_MODE_H
#define AIRCC_SIM_MODE_H

#include "runtime-stubs/sim/Wave.h"

namespace aircc::sim {

/// Sets MODE and what follows from it for the host.
void setMode(Wave &wave, uint32_t mode);

/// Switches gfx9's VGPR indexing on or off.
void setRegisterIndexing(Wave &wave, bool on);

/// Runs `wave` for at most `budget` instructions or until it stops. Returns how
/// many it executed. The host's floating-point modes are restored.
uint64_t runWave(Wave &wave, uint64_t budget);

} // namespace aircc::sim

#endif // AIRCC_SIM_MODE_H
