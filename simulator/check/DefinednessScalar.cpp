//===- DefinednessScalar.cpp - Undefined scalars --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Definedness.h"

#include "simulator/check/UndefinedBits.h"
#include "simulator/exec/Bind.h"
#include "simulator/exec/RelativeRegisters.h"

#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace aircc::sim;
using llvm::StringRef;

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

/// S_MOVREL*.
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

void Definedness::scalarSlow(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  StringRef name = canonicalMnemonic(op.inst->mnemonic);
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
  // The destination is a source too.
  const bool inPlace =
      name.starts_with("s_addk_") || name.starts_with("s_mulk_") ||
      name.starts_with("s_cmov") || name.starts_with("s_bitset") ||
      name.starts_with("s_cmpk_");
  Bits old;
  if (inPlace)
    load(op.dst, old);
  const uint64_t any =
      in[0].undefined | in[1].undefined | in[2].undefined | old.undefined;
  const bool sccWas = info.readsScc && s.scc;
  const unsigned width = op.dst.dwords == 2 ? 64 : 32;
  const uint64_t all = lowBits(width);
  const uint64_t exec = wave.exec();
  uint64_t u = any || sccWas ? all : 0;
  bool sccUndefined = any || sccWas;
  // Whether SCC only says that the result is not zero, and the result.
  bool sccNotZero = false;
  uint64_t result = 0;
  auto logic = [&](uint64_t undefined, uint64_t value) {
    u = undefined & all;
    result = value & all;
    sccNotZero = true;
  };
  auto inverted = [](const Bits &b) { return Bits{~b.value, b.undefined}; };
  const unsigned amountMask = width == 64 ? 63 : 31;
  StringRef stem =
      name.drop_back(name.ends_with("_b32") || name.ends_with("_b64") ? 4 : 0);

  if (info.writesExec &&
      (name.contains("_saveexec_") || name.contains("_wrexec_"))) {
    Bits a = in[0], e{exec, 0};
    if (name.contains("andn1") || name.contains("orn1") ||
        name.contains("not0"))
      a = inverted(a);
    if (name.contains("andn2") || name.contains("orn2") ||
        name.contains("not1"))
      e = inverted(e);
    uint64_t next =
        name.starts_with("s_and") || name.starts_with("s_nand") ? andBits(a, e)
        : name.starts_with("s_or") || name.starts_with("s_nor") ? orBits(a, e)
                                                                : a.undefined;
    writeScalar(wave, s, op, kExec, width / 32, next, origin);
    writeScalar(wave, s, op, op.dst.reg, width / 32,
                name.contains("_wrexec_") ? next : 0, origin);
    s.scc = false;
    return;
  }
  if (stem == "s_mov" || stem == "s_not")
    logic(in[0].undefined, stem == "s_not" ? ~in[0].value : in[0].value);
  else if (stem == "s_and" || stem == "s_nand")
    logic(andBits(in[0], in[1]), stem == "s_and"
                                     ? in[0].value & in[1].value
                                     : ~(in[0].value & in[1].value));
  else if (stem == "s_andn2")
    logic(andBits(in[0], inverted(in[1])), in[0].value & ~in[1].value);
  else if (stem == "s_or" || stem == "s_nor")
    logic(orBits(in[0], in[1]), stem == "s_or" ? in[0].value | in[1].value
                                               : ~(in[0].value | in[1].value));
  else if (stem == "s_orn2")
    logic(orBits(in[0], inverted(in[1])), in[0].value | ~in[1].value);
  else if (stem == "s_xor" || stem == "s_xnor")
    logic(any, stem == "s_xor" ? in[0].value ^ in[1].value
                               : ~(in[0].value ^ in[1].value));
  else if (stem == "s_lshl" && !(in[1].undefined & amountMask))
    logic(in[0].undefined << (in[1].value & amountMask),
          in[0].value << (in[1].value & amountMask));
  else if (stem == "s_lshr" && !(in[1].undefined & amountMask))
    logic((in[0].undefined & all) >> (in[1].value & amountMask),
          (in[0].value & all) >> (in[1].value & amountMask));
  else if (name.starts_with("s_bfe_") && !in[1].undefined) {
    const uint64_t offset = in[1].value & amountMask;
    const unsigned bits = in[1].value >> 16 & 127;
    uint64_t part = (in[0].undefined & all) >> offset & lowBits(bits);
    if (name.starts_with("s_bfe_i") && part)
      part = upwards(part);
    logic(part, (in[0].value & all) >> offset & lowBits(bits));
  } else if (name.starts_with("s_pack_")) {
    const uint32_t a = static_cast<uint32_t>(in[0].undefined),
                   b = static_cast<uint32_t>(in[1].undefined);
    u = (name[7] == 'l' ? a & 0xffff : a >> 16) |
        (name[8] == 'l' ? b << 16 : b & 0xffff0000);
  } else if (name.starts_with("s_cselect")) {
    u = s.scc ? (any | (in[0].value ^ in[1].value)) & all
              : in[wave.scc ? 0 : 1].undefined & all;
  } else if (name.starts_with("s_cmov")) {
    u = s.scc ? all : wave.scc ? in[0].undefined & all : old.undefined & all;
  } else if (name == "s_cmp_eq_u32" || name == "s_cmp_lg_u32" ||
             name == "s_cmp_eq_i32" || name == "s_cmp_lg_i32" ||
             name == "s_cmp_eq_u64" || name == "s_cmp_lg_u64") {
    // Decided when a defined bit differs.
    sccUndefined = !((in[0].value ^ in[1].value) & ~any & lowBits(widthIn));
  } else if (name.starts_with("s_bitcmp")) {
    const unsigned bit = in[1].value & (widthIn - 1);
    sccUndefined = in[1].undefined || (in[0].undefined >> bit & 1);
  } else if (name.starts_with("s_add") || name.starts_with("s_sub") ||
             name.starts_with("s_mul_i32") || name.starts_with("s_mul_u64") ||
             name.starts_with("s_mulk")) {
    u = sccWas ? all : upwards(any) & all;
  } else if (name.starts_with("s_sext_i32_i8") ||
             name.starts_with("s_sext_i32_i16")) {
    u = upwards(in[0].undefined & lowBits(name.ends_with("i8") ? 8 : 16)) & all;
  }
  if (info.writesScc) {
    if (sccNotZero)
      sccUndefined = u && !(result & ~u);
    s.scc = sccUndefined;
    s.sccOrigin = origin;
  }
  for (const RegRange &range : info.writes)
    writeScalar(wave, s, op, range.first, range.count, u, origin);
}
