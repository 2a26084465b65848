//===- BufferAccess.cpp - Where buffer instructions access memory ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Buffer instructions. CDNA3 ISA guide, "Vector Memory Buffer Instructions":
//
//   address = base + soffset + offset(index, voffset + immediate)
//
// where a swizzled buffer interleaves elements of 4 bytes over 8, 16, 32 or 64
// indices. As on hardware, out-of-range reads return zero and out-of-range
// writes are dropped; an access in range must be to memory of the program. A
// buffer that adds the lane number to the index is scratch. The hardware does
// not check its range, but an access beyond the lane's scratch is an error
// here.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/BufferAccess.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/vector/LaneLevel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace aircc::sim;

/// Returns the resource descriptor, whose layout differs from gfx10 on.
BufferResource aircc::sim::readResource(const Wave &wave, const Op &op) {
  const uint32_t *w = &wave.scalars[op.src[2].reg];
  BufferResource r;
  r.base = w[0] | static_cast<uint64_t>(w[1] & 0xffff) << 32;
  r.stride = w[1] >> 16 & 0x3fff;
  r.records = w[2];
  r.addTid = w[3] >> 23 & 1;
  r.indexStride = 8u << (w[3] >> 21 & 3);
  r.elementSize = 4;
  if (wave.launch->chip->hasChosenRangeCheck) {
    const unsigned swizzle = w[1] >> 30 & 3;
    r.swizzle = swizzle != 0;
    if (swizzle == 3)
      r.elementSize = 16;
    r.rangeCheck = static_cast<RangeCheck>(
        static_cast<unsigned>(RangeCheck::StructuredAndOffset) +
        (w[3] >> 28 & 3));
  } else {
    r.swizzle = w[1] >> 31 & 1;
    r.rangeCheck = RangeCheck::Cdna;
    // The data format contains more bits of the stride unless a format is
    // needed.
    if (r.addTid && !(op.flags & kFormat))
      r.stride |= (w[3] >> 15 & 15) << 14;
  }
  if (r.addTid)
    r.rangeCheck = RangeCheck::None;
  return r;
}

/// See CDNA3 ISA guide, 9.1.5.1, and RDNA4 ISA guide, 9.4.1. CDNA's guide omits
/// soffset from the check of raw buffers, but the hardware includes it.
static bool isInRange(const BufferResource &r, bool idxen, uint64_t index,
                      uint64_t offset, uint64_t soffset, unsigned bytes) {
  const bool indexInRange = index < r.records;
  const bool inStride = offset + bytes <= r.stride;
  const bool inBytes = offset + soffset + bytes <= r.records;
  switch (r.rangeCheck) {
  case RangeCheck::None:
    return true;
  case RangeCheck::Cdna:
    if (!r.stride || !(idxen || r.swizzle))
      return inBytes;
    return indexInRange && (!r.swizzle || inStride);
  case RangeCheck::StructuredAndOffset:
    return indexInRange && inStride;
  case RangeCheck::Structured:
    return indexInRange;
  case RangeCheck::NonEmpty:
    return r.records != 0;
  case RangeCheck::Raw:
    return r.swizzle && r.stride ? indexInRange && inStride : inBytes;
  }
  return false;
}

BufferPlace aircc::sim::locate(Wave &wave, const Op &op,
                               const BufferResource &r, unsigned lane,
                               unsigned skip, unsigned bytes) {
  const Operand &vaddr = op.src[0];
  const bool idxen = op.flags & kIdxen;
  uint64_t index = 0;
  uint64_t offset = static_cast<uint64_t>(op.imm);
  unsigned next = vaddr.reg;
  if (idxen)
    index = wave.row(next++)[lane];
  if (op.flags & kOffen)
    offset += wave.row(next)[lane];
  // On CDNA, the sum of both offsets has 32 bits.
  if (r.rangeCheck == RangeCheck::Cdna)
    offset = static_cast<uint32_t>(offset);
  offset += skip;
  uint64_t soffset = readScalar(wave, op.src[3]);
  if (r.addTid) {
    index += lane;
    // The stack pointer is in soffset, in bytes for all lanes together.
    uint64_t within = offset + soffset / wave.lanes;
    if (wave.scratchBytes && within + bytes > wave.scratchBytes)
      throw Fault("access of " + std::to_string(bytes) +
                      " bytes at scratch address 0x" +
                      llvm::utohexstr(within, true) +
                      ", outside of the lane's " +
                      std::to_string(wave.scratchBytes) + " bytes of scratch",
                  lane);
  }
  const bool inside = isInRange(r, idxen, index, offset, soffset, bytes);
  uint64_t at;
  if (r.swizzle) {
    uint64_t indexMsb = index / r.indexStride, indexLsb = index % r.indexStride;
    uint64_t offsetMsb = offset / r.elementSize,
             offsetLsb = offset % r.elementSize;
    at = (indexMsb * r.stride + offsetMsb * r.elementSize) * r.indexStride +
         indexLsb * r.elementSize + offsetLsb;
  } else {
    at = index * r.stride + offset;
  }
  return {r.base + soffset + at, inside};
}

bool aircc::sim::locateRow(Wave &wave, const Op &op, const BufferResource &r,
                           uint64_t exec, unsigned bytes, AddressSpan &span) {
  const bool isRaw =
      r.rangeCheck == RangeCheck::Cdna || r.rangeCheck == RangeCheck::Raw;
  if (!exec || !isRaw || r.swizzle || r.addTid || (op.flags & kIdxen))
    return false;
  const uint64_t start =
      r.base + readScalar(wave, op.src[3]) + static_cast<uint64_t>(op.imm);
  if (op.flags & kOffen)
    wave.level->addresses32(wave.row(op.src[0].reg), start, wave.addresses);
  else
    std::fill_n(wave.addresses, kRowLanes, start);
  span = wave.level->span(wave.addresses, exec, bytes);
  // A sum of offsets that wraps around is out of range.
  return span.high + bytes - r.base <= r.records &&
         isAccessible(wave, op, span.low, span.high + bytes) &&
         !isShared(wave, span);
}

/// Scratch is memory of the launch rather than an allocation.
void aircc::sim::checkBuffer(Wave &wave, const Op &op, const BufferResource &r,
                             uint64_t address, unsigned bytes, bool isWrite,
                             unsigned lane) {
  if (r.addTid && wave.scratchBytes) {
    uint64_t end = wave.scratchBase + uint64_t(wave.scratchBytes) * wave.lanes;
    if (address >= wave.scratchBase && address + bytes <= end)
      return;
  }
  checkAccess(wave, op, address, bytes, isWrite, lane);
}

uint64_t aircc::sim::placeOfElement(Wave &wave, const Op &op,
                                    const BufferResource &r, unsigned bytes,
                                    bool isWrite, unsigned lane) {
  BufferPlace place = locate(wave, op, r, lane, 0, bytes);
  if (!place.inside)
    return 0;
  checkBuffer(wave, op, r, place.address, bytes, isWrite, lane);
  return place.address;
}

void aircc::sim::observeBuffer(Wave &wave, const Op &op,
                               const BufferResource &r, AccessKind kind,
                               unsigned bytes, const uint32_t *data,
                               bool dataHigh) {
  const uint64_t exec = wave.exec();
  AddressSpan span;
  if (locateRow(wave, op, r, exec, bytes, span))
    return observeAccess(wave, op, MemorySpace::Global, kind, exec,
                         wave.addresses, {bytes, data, dataHigh});
  const bool scratch = r.addTid && wave.scratchBytes;
  const unsigned step = kind == AccessKind::Atomic || bytes < 4 ? bytes : 4;
  const MemorySpace space =
      scratch ? MemorySpace::Scratch : MemorySpace::Global;
  uint64_t first[kRowLanes], addresses[kRowLanes];
  uint64_t whole = exec;
  for (unsigned pass = 0; pass < 2; ++pass) {
    for (unsigned k = 0; k < bytes; k += step) {
      uint64_t lanes = 0;
      for (uint64_t rest = exec; rest; rest &= rest - 1) {
        unsigned lane = llvm::countr_zero(rest);
        BufferPlace place = locate(wave, op, r, lane, k, step);
        if (scratch)
          place.address =
              static_cast<uint64_t>(op.imm) + k +
              (op.flags & kOffen
                   ? wave.row(op.src[0].reg + (op.flags & kIdxen ? 1 : 0))[lane]
                   : 0) +
              readScalar(wave, op.src[3]) / wave.lanes;
        if (place.inside)
          lanes |= uint64_t(1) << lane;
        addresses[lane] = place.address;
        if (k == 0)
          first[lane] = place.address;
        if (!place.inside || place.address != first[lane] + k)
          whole &= ~(uint64_t(1) << lane);
      }
      if (pass == 1)
        observeAccess(
            wave, op, space, kind, lanes, addresses,
            {step, data ? data + k / 4 * kRowLanes : nullptr, dataHigh, k / 4});
    }
    if (pass == 0 && whole == exec)
      return observeAccess(wave, op, space, kind, exec, first,
                           {bytes, data, dataHigh});
  }
}
