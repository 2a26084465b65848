//===- ScratchOps.cpp - SCRATCH -------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Scratch is interleaved: dword k of lane L is at base + (k * lanes + L) * 4,
// as swizzled by the hardware.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/FlatOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;

/// Returns the host address of a scratch byte of a lane.
static uint8_t *scratchAt(Wave &wave, uint64_t offset, unsigned lane) {
  return reinterpret_cast<uint8_t *>(
      wave.scratchBase + (offset / 4 * wave.lanes + lane) * 4 + offset % 4);
}

static void checkScratch(Wave &wave, const Op &, uint64_t offset,
                         unsigned bytes, bool isWrite, unsigned lane) {
  if (offset + bytes > wave.scratchBytes || offset + bytes < offset)
    throw Fault(std::string(isWrite ? "write" : "read") + " of " +
                    std::to_string(bytes) + " bytes at scratch address 0x" +
                    llvm::utohexstr(offset, true) + ", outside of the lane's " +
                    std::to_string(wave.scratchBytes) + " bytes of scratch",
                lane);
}

void aircc::sim::readScratch(Wave &wave, const Op &op, uint64_t offset,
                             void *to, unsigned bytes, unsigned lane) {
  checkScratch(wave, op, offset, bytes, false, lane);
  for (unsigned k = 0; k < bytes; ++k)
    static_cast<uint8_t *>(to)[k] = *scratchAt(wave, offset + k, lane);
}
void aircc::sim::writeScratch(Wave &wave, const Op &op, uint64_t offset,
                              const void *from, unsigned bytes, unsigned lane) {
  checkScratch(wave, op, offset, bytes, true, lane);
  for (unsigned k = 0; k < bytes; ++k)
    *scratchAt(wave, offset + k, lane) = static_cast<const uint8_t *>(from)[k];
}

template <AccessKind Kind>
void aircc::sim::accessScratchLane(Wave &wave, const Op &op,
                                   const MemoryFormat &format, uint64_t offset,
                                   unsigned lane) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  uint8_t bytes[16];
  if (kWrites)
    storeLane(format, bytes, wave.row(op.src[1].reg), lane);
  if (format.kind == MemoryFormat::Dwords && offset % 4 == 0) {
    checkScratch(wave, op, offset, format.bytes, kWrites, lane);
    for (unsigned k = 0; k < format.bytes; k += 4) {
      uint8_t *at = scratchAt(wave, offset + k, lane);
      std::memcpy(kWrites ? at : bytes + k, kWrites ? bytes + k : at, 4);
    }
  } else if (kWrites) {
    writeScratch(wave, op, offset, bytes, format.bytes, lane);
  } else {
    readScratch(wave, op, offset, bytes, format.bytes, lane);
  }
  if (!kWrites)
    loadLane(format, bytes, wave.row(op.dst.reg), lane);
}
template void aircc::sim::accessScratchLane<AccessKind::Read>(
    Wave &, const Op &, const MemoryFormat &, uint64_t, unsigned);
template void aircc::sim::accessScratchLane<AccessKind::Write>(
    Wave &, const Op &, const MemoryFormat &, uint64_t, unsigned);

uint64_t aircc::sim::scratchOffset(Wave &wave, const Op &op, unsigned lane) {
  // Scratch addresses have 32 bits; a negative sum wraps and then faults.
  uint32_t offset = static_cast<uint32_t>(op.imm);
  if (op.src[0].kind == Operand::Kind::Vector)
    offset += wave.row(op.src[0].reg)[lane];
  if (op.src[2].kind != Operand::Kind::None)
    offset += static_cast<uint32_t>(readScalar(wave, op.src[2]));
  return offset;
}

static void observeScratch(Wave &wave, const Op &op, AccessKind kind,
                           const MemoryFormat &format, const uint32_t *data) {
  uint64_t offsets[kRowLanes];
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    offsets[lane] = scratchOffset(wave, op, lane);
  observeAccess(wave, op, MemorySpace::Scratch, kind, wave.exec(), offsets,
                {format.bytes, data, format.kind == MemoryFormat::D16Hi});
}

/// Returns whether all lanes access the same dwords of their scratch, as spills
/// do. These dwords are contiguous over lanes, like a register.
static bool sameScratchForAll(Wave &wave, const Op &op,
                              const MemoryFormat &format) {
  return op.src[0].kind != Operand::Kind::Vector && wave.execFull &&
         format.kind == MemoryFormat::Dwords &&
         scratchOffset(wave, op, 0) % 4 == 0;
}

template <AccessKind Kind>
bool aircc::sim::runScratch(Wave &wave, const Op &op) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const unsigned data = kWrites ? op.src[1].reg : op.dst.reg;
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeScratch(wave, op, Kind, format, kWrites ? wave.row(data) : nullptr);
  if (sameScratchForAll(wave, op, format)) {
    const uint64_t offset = scratchOffset(wave, op, 0);
    checkScratch(wave, op, offset, format.bytes, kWrites, 0);
    for (unsigned k = 0; k < format.dwords(); ++k) {
      void *at = scratchAt(wave, offset + 4 * k, 0);
      void *row = wave.row(data + k);
      std::memcpy(kWrites ? at : row, kWrites ? row : at, wave.lanes * 4);
    }
    return false;
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    accessScratchLane<Kind>(wave, op, format, scratchOffset(wave, op, lane),
                            lane);
  }
  return false;
}
template bool aircc::sim::runScratch<AccessKind::Read>(Wave &, const Op &);
template bool aircc::sim::runScratch<AccessKind::Write>(Wave &, const Op &);

/// Handles LDS DMA from scratch.
bool aircc::sim::runScratchLoadLds(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  ++wave.vmemIssued;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeScratch(wave, op, AccessKind::Read, format, nullptr);
    observeDma(wave, op, wave.exec(), base, ldsDmaBytes(format));
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t bytes[16];
    readScratch(wave, op, scratchOffset(wave, op, lane), bytes, format.bytes,
                lane);
    issueLdsLoad(wave, op, format, bytes, base, lane);
  }
  return false;
}
