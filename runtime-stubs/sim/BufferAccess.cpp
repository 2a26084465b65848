//===- BufferAccess.cpp - Where buffer instructions access memory ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffer instructions. CDNA3 ISA guide, "Vector Memory Buffer Instructions":
//
//   address = base + soffset + offset(index, voffset + immediate)
//
// where a swizzled buffer interleaves elements of 4 bytes over 8, 16, 32 or 64
// indices. Reads outside of the buffer's records give zero, writes there
// vanish, as on hardware; what is inside must be memory of the program. A
// buffer that adds the lane number to the index is scratch: accesses behind the
// lane's scratch are errors.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/BufferAccess.h"

#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/Launch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;

/// The resource descriptor. Its layout differs from gfx10 on.
BufferResource aircc::sim::readResource(const Wave &wave, const Op &op) {
  const uint32_t *w = &wave.scalars[op.src[2].reg];
  BufferResource r;
  r.base = w[0] | static_cast<uint64_t>(w[1] & 0xffff) << 32;
  r.stride = w[1] >> 16 & 0x3fff;
  r.records = w[2];
  r.addTid = w[3] >> 23 & 1;
  r.indexStride = 8u << (w[3] >> 21 & 3);
  r.elementSize = 4;
  r.swizzle =
      wave.launch->chip->isGfx11Plus() ? (w[1] >> 30 & 3) != 0 : w[1] >> 31 & 1;
  return r;
}

BufferPlace aircc::sim::locate(Wave &wave, const Op &op,
                               const BufferResource &r, unsigned lane,
                               unsigned skip, unsigned bytes) {
  const Operand &vaddr = op.src[0];
  uint64_t index = 0;
  uint64_t offset = static_cast<uint64_t>(op.imm) + skip;
  unsigned next = vaddr.reg;
  if (op.flags & kIdxen)
    index = wave.row(next++)[lane];
  if (op.flags & kOffen)
    offset += wave.row(next)[lane];
  uint64_t soffset = readScalar(wave, op.src[3]);
  bool structured = r.stride != 0 || r.swizzle;
  bool inside = true;
  if (r.addTid) {
    index += lane;
    // The stack pointer is in soffset, in bytes of all lanes together.
    uint64_t within = offset + soffset / wave.lanes;
    if (wave.scratchBytes && within + bytes > wave.scratchBytes)
      throw Fault("access of " + std::to_string(bytes) +
                      " bytes at scratch address 0x" +
                      llvm::utohexstr(within, true) +
                      ", outside of the lane's " +
                      std::to_string(wave.scratchBytes) + " bytes of scratch",
                  lane);
  } else if (op.flags & kIdxen || (structured && r.stride)) {
    inside = index < r.records &&
             (!r.swizzle || offset + bytes <= r.stride || !r.stride);
    if (!(op.flags & kIdxen) && !r.swizzle)
      inside = offset + bytes <= static_cast<uint64_t>(r.records) * r.stride;
  } else {
    inside = offset + soffset + bytes <= r.records;
  }
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

/// Scratch lies in the launch's own memory, which is no allocation.
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
        observeAccess(wave, op, space, kind, lanes, addresses, step,
                      data ? data + k / 4 * kRowLanes : nullptr, dataHigh,
                      k / 4);
    }
    if (pass == 0 && whole == exec)
      return observeAccess(wave, op, space, kind, exec, first, bytes, data,
                           dataHigh);
  }
}
