//===- VectorOps.cpp - Binding vector arithmetic --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VOP1, VOP2, VOP3, VOPC, VOP3P, with DPP and SDWA: finds the table entry and
// chooses the handler. Operands are printed in the entry's order.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/vector/LaneLevel.h"

using namespace aircc::sim;
using llvm::StringRef;

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

/// Which denormal and rounding mode governs: f64 and f16 share one.
static FloatClass classify(const LaneEntry &entry) {
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
  bool wide = look(entry.dst);
  for (unsigned i = 0; i < entry.srcCount; ++i)
    wide |= look(entry.src[i]);
  return wide     ? FloatClass::Double16_64
         : single ? FloatClass::Single
                  : FloatClass::None;
}

/// What a kernel with an immediate gets.
static int64_t immediateOf(StringRef name, const AsmModifiers &mods) {
  if (name.starts_with("v_bitop3"))
    return mods.bitop3;
  if (name.starts_with("v_dot"))
    return mods.negLo[0] | mods.negLo[1] << 1; // signedness of A and B
  if (name.starts_with("v_cvt_sr_"))
    // The byte of the destination: op_sel[3:2], or byte_sel.
    return mods.byteSel | mods.opSel[2] | mods.opSel[3] << 1;
  // The byte of the source.
  return mods.byteSel | mods.opSel[0] | mods.opSel[1] << 1;
}

/// Whether an integer instruction's result may need saturation; to the others
/// clamp means nothing.
static bool mayOverflow(StringRef name) {
  name.consume_front("v_pk_") || name.consume_front("v_");
  for (StringRef prefix : {"add", "sub", "mad_", "mul_lo", "mul_u32", "mul_i32",
                           "sad_", "msad_", "dot", "lshl_add", "xad", "bcnt"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// LaneModeFlags of an instruction.
static uint32_t modeFlags(const Chip &chip, StringRef name,
                          const LaneEntry &entry) {
  uint32_t flags = 0;
  StringRef stem = name;
  stem.consume_front("v_pk_") || stem.consume_front("v_");
  if (isFloat(entry.dst) && !stem.starts_with("minimum") &&
      !stem.starts_with("maximum") &&
      (stem.starts_with("min") || stem.starts_with("max") ||
       stem.starts_with("med3")))
    flags |= kQuietsWithoutIeee;
  if (stem.starts_with("rcp") || stem.starts_with("rsq") ||
      stem.starts_with("log"))
    flags |= kTrueInfinity;
  if (stem.starts_with("cvt_pk_fp8") || stem.starts_with("cvt_sr_fp8"))
    flags |=
        !chip.isGfx940Plus() || chip.isGfx950Plus() ? kLimit448 : kLimit240;
  if (stem.starts_with("cvt_pk_bf8") || stem.starts_with("cvt_sr_bf8"))
    flags |= kLimit57344;
  return flags;
}

bool aircc::sim::bindVector(BindContext &context, StringRef name,
                            const AsmInst &inst, Op &op) {
  const AsmModifiers &mods = inst.mods;
  // gfx950 and gfx12 have the OCP forms of the 8-bit formats.
  const LaneEntry *entry = nullptr;
  if (!context.chip.isGfx940Plus() || context.chip.isGfx950Plus())
    entry = findLaneEntry(context.level, (name.str() + ".ocp").c_str());
  if (!entry && context.chip.isGfx9())
    entry = findLaneEntry(context.level, (name.str() + ".gfx9").c_str());
  if (!entry)
    entry = findLaneEntry(context.level, name.str().c_str());
  if (!entry)
    return false;
  bool clampMask = mods.clamp && entry->dst == ValueType::Mask;
  if (mods.clamp && !isFloat(entry->dst) && !clampMask) {
    const LaneEntry *clamped =
        findLaneEntry(context.level, (name.str() + ".clamp").c_str());
    if (clamped)
      entry = clamped;
    else if (mayOverflow(name))
      return context.refuse("clamp is not implemented for it");
  }

  op.kernel = entry->kernel;
  op.table = entry;
  // Dot products of floats heed no mode.
  op.floatClass =
      name.starts_with("v_dot") ? FloatClass::None : classify(*entry);
  op.srcCount = entry->srcCount;
  op.flags = modeFlags(context.chip, name, *entry);

  // Destinations.
  size_t next = 0;
  auto take = [&]() -> const AsmOperand * {
    return next < inst.operands.size() ? &inst.operands[next++] : nullptr;
  };
  bool noMaskDest = entry->dst == ValueType::Mask &&
                    (entry->flags & kExecDest) && context.chip.isGfx10Plus();
  if (!noMaskDest) {
    const AsmOperand *dest = take();
    if (!dest || !bindDest(context, *dest, entry->dst, op.dst))
      return context.refuse("its destination is not understood");
    if ((op.dst.kind == Operand::Kind::Scalar) !=
        (entry->dst == ValueType::Mask))
      return context.refuse("its destination is not understood");
  } else {
    op.dst.type = ValueType::Mask;
  }
  if (entry->dst2 == ValueType::Mask) {
    const AsmOperand *dest = take();
    if (!dest || !bindDest(context, *dest, ValueType::Mask, op.dst2))
      return context.refuse("its second destination is not understood");
  }

  // Sources.
  bool simple =
      op.dst2.kind == Operand::Kind::None &&
      !(entry->flags & (kVccSource | kExecDest | kHighHalfDest | kImmediate));
  if (entry->flags & kImmediate)
    op.imm = immediateOf(name, mods);
  for (unsigned i = 0; i < entry->srcCount; ++i) {
    Operand &src = op.src[i];
    bool last = i + 1 == entry->srcCount;
    if (last && (entry->flags & kTiedDest)) {
      src = op.dst;
      src.type = entry->src[i];
      src.opSel = op.dst.opSel & 1; // v0.h of gfx11
      if (inst.operands.size() > next)
        take(); // Some encodings print the tied operand.
    } else {
      const AsmOperand *from = take();
      if (!from) {
        // VOP2 with an implied VCC that is not printed.
        if (entry->src[i] != ValueType::Mask)
          return context.refuse("it has fewer operands than expected");
        src.kind = Operand::Kind::Scalar;
        src.type = ValueType::Mask;
        src.reg = kVcc;
      } else if (!bindSource(context, *from, entry->src[i], src)) {
        return context.refuse("operand '" + from->text.str() +
                              "' is not understood");
      }
      // Half a register where the table has 32 bits (a shift amount of gfx11).
      if (from && from->half && src.type == ValueType::B32) {
        src.type = ValueType::B16;
        src.widen = true;
        simple = false;
      }
    }
    // The packed dot products carry neg on their f32 addend in neg_lo.
    if (isPacked(src.type)) {
      src.opSel = mods.opSel[i] | mods.opSelHi[i] << 1;
      src.negLo = mods.negLo[i];
      src.negHi = mods.negHi[i];
      if (src.opSel != 2 || src.negLo || src.negHi)
        simple = false;
    } else if (entry->flags & kPacked) {
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
    // op_sel of a source of 32 bits means nothing.
    if (src.neg || src.abs || src.sext || (is16Bit(src.type) && src.opSel) ||
        src.type == ValueType::Mask)
      simple = false;
    if (mods.sdwa && src.kind != Operand::Kind::Vector &&
        mods.srcSel[i & 1] != SdwaSel::Dword && i < 2)
      simple = false;
  }
  if (next < inst.operands.size())
    return context.refuse("it has more operands than expected");

  // The destination's upper half.
  if (is16Bit(entry->dst)) {
    bool high = mods.hasOpSel && entry->srcCount < 4 &&
                mods.opSel[entry->srcCount] && !mods.sdwa;
    if (op.dst.opSel & 1)
      high = true;
    bool keep = context.chip.preservesHigh16() || (entry->flags & kKeepHigh16);
    op.dst.opSel = (entry->flags & kHighHalfDest) || high ? 1 : keep ? 2 : 0;
    if (op.dst.opSel)
      simple = false;
  }
  if (mods.clamp || mods.omodMul != 1 || mods.sdwa || mods.dpp != DppKind::None)
    simple = false;

  unsigned scalars = 0;
  for (unsigned i = 0; i < entry->srcCount; ++i)
    if (op.src[i].kind == Operand::Kind::Scalar ||
        op.src[i].kind == Operand::Kind::Special)
      scalars |= 1 << i;
  if (!simple)
    op.handler = context.level.general;
  else if (entry->dst == ValueType::Mask)
    op.handler = context.level.compare[scalars];
  else
    op.handler = context.level.plain[scalars];
  return true;
}
