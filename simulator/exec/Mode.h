//===- Mode.h - The MODE register -------------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// MODE bits 1:0 round f32, and bits 3:2 round f64 and f16 (0 to nearest even, 1
// up, 2 down, 3 to zero). Bits 5:4 and 7:6 are the denormal modes (bit 0:
// inputs are kept, bit 1: outputs are kept). Before gfx12, bit 8 (DX10_CLAMP)
// makes clamp turn NaN into 0, and bit 9 (IEEE) makes minimum and maximum quiet
// signaling NaNs. Bit 23 (FP16_OVFL) saturates f16 and 8-bit results that
// overflow. On gfx9, bit 27 (GPR_IDX_EN) indexes VGPRs by M0, bit 28 (VSKIP)
// skips vector instructions, and bits 31:29 (CSP) count entries of the branch
// stack. Exceptions are never raised, so bits 20:12 are ignored.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MODE_H
#define AIRCC_SIMULATOR_EXEC_MODE_H

#include "simulator/exec/Wave.h"

namespace aircc::sim {

constexpr uint32_t kModeDx10Clamp = 1u << 8, kModeIeee = 1u << 9,
                   kModeFp16Overflow = 1u << 23, kModeIndexing = 1u << 27,
                   kModeVskip = 1u << 28;

/// Sets MODE and the state of the wave that depends on it.
void setMode(Wave &wave, uint32_t mode);

/// Switches gfx9's VGPR indexing on or off.
void setRegisterIndexing(Wave &wave, bool on);

/// Executes `wave` for at most `budget` instructions or until it stops. Returns
/// how many it executed. Restores the host's floating-point modes.
uint64_t runWave(Wave &wave, uint64_t budget);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MODE_H
