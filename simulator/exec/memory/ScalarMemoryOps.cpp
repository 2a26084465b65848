//===- ScalarMemoryOps.cpp - SMEM -----------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Scalar loads. CDNA3 ISA guide, "SMEM Instructions": the address is base +
// offsets with the two low bits dropped, and a buffer load outside the buffer
// reads zero.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/MemoryAccess.h"

using namespace aircc::sim;

namespace {

void writeScalars(Wave &wave, unsigned reg, const void *from, unsigned bytes) {
  for (unsigned k = 0; k < bytes / 4; ++k) {
    uint32_t value;
    std::memcpy(&value, static_cast<const char *>(from) + 4 * k, 4);
    wave.setScalar(reg + k, value);
  }
}

/// Narrows the result of 8- and 16-bit loads (gfx12): in `flags`, 1 is a byte,
/// 2 a short, and 16 signed.
uint32_t narrow(uint32_t value, uint32_t flags) {
  switch (flags) {
  case 1:
    return value & 0xff;
  case 2:
    return value & 0xffff;
  case 17:
    return static_cast<uint32_t>(static_cast<int8_t>(value));
  default:
    return static_cast<uint32_t>(static_cast<int16_t>(value));
  }
}

uint64_t offsetOf(const Wave &wave, const Op &op) {
  uint64_t offset = op.imm;
  if (op.srcCount > 1)
    offset += readScalar(wave, op.src[1]);
  return offset;
}

bool runLoad(Wave &wave, const Op &op) {
  uint64_t address = wave.scalar64(op.src[0].reg) + offsetOf(wave, op);
  if (op.flags) {
    unsigned bytes = op.flags & 15;
    if (__builtin_expect(wave.observers != nullptr, 0))
      observeScalar(wave, op, address, bytes);
    if (!isReadable(wave, op, address, bytes))
      faultAccess(wave, op, address, bytes, false, -1);
    uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void *>(address), bytes);
    wave.setScalar(op.dst.reg, narrow(value, op.flags));
    return false;
  }
  if (__builtin_expect(wave.observers != nullptr, 0))
    observeScalar(wave, op, address, op.width);
  address &= ~uint64_t(3);
  if (!isReadable(wave, op, address, op.width))
    faultAccess(wave, op, address, op.width, false, -1);
  writeScalars(wave, op.dst.reg, reinterpret_cast<const void *>(address),
               op.width);
  return false;
}

bool runBufferLoad(Wave &wave, const Op &op) {
  const uint32_t *words = &wave.scalars[op.src[0].reg];
  uint64_t base = words[0] | static_cast<uint64_t>(words[1] & 0xffff) << 32;
  uint32_t stride = words[1] >> 16 & 0x3fff;
  uint64_t size = stride ? static_cast<uint64_t>(words[2]) * stride : words[2];
  uint64_t offset = offsetOf(wave, op) & ~uint64_t(3);
  uint32_t values[16] = {};
  unsigned bytes = op.flags ? 4 : op.width;
  for (unsigned k = 0; k < bytes / 4; ++k) {
    if (offset + 4 * k + 4 > size)
      continue;
    uint64_t address = base + offset + 4 * k;
    if (__builtin_expect(wave.observers != nullptr, 0))
      observeScalar(wave, op, address, 4, k);
    if (!isReadable(wave, op, address, 4))
      faultAccess(wave, op, address, 4, false, -1);
    std::memcpy(&values[k], reinterpret_cast<const void *>(address), 4);
  }
  if (op.flags)
    values[0] = narrow(values[0] >> 8 * (offsetOf(wave, op) & 3), op.flags);
  writeScalars(wave, op.dst.reg, values, bytes);
  return false;
}

// Stores and atomics of gfx9. With `kBuffer`, the base is a resource, and
// accesses outside its records are dropped.
enum ScalarMemoryFlags : uint32_t { kBuffer = 32, kReturns = 64, kStore = 128 };

/// Returns the address of an access of `bytes` bytes, or 0 if it is out of
/// range.
uint64_t placeOf(Wave &wave, const Op &op, unsigned bytes) {
  uint64_t offset = offsetOf(wave, op);
  if (!(op.flags & kBuffer))
    return (wave.scalar64(op.src[0].reg) + offset) & ~uint64_t(3);
  const uint32_t *words = &wave.scalars[op.src[0].reg];
  uint64_t base = words[0] | static_cast<uint64_t>(words[1] & 0xffff) << 32;
  uint32_t stride = words[1] >> 16 & 0x3fff;
  uint64_t size = stride ? static_cast<uint64_t>(words[2]) * stride : words[2];
  offset &= ~uint64_t(3);
  return offset + bytes <= size ? base + offset : 0;
}

/// Reports a write or an atomic of the wave, with the data in SGPRs.
void observeScalarWrite(Wave &wave, const Op &op, AccessKind kind,
                        uint64_t address, unsigned bytes, unsigned first) {
  uint32_t data[16 * kRowLanes];
  for (unsigned k = 0; k < (bytes + 3) / 4; ++k)
    data[k * kRowLanes] = wave.scalars[op.dst.reg + first + k];
  observeAccess(wave, op, MemorySpace::Scalar, kind, 1, &address,
                {bytes, data, false, first});
}

/// Executes S_SCRATCH_*, which access scratch of the wave. The unit of an
/// offset in a register is 64 bytes.
bool runScratch(Wave &wave, const Op &op) {
  uint64_t address = wave.scalar64(op.src[0].reg) + op.imm;
  if (op.srcCount > 1)
    address += readScalar(wave, op.src[1]) * 64;
  address &= ~uint64_t(3);
  const bool store = op.flags & kStore;
  if (__builtin_expect(wave.observers != nullptr, 0)) {
    if (store)
      observeScalarWrite(wave, op, AccessKind::Write, address, op.width, 0);
    else
      observeScalar(wave, op, address, op.width);
  }
  uint64_t end = wave.scratchBase + uint64_t(wave.scratchBytes) * wave.lanes;
  if ((address < wave.scratchBase || address + op.width > end) &&
      (store ? !isAccessible(wave, op, address, address + op.width)
             : !isReadable(wave, op, address, op.width)))
    faultAccess(wave, op, address, op.width, store, -1);
  if (store)
    std::memcpy(reinterpret_cast<void *>(address), &wave.scalars[op.dst.reg],
                op.width);
  else
    writeScalars(wave, op.dst.reg, reinterpret_cast<const void *>(address),
                 op.width);
  return false;
}

bool runStore(Wave &wave, const Op &op) {
  for (unsigned k = 0; k < op.width; k += 4) {
    Op part = op;
    part.imm += k;
    uint64_t address = placeOf(wave, part, 4);
    if (!address)
      continue;
    if (__builtin_expect(wave.observers != nullptr, 0))
      observeScalarWrite(wave, op, AccessKind::Write, address, 4, k / 4);
    if (!isAccessible(wave, op, address, address + 4))
      faultAccess(wave, op, address, 4, true, -1);
    std::memcpy(reinterpret_cast<void *>(address),
                &wave.scalars[op.dst.reg + k / 4], 4);
  }
  return false;
}

/// Handles an atomic. The data of compare-and-swap is the new value, followed
/// by the expected value.
bool runAtomic(Wave &wave, const Op &op) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  const unsigned bytes = atomic.bytes, dwords = bytes / 4;
  auto value = [&](unsigned reg) {
    return bytes == 8 ? wave.scalar64(reg) : uint64_t(wave.scalars[reg]);
  };
  uint64_t data = value(op.dst.reg), compare = 0, old = 0;
  if (takesCompare(atomic.kind))
    compare = value(op.dst.reg + dwords);
  if (uint64_t address = placeOf(wave, op, bytes)) {
    if (__builtin_expect(wave.observers != nullptr, 0))
      observeScalarWrite(wave, op, AccessKind::Atomic, address, bytes, 0);
    if (!isAccessible(wave, op, address, address + bytes))
      faultAccess(wave, op, address, bytes, true, -1);
    old = atomicOnMemory(atomic, address, data, compare, -1);
  }
  if (op.flags & kReturns) {
    wave.setScalar(op.dst.reg, static_cast<uint32_t>(old));
    if (bytes == 8)
      wave.setScalar(op.dst.reg + 1, static_cast<uint32_t>(old >> 32));
  }
  return false;
}

/// Binds the data, the base and the offset, which all forms have.
bool bindPlaces(BindContext &context, const DecodedInstruction &inst, Op &op) {
  const auto &operands = inst.operands;
  if (operands.size() < 3 ||
      !bindDest(context, operands[0], ValueType::B32, op.dst) ||
      op.dst.kind != Operand::Kind::Scalar ||
      operands[1].kind != DecodedOperand::Kind::Scalar)
    return context.understood(false);
  op.src[0].kind = Operand::Kind::Scalar;
  op.src[0].reg = operands[1].reg;
  op.srcCount = 1;
  op.imm = inst.mods.offset;
  if (operands[2].kind == DecodedOperand::Kind::Integer) {
    op.imm += operands[2].value;
  } else {
    if (!bindSource(context, operands[2], ValueType::B32, op.src[1]))
      return context.refuse("its offset is not supported");
    op.srcCount = 2;
  }
  return true;
}

} // namespace

bool aircc::sim::bindScalarMemory(BindContext &context,
                                  const InstructionRecord &record,
                                  const DecodedInstruction &inst, Op &op) {
  if (!bindPlaces(context, inst, op))
    return false;
  const bool buffer = record.has(trait::ByResource);
  const bool scratch = record.has(trait::OfScratch);
  if (record.access == AccessKind::Atomic) {
    op.flags = (buffer ? kBuffer : 0) | (inst.mods.returns ? kReturns : 0);
    op.table = &record.atomic;
    op.handler = runAtomic;
    return true;
  }
  op.width = record.format.bytes;
  if (record.access == AccessKind::Write) {
    op.flags = kStore | (buffer ? kBuffer : 0);
    op.handler = scratch ? runScratch : runStore;
    return true;
  }
  if (record.format.kind != MemoryFormat::Dwords) {
    op.flags = op.width | (record.format.kind == MemoryFormat::Sext ? 16 : 0);
    op.width = 0;
  }
  op.handler = scratch ? runScratch : buffer ? runBufferLoad : runLoad;
  return true;
}
