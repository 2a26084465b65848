//===- AccessCost.cpp - What one memory instruction costs -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/counters/AccessCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>

using namespace aircc::sim;

/// Lanes of one phase: a power of two.
static unsigned phaseLanes(const MemoryFigures &figures, unsigned bytes) {
  unsigned dwords = (std::max(bytes, 4u) + 3) / 4;
  return std::min(llvm::bit_floor(figures.ldsBanks / dwords),
                  figures.ldsPhaseLanes);
}

/// In which phase a lane takes part.
static unsigned phaseOf(const MemoryFigures &figures, AccessKind kind,
                        unsigned bytes, unsigned lane) {
  unsigned lanes = phaseLanes(figures, bytes);
  if (!figures.pairsReadQuads || kind != AccessKind::Read || bytes != 16)
    return lane / lanes;
  // Lanes 0-3 with 20-23, 4-7 with 16-19, 8-11 with 28-31, 12-15 with 24-27,
  // and so on for the other half of the wave.
  unsigned quad = lane / 4 % 8;
  return lane / 32 * 4 + (quad < 4 ? quad : (quad ^ 1) & 3);
}

LdsCost aircc::sim::ldsCost(const MemoryFigures &figures, AccessKind kind,
                            unsigned bytes, uint64_t lanes,
                            const uint64_t *addresses) {
  // Dwords wanted of each bank, by phase.
  std::array<llvm::SmallVector<uint64_t, 96>, 64> wanted;
  uint64_t phases = 0;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    unsigned phase = phaseOf(figures, kind, bytes, lane);
    phases |= uint64_t(1) << phase;
    uint64_t first = addresses[lane] / 4;
    uint64_t last = (addresses[lane] + std::max(bytes, 1u) - 1) / 4;
    for (uint64_t dword = first; dword <= last; ++dword)
      wanted[phase].push_back(dword);
  }
  LdsCost cost;
  for (uint64_t rest = phases; rest; rest &= rest - 1) {
    auto &dwords = wanted[llvm::countr_zero(rest)];
    if (kind != AccessKind::Atomic) {
      llvm::sort(dwords);
      dwords.erase(std::unique(dwords.begin(), dwords.end()), dwords.end());
    }
    std::array<uint16_t, 64> load{};
    unsigned most = 1;
    for (uint64_t dword : dwords) {
      uint16_t &count = load[dword % figures.ldsBanks];
      most = std::max<unsigned>(most, ++count);
    }
    cost.cycles += most;
    cost.conflicts += most - 1;
  }
  return cost;
}

unsigned aircc::sim::cacheLines(unsigned lineBytes, unsigned bytes,
                                uint64_t lanes, const uint64_t *addresses) {
  const unsigned shift = llvm::countr_zero(lineBytes);
  llvm::SmallVector<uint64_t, 128> lines;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t first = addresses[lane] >> shift;
    uint64_t last = (addresses[lane] + std::max(bytes, 1u) - 1) >> shift;
    for (uint64_t line = first; line <= last; ++line)
      // Neighbours mostly want the same.
      if (lines.empty() || lines.back() != line)
        lines.push_back(line);
  }
  llvm::sort(lines);
  return std::unique(lines.begin(), lines.end()) - lines.begin();
}
