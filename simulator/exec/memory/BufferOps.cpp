//===- BufferOps.cpp - MUBUF ----------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Buffer accesses to dwords, bytes and shorts, and the bind function of all
// buffer instructions. Reference: CDNA3 ISA guide, "Vector Memory Buffer
// Instructions".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/BufferAccess.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

namespace {

/// Loads the dwords of one lane into `out` (as if into one lane's rows). Each
/// dword is checked against the records separately.
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
      // The swizzle splits the element.
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
  AddressSpan span;
  if (!(op.flags & kTfe) &&
      locateRow(wave, op, r, wave.exec(), format.bytes, span)) {
    accessRows<AccessKind::Read>(wave, format, wave.exec(), span,
                                 wave.row(op.dst.reg));
    return false;
  }
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
  AddressSpan span;
  if (locateRow(wave, op, r, wave.exec(), format.bytes, span)) {
    accessRows<AccessKind::Write>(wave, format, wave.exec(), span,
                                  wave.row(op.src[1].reg));
    return false;
  }
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

/// Loads to LDS at M0's base + immediate + lane * size, once a wait covers it.
bool runLoadLds(Wave &wave, const Op &op) {
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const BufferResource r = readResource(wave, op);
  ++wave.vmemIssued;
  uint32_t base = wave.scalars[kM0] + static_cast<uint32_t>(op.imm);
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    observeBuffer(wave, op, r, AccessKind::Read, format.bytes);
    observeDma(wave, op, wave.exec(), base, ldsDmaBytes(format));
  }
  AddressSpan span;
  if (locateRow(wave, op, r, wave.exec(), format.bytes, span)) {
    issueLdsRow(wave, op, format, wave.exec(), base);
    return false;
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t bytes[16];
    loadBytes(wave, op, r, format, lane, bytes);
    issueLdsLoad(wave, op, format, bytes, base, lane);
  }
  return false;
}

/// Executes BUFFER_STORE_LDS_DWORD, which stores from M0's LDS address + offset
/// + 4 * lane.
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
                  from, {4});
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

/// The data registers contain the operand and, for compare-and-swap, the
/// expected value after it. They receive the old value.
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

/// Returns Op::flags without kReturns.
static uint32_t bufferFlags(const InstructionRecord &record,
                            const InstructionModifiers &mods) {
  uint32_t flags = (mods.tfe ? kTfe : 0) | (mods.offen ? kOffen : 0) |
                   (mods.idxen ? kIdxen : 0);
  if (record.encoding == Encoding::MTBUF)
    flags |= kTyped;
  if (record.has(trait::Formatted))
    flags |= kFormat | (record.format.kind == MemoryFormat::D16     ? kD16
                        : record.format.kind == MemoryFormat::D16Hi ? kD16Hi
                                                                    : 0);
  return flags;
}

bool aircc::sim::bindBuffer(BindContext &context,
                            const InstructionRecord &record,
                            const DecodedInstruction &inst, Op &op) {
  op.flags = bufferFlags(record, inst.mods);
  op.imm = inst.mods.offset;
  OperandReader next(inst);
  /// Bind vaddr or off, the resource, and soffset.
  auto place = [&] {
    const DecodedOperand *from = next.take();
    if (!from)
      return false;
    // Stores from LDS have no address operand.
    const DecodedOperand *resource = nullptr;
    if (from->kind == DecodedOperand::Kind::Vector) {
      op.src[0].kind = Operand::Kind::Vector;
      op.src[0].reg = from->reg;
    } else if (from->kind == DecodedOperand::Kind::Scalar) {
      resource = from;
    } else if (from->kind != DecodedOperand::Kind::Off) {
      return false;
    }
    if (!resource)
      resource = next.take();
    if (!resource || resource->kind != DecodedOperand::Kind::Scalar)
      return false;
    op.src[2].kind = Operand::Kind::Scalar;
    op.src[2].reg = resource->reg;
    const DecodedOperand *soffset = next.take();
    return soffset && bindSource(context, *soffset, ValueType::B32, op.src[3]);
  };

  if (record.access == AccessKind::Atomic) {
    op.table = &record.atomic;
    op.handler = runAtomic;
    if (inst.mods.returns)
      op.flags |= kReturns;
    return context.understood(next.vector(op.src[1]) && place());
  }
  const bool load = record.access == AccessKind::Read;
  const bool lds =
      record.hasAny(trait::ToLds | trait::FromLds) || inst.mods.lds;
  op.width = record.format.bytes;
  if (record.has(trait::Formatted)) {
    if (load && lds) {
      op.handler = runBufferLoadTypedLds;
      return context.understood(op.width == 1 && place());
    }
    op.handler = load ? runBufferLoadTyped : runBufferStoreTyped;
    return context.understood(next.vector(load ? op.dst : op.src[1]) &&
                              place());
  }
  op.table = &record.format;
  if (lds) {
    op.handler = load ? runLoadLds : runStoreLds;
    return context.understood((load || op.width == 4) && place());
  }
  op.handler = load ? runLoad : runStore;
  return context.understood(next.vector(load ? op.dst : op.src[1]) && place());
}
