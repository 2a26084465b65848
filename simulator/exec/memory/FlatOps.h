//===- FlatOps.h - What FLAT, GLOBAL and SCRATCH share ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MEMORY_FLATOPS_H
#define AIRCC_SIMULATOR_EXEC_MEMORY_FLATOPS_H

#include "simulator/exec/Observe.h"
#include "simulator/exec/memory/MemoryAccess.h"

namespace aircc::sim {

// src[0] is the address row(s) or none, src[1] the data, and src[2] the scalar
// base or none.
enum FlatFlags : uint32_t {
  kWideAddress = 1, ///< src[0] has 64 bits.
  kReturns = 2,
  kIsLoad = 4,
  kIsScratch = 8,
};

/// Sets wave.addresses to the scalar base + address row(s) + immediate.
void computeAddresses(Wave &wave, const Op &op);

// Handles GLOBAL loads and stores, by AccessKind::Read and Write.
template <AccessKind Kind> bool runGlobal(Wave &wave, const Op &op);
extern template bool runGlobal<AccessKind::Read>(Wave &, const Op &);
extern template bool runGlobal<AccessKind::Write>(Wave &, const Op &);
bool runGlobalLoadLds(Wave &wave, const Op &op);
bool runGlobalAddTid(Wave &wave, const Op &op);
bool runGlobalTransposed(Wave &wave, const Op &op);

// Handles SCRATCH.
template <AccessKind Kind> bool runScratch(Wave &wave, const Op &op);
extern template bool runScratch<AccessKind::Read>(Wave &, const Op &);
extern template bool runScratch<AccessKind::Write>(Wave &, const Op &);
bool runScratchLoadLds(Wave &wave, const Op &op);

/// Returns the scratch offset of a lane's access.
uint64_t scratchOffset(Wave &wave, const Op &op, unsigned lane);
/// Read and write bytes of a lane's scratch, and fault outside it.
void readScratch(Wave &wave, const Op &op, uint64_t offset, void *to,
                 unsigned bytes, unsigned lane);
void writeScratch(Wave &wave, const Op &op, uint64_t offset, const void *from,
                  unsigned bytes, unsigned lane);
/// Loads or stores registers of a lane.
template <AccessKind Kind>
void accessScratchLane(Wave &wave, const Op &op, const MemoryFormat &format,
                       uint64_t offset, unsigned lane);
extern template void accessScratchLane<AccessKind::Read>(Wave &, const Op &,
                                                         const MemoryFormat &,
                                                         uint64_t, unsigned);
extern template void accessScratchLane<AccessKind::Write>(Wave &, const Op &,
                                                          const MemoryFormat &,
                                                          uint64_t, unsigned);

/// The bits of a flat address that select an aperture.
constexpr uint64_t kApertureMask = ~uint64_t(0xffffffff);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_FLATOPS_H
