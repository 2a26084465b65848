//===- VectorOps.cpp - Binding vector arithmetic --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// For VOP1, VOP2, VOP3, VOPC and VOP3P, with DPP and SDWA, finds the table
// entry and selects the handler. Operands are printed in the entry's order.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/vector/LaneLevel.h"

using namespace aircc::sim;

static bool is16Bit(ValueType type) {
  return type == ValueType::F16 || type == ValueType::BF16 ||
         type == ValueType::B16;
}
static bool isPacked(ValueType type) {
  switch (type) {
  case ValueType::PkF16:
  case ValueType::PkBF16:
  case ValueType::PkB16:
  case ValueType::PkF32:
  case ValueType::PkB32:
    return true;
  default:
    return false;
  }
}
static bool isFloat(ValueType type) {
  switch (type) {
  case ValueType::F32:
  case ValueType::F64:
  case ValueType::F16:
  case ValueType::BF16:
  case ValueType::PkF16:
  case ValueType::PkF32:
  case ValueType::Mix:
    return true;
  default:
    return false;
  }
}

/// Selects the denormal and rounding mode. f64 and f16 share one.
static FloatClass classify(const InstructionRecord &record) {
  bool single = false;
  auto look = [&](ValueType type) {
    switch (type) {
    case ValueType::F64:
    case ValueType::F16:
    case ValueType::PkF16:
      return true;
    case ValueType::F32:
    case ValueType::PkF32:
    case ValueType::Mix:
      single = true;
      return false;
    default:
      return false;
    }
  };
  bool wide = look(record.dst);
  for (unsigned i = 0; i < record.sourceCount; ++i)
    wide |= look(record.src[i]);
  return wide     ? FloatClass::Double16_64
         : single ? FloatClass::Single
                  : FloatClass::None;
}

/// Returns the immediate of instructions that take one.
static int64_t immediateOf(const InstructionRecord &record,
                           const InstructionModifiers &mods) {
  if (record.has(trait::TakesTruthTable))
    return mods.bitop3;
  if (record.has(trait::TakesSigns))
    return mods.negLo[0] | mods.negLo[1] << 1;
  // op_sel[3:2] or byte_sel is a byte of the destination.
  if (record.has(trait::ChoosesDestByte))
    return mods.byteSel | mods.opSel[2] | mods.opSel[3] << 1;
  return mods.byteSel | mods.opSel[0] | mods.opSel[1] << 1;
}

/// Returns the parts of MODE that affect the operation (LaneModeFlags).
static uint32_t modeFlags(const InstructionRecord &record) {
  static constexpr std::pair<Traits, uint32_t> kFlags[] = {
      {trait::QuietsWithoutIeee, kQuietsWithoutIeee},
      {trait::TrueInfinity, kTrueInfinity},
      {trait::Limit448, kLimit448},
      {trait::Limit240, kLimit240},
      {trait::Limit57344, kLimit57344},
  };
  uint32_t flags = 0;
  for (auto [trait, flag] : kFlags)
    if (record.has(trait))
      flags |= flag;
  return flags;
}

namespace {

/// Fills the operands of an instruction, in the order of the assembly.
class VectorBinder {
public:
  VectorBinder(BindContext &context, const InstructionRecord &record,
               const DecodedInstruction &inst, Op &op)
      : context(context), record(record), inst(inst), mods(inst.mods), op(op) {}

  bool run();

private:
  const DecodedOperand *take() {
    return next < inst.operands.size() ? &inst.operands[next++] : nullptr;
  }
  bool destinations();
  bool source(unsigned i);
  bool namedSource(unsigned i);
  void selectParts(unsigned i);
  void highHalf();
  Handler handler() const;

  BindContext &context;
  const InstructionRecord &record;
  const DecodedInstruction &inst;
  const InstructionModifiers &mods;
  Op &op;
  size_t next = 0;
  /// Whether there are only whole registers without modifiers, for which the
  /// fast handlers suffice.
  bool simple = true;
};

bool VectorBinder::destinations() {
  const bool isMask = record.dst == ValueType::Mask;
  if (isMask && record.has(trait::WritesExec) &&
      !context.chip.compareExecWritesMask) {
    op.dst.type = ValueType::Mask;
  } else {
    const DecodedOperand *dest = take();
    if (!dest || !bindDest(context, *dest, record.dst, op.dst) ||
        (op.dst.kind == Operand::Kind::Scalar) != isMask)
      return context.refuse("its destination is not supported");
  }
  if (record.dst2 == ValueType::Mask) {
    const DecodedOperand *dest = take();
    if (!dest || !bindDest(context, *dest, ValueType::Mask, op.dst2))
      return context.refuse("its second destination is not supported");
  }
  return true;
}

bool VectorBinder::namedSource(unsigned i) {
  Operand &src = op.src[i];
  const DecodedOperand *from = take();
  if (!from) {
    // The implied VCC of VOP2 is not printed.
    if (record.src[i] != ValueType::Mask)
      return context.refuse("it has fewer operands than expected");
    src.kind = Operand::Kind::Scalar;
    src.type = ValueType::Mask;
    src.reg = kVcc;
    return true;
  }
  if (!bindSource(context, *from, record.src[i], src))
    return context.refuse("operand " + std::to_string(next) +
                          " is not supported");
  // This is half a register where the table has 32 bits (a shift amount on
  // gfx11).
  if (from->half && src.type == ValueType::B32) {
    src.type = ValueType::B16;
    src.widen = true;
    simple = false;
  }
  return true;
}

/// Applies op_sel, neg_lo and neg_hi to a source.
void VectorBinder::selectParts(unsigned i) {
  Operand &src = op.src[i];
  if (isPacked(src.type)) {
    src.opSel = mods.opSel[i] | mods.opSelHi[i] << 1;
    src.negLo = mods.negLo[i];
    src.negHi = mods.negHi[i];
    if (src.opSel != 2 || src.negLo || src.negHi)
      simple = false;
  } else if (record.has(trait::SelectsHalves)) {
    // The packed dot products have the negation of their f32 addend in neg_lo.
    if (isFloat(src.type)) {
      src.neg ^= mods.negLo[i] != 0;
      src.abs |= mods.negHi[i] != 0;
    }
  } else if (src.type == ValueType::Mix) {
    src.opSel = mods.opSel[i] | (mods.hasOpSelHi ? mods.opSelHi[i] << 1 : 0);
    if (src.opSel)
      simple = false;
  } else if (is16Bit(src.type)) {
    if (mods.hasOpSel && !mods.sdwa)
      src.opSel |= mods.opSel[i];
  }
}

bool VectorBinder::source(unsigned i) {
  Operand &src = op.src[i];
  if (i + 1 == record.sourceCount && record.has(trait::Tied)) {
    src = op.dst;
    src.type = record.src[i];
    src.opSel = op.dst.opSel & 1; // v0.h of gfx11
    take();                       // Some encodings print the tied operand.
  } else if (!namedSource(i)) {
    return false;
  }
  selectParts(i);
  // op_sel has no effect on a 32-bit source.
  if (src.neg || src.abs || src.sext || (is16Bit(src.type) && src.opSel) ||
      (src.type == ValueType::Mask && i != 2))
    simple = false;
  if (mods.sdwa && src.kind != Operand::Kind::Vector &&
      mods.srcSel[i & 1] != SdwaSel::Dword && i < 2)
    simple = false;
  return true;
}

/// Selects what is written to the half of the destination that the result does
/// not use.
void VectorBinder::highHalf() {
  if (!is16Bit(record.dst))
    return;
  const bool high = (mods.hasOpSel && record.sourceCount < 4 &&
                     mods.opSel[record.sourceCount] && !mods.sdwa) ||
                    (op.dst.opSel & 1) || record.has(trait::WritesHigh16);
  const bool keep =
      context.chip.preservesHigh16 || record.has(trait::KeepsHigh16);
  op.dst.opSel = high ? 1 : keep ? 2 : 0;
  if (op.dst.opSel)
    simple = false;
}

Handler VectorBinder::handler() const {
  if (!simple)
    return context.level.general;
  const bool selects = op.src[2].type == ValueType::Mask;
  unsigned scalars = 0;
  for (unsigned i = 0; i < record.sourceCount; ++i)
    if (op.src[i].kind == Operand::Kind::Scalar ||
        op.src[i].kind == Operand::Kind::Special)
      scalars |= 1 << i;
  if (selects)
    return context.level.select[scalars & 3];
  return record.dst == ValueType::Mask ? context.level.compare[scalars]
                                       : context.level.plain[scalars];
}

bool VectorBinder::run() {
  if (!destinations())
    return false;
  simple = op.dst2.kind == Operand::Kind::None &&
           !record.hasAny(trait::ReadsVcc | trait::WritesExec |
                          trait::WritesHigh16 | trait::TakesImmediate);
  if (record.hasAny(trait::TakesImmediate))
    op.imm = immediateOf(record, mods);
  for (unsigned i = 0; i < record.sourceCount; ++i)
    if (!source(i))
      return false;
  if (next < inst.operands.size())
    return context.refuse("it has more operands than expected");
  highHalf();
  if (mods.clamp || mods.omodMul != 1 || mods.sdwa || mods.dpp != DppKind::None)
    simple = false;
  op.handler = handler();
  return true;
}

} // namespace

bool aircc::sim::bindVector(BindContext &context,
                            const InstructionRecord &record,
                            const DecodedInstruction &inst, Op &op) {
  if (inst.mods.clamp && record.has(trait::MayOverflow) && !isFloat(record.dst))
    return context.refuse("clamp is not implemented for it");
  op.kernel = laneKernel(context.level, record);
  // Dot products of floats ignore MODE.
  op.floatClass = record.has(trait::Dot) ? FloatClass::None : classify(record);
  op.srcCount = record.sourceCount;
  op.flags = modeFlags(record);
  return VectorBinder(context, record, inst, op).run();
}
