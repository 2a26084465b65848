//===- BufferOps.cpp - MUBUF ----------------------------------------------===//
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

#include "runtime-stubs/sim/Atomics.h"
#include "runtime-stubs/sim/Bind.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/Launch.h"
#include "runtime-stubs/sim/MemoryAccess.h"
#include "runtime-stubs/sim/Observe.h"
#include "runtime-stubs/sim/Wave.h"
#include "runtime-stubs/sim/lanes/LaneLevel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using llvm::StringRef;

namespace {

// src[0]: vaddr row(s) or none; src[1]: data; src[2]: resource (4 SGPRs);
// src[3]: soffset.
enum BufferFlags : uint32_t {
  kReturns = 1,
  kOffen = 2,
  kIdxen = 4,
};

struct Resource {
  uint64_t base;
  uint32_t stride, records;
  bool swizzle, addTid;
  unsigned indexStride, elementSize;
};

/// The resource descriptor. Its layout differs from gfx10 on.
Resource readResource(const Wave &wave, const Op &op) {
  const uint32_t *w = &wave.scalars[op.src[2].reg];
  Resource r;
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

struct Place {
  uint64_t address;
  bool inside; ///< Of the records; else nothing is accessed.
};

/// Where a lane accesses `bytes` bytes, `skip` bytes behind its offset.
Place locate(Wave &wave, const Op &op, const Resource &r, unsigned lane,
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
void check(Wave &wave, const Op &op, const Resource &r, uint64_t address,
           unsigned bytes, bool isWrite, unsigned lane) {
  if (r.addTid && wave.scratchBytes) {
    uint64_t end = wave.scratchBase + uint64_t(wave.scratchBytes) * wave.lanes;
    if (address >= wave.scratchBase && address + bytes <= end)
      return;
  }
  if (isWrite ? !isAccessible(wave, op, address, address + bytes)
              : !isReadable(wave, op, address, bytes))
    faultAccess(wave, op, address, bytes, isWrite, lane);
}

/// Tells observers what a buffer instruction accesses: all of a lane's bytes at
/// once where they are inside and in one piece for every lane, else dword by
/// dword.
void observeBuffer(Wave &wave, const Op &op, const Resource &r, AccessKind kind,
                   unsigned bytes, const uint32_t *data = nullptr,
                   bool dataHigh = false) {
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
        Place place = locate(wave, op, r, lane, k, step);
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

/// Loads what one lane loads into `out` (as if into one lane's rows): dword by
/// dword, since each dword is checked against the records by itself.
void loadBytes(Wave &wave, const Op &op, const Resource &r,
               const MemoryFormat &format, unsigned lane, uint8_t *out) {
  unsigned step = format.bytes < 4 ? format.bytes : 4;
  for (unsigned k = 0; k < format.bytes; k += step) {
    Place place = locate(wave, op, r, lane, k, step);
    if (!place.inside) {
      std::memset(out + k, 0, step);
      continue;
    }
    if (r.swizzle && place.address % 4 + step > 4) {
      // Split by the swizzle.
      for (unsigned b = 0; b < step; ++b) {
        Place byte = locate(wave, op, r, lane, k + b, 1);
        check(wave, op, r, byte.address, 1, false, lane);
        std::memcpy(out + k + b, reinterpret_cast<const void *>(byte.address),
                    1);
      }
      continue;
    }
    check(wave, op, r, place.address, step, false, lane);
    std::memcpy(out + k, reinterpret_cast<const void *>(place.address), step);
  }
}

bool runLoad(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const Resource r = readResource(wave, op);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeBuffer(wave, op, r, AccessKind::Read, format.bytes);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t bytes[16];
    loadBytes(wave, op, r, format, lane, bytes);
    loadLane(format, bytes, wave.row(op.dst.reg), lane);
  }
  return false;
}

bool runStore(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const Resource r = readResource(wave, op);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeBuffer(wave, op, r, AccessKind::Write, format.bytes,
                  wave.row(op.src[1].reg), format.kind == MemoryFormat::D16Hi);
  unsigned step = format.bytes < 4 ? format.bytes : 4;
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t bytes[16];
    storeLane(format, bytes, wave.row(op.src[1].reg), lane);
    for (unsigned k = 0; k < format.bytes; k += step) {
      Place place = locate(wave, op, r, lane, k, step);
      if (!place.inside)
        continue;
      if (r.swizzle && place.address % 4 + step > 4) {
        for (unsigned b = 0; b < step; ++b) {
          Place byte = locate(wave, op, r, lane, k + b, 1);
          check(wave, op, r, byte.address, 1, true, lane);
          std::memcpy(reinterpret_cast<void *>(byte.address), bytes + k + b, 1);
        }
        continue;
      }
      check(wave, op, r, place.address, step, true, lane);
      std::memcpy(reinterpret_cast<void *>(place.address), bytes + k, step);
    }
  }
  return false;
}

/// To LDS: at M0's base + immediate + lane * size, once a wait covers it.
bool runLoadLds(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const Resource r = readResource(wave, op);
  ++wave.vmemIssued;
  unsigned size = format.bytes < 4 ? 4 : format.bytes;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeBuffer(wave, op, r, AccessKind::Read, format.bytes);
    observeDma(wave, op, wave.exec(), base, size);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t bytes[16] = {};
    loadBytes(wave, op, r, format, lane, bytes);
    uint32_t rows[4 * kRowLanes];
    rows[0] = 0;
    loadLane(format, bytes, rows, 0);
    uint32_t values[4] = {rows[0], 0, 0, 0};
    for (unsigned k = 1; k < size / 4; ++k)
      values[k] = rows[k * kRowLanes];
    issueLds(wave, op, base + lane * size, values, size, lane);
  }
  return false;
}

uint64_t rowValue(const uint32_t *row, unsigned lane, unsigned bytes) {
  uint64_t value = row[lane];
  if (bytes == 8)
    value |= static_cast<uint64_t>(row[lane + kRowLanes]) << 32;
  return value;
}

/// The data register holds the operand and, for compare-and-swap, what is
/// compared with behind it; it receives the old value.
bool runAtomic(Wave &wave, const Op &op) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  const Resource r = readResource(wave, op);
  const unsigned bytes = atomic.bytes;
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeBuffer(wave, op, r, AccessKind::Atomic, bytes,
                  wave.row(op.src[1].reg));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t *row = wave.row(op.src[1].reg);
    uint64_t data = rowValue(row, lane, bytes), compare = 0;
    if (atomic.kind == AtomicKind::CmpSwap)
      compare = rowValue(wave.row(op.src[1].reg + bytes / 4), lane, bytes);
    Place place = locate(wave, op, r, lane, 0, bytes);
    uint64_t old = 0;
    if (place.inside) {
      check(wave, op, r, place.address, bytes, true, lane);
      if (place.address % bytes)
        throw Fault("atomic on the misaligned address 0x" +
                        llvm::utohexstr(place.address, true),
                    lane);
      old = atomicOnMemory(atomic, reinterpret_cast<void *>(place.address),
                           data, compare);
    }
    if (op.flags & kReturns) {
      row[lane] = static_cast<uint32_t>(old);
      if (bytes == 8)
        row[lane + kRowLanes] = static_cast<uint32_t>(old >> 32);
    }
  }
  return false;
}

} // namespace

bool aircc::sim::bindBuffer(BindContext &context, StringRef name,
                            const AsmInst &inst, Op &op) {
  if (!name.consume_front("buffer_"))
    return false;
  if (inst.mods.tfe)
    return context.refuse("tfe is not simulated");
  op.imm = inst.mods.offset;
  if (inst.mods.offen)
    op.flags |= kOffen;
  if (inst.mods.idxen)
    op.flags |= kIdxen;
  size_t next = 0;
  auto take = [&]() -> const AsmOperand * {
    return next < inst.operands.size() ? &inst.operands[next++] : nullptr;
  };
  auto vector = [&](Operand &to) {
    const AsmOperand *from = take();
    if (!from || from->kind != AsmOperand::Kind::Vector)
      return false;
    to.kind = Operand::Kind::Vector;
    to.reg = from->reg;
    return true;
  };
  /// vaddr or off, the resource, soffset.
  auto place = [&] {
    const AsmOperand *from = take();
    if (!from)
      return false;
    // LDS loads without an address print none at all on some generations.
    if (from->kind == AsmOperand::Kind::Vector) {
      op.src[0].kind = Operand::Kind::Vector;
      op.src[0].reg = from->reg;
    } else if (from->kind != AsmOperand::Kind::Off) {
      return false;
    }
    const AsmOperand *resource = take();
    if (!resource || resource->kind != AsmOperand::Kind::Scalar)
      return false;
    op.src[2].kind = Operand::Kind::Scalar;
    op.src[2].reg = resource->reg;
    const AsmOperand *soffset = take();
    return soffset && bindSource(context, *soffset, ValueType::B32, op.src[3]);
  };
  auto understood = [&](bool good) {
    return good ? true : context.refuse("its operands are not understood");
  };

  if (name.consume_front("atomic_")) {
    const AtomicOp *atomic = findAtomic(name);
    if (!atomic)
      return context.refuse("the atomic operation is not known");
    op.table = atomic;
    op.handler = runAtomic;
    if (inst.mods.returns)
      op.flags |= kReturns;
    return understood(vector(op.src[1]) && place());
  }
  bool load = name.consume_front("load_");
  if (!load && !name.consume_front("store_"))
    return false;
  bool lds = name.consume_front("lds_") || inst.mods.lds;
  const MemoryFormat *format = findMemoryFormat(name);
  if (!format)
    return context.refuse("typed buffer formats are not simulated");
  op.table = format;
  op.width = format->bytes;
  if (lds) {
    op.handler = runLoadLds;
    return load && understood(place());
  }
  if (load) {
    op.handler = runLoad;
    return understood(vector(op.dst) && place());
  }
  op.handler = runStore;
  return understood(vector(op.src[1]) && place());
}
