//===- BufferAccess.h - Where buffer instructions access memory -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MEMORY_BUFFERACCESS_H
#define AIRCC_SIMULATOR_EXEC_MEMORY_BUFFERACCESS_H

#include "simulator/exec/Observe.h"
#include "simulator/exec/memory/MemoryAccess.h"

namespace aircc::sim {

// src[0] is the vaddr row(s) or none, src[1] the data, src[2] the resource (4
// SGPRs), and src[3] soffset.
enum BufferFlags : uint32_t {
  kReturns = 1,
  kOffen = 2,
  kIdxen = 4,
  kTfe = 8,      ///< A load writes 0 (no failure) to one more register.
  kD16 = 16,     ///< Typed, with two components per register.
  kD16Hi = 32,   ///< Typed, with X in the high half.
  kTyped = 64,   ///< The format is that of the instruction rather than the
                 ///< resource.
  kFormat = 128, ///< Elements have a format, either the instruction's or the
                 ///< resource's.
};

/// The rule that decides whether an access is within NUM_RECORDS.
enum class RangeCheck : uint8_t {
  None,                ///< Scratch is not checked.
  Cdna,                ///< gfx9, by the instruction's idxen.
  StructuredAndOffset, ///< gfx10 and later, OOB_SELECT 0 to 3.
  Structured,
  NonEmpty,
  Raw,
};

struct BufferResource {
  uint64_t base;
  uint32_t stride, records;
  bool swizzle, addTid;
  unsigned indexStride, elementSize;
  RangeCheck rangeCheck;
};

/// Returns the resource descriptor that `op` names.
BufferResource readResource(const Wave &wave, const Op &op);

struct BufferPlace {
  uint64_t address;
  bool inside; ///< Whether it is within the records. Outside, nothing is
               ///< accessed.
};

/// Returns the place of a lane's access of `bytes` bytes, `skip` bytes past its
/// offset.
BufferPlace locate(Wave &wave, const Op &op, const BufferResource &r,
                   unsigned lane, unsigned skip, unsigned bytes);

/// Sets wave.addresses for all lanes of a raw buffer, and `span` to the range
/// that the active lanes access. Returns false unless all of it is within the
/// records, in one allocation, and in memory that is not shared.
bool locateRow(Wave &wave, const Op &op, const BufferResource &r, uint64_t exec,
               unsigned bytes, AddressSpan &span);

/// Faults unless the part of an access within the records is accessible memory.
void checkBuffer(Wave &wave, const Op &op, const BufferResource &r,
                 uint64_t address, unsigned bytes, bool isWrite, unsigned lane);

/// Returns the checked address of an element, or 0 if it is not completely in
/// the records.
uint64_t placeOfElement(Wave &wave, const Op &op, const BufferResource &r,
                        unsigned bytes, bool isWrite, unsigned lane);

/// Reports the accesses of a buffer instruction to observers: one access if the
/// bytes of every lane are contiguous and inside the records, otherwise one per
/// dword.
void observeBuffer(Wave &wave, const Op &op, const BufferResource &r,
                   AccessKind kind, unsigned bytes,
                   const uint32_t *data = nullptr, bool dataHigh = false);

// Handle typed elements. Op::width is the number of components.
bool runBufferLoadTyped(Wave &wave, const Op &op);
bool runBufferStoreTyped(Wave &wave, const Op &op);
bool runBufferLoadTypedLds(Wave &wave, const Op &op);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_BUFFERACCESS_H
