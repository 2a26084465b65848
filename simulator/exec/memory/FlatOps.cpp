//===- FlatOps.cpp - FLAT, and the binding of its family ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A flat address in the shared aperture is in LDS, and one in the private
// aperture is in scratch. Reference: CDNA3 ISA guide, "FLAT, Scratch and Global
// Instructions".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/FlatOps.h"

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/vector/LaneLevel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;

namespace {

bool inApertures(const AddressSpan &span) {
  return span.high >= kSharedAperture;
}

/// Reports a flat access to observers as one access per memory space that its
/// lanes address.
void observeFlat(Wave &wave, const Op &op, AccessKind kind, unsigned bytes,
                 const uint32_t *data, bool dataHigh) {
  const uint64_t exec = wave.exec();
  uint64_t shared = 0, scratch = 0;
  uint64_t offsets[kRowLanes];
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t aperture = wave.addresses[lane] & kApertureMask;
    shared |= uint64_t(aperture == kSharedAperture) << lane;
    scratch |= uint64_t(aperture == kPrivateAperture) << lane;
    offsets[lane] = wave.addresses[lane] & ~kApertureMask;
  }
  observeAccess(wave, op, MemorySpace::Lds, kind, shared, offsets,
                {bytes, data, dataHigh});
  observeAccess(wave, op, MemorySpace::Scratch, kind, scratch, offsets,
                {bytes, data, dataHigh});
  observeAccess(wave, op, MemorySpace::Global, kind, exec & ~shared & ~scratch,
                wave.addresses, {bytes, data, dataHigh});
}

/// Accesses memory lane by lane if any lane is outside global memory.
template <AccessKind Kind> bool runFlat(Wave &wave, const Op &op) {
  constexpr bool kWrites = Kind == AccessKind::Write;
  const auto &format = *static_cast<const MemoryFormat *>(op.table);
  uint64_t exec = wave.exec();
  if (!exec)
    return runGlobal<Kind>(wave, op);
  computeAddresses(wave, op);
  if (!inApertures(wave.level->span(wave.addresses, exec, format.bytes)))
    return runGlobal<Kind>(wave, op);
  ++wave.vmemIssued;
  uint32_t *rows = wave.row(kWrites ? op.src[1].reg : op.dst.reg);
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeFlat(wave, op, Kind, format.bytes, kWrites ? rows : nullptr,
                kWrites && format.kind == MemoryFormat::D16Hi);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = wave.addresses[lane];
    uint64_t local = address & ~kApertureMask;
    if ((address & kApertureMask) == kPrivateAperture) {
      accessScratchLane<Kind>(wave, op, format, local, lane);
      continue;
    }
    if ((address & kApertureMask) == kSharedAperture) {
      accessLane<Kind>(format,
                       ldsAt(wave, op, local, format.bytes, kWrites, lane),
                       rows, lane);
      continue;
    }
    checkAccess(wave, op, address, format.bytes, kWrites, lane);
    accessLane<Kind>(format, reinterpret_cast<void *>(address), rows, lane);
  }
  return false;
}

/// Handles blocks of up to 32 registers (gfx12): dword i is in register i, and
/// bit i of M0 enables it.
bool runBlock(Wave &wave, const Op &op) {
  ++wave.vmemIssued;
  const uint32_t which = wave.scalars[kM0];
  const bool load = op.flags & kIsLoad, scratch = op.flags & kIsScratch;
  const unsigned data = load ? op.dst.reg : op.src[1].reg;
  if (!scratch)
    computeAddresses(wave, op);
  // The registers may contain the address.
  uint64_t base[kRowLanes];
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    base[lane] = scratch ? scratchOffset(wave, op, lane) : wave.addresses[lane];
  for (unsigned i = 0; i < 32; ++i) {
    if (!(which >> i & 1))
      continue;
    uint32_t *row = wave.row(data + i);
    if (__builtin_expect(wave.observers != nullptr, 0)) {
      uint64_t addresses[kRowLanes];
      for (unsigned lane = 0; lane < wave.lanes; ++lane)
        addresses[lane] = base[lane] + 4 * i;
      observeAccess(wave, op,
                    scratch ? MemorySpace::Scratch : MemorySpace::Global,
                    load ? AccessKind::Read : AccessKind::Write, wave.exec(),
                    addresses, {4, load ? nullptr : row, false, i});
    }
    for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      uint64_t address = base[lane] + 4 * i;
      if (scratch) {
        if (load)
          readScratch(wave, op, address, &row[lane], 4, lane);
        else
          writeScratch(wave, op, address, &row[lane], 4, lane);
        continue;
      }
      accessDword(wave, op, address, row, !load, lane);
    }
  }
  return false;
}

/// Handles an atomic. The data of compare-and-swap is the new value, followed
/// by the expected value.
bool runAtomic(Wave &wave, const Op &op) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  uint64_t exec = wave.exec();
  ++wave.vmemIssued;
  if (!exec)
    return false;
  computeAddresses(wave, op);
  const unsigned bytes = atomic.bytes;
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeFlat(wave, op, AccessKind::Atomic, bytes, wave.row(op.src[1].reg),
                false);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = wave.addresses[lane];
    uint64_t data = laneValue(wave.row(op.src[1].reg), lane, bytes);
    uint64_t compare = 0;
    if (takesCompare(atomic.kind))
      compare = laneValue(wave.row(op.src[1].reg + bytes / 4), lane, bytes);
    uint64_t old = 0;
    const uint64_t local = address & ~kApertureMask;
    if ((address & kApertureMask) == kSharedAperture) {
      uint8_t *at = ldsAt(wave, op, local, bytes, true, lane);
      old = atomicOnLds(atomic, at, data, compare);
    } else if ((address & kApertureMask) == kPrivateAperture) {
      readScratch(wave, op, local, &old, bytes, lane);
      uint64_t next = applyAtomic(atomic, old, data, compare);
      writeScratch(wave, op, local, &next, bytes, lane);
    } else {
      // This is the dword of an allocation's last byte or short. The bytes
      // after the allocation must not change.
      if (!isAccessible(wave, op, address, address + bytes)) {
        unsigned inside = bytes == 4 ? dwordBytesInside(wave, op, address) : 0;
        if (!inside || !keepsBytesFrom(atomic, inside, data, compare))
          faultAccess(wave, op, address, bytes, true, lane);
      }
      old = atomicOnMemory(atomic, address, data, compare, lane);
    }
    if (op.flags & kReturns)
      setLaneValue(wave.row(op.dst.reg), lane, bytes, old);
  }
  return false;
}

} // namespace

namespace {

/// The operands of FLAT, GLOBAL and SCRATCH, in their order.
class FlatReader {
public:
  FlatReader(BindContext &context, const DecodedInstruction &inst, Op &op,
             bool scratch)
      : context(context), next(inst), op(op), scratch(scratch) {}

  bool dest() { return next.vector(op.dst); }
  bool data() { return next.vector(op.src[1]); }
  /// Reads a vector, or off for scratch.
  bool address() {
    const DecodedOperand *from = next.take();
    if (!from)
      return false;
    if (from->kind == DecodedOperand::Kind::Off)
      return scratch;
    if (from->kind != DecodedOperand::Kind::Vector)
      return false;
    op.src[0].kind = Operand::Kind::Vector;
    op.src[0].reg = from->reg;
    if (from->dwords == 2)
      op.flags |= kWideAddress;
    return true;
  }
  bool base() {
    const DecodedOperand *from = next.take();
    if (!from || from->kind == DecodedOperand::Kind::Off)
      return true;
    if (scratch)
      return bindSource(context, *from, ValueType::B32, op.src[2]);
    if (from->kind != DecodedOperand::Kind::Scalar)
      return false;
    op.src[2].kind = Operand::Kind::Scalar;
    op.src[2].reg = from->reg;
    return true;
  }

private:
  BindContext &context;
  OperandReader next;
  Op &op;
  const bool scratch;
};

/// Returns the handler of loads and stores, some of which have special
/// handlers.
template <AccessKind Kind> Handler accessHandler(OpClass opClass) {
  return opClass == OpClass::Flat     ? runFlat<Kind>
         : opClass == OpClass::Global ? runGlobal<Kind>
                                      : runScratch<Kind>;
}

} // namespace

bool aircc::sim::bindFlat(BindContext &context, const InstructionRecord &record,
                          const DecodedInstruction &inst, Op &op) {
  const bool load = record.access == AccessKind::Read;
  const bool scratch = record.opClass == OpClass::Scratch;
  op.imm = inst.mods.offset;
  FlatReader next(context, inst, op, scratch);
  if (record.access == AccessKind::Atomic) {
    op.table = &record.atomic;
    op.handler = runAtomic;
    op.flags |= inst.mods.returns ? kReturns : 0;
    // The result, if any, is printed first.
    return context.understood((!inst.mods.returns || next.dest()) &&
                              next.address() && next.data() && next.base());
  }
  op.flags |= (load ? kIsLoad : 0) | (scratch ? kIsScratch : 0);
  if (record.has(trait::AddsLane)) {
    op.handler = runGlobalAddTid;
    return context.understood((load ? next.dest() : next.data()) &&
                              next.base());
  }
  if (record.has(trait::Transposes)) {
    // Rows have eight elements.
    op.handler = runGlobalTransposed;
    op.width = record.format.bytes / 8;
    return context.understood(next.dest() && next.address() && next.base());
  }
  if (record.has(trait::Block)) {
    op.handler = runBlock;
  } else {
    op.table = &record.format;
    op.width = record.format.bytes;
    op.handler = load ? accessHandler<AccessKind::Read>(record.opClass)
                      : accessHandler<AccessKind::Write>(record.opClass);
  }
  if (record.has(trait::ToLds) || inst.mods.lds) {
    if (record.opClass == OpClass::Flat || !load)
      return context.refuse("LDS DMA is only supported for global and scratch "
                            "loads");
    op.handler = scratch ? runScratchLoadLds : runGlobalLoadLds;
    return context.understood(next.address() && next.base());
  }
  return context.understood(load
                                ? next.dest() && next.address() && next.base()
                                : next.address() && next.data() && next.base());
}
