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
#include "runtime-stubs/sim/BufferFormat.h"
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
  kTfe = 8,    ///< A load writes one more register: no failure.
  kD16 = 16,   ///< Typed: two components a register.
  kD16Hi = 32, ///< Typed: X in the high half.
  kTyped = 64, ///< The format is the instruction's, not the resource's.
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
    if (op.flags & kTfe)
      wave.row(op.dst.reg + format.dwords())[lane] = 0;
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

// Typed elements. `width` is the number of components.

/// The format, and which component goes where (four times three bits: 0, 1, and
/// 4 to 7 for X to W).
BufferFormat formatOf(const Wave &wave, const Op &op, unsigned &selection) {
  if (op.flags & kTyped) {
    selection = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    return {static_cast<uint8_t>(op.mods->dataFormat),
            static_cast<NumberFormat>(op.mods->numberFormat)};
  }
  uint32_t w3 = wave.scalars[op.src[2].reg + 3];
  selection = w3 & 0xfff;
  if (wave.launch->chip->isGfx9())
    return {static_cast<uint8_t>(w3 >> 15 & 15),
            static_cast<NumberFormat>(w3 >> 12 & 7)};
  return unifiedBufferFormat(w3 >> 12 & 63);
}

/// The address of an element that lies in the records, or 0.
uint64_t placeOfElement(Wave &wave, const Op &op, const Resource &r,
                        unsigned bytes, bool isWrite, unsigned lane) {
  Place place = locate(wave, op, r, lane, 0, bytes);
  if (!place.inside)
    return 0;
  check(wave, op, r, place.address, bytes, isWrite, lane);
  return place.address;
}

/// The registers of one lane, up to four dwords.
void loadElement(Wave &wave, const Op &op, const Resource &r, unsigned lane,
                 uint32_t out[4]) {
  unsigned selection;
  const BufferFormat format = formatOf(wave, op, selection);
  uint32_t components[4] = {0, 0, 0, 0};
  uint8_t bytes[16] = {};
  unsigned size = format.bytes();
  uint64_t address = size ? placeOfElement(wave, op, r, size, false, lane) : 0;
  if (address) {
    std::memcpy(bytes, reinterpret_cast<const void *>(address), size);
    decodeElement(format, bytes, components);
  }
  const bool integer = format.number == NumberFormat::Uint ||
                       format.number == NumberFormat::Sint;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned select = selection >> 3 * i & 7;
    out[i] = !address      ? 0
             : select >= 4 ? components[select - 4]
             : select == 1 ? (integer ? 1 : 0x3f800000)
                           : 0;
    if (op.flags & (kD16 | kD16Hi))
      out[i] = narrowComponent(format, out[i]);
  }
}

unsigned elementBytes(const Wave &wave, const Op &op) {
  unsigned selection;
  return formatOf(wave, op, selection).bytes();
}

bool runLoadTyped(Wave &wave, const Op &op) {
  const Resource r = readResource(wave, op);
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeBuffer(wave, op, r, AccessKind::Read, elementBytes(wave, op));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t out[4];
    loadElement(wave, op, r, lane, out);
    uint32_t *row = wave.row(op.dst.reg) + lane;
    if (op.flags & kD16Hi) {
      *row = (*row & 0xffff) | out[0] << 16;
    } else if (op.flags & kD16) {
      // A single component leaves the high half alone.
      for (unsigned i = 0; i < op.width; i += 2) {
        uint32_t high = i + 1 < op.width ? out[i + 1] << 16
                        : op.width == 1u ? *row & 0xffff0000
                                         : 0;
        row[i / 2 * kRowLanes] = out[i] | high;
      }
    } else {
      for (unsigned i = 0; i < op.width; ++i)
        row[i * kRowLanes] = out[i];
    }
    if (op.flags & kTfe)
      row[(op.flags & kD16 ? (op.width + 1u) / 2 : op.width) * kRowLanes] = 0;
  }
  return false;
}

bool runLoadTypedLds(Wave &wave, const Op &op) {
  const Resource r = readResource(wave, op);
  ++wave.vmemIssued;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeBuffer(wave, op, r, AccessKind::Read, elementBytes(wave, op));
    observeDma(wave, op, wave.exec(), base, 4);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t out[4];
    loadElement(wave, op, r, lane, out);
    issueLds(wave, op, base + lane * 4, out, 4, lane);
  }
  return false;
}

/// Stores take components as they come, whatever the resource selects.
bool runStoreTyped(Wave &wave, const Op &op) {
  const Resource r = readResource(wave, op);
  ++wave.vmemIssued;
  unsigned selection;
  const BufferFormat format = formatOf(wave, op, selection);
  const unsigned size = format.bytes();
  if (!size)
    return false;
  uint8_t bytes[kRowLanes][16] = {};
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t components[4] = {0, 0, 0, 0};
    const uint32_t *row = wave.row(op.src[1].reg) + lane;
    for (unsigned i = 0; i < op.width; ++i) {
      if (op.flags & kD16Hi)
        components[i] = widenComponent(format, *row >> 16);
      else if (op.flags & kD16)
        components[i] =
            widenComponent(format, row[i / 2 * kRowLanes] >> (i & 1) * 16);
      else
        components[i] = row[i * kRowLanes];
    }
    encodeElement(format, components, bytes[lane]);
  }
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    uint32_t data[4 * kRowLanes];
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      for (unsigned k = 0; k < 4; ++k)
        std::memcpy(&data[k * kRowLanes + lane], bytes[lane] + 4 * k, 4);
    observeBuffer(wave, op, r, AccessKind::Write, size, data);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    if (uint64_t at = placeOfElement(wave, op, r, size, true, lane))
      std::memcpy(reinterpret_cast<void *>(at), bytes[lane], size);
  }
  return false;
}

/// "x" to "xyzw", with "d16_" or "d16_hi_" before it, or before "format_".
bool parseTyped(StringRef name, Op &op) {
  if (name.consume_front("d16_hi_"))
    op.flags |= kD16Hi;
  else if (name.consume_front("d16_"))
    op.flags |= kD16;
  if (!name.consume_front("format_"))
    return false;
  if (name.consume_front("d16_hi_"))
    op.flags |= kD16Hi;
  else if (name.consume_front("d16_"))
    op.flags |= kD16;
  op.width = static_cast<uint8_t>(name.size());
  return !name.empty() && StringRef("xyzw").starts_with(name);
}

/// BUFFER_STORE_LDS_DWORD: from M0's LDS address + offset + 4 * lane.
bool runStoreLds(Wave &wave, const Op &op) {
  const Resource r = readResource(wave, op);
  ++wave.vmemIssued;
  uint64_t base = uint64_t(wave.scalars[kM0]) + op.imm;
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    uint64_t from[kRowLanes];
    uint32_t data[kRowLanes] = {};
    for (unsigned lane = 0; lane < kRowLanes; ++lane) {
      from[lane] = base + 4 * lane;
      if (from[lane] + 4 <= wave.group->lds.size())
        std::memcpy(&data[lane], wave.group->lds.data() + from[lane], 4);
    }
    observeAccess(wave, op, MemorySpace::Lds, AccessKind::Read, wave.exec(),
                  from, 4);
    observeBuffer(wave, op, r, AccessKind::Write, 4, data);
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t from = base + 4 * lane;
    if (from + 4 > wave.group->lds.size())
      faultLds(wave, op, from, 4, false, lane);
    if (uint64_t at = placeOfElement(wave, op, r, 4, true, lane))
      std::memcpy(reinterpret_cast<void *>(at), wave.group->lds.data() + from,
                  4);
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
    if (takesCompare(atomic.kind))
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
  if (name.consume_front("tbuffer_"))
    op.flags |= kTyped;
  else if (!name.consume_front("buffer_"))
    return false;
  if (inst.mods.tfe)
    op.flags |= kTfe;
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
    // Stores from LDS print no address at all.
    const AsmOperand *resource = nullptr;
    if (from->kind == AsmOperand::Kind::Vector) {
      op.src[0].kind = Operand::Kind::Vector;
      op.src[0].reg = from->reg;
    } else if (from->kind == AsmOperand::Kind::Scalar) {
      resource = from;
    } else if (from->kind != AsmOperand::Kind::Off) {
      return false;
    }
    if (!resource)
      resource = take();
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
    if (inst.mods.returns)
      op.flags |= kReturns;
    return bindAtomic(context, name, runAtomic, op) &&
           understood(vector(op.src[1]) && place());
  }
  bool load = name.consume_front("load_");
  if (!load && !name.consume_front("store_"))
    return false;
  bool lds = name.consume_front("lds_") || inst.mods.lds;
  if (name.contains("format")) {
    if (!parseTyped(name, op))
      return context.refuse("its components are not known");
    if (load && lds) {
      op.handler = runLoadTypedLds;
      return understood(op.width == 1 && place());
    }
    op.handler = load ? runLoadTyped : runStoreTyped;
    return understood(vector(load ? op.dst : op.src[1]) && place());
  }
  if (!load && lds) {
    op.handler = runStoreLds;
    return understood(name == "dword" && place());
  }
  const MemoryFormat *format = findMemoryFormat(name);
  if (!format)
    return context.refuse("its width is not known");
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
