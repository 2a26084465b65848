//===- LdsOps.cpp - DS: local data share ----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Every address is checked against the workgroup's LDS. The instructions are
// those of the CDNA3 ISA guide, "LDS and GDS Instructions", and the same ones
// with the names of gfx11 (ds_load_b32, ds_store_2addr_b64).
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/MemoryAccess.h"
#include "simulator/exec/vector/LaneLevel.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace aircc::sim;

namespace {

// src[0] is the address row, and src[1] and src[2] are data rows.

/// Accesses whole dwords of all lanes at row[lane] + offset.
template <AccessKind Kind>
void accessLds(Wave &wave, const Op &op, const uint32_t *address,
               uint32_t offset, uint32_t *rows) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  std::vector<uint8_t> &lds = wave.group->lds;
  const auto access = [&] {
    if constexpr (kWrites)
      return wave.level->ldsWrite;
    else
      return wave.level->ldsRead;
  }();
  int bad = access(address, offset, lds.size(), lds.data(), wave.exec(),
                   op.width / 4, rows);
  if (bad >= 0)
    faultLds(wave, op, address[bad] + offset, op.width, kWrites, bad);
}

template <AccessKind Kind> bool runOnePlace(Wave &wave, const Op &op) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  const uint32_t *address = wave.row(op.src[0].reg);
  uint32_t *rows = wave.row(kWrites ? op.src[1].reg : op.dst.reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, Kind, address, op.imm,
               {op.width, kWrites ? rows : nullptr});
  accessLds<Kind>(wave, op, address, static_cast<uint32_t>(op.imm), rows);
  return false;
}

/// Accesses bytes, shorts, and halves of registers.
template <AccessKind Kind> bool runSmall(Wave &wave, const Op &op) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  const uint32_t *address = wave.row(op.src[0].reg);
  uint32_t *rows = wave.row(kWrites ? op.src[1].reg : op.dst.reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, Kind, address, op.imm,
               {format.bytes, kWrites ? rows : nullptr,
                kWrites && format.kind == MemoryFormat::D16Hi});
  std::vector<uint8_t> &lds = wave.group->lds;
  const auto access = [&] {
    if constexpr (kWrites)
      return wave.level->ldsWriteSmall;
    else
      return wave.level->ldsReadSmall;
  }();
  int bad = access(address, static_cast<uint32_t>(op.imm), lds.size(),
                   lds.data(), wave.exec(), smallAccess(format), rows);
  if (bad >= 0)
    faultLds(wave, op, static_cast<uint32_t>(address[bad] + op.imm),
             format.bytes, kWrites, bad);
  return false;
}

/// Accesses two addresses. Their offsets, which the instruction has in units of
/// the element or (st64) of 64 elements, are in `imm` and `flags` in bytes.
template <AccessKind Kind> bool runTwoPlaces(Wave &wave, const Op &op) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  const uint32_t *address = wave.row(op.src[0].reg);
  const unsigned dwords = op.width / 4;
  const uint32_t offsets[2] = {static_cast<uint32_t>(op.imm), op.flags};
  uint32_t *rows[2];
  for (unsigned k = 0; k < 2; ++k)
    rows[k] = wave.row(kWrites ? op.src[1 + k].reg : op.dst.reg + k * dwords);
  if (__builtin_expect(wave.observers != nullptr, 0))
    for (unsigned k = 0; k < 2; ++k)
      observeLds(wave, op, Kind, address, offsets[k],
                 {op.width, kWrites ? rows[k] : nullptr, false, k * dwords});
  std::vector<uint8_t> &lds = wave.group->lds;
  if (!kWrites &&
      wave.level->ldsReadTwo(address, offsets, lds.size(), lds.data(),
                             wave.exec(), dwords, rows[0]))
    return false;
  // An address is out of range.
  if (!kWrites && static_cast<unsigned>(op.src[0].reg - op.dst.reg) < dwords) {
    // The first result replaces the addresses.
    std::memcpy(wave.temp[0], address, kRowLanes * 4);
    address = wave.temp[0];
  }
  for (unsigned k = 0; k < 2; ++k)
    accessLds<Kind>(wave, op, address, offsets[k], rows[k]);
  return false;
}

enum LdsAtomicFlags : uint32_t { kReturns = 1, kSwappedOperands = 2 };

/// Executes an atomic in lane order.
bool runAtomic(Wave &wave, const Op &op) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeLds(wave, op, AccessKind::Atomic, wave.row(op.src[0].reg), op.imm,
               {atomic.bytes, wave.row(op.src[1].reg)});
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t *at = ldsAt(
        wave, op, static_cast<uint32_t>(wave.row(op.src[0].reg)[lane] + op.imm),
        atomic.bytes, true, lane);
    uint64_t data = laneValue(wave.row(op.src[1].reg), lane, atomic.bytes);
    uint64_t compare = 0;
    if (op.srcCount > 2) {
      // For gfx9's cmpst and mskor, the data is the expected value (or the
      // mask), then the new one. gfx11's cmpstore has the opposite order.
      compare = data;
      data = laneValue(wave.row(op.src[2].reg), lane, atomic.bytes);
      if (op.flags & kSwappedOperands)
        std::swap(data, compare);
    }
    uint64_t old = atomicOnLds(atomic, at, data, compare);
    if (op.flags & kReturns)
      setLaneValue(wave.row(op.dst.reg), lane, atomic.bytes, old);
  }
  return false;
}

/// Executes DS_WRXCHG2: two exchanges, with offsets as in runTwoPlaces.
bool runExchange2(Wave &wave, const Op &op) {
  const unsigned bytes = op.width;
  const uint32_t offsets[2] = {static_cast<uint32_t>(op.imm), op.flags};
  uint32_t address[kRowLanes];
  std::memcpy(address, wave.row(op.src[0].reg), sizeof(address));
  if (__builtin_expect(wave.observers != nullptr, 0))
    for (unsigned k = 0; k < 2; ++k)
      observeLds(wave, op, AccessKind::Atomic, address, offsets[k],
                 {bytes, wave.row(op.src[1 + k].reg), false, k * bytes / 4});
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint8_t old[16];
    uint64_t data[2];
    for (unsigned k = 0; k < 2; ++k)
      data[k] = laneValue(wave.row(op.src[1 + k].reg), lane, bytes);
    for (unsigned k = 0; k < 2; ++k) {
      uint8_t *at =
          ldsAt(wave, op, static_cast<uint32_t>(address[lane] + offsets[k]),
                bytes, true, lane);
      std::memcpy(old + k * bytes, at, bytes);
      std::memcpy(at, &data[k], bytes);
    }
    for (unsigned k = 0; k < bytes / 2; ++k)
      std::memcpy(&wave.row(op.dst.reg + k)[lane], old + 4 * k, 4);
  }
  return false;
}

/// Executes DS_APPEND (DS_CONSUME), which adds the number of active lanes to
/// (subtracts it from) the dword at M0 + offset. Each active lane receives the
/// old value of the dword.
bool runAppend(Wave &wave, const Op &op) {
  const uint64_t exec = wave.exec();
  if (!exec)
    return false;
  uint64_t address = uint64_t(wave.scalars[kM0] & 0xffff) + op.imm;
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    // This is a single access of the wave. Its data is the count, in the first
    // row of temp.
    wave.temp[0][0] = static_cast<uint32_t>(llvm::popcount(exec));
    observeAccess(wave, op, MemorySpace::Lds, AccessKind::Atomic, 1, &address,
                  {4, wave.temp[0]});
  }
  uint8_t *at = ldsAt(wave, op, address, 4, true, -1);
  uint32_t old, count = static_cast<uint32_t>(llvm::popcount(exec));
  std::memcpy(&old, at, 4);
  uint32_t next = op.flags ? old - count : old + count;
  std::memcpy(at, &next, 4);
  for (uint64_t rest = exec; rest; rest &= rest - 1)
    wave.row(op.dst.reg)[llvm::countr_zero(rest)] = old;
  return false;
}

/// Executes LDS_DIRECT_LOAD, which loads one value for all lanes. Bits 15:0 of
/// M0 are its address, and bits 18:16 its type: byte, short, dword, signed byte
/// (4) or signed short (5).
bool runDirectLoad(Wave &wave, const Op &op) {
  const uint32_t m0 = wave.scalars[kM0];
  const unsigned type = m0 >> 16 & 7;
  const unsigned bytes = type == 2 ? 4 : type & 1 ? 2 : 1;
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    uint64_t address = m0 & 0xffff;
    observeAccess(wave, op, MemorySpace::Lds, AccessKind::Read, 1, &address,
                  {bytes});
  }
  uint8_t *at = ldsAt(wave, op, m0 & 0xffff, bytes, false, -1);
  uint32_t value = 0;
  std::memcpy(&value, at, bytes);
  if (type == 4)
    value = static_cast<uint32_t>(llvm::SignExtend32<8>(value));
  else if (type == 5)
    value = static_cast<uint32_t>(llvm::SignExtend32<16>(value));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1)
    wave.row(op.dst.reg)[llvm::countr_zero(rest)] = value;
  return false;
}

/// Executes ds_read_addtid_b32 and ds_write_addtid_b32, where the LDS address
/// is M0 + offset + 4 * lane.
bool runAddTid(Wave &wave, const Op &op) {
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    uint64_t addresses[kRowLanes];
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      addresses[lane] =
          uint64_t(wave.scalars[kM0] & 0xffff) + op.imm + 4 * lane;
    observeAccess(wave, op, MemorySpace::Lds,
                  op.flags ? AccessKind::Write : AccessKind::Read, wave.exec(),
                  addresses, {4, op.flags ? wave.row(op.src[0].reg) : nullptr});
  }
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = uint64_t(wave.scalars[kM0] & 0xffff) + op.imm + 4 * lane;
    uint8_t *at = ldsAt(wave, op, address, 4, op.flags, lane);
    if (op.flags)
      std::memcpy(at, &wave.row(op.src[0].reg)[lane], 4);
    else
      std::memcpy(&wave.row(op.dst.reg)[lane], at, 4);
  }
  return false;
}

} // namespace

/// Returns the handler of loads and stores.
static Handler ldsHandler(const InstructionRecord &record) {
  const bool small = record.format.kind != MemoryFormat::Dwords;
  if (record.access == AccessKind::Read)
    return record.has(trait::TwoAddresses) ? runTwoPlaces<AccessKind::Read>
           : small                         ? runSmall<AccessKind::Read>
                                           : runOnePlace<AccessKind::Read>;
  return record.has(trait::TwoAddresses) ? runTwoPlaces<AccessKind::Write>
         : small                         ? runSmall<AccessKind::Write>
                                         : runOnePlace<AccessKind::Write>;
}

/// Binds the operation of an atomic and returns its number of sources.
static unsigned setLdsAtomic(const InstructionRecord &record, Op &op) {
  if (record.has(trait::TwoAddresses)) {
    op.width = record.atomic.bytes;
    op.handler = runExchange2;
    return 3;
  }
  op.table = &record.atomic;
  op.handler = runAtomic;
  op.flags = (record.has(trait::Returns) ? kReturns : 0) |
             (record.has(trait::NewFirst) ? kSwappedOperands : 0);
  return takesCompare(record.atomic.kind) ? 3 : 2;
}

bool aircc::sim::bindLds(BindContext &context, const InstructionRecord &record,
                         const DecodedInstruction &inst, Op &op) {
  if (inst.mods.gds)
    return context.refuse("global data share is not simulated");
  op.imm = inst.mods.offset;
  unsigned sources = 0;
  bool hasDest = record.access == AccessKind::Read;
  if (record.encoding == Encoding::LDSDIR) {
    op.handler = runDirectLoad;
  } else if (record.has(trait::Counts)) {
    op.handler = runAppend;
    op.flags = record.atomic.kind == AtomicKind::Sub;
    hasDest = true;
  } else if (record.has(trait::AddsLane)) {
    op.handler = runAddTid;
    op.flags = sources = !hasDest;
  } else if (record.access == AccessKind::Atomic) {
    sources = setLdsAtomic(record, op);
    hasDest = record.has(trait::Returns);
  } else {
    op.table = &record.format;
    op.width = record.format.bytes;
    op.handler = ldsHandler(record);
    sources = hasDest ? 1 : record.has(trait::TwoAddresses) ? 3 : 2;
  }
  if (record.has(trait::TwoAddresses)) {
    const int64_t unit = (record.has(trait::Stride64) ? 64 : 1) * op.width;
    op.imm = inst.mods.offset0 * unit;
    op.flags = static_cast<uint32_t>(inst.mods.offset1 * unit);
  }
  OperandReader next(inst);
  bool good = !hasDest || next.vector(op.dst);
  for (; good && op.srcCount < sources; ++op.srcCount)
    good = next.vector(op.src[op.srcCount]);
  return context.understood(good);
}
