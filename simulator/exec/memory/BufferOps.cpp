//===- BufferOps.cpp - MUBUF ----------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CDNA3 ISA guide, "Vector Memory Buffer Instructions": whole dwords, bytes and
// shorts, and what names of the family mean.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/BufferAccess.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using llvm::StringRef;

namespace {

/// Loads what one lane loads into `out` (as if into one lane's rows): dword by
/// dword, since each dword is checked against the records by itself.
void loadBytes(Wave &wave, const Op &op, const BufferResource &r,
               const MemoryFormat &format, unsigned lane, uint8_t *out) {
  unsigned step = format.bytes < 4 ? format.bytes : 4;
  for (unsigned k = 0; k < format.bytes; k += step) {
    BufferPlace place = locate(wave, op, r, lane, k, step);
    if (!place.inside) {
      std::memset(out + k, 0, step);
      continue;
    }
    if (r.swizzle && place.address % 4 + step > 4) {
      // Split by the swizzle.
      for (unsigned b = 0; b < step; ++b) {
        BufferPlace byte = locate(wave, op, r, lane, k + b, 1);
        checkBuffer(wave, op, r, byte.address, 1, false, lane);
        std::memcpy(out + k + b, reinterpret_cast<const void *>(byte.address),
                    1);
      }
      continue;
    }
    checkBuffer(wave, op, r, place.address, step, false, lane);
    std::memcpy(out + k, reinterpret_cast<const void *>(place.address), step);
  }
}

bool runLoad(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const BufferResource r = readResource(wave, op);
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
  const BufferResource r = readResource(wave, op);
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
      BufferPlace place = locate(wave, op, r, lane, k, step);
      if (!place.inside)
        continue;
      if (r.swizzle && place.address % 4 + step > 4) {
        for (unsigned b = 0; b < step; ++b) {
          BufferPlace byte = locate(wave, op, r, lane, k + b, 1);
          checkBuffer(wave, op, r, byte.address, 1, true, lane);
          std::memcpy(reinterpret_cast<void *>(byte.address), bytes + k + b, 1);
        }
        continue;
      }
      checkBuffer(wave, op, r, place.address, step, true, lane);
      std::memcpy(reinterpret_cast<void *>(place.address), bytes + k, step);
    }
  }
  return false;
}

/// To LDS: at M0's base + immediate + lane * size, once a wait covers it.
bool runLoadLds(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const BufferResource r = readResource(wave, op);
  ++wave.vmemIssued;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeBuffer(wave, op, r, AccessKind::Read, format.bytes);
    observeDma(wave, op, wave.exec(), base, ldsDmaBytes(format));
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t bytes[16];
    loadBytes(wave, op, r, format, lane, bytes);
    issueLdsLoad(wave, op, format, bytes, base, lane);
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
  const BufferResource r = readResource(wave, op);
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
    const uint8_t *from = ldsAt(wave, op, base + 4 * lane, 4, false, lane);
    if (uint64_t at = placeOfElement(wave, op, r, 4, true, lane))
      std::memcpy(reinterpret_cast<void *>(at), from, 4);
  }
  return false;
}

/// The data register holds the operand and, for compare-and-swap, what is
/// compared with behind it; it receives the old value.
bool runAtomic(Wave &wave, const Op &op) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  const BufferResource r = readResource(wave, op);
  const unsigned bytes = atomic.bytes;
  ++wave.vmemIssued;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeBuffer(wave, op, r, AccessKind::Atomic, bytes,
                  wave.row(op.src[1].reg));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t *row = wave.row(op.src[1].reg);
    uint64_t data = laneValue(row, lane, bytes), compare = 0;
    if (takesCompare(atomic.kind))
      compare = laneValue(wave.row(op.src[1].reg + bytes / 4), lane, bytes);
    BufferPlace place = locate(wave, op, r, lane, 0, bytes);
    uint64_t old = 0;
    if (place.inside) {
      checkBuffer(wave, op, r, place.address, bytes, true, lane);
      old = atomicOnMemory(atomic, place.address, data, compare, lane);
    }
    if (op.flags & kReturns)
      setLaneValue(row, lane, bytes, old);
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
  OperandReader next(inst);
  /// vaddr or off, the resource, soffset.
  auto place = [&] {
    const AsmOperand *from = next.take();
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
      resource = next.take();
    if (!resource || resource->kind != AsmOperand::Kind::Scalar)
      return false;
    op.src[2].kind = Operand::Kind::Scalar;
    op.src[2].reg = resource->reg;
    const AsmOperand *soffset = next.take();
    return soffset && bindSource(context, *soffset, ValueType::B32, op.src[3]);
  };

  if (name.consume_front("atomic_")) {
    if (inst.mods.returns)
      op.flags |= kReturns;
    return bindAtomic(context, name, runAtomic, op) &&
           context.understood(next.vector(op.src[1]) && place());
  }
  bool load = name.consume_front("load_");
  if (!load && !name.consume_front("store_"))
    return false;
  bool lds = name.consume_front("lds_") || inst.mods.lds;
  if (name.contains("format")) {
    op.flags |= kFormat;
    if (!parseTyped(name, op))
      return context.refuse("its components are not known");
    if (load && lds) {
      op.handler = runBufferLoadTypedLds;
      return context.understood(op.width == 1 && place());
    }
    op.handler = load ? runBufferLoadTyped : runBufferStoreTyped;
    return context.understood(next.vector(load ? op.dst : op.src[1]) &&
                              place());
  }
  if (!load && lds) {
    op.handler = runStoreLds;
    return context.understood(name == "dword" && place());
  }
  const MemoryFormat *format = findMemoryFormat(name);
  if (!format)
    return context.refuse("its width is not known");
  op.table = format;
  op.width = format->bytes;
  if (lds) {
    op.handler = runLoadLds;
    return load && context.understood(place());
  }
  if (load) {
    op.handler = runLoad;
    return context.understood(next.vector(op.dst) && place());
  }
  op.handler = runStore;
  return context.understood(next.vector(op.src[1]) && place());
}
