//===- DefinednessScalar.cpp - Undefined scalars --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Definedness.h"

#include "simulator/check/UndefinedBits.h"
#include "simulator/exec/RelativeRegisters.h"
#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <optional>

using namespace aircc::sim;

void Definedness::scalar(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  if (info.relative)
    return moveRelative(wave, s, op);
  uint32_t any = info.readsScc && s.scc;
  for (const RegRange &range : info.reads)
    for (unsigned k = 0; k < range.count; ++k)
      any |= s.scalars[range.first + k];
  if (any)
    return scalarSlow(wave, s, op);
  for (const RegRange &range : info.writes)
    for (unsigned k = 0; k < range.count; ++k)
      s.scalars[range.first + k] = 0;
  if (info.writesScc)
    s.scc = false;
}

/// Handles S_MOVREL*.
void Definedness::moveRelative(Wave &wave, WaveShadow &s, const Op &op) {
  const bool isScalar = op.src[0].kind == Operand::Kind::Scalar;
  const uint32_t from = relativeRegister(wave, op, op.src[0].reg, true),
                 to = relativeRegister(wave, op, op.dst.reg, false);
  if (std::max(from, to) + op.dst.dwords > kScalarRegs)
    return;
  uint64_t undefined = 0;
  if (isScalar)
    undefined = op.dst.dwords == 2 ? scalarPair(s, from) : s.scalars[from];
  writeScalar(wave, s, op, to, op.dst.dwords, undefined,
              isScalar ? s.scalarOrigin[from] : Origin());
}

/// Returns whether the operation reads its destination.
static bool readsDest(const InstructionRecord &record) {
  return record.operands[0] == 'b' ||
         (record.table == InstructionTable::ScalarImmediate &&
          record.operands[0] == 's');
}

namespace {
/// The arguments of scalarTransfer() other than the sources, and the result's
/// SCC.
struct ScalarBits {
  unsigned width = 32, widthIn = 32;
  bool scc = false, sccUndefined = false;
  uint64_t any = 0;
  bool sccResult = false; ///< Whether SCC becomes undefined.
};
} // namespace

/// Returns the value and the undefined bits of the result of a logical
/// operation, which sets SCC if the result is not zero. Returns std::nullopt
/// for other operations.
static std::optional<Bits> logicBits(const InstructionRecord &record,
                                     const ScalarBits &bits, Bits a, Bits b) {
  auto invertIf = [&](Traits trait, Bits &operand) {
    if (record.has(trait))
      operand.value = ~operand.value;
  };
  invertIf(trait::InvertsFirst, a);
  invertIf(trait::InvertsSecond, b);
  const uint64_t all = lowBits(bits.width);
  const unsigned amount = bits.width == 64 ? 63 : 31;
  Bits result;
  switch (record.transfer) {
  case TransferKind::Move:
    result = a;
    break;
  case TransferKind::And:
    result = {a.value & b.value, andBits(a, b)};
    break;
  case TransferKind::Or:
    result = {a.value | b.value, orBits(a, b)};
    break;
  case TransferKind::Bitwise:
    result = {a.value ^ b.value, a.undefined | b.undefined};
    break;
  case TransferKind::ShiftLeft:
    if (b.undefined & amount)
      return std::nullopt;
    result = {a.value << (b.value & amount), a.undefined << (b.value & amount)};
    break;
  case TransferKind::ShiftRight:
    if (b.undefined & amount)
      return std::nullopt;
    result = {(a.value & all) >> (b.value & amount),
              (a.undefined & all) >> (b.value & amount)};
    break;
  case TransferKind::Extract:
  case TransferKind::ExtractSigned: {
    if (b.undefined)
      return std::nullopt;
    const uint64_t offset = b.value & amount;
    const uint64_t field = lowBits(b.value >> 16 & 127);
    result = {(a.value & all) >> offset & field,
              (a.undefined & all) >> offset & field};
    if (record.transfer == TransferKind::ExtractSigned && result.undefined)
      result.undefined = upwards(result.undefined);
    break;
  }
  default:
    return std::nullopt;
  }
  invertIf(trait::InvertsResult, result);
  return Bits{result.value & all, result.undefined & all};
}

/// Returns the undefined bits of a scalar result. `old` is the old value of the
/// destination.
static uint64_t scalarTransfer(const InstructionRecord &record,
                               ScalarBits &bits, const Bits &a, const Bits &b,
                               const Bits &old) {
  const uint64_t all = lowBits(bits.width), any = bits.any;
  if (std::optional<Bits> logic = logicBits(record, bits, a, b)) {
    bits.sccResult = logic->undefined && !(logic->value & ~logic->undefined);
    return logic->undefined;
  }
  bits.sccResult = any || bits.sccUndefined;
  const uint32_t x = static_cast<uint32_t>(a.undefined),
                 y = static_cast<uint32_t>(b.undefined);
  switch (record.transfer) {
  case TransferKind::PackLowLow:
    return (x & 0xffff) | y << 16;
  case TransferKind::PackLowHigh:
    return (x & 0xffff) | (y & 0xffff0000);
  case TransferKind::PackHighLow:
    return x >> 16 | y << 16;
  case TransferKind::PackHighHigh:
    return x >> 16 | (y & 0xffff0000);
  case TransferKind::ScalarSelect:
    return bits.sccUndefined ? (any | (a.value ^ b.value)) & all
                             : (bits.scc ? a : b).undefined & all;
  case TransferKind::ConditionalMove:
    return bits.sccUndefined ? all
           : bits.scc        ? a.undefined & all
                             : old.undefined & all;
  case TransferKind::Equal:
    bits.sccResult = !((a.value ^ b.value) & ~any & lowBits(bits.widthIn));
    break;
  case TransferKind::BitTest:
    bits.sccResult =
        b.undefined || (a.undefined >> (b.value & (bits.widthIn - 1)) & 1);
    break;
  case TransferKind::Sum:
    return bits.sccUndefined ? all : upwards(any) & all;
  case TransferKind::SignExtend8:
    return upwards(a.undefined & lowBits(8)) & all;
  case TransferKind::SignExtend16:
    return upwards(a.undefined & lowBits(16)) & all;
  default:
    break;
  }
  return any || bits.sccUndefined ? all : 0;
}

void Definedness::scalarSlow(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  Origin origin = info.readsScc && s.scc ? s.sccOrigin : Origin();
  Bits in[3];
  unsigned widthIn = 32;
  auto load = [&](const Operand &operand, Bits &b) {
    switch (operand.kind) {
    case Operand::Kind::Scalar:
      b.value = operand.dwords == 2 ? wave.scalar64(operand.reg)
                                    : wave.scalars[operand.reg];
      b.undefined = operand.dwords == 2 ? scalarPair(s, operand.reg)
                                        : s.scalars[operand.reg];
      if (b.undefined)
        origin = s.scalarOrigin[uint32_t(b.undefined) ? operand.reg
                                                      : operand.reg + 1];
      break;
    case Operand::Kind::Constant:
      b.value = operand.constant;
      break;
    case Operand::Kind::Special:
      b.value = readScalar(wave, operand);
      if (static_cast<SpecialValue>(operand.reg) == SpecialValue::Scc)
        b.undefined = s.scc;
      break;
    default:
      break;
    }
    if (operand.dwords == 2)
      widthIn = 64;
  };
  for (unsigned i = 0; i < 3; ++i)
    load(op.src[i], in[i]);
  // Some operations also read the destination.
  Bits old;
  if (readsDest(*op.record))
    load(op.dst, old);
  ScalarBits bits;
  bits.width = op.dst.dwords == 2 ? 64 : 32;
  bits.widthIn = widthIn;
  bits.scc = wave.scc;
  bits.sccUndefined = info.readsScc && s.scc;
  if (op.record->has(trait::WritesExec | trait::ReadsExec)) {
    const Bits exec{wave.exec(), 0};
    const uint64_t next = scalarTransfer(*op.record, bits, in[0], exec, old);
    const unsigned dwords = bits.width / 32;
    writeScalar(wave, s, op, kExec, dwords, next, origin);
    writeScalar(wave, s, op, op.dst.reg, dwords,
                op.record->has(trait::ExecInDest) ? next : 0, origin);
    s.scc = false;
    return;
  }
  const uint64_t any =
      in[0].undefined | in[1].undefined | in[2].undefined | old.undefined;
  bits.any = any;
  const uint64_t u = scalarTransfer(*op.record, bits, in[0], in[1], old);
  if (info.writesScc) {
    s.scc = bits.sccResult;
    s.sccOrigin = origin;
  }
  for (const RegRange &range : info.writes)
    writeScalar(wave, s, op, range.first, range.count, u, origin);
}
