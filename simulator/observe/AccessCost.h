//===- AccessCost.h - What one memory instruction costs ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bank conflicts and cache lines of one access of one wave, from its addresses
// and the chip's figures (Chip.h, MemoryFigures, which names the sources).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_ACCESSCOST_H
#define AIRCC_SIMULATOR_OBSERVE_ACCESSCOST_H

#include "simulator/exec/OpInfo.h"
#include "simulator/isa/Chip.h"

#include <cstdint>

namespace aircc::sim {

/// Cycles of the LDS for one access.
struct LdsCost {
  unsigned cycles = 0;
  /// Those that the access would not have taken without bank conflicts.
  unsigned conflicts = 0;
};

/// The hardware takes the lanes of an access in phases, which lanes together
/// depending on the width: as many as the banks can serve, 32 at most. A phase
/// takes as many cycles as the busiest bank has different dwords to serve; one
/// dword serves any number of reading lanes. Atomics are done lane by lane:
/// there, every lane counts.
LdsCost ldsCost(const MemoryFigures &figures, AccessKind kind, unsigned bytes,
                uint64_t lanes, const uint64_t *addresses);

/// How many different lines of `lineBytes` (a power of two) the active lanes
/// touch, `bytes` each.
unsigned cacheLines(unsigned lineBytes, unsigned bytes, uint64_t lanes,
                    const uint64_t *addresses);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_OBSERVE_ACCESSCOST_H
