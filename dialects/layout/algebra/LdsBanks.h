//===- LdsBanks.h - Conflicts of lanes in the banks of LDS ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LDS serves the lanes of a wave in phases: in one cycle, as many lanes as
// their accesses fill a line of all banks, if these are in different banks.
// Lanes that access different words of one bank take a cycle each; lanes that
// access the same word share one.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_LDSBANKS_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_LDSBANKS_H

#include <cstdint>
#include <vector>

namespace aircc::layout {

/// The bytes of a bank, and of the widest access of a lane.
inline constexpr int64_t kBankBytes = 4, kWidestLdsAccess = 16;

/// The lanes of a phase: adjacent ones, or pairs of quads that are not adjacent
/// (lanes 0 to 3 and 20 to 23, 4 to 7 and 16 to 19, and so on), as some chips
/// serve reads of 16 bytes.
enum class LdsPhases { Adjacent, PairedQuads };

/// The cycles of one access of each lane to `bytes` bytes at these addresses,
/// which are in bytes and in the order of lanes.
int64_t countBankCycles(const std::vector<int64_t> &addresses, int64_t bytes,
                        int64_t banks, LdsPhases phases = LdsPhases::Adjacent);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_LDSBANKS_H
