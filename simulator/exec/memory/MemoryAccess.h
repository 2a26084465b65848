//===- MemoryAccess.h - Checked access to global memory ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MEMORY_MEMORYACCESS_H
#define AIRCC_SIMULATOR_EXEC_MEMORY_MEMORYACCESS_H

#include "simulator/exec/OpInfo.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/vector/LaneLevel.h"

namespace aircc::sim {

/// Returns whether [begin, end) is in one allocation. Caches the allocation by
/// operation, so that the next check takes two comparisons.
bool isAccessible(Wave &wave, const Op &op, uint64_t begin, uint64_t end);

/// Returns how many bytes of the aligned dword at `address` are in the
/// allocation that contains its first byte. Returns 0 if there is none, or if
/// `address` is not aligned.
unsigned dwordBytesInside(Wave &wave, const Op &op, uint64_t address);

/// Returns whether `bytes` may be read. An aligned dword that only begins in an
/// allocation may be read: it cannot leave the allocation's page, and the
/// backend reads bytes and shorts this way for atomics and scalar loads.
bool isReadable(Wave &wave, const Op &op, uint64_t address, unsigned bytes);

/// Faults unless a lane may access `bytes` at `address`.
void checkAccess(Wave &wave, const Op &op, uint64_t address, unsigned bytes,
                 bool isWrite, int lane);
/// Copies a lane's dword from memory to `row` or back. Faults if it is not
/// accessible.
void accessDword(Wave &wave, const Op &op, uint64_t address, uint32_t *row,
                 bool isWrite, unsigned lane);

/// Faults unless every active lane's `bytes` at its address are accessible.
void checkLanes(Wave &wave, const Op &op, const uint64_t *addresses,
                uint64_t exec, unsigned bytes, bool isWrite);

/// Faults for an access outside any allocation.
[[noreturn]] void faultAccess(Wave &wave, const Op &op, uint64_t address,
                              unsigned bytes, bool isWrite, int lane);
[[noreturn]] void faultLds(Wave &wave, const Op &op, uint64_t address,
                           unsigned bytes, bool isWrite, int lane);

/// Returns the host address of `bytes` bytes of LDS. Faults if they are outside
/// LDS.
uint8_t *ldsAt(Wave &wave, const Op &op, uint64_t address, unsigned bytes,
               bool isWrite, int lane);

/// Completes LDS DMA until at most `outstanding` memory operations are in
/// flight, which is the effect of a wait on vmcnt.
void completeLdsDma(Wave &wave, uint64_t outstanding);

/// Issues an LDS DMA of `bytes` bytes from `data` to the LDS address of `lane`
/// and, if they are more than `laneBytes`, of the following lanes. It is in
/// flight until a wait covers it.
void issueLds(Wave &wave, const Op &op, uint32_t ldsAddress, const void *data,
              unsigned bytes, unsigned laneBytes, int lane);

/// Returns how lanes access the bytes or halves of a format other than Dwords.
inline SmallAccess smallAccess(const MemoryFormat &format) {
  using Kind = MemoryFormat::Kind;
  const Kind kind = format.kind;
  const bool isHigh = kind == Kind::D16Hi || kind == Kind::D16HiSext;
  const bool isLow = kind == Kind::D16 || kind == Kind::D16Sext;
  return {format.bytes,
          kind == Kind::Sext || kind == Kind::D16Sext ||
              kind == Kind::D16HiSext,
          isHigh  ? SmallAccess::High
          : isLow ? SmallAccess::Low
                  : SmallAccess::Whole};
}

/// Loads `format.bytes` bytes at `from` into the rows of `lane`.
void loadLane(const MemoryFormat &format, const void *from, uint32_t *row,
              unsigned lane);
/// Stores the rows of `lane` to `to`.
void storeLane(const MemoryFormat &format, void *to, const uint32_t *row,
               unsigned lane);
/// Returns how many bytes of LDS a lane's LDS DMA writes, which is a dword for
/// a byte or a short.
inline unsigned ldsDmaBytes(const MemoryFormat &format) {
  return format.dwords() * 4;
}
/// Issues the LDS DMA of a lane, which reads `from`. `base` is the LDS address
/// of lane 0.
void issueLdsLoad(Wave &wave, const Op &op, const MemoryFormat &format,
                  const void *from, uint32_t base, unsigned lane);

/// Issues the LDS DMA of all active lanes, which read wave.addresses. The
/// addresses must have been checked.
void issueLdsRow(Wave &wave, const Op &op, const MemoryFormat &format,
                 uint64_t exec, uint32_t base);

/// Calls loadLane or storeLane.
template <AccessKind Kind>
void accessLane(const MemoryFormat &format, void *memory, uint32_t *row,
                unsigned lane) {
  if constexpr (Kind == AccessKind::Write)
    storeLane(format, memory, row, lane);
  else
    loadLane(format, memory, row, lane);
}

/// Returns whether the access may reach memory that other processes write and
/// read.
bool isShared(const Wave &wave, const AddressSpan &span);

/// Loads or stores at wave.addresses of the active lanes, which must be
/// accessible and not shared. `span` contains them.
template <AccessKind Kind>
void accessRows(Wave &wave, const MemoryFormat &format, uint64_t exec,
                const AddressSpan &span, uint32_t *rows);
extern template void accessRows<AccessKind::Read>(Wave &, const MemoryFormat &,
                                                  uint64_t, const AddressSpan &,
                                                  uint32_t *);
extern template void accessRows<AccessKind::Write>(Wave &, const MemoryFormat &,
                                                   uint64_t,
                                                   const AddressSpan &,
                                                   uint32_t *);

/// Returns the 32 or 64 bits of one lane in the rows starting at `row`.
inline uint64_t laneValue(const uint32_t *row, unsigned lane, unsigned bytes) {
  uint64_t value = row[lane];
  if (bytes == 8)
    value |= static_cast<uint64_t>(row[lane + kRowLanes]) << 32;
  return value;
}
inline void setLaneValue(uint32_t *row, unsigned lane, unsigned bytes,
                         uint64_t value) {
  row[lane] = static_cast<uint32_t>(value);
  if (bytes == 8)
    row[lane + kRowLanes] = static_cast<uint32_t>(value >> 32);
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_MEMORYACCESS_H
