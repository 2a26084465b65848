//===- AccessCost.h - Cost of a memory instruction --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Computes the bank conflicts and cache lines of a wave's access from its
// addresses and the chip's MemoryFigures (Chip.h, which names the sources).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_ACCESSCOST_H
#define AIRCC_SIMULATOR_OBSERVE_ACCESSCOST_H

#include "simulator/exec/OpInfo.h"
#include "simulator/isa/Chip.h"

#include <cstdint>

namespace aircc::sim {

/// The LDS cycles of an access.
struct LdsCost {
  unsigned cycles = 0;
  /// The number of these cycles due to bank conflicts.
  unsigned conflicts = 0;
};

/// Computes the cost of an LDS access. The hardware serves the lanes of an
/// access in phases. The width determines the lanes of a phase: as many as the
/// banks can serve, but at most 32. The cycles of a phase are the number of
/// different dwords in the busiest bank; one dword serves any number of reading
/// lanes. Atomics are executed lane by lane, so every lane counts.
LdsCost ldsCost(const MemoryFigures &figures, AccessKind kind, unsigned bytes,
                uint64_t lanes, const uint64_t *addresses);

/// Returns the number of different lines of `lineBytes` (a power of two) that
/// the active lanes access with `bytes` each.
unsigned cacheLines(unsigned lineBytes, unsigned bytes, uint64_t lanes,
                    const uint64_t *addresses);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_OBSERVE_ACCESSCOST_H
