//===- OpInfo.cpp - What an operation reads, writes and counts ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The record provides the roles of the operands, and the operands themselves
// provide their registers and exact widths. For wait counters, see "Manually
// Inserted Wait States" and "S_WAITCNT" in the CDNA3 ISA guide, and "Data
// Dependency Resolution" in the RDNA3 and RDNA4 ISA guides.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/OpInfo.h"

#include "simulator/exec/memory/Atomics.h"
#include "simulator/isa/BufferFormat.h"
#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

using namespace aircc::sim;

namespace {

class OpInfoBuilder {
public:
  OpInfoBuilder(const Chip &chip, bool wave32, const DecodedInstruction &inst,
                const InstructionRecord &record)
      : chip(chip), wave32(wave32), inst(inst), record(record) {}

  OpInfo run();

private:
  bool has(Traits traits) const { return record.has(traits); }
  void read(size_t i, RegRange::Role role = RegRange::Value);
  void write(size_t i);
  void readScalar(unsigned reg, unsigned dwords,
                  RegRange::Role role = RegRange::Value) {
    info.reads.push_back({false, role, static_cast<uint16_t>(reg),
                          static_cast<uint16_t>(dwords)});
  }
  void writeScalar(unsigned reg, unsigned dwords) {
    info.writes.push_back({false, RegRange::Value, static_cast<uint16_t>(reg),
                           static_cast<uint16_t>(dwords)});
  }
  unsigned maskDwords() const { return wave32 ? 1 : 2; }
  void count(WaitCounter c) { info.counters |= 1 << static_cast<unsigned>(c); }

  void operands();
  void operand(char kind, size_t i);
  void implied();
  void memory();
  void cache();
  void counters();
  void waits();
  unsigned scopeOf() const;

  const Chip &chip;
  const bool wave32;
  const DecodedInstruction &inst;
  const InstructionRecord &record;
  OpInfo info;
};

void OpInfoBuilder::read(size_t i, RegRange::Role role) {
  const DecodedOperand &operand = inst.operands[i];
  switch (operand.kind) {
  case DecodedOperand::Kind::Vector:
    info.reads.push_back({true, role, operand.reg, operand.dwords});
    return;
  case DecodedOperand::Kind::Scalar:
    if (operand.reg != kNull)
      info.reads.push_back({false, role, operand.reg, operand.dwords});
    return;
  case DecodedOperand::Kind::Special:
    switch (static_cast<SpecialValue>(operand.reg)) {
    case SpecialValue::Scc:
      info.readsScc = true;
      return;
    case SpecialValue::Vccz:
      return readScalar(kVcc, maskDwords());
    default:
      return;
    }
  default:
    return;
  }
}

void OpInfoBuilder::write(size_t i) {
  const DecodedOperand &operand = inst.operands[i];
  if (operand.kind == DecodedOperand::Kind::Vector)
    info.writes.push_back({true, RegRange::Value, operand.reg, operand.dwords});
  else if (operand.kind == DecodedOperand::Kind::Scalar && operand.reg != kNull)
    info.writes.push_back(
        {false, RegRange::Value, operand.reg, operand.dwords});
}

/// Handles a printed operand, given its letter in InstructionRecord::operands.
void OpInfoBuilder::operand(char kind, size_t i) {
  switch (kind) {
  case 'd':
    return write(i);
  case 's':
    return read(i);
  case 'b':
    read(i);
    return write(i);
  case 'a':
    return read(i, RegRange::Address);
  case 'v':
    return read(i, RegRange::Data);
  default:
    return;
  }
}

void OpInfoBuilder::operands() {
  llvm::StringRef kinds = record.operands;
  size_t next = 0;
  if (record.access == AccessKind::Atomic && info.returns &&
      record.encoding != Encoding::DS) {
    // The old value is the first operand, or replaces the data.
    if (!inst.operands.empty())
      write(0);
    next = kinds.front() != 'v';
  }
  // If v_cmpx writes only EXEC, the instruction has no operand for the mask.
  if (record.encoding == Encoding::VOPC && has(trait::WritesExec) &&
      !chip.compareExecWritesMask)
    kinds = kinds.drop_front();
  for (size_t k = 0; next < inst.operands.size(); ++next, ++k)
    operand(kinds[std::min(k, kinds.size() - 1)], next);
  if (has(trait::Tied))
    read(0);
}

/// Adds the registers that it reads and writes implicitly.
void OpInfoBuilder::implied() {
  info.readsScc |= has(trait::ReadsScc);
  info.writesScc = has(trait::WritesScc);
  if (has(trait::ReadsM0))
    readScalar(kM0, 1,
               record.access != AccessKind::None && !info.relative
                   ? RegRange::Address
                   : RegRange::Value);
  if (has(trait::WritesM0))
    writeScalar(kM0, 1);
  if (has(trait::ReadsVcc))
    readScalar(kVcc, maskDwords());
  if (has(trait::ReadsExec))
    readScalar(kExec, maskDwords());
  if (has(trait::WritesExec))
    writeScalar(kExec, record.encoding == Encoding::VOPC ? 2 : maskDwords());
}

/// Returns the scope of an access. On gfx940, sc0 and sc1 are a two-bit scope
/// for loads and stores; on an atomic, sc0 means that it returns the old value.
unsigned OpInfoBuilder::scopeOf() const {
  const InstructionModifiers &mods = inst.mods;
  const bool atomic = record.access == AccessKind::Atomic;
  switch (chip.scopes) {
  case ScopeEncoding::Scope:
    return mods.scope;
  case ScopeEncoding::Sc:
    return (mods.sc0 && !atomic ? 1 : 0) + (mods.sc1 ? 2 : 0);
  case ScopeEncoding::Glc:
    return mods.glc && !atomic ? 2 : 0;
  }
  return 0;
}

/// Describes loads, stores and atomics.
void OpInfoBuilder::memory() {
  const bool vector = info.isVectorMemory();
  info.access = record.access;
  if (info.access == AccessKind::Atomic)
    info.returns = record.encoding == Encoding::DS ? has(trait::Returns)
                                                   : inst.mods.returns;
  info.toLds = has(trait::ToLds) ||
               (vector && info.access == AccessKind::Read && inst.mods.lds);
  if (vector)
    info.scope = scopeOf();
  info.places = has(trait::TwoAddresses) ? 2 : 1;
  info.bytes = info.access == AccessKind::Atomic ? record.atomic.bytes
                                                 : record.format.bytes;
  if (has(trait::Formatted)) {
    // The size of a resource's format is not known statically.
    BufferFormat format{static_cast<uint8_t>(inst.mods.dataFormat),
                        static_cast<NumberFormat>(inst.mods.numberFormat)};
    info.bytes = record.encoding == Encoding::MTBUF ? format.bytes() : 0;
  }
}

/// Describes write-backs and invalidations.
void OpInfoBuilder::cache() {
  info.invalidates = has(trait::Invalidates);
  info.writesBack = has(trait::WritesBack);
  // On gfx90a and gfx11, the name specifies the cache, which is the L0 of a
  // compute unit or the cache that the device shares.
  info.scope = has(trait::OfWorkgroup)  ? 1
               : has(trait::OfDevice)   ? 2
               : chip.cachesReachSystem ? 3
                                        : scopeOf();
}

void OpInfoBuilder::counters() {
  const WaitCounter store =
      chip.hasStoreCounter ? WaitCounter::Store : WaitCounter::Load;
  switch (record.counter) {
  case CounterClass::Load:
    count(WaitCounter::Load);
    break;
  case CounterClass::Store:
    count(store);
    break;
  case CounterClass::Atomic:
    count(info.returns ? WaitCounter::Load : store);
    break;
  case CounterClass::Lds:
    count(WaitCounter::Lds);
    break;
  case CounterClass::Scalar:
    count(chip.hasScalarCounter ? WaitCounter::Scalar : WaitCounter::Lds);
    break;
  case CounterClass::Export:
    count(WaitCounter::Export);
    break;
  case CounterClass::Cache:
    if (chip.countsCaches)
      count(info.writesBack ? WaitCounter::Store : WaitCounter::Load);
    break;
  default:
    break;
  }
  if (info.opClass == OpClass::Flat)
    count(WaitCounter::Lds);
}

/// Sets the counts for which a wait waits.
void OpInfoBuilder::waits() {
  const uint32_t raw = inst.words[0] & 0xffff;
  auto set = [&](WaitCounter c, unsigned most) {
    info.waits.most[static_cast<unsigned>(c)] = static_cast<uint8_t>(most);
  };
  switch (record.counter) {
  case CounterClass::Packed: {
    const Chip::WaitFields fields = chip.waitFields(raw);
    set(WaitCounter::Load, fields.loads);
    set(WaitCounter::Lds, fields.lds);
    set(WaitCounter::Export, fields.exports);
    break;
  }
  // SOPK adds a scalar, which is null in compiled code.
  case CounterClass::Load:
    set(WaitCounter::Load, raw & 63);
    break;
  case CounterClass::Store:
    set(WaitCounter::Store, raw & 63);
    break;
  case CounterClass::Lds:
    set(WaitCounter::Lds, raw & 63);
    break;
  case CounterClass::Scalar:
    set(WaitCounter::Scalar, raw & 31);
    break;
  case CounterClass::Export:
    set(WaitCounter::Export,
        raw & (record.encoding == Encoding::SOPK ? 63 : 7));
    break;
  case CounterClass::LoadAndLds:
  case CounterClass::StoreAndLds:
    set(record.counter == CounterClass::LoadAndLds ? WaitCounter::Load
                                                   : WaitCounter::Store,
        raw >> 8 & 63);
    set(WaitCounter::Lds, raw & 63);
    break;
  case CounterClass::All:
    info.waits = WaitCounts{{0, 0, 0, 0, 0}};
    break;
  default:
    break;
  }
}

OpInfo OpInfoBuilder::run() {
  info.opClass = record.opClass;
  info.relative = record.hasAny(trait::Relative);
  info.ignoresExec = has(trait::IgnoresExec);
  info.sleeps = has(trait::Sleeps);
  if (record.access != AccessKind::None)
    memory();
  if (info.opClass == OpClass::Cache)
    cache();
  if (info.opClass == OpClass::Wait)
    waits();
  else
    counters();
  if (info.toLds) {
    for (size_t i = 0; i < inst.operands.size(); ++i)
      read(i, RegRange::Address);
    readScalar(kM0, 1, RegRange::Address);
  } else {
    operands();
    implied();
  }
  for (const RegRange &range : info.writes)
    if (!range.vector && range.first + range.count > kExec)
      info.writesExec = true;
  return std::move(info);
}

} // namespace

OpInfo aircc::sim::describeOp(const Chip &chip, bool wave32,
                              const DecodedInstruction &inst, const Op &op) {
  return OpInfoBuilder(chip, wave32, inst, *op.record).run();
}

OpInfo aircc::sim::describeDual(const OpInfo &x, const OpInfo &y) {
  OpInfo both = x;
  both.opClass = OpClass::Dual;
  both.reads.append(y.reads.begin(), y.reads.end());
  both.writes.append(y.writes.begin(), y.writes.end());
  both.readsScc |= y.readsScc;
  both.writesScc |= y.writesScc;
  both.writesExec |= y.writesExec;
  return both;
}
