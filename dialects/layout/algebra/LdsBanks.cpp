//===- LdsBanks.cpp - Conflicts of lanes in the banks of LDS --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/LdsBanks.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace aircc::layout {

/// The maximum number of lanes in a phase.
static constexpr int64_t kPhaseLanes = 32;

/// Returns the phase in which a lane is served.
static int64_t getPhase(int64_t lane, int64_t lanesOfPhase, LdsPhases phases) {
  if (phases == LdsPhases::Adjacent)
    return lane / lanesOfPhase;
  int64_t quad = lane / 4 % 8;
  return lane / 32 * 4 + (quad < 4 ? quad : (quad ^ 1) & 3);
}

int64_t countBankCycles(const std::vector<int64_t> &addresses, int64_t bytes,
                        int64_t banks, LdsPhases phases) {
  int64_t words = (bytes + kBankBytes - 1) / kBankBytes;
  int64_t most = std::max<int64_t>(banks / words, 1);
  int64_t lanesOfPhase = std::min<int64_t>(
      std::bit_floor(static_cast<uint64_t>(most)), kPhaseLanes);
  std::map<int64_t, std::set<int64_t>> wordsOfPhases;
  for (int64_t lane = 0; lane < int64_t(addresses.size()); ++lane) {
    std::set<int64_t> &accessed =
        wordsOfPhases[getPhase(lane, lanesOfPhase, phases)];
    int64_t last = (addresses[lane] + bytes - 1) / kBankBytes;
    for (int64_t word = addresses[lane] / kBankBytes; word <= last; ++word)
      accessed.insert(word);
  }
  int64_t cycles = 0;
  for (const auto &[phase, accessed] : wordsOfPhases) {
    std::map<int64_t, int64_t> perBank;
    int64_t longest = 1;
    for (int64_t word : accessed)
      longest = std::max(longest, ++perBank[word % banks]);
    cycles += longest;
  }
  return cycles;
}

} // namespace aircc::layout
