//===- LdsBanks.h - Conflicts of lanes in the banks of LDS ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LDS serves the lanes of a wave in phases: each cycle serves as many lanes as
// it takes for their accesses to fill a line of all banks, provided that these
// are in different banks. Lanes that access different words in the same bank
// take a cycle each; lanes that access the same word share a cycle.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_LDSBANKS_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_LDSBANKS_H

#include <cstdint>
#include <vector>

namespace aircc::layout {

/// The size of a bank, and of the widest access of a lane, in bytes.
inline constexpr int64_t kBankBytes = 4, kWidestLdsAccess = 16;

/// The lanes of a phase: adjacent lanes, or pairs of nonadjacent quads (lanes 0
/// to 3 and 20 to 23, 4 to 7 and 16 to 19, and so on), as on some chips for
/// 16-byte reads.
enum class LdsPhases { Adjacent, PairedQuads };

/// Returns the number of cycles that an access of `bytes` bytes by each lane
/// takes. `addresses` holds the byte addresses, in lane order.
int64_t countBankCycles(const std::vector<int64_t> &addresses, int64_t bytes,
                        int64_t banks, LdsPhases phases = LdsPhases::Adjacent);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_LDSBANKS_H
