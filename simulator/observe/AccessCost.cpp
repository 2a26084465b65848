//===- AccessCost.cpp - Cost of a memory instruction ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/AccessCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>

using namespace aircc::sim;

/// Returns the number of lanes of a phase, a power of two.
static unsigned phaseLanes(const MemoryFigures &figures, unsigned bytes) {
  unsigned dwords = (std::max(bytes, 4u) + 3) / 4;
  return std::min(llvm::bit_floor(figures.ldsBanks / dwords),
                  figures.ldsPhaseLanes);
}

/// Returns the phase that serves a lane.
static unsigned phaseOf(const MemoryFigures &figures, AccessKind kind,
                        unsigned bytes, unsigned lane) {
  unsigned lanes = phaseLanes(figures, bytes);
  if (!figures.pairsReadQuads || kind != AccessKind::Read || bytes != 16)
    return lane / lanes;
  // Lanes 0-3 are paired with 20-23, 4-7 with 16-19, 8-11 with 28-31, 12-15
  // with 24-27, and likewise for the other half of the wave.
  unsigned quad = lane / 4 % 8;
  return lane / 32 * 4 + (quad < 4 ? quad : (quad ^ 1) & 3);
}

/// Returns whether all 64 or the first 32 lanes access the same address or
/// consecutive addresses. This is the common case and has no conflicts.
static bool isSimple(unsigned bytes, uint64_t lanes,
                     const uint64_t *addresses) {
  if (lanes != ~uint64_t(0) && lanes != 0xffffffff)
    return false;
  const unsigned count = llvm::popcount(lanes);
  uint64_t different = 0, unordered = 0;
  for (unsigned lane = 0; lane < count; ++lane) {
    different |= addresses[lane] ^ addresses[0];
    unordered |= addresses[lane] ^ (addresses[0] + uint64_t(lane) * bytes);
  }
  return (!different || !unordered) &&
         addresses[0] % std::min(std::max(bytes, 1u), 4u) == 0;
}

LdsCost aircc::sim::ldsCost(const MemoryFigures &figures, AccessKind kind,
                            unsigned bytes, uint64_t lanes,
                            const uint64_t *addresses) {
  LdsCost cost;
  if (kind != AccessKind::Atomic && isSimple(bytes, lanes, addresses)) {
    cost.cycles = std::max<unsigned>(
        llvm::popcount(lanes) / phaseLanes(figures, bytes), 1);
    return cost;
  }
  // The lanes of each phase.
  std::array<uint64_t, 64> members{};
  unsigned phases = 0;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    unsigned phase = phaseOf(figures, kind, bytes, lane);
    members[phase] |= uint64_t(1) << lane;
    phases = std::max(phases, phase + 1);
  }
  for (unsigned phase = 0; phase < phases; ++phase) {
    if (!members[phase])
      continue;
    // The dwords of each bank, as linked lists.
    struct Request {
      uint64_t dword;
      int next;
    };
    llvm::SmallVector<Request, 160> requests;
    std::array<int, 64> first;
    std::array<uint16_t, 64> load{};
    first.fill(-1);
    unsigned most = 1;
    for (uint64_t rest = members[phase]; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      uint64_t last = (addresses[lane] + std::max(bytes, 1u) - 1) / 4;
      for (uint64_t dword = addresses[lane] / 4; dword <= last; ++dword) {
        unsigned bank = dword % figures.ldsBanks;
        if (kind != AccessKind::Atomic) {
          int at = first[bank];
          while (at >= 0 && requests[at].dword != dword)
            at = requests[at].next;
          if (at >= 0)
            continue;
          requests.push_back({dword, first[bank]});
          first[bank] = static_cast<int>(requests.size()) - 1;
        }
        most = std::max<unsigned>(most, ++load[bank]);
      }
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
  bool sorted = true;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t first = addresses[lane] >> shift;
    uint64_t last = (addresses[lane] + std::max(bytes, 1u) - 1) >> shift;
    for (uint64_t line = first; line <= last; ++line)
      // Adjacent lanes often access the same line.
      if (lines.empty() || lines.back() != line) {
        sorted &= lines.empty() || lines.back() < line;
        lines.push_back(line);
      }
  }
  if (sorted)
    return lines.size();
  llvm::sort(lines);
  return std::unique(lines.begin(), lines.end()) - lines.begin();
}
