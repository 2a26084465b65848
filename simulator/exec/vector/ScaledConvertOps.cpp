//===- ScaledConvertOps.cpp - V_CVT_SCALEF32_* of gfx950 ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// V_CVT_SCALEF32_* converts between f32, f16 or bf16 and a small format, with a
// scale: 2 to the power of the exponent of the last operand, an f32. Values of
// the small format are multiplied by the scale; values that become small are
// divided by it. Names with "sr" round to the small format stochastically, with
// random bits from the operand before the scale.
//
// The name specifies the number of values (pk: 2, pk32: 32, 2xpk16: 16 of each
// of two sources, interleaved, otherwise 1), the result's format and the
// source's format. OP_SEL[1:0] selects the part of the first source (a byte, or
// a half for two 8-bit values), and OP_SEL[3:2] that of the destination, whose
// other parts keep their bits.
//
// Reference: CDNA4 ISA guide, "VOP3A and VOP3B Instructions".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/ScaledConversion.h"

#include "simulator/exec/Bind.h"
#include "simulator/exec/Wave.h"
#include "simulator/isa/Floats.h"

#include "llvm/ADT/bit.h"
#include <cmath>

using namespace aircc::sim;
using floats::SmallFormat;

namespace {

/// A parsed mnemonic.
struct Conversion {
  const SmallFormat *to, *from;
  unsigned count;    ///< Values per lane.
  unsigned sources;  ///< The number of registers (ranges) from which the values
                     ///< come.
  bool stochastic;   ///< Whether the next operand is random bits.
  bool up;           ///< Whether it converts from the small format.
  unsigned fromPart; ///< The first bit of the source's part.
  unsigned toPart;   ///< The part of the destination.
  bool keeps;        ///< Whether the rest of the destination's only dword is
                     ///< kept.
};

/// Returns dword `k` of an operand for a lane, before modifiers are applied.
uint32_t dwordOf(Wave &wave, const Operand &operand, unsigned k,
                 unsigned lane) {
  if (operand.kind == Operand::Kind::Vector)
    return wave.row(operand.reg + k)[lane];
  if (operand.kind == Operand::Kind::Scalar)
    return wave.scalars[operand.reg + k];
  return static_cast<uint32_t>(readScalar(wave, operand) >> (k ? 32 : 0));
}

/// Returns `bits` bits from bit `at` of an operand's registers.
uint32_t fieldOf(Wave &wave, const Operand &operand, unsigned at, unsigned bits,
                 unsigned lane) {
  unsigned k = at / 32, shift = at % 32;
  uint64_t value = dwordOf(wave, operand, k, lane);
  if (shift + bits > 32)
    value |= static_cast<uint64_t>(dwordOf(wave, operand, k + 1, lane)) << 32;
  return static_cast<uint32_t>(value >> shift & ((uint64_t(1) << bits) - 1));
}

double signedBy(const Operand &operand, double value) {
  if (operand.abs)
    value = std::fabs(value);
  return operand.neg ? -value : value;
}

bool runScaled(Wave &wave, const Op &op) {
  const Conversion &c = *static_cast<const Conversion *>(op.table);
  const unsigned fromBits = c.from->bits(), toBits = c.to->bits();
  const unsigned outDwords = (c.toPart + c.count * toBits + 31) / 32;
  const Operand &scale = op.src[op.srcCount - 1];
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    int exponent =
        static_cast<int>(dwordOf(wave, scale, 0, lane) >> 23 & 0xff) - 127;
    floats::SmallRounding rounding;
    rounding.stochastic = c.stochastic;
    rounding.saturate = wave.mode >> 23 & 1; // FP16_OVFL
    if (c.stochastic)
      rounding.random = dwordOf(wave, op.src[op.srcCount - 2], 0, lane);
    uint32_t out[33] = {};
    if (c.keeps)
      out[0] = wave.row(op.dst.reg)[lane];
    for (unsigned i = 0; i < c.count; ++i) {
      const Operand &source = op.src[i % c.sources];
      uint32_t bits = fieldOf(
          wave, source, c.fromPart + i / c.sources * fromBits, fromBits, lane);
      double value = signedBy(source, floats::decodeSmall(*c.from, bits));
      value = std::ldexp(value, c.up ? exponent : -exponent);
      uint64_t code = floats::encodeSmall(*c.to, value, rounding);
      unsigned at = c.toPart + i * toBits;
      uint64_t mask = ((uint64_t(1) << toBits) - 1) << (at % 32);
      uint64_t part = code << (at % 32);
      out[at / 32] = (out[at / 32] & ~static_cast<uint32_t>(mask)) |
                     static_cast<uint32_t>(part);
      if (mask >> 32)
        out[at / 32 + 1] =
            (out[at / 32 + 1] & ~static_cast<uint32_t>(mask >> 32)) |
            static_cast<uint32_t>(part >> 32);
    }
    for (unsigned k = 0; k < outDwords; ++k)
      wave.row(op.dst.reg + k)[lane] = out[k];
  }
  return false;
}

/// The conversions, by index in their table.
struct ScaledConvert {
  const char *to, *from;
  unsigned count, sources;
  bool stochastic;
};
constexpr ScaledConvert kConversions[] = {
#define SCALED_CONVERT(NAMES, ENCODING, GENERATIONS, TRAITS, TO, FROM, COUNT,  \
                       SOURCES, STOCHASTIC)                                    \
  {TO, FROM, COUNT, SOURCES, STOCHASTIC},
#include "simulator/isa/tables/ScaledConvert.def"
};

const SmallFormat *formatOf(llvm::StringRef name) {
  return floats::findSmallFormat(name.data(), name.size());
}

} // namespace

uint32_t aircc::sim::getScaledConversionBits(const Op &op) {
  const Conversion &c = *static_cast<const Conversion *>(op.table);
  if (!c.keeps)
    return ~0u;
  return ((uint32_t(1) << c.count * c.to->bits()) - 1) << c.toPart;
}

bool aircc::sim::bindScaledConvert(BindContext &context,
                                   const InstructionRecord &record,
                                   const DecodedInstruction &inst, Op &op) {
  const ScaledConvert &known = kConversions[record.index];
  auto made = std::make_shared<Conversion>();
  Conversion &c = *made;
  c.stochastic = known.stochastic;
  c.count = known.count;
  c.sources = known.sources;
  c.to = formatOf(known.to);
  c.from = formatOf(known.from);
  c.up = c.from->bits() < 16;

  const unsigned opSel = inst.words[0] >> 11 & 15;
  c.fromPart = c.toPart = 0;
  c.keeps = false;
  if (c.count <= 2) {
    // Two bytes are selected as a half.
    unsigned fromBits = c.count * c.from->bits(),
             toBits = c.count * c.to->bits();
    if (fromBits < 16)
      c.fromPart = 8 * (opSel & 3);
    else if (c.up)
      c.fromPart = 16 * (opSel & 1);
    if (toBits < 16)
      c.toPart = 8 * (opSel >> 2);
    else if (toBits == 16)
      c.toPart = 16 * (opSel >> 3);
    c.keeps = toBits <= 16;
  }

  op.srcCount = c.sources + c.stochastic + 1;
  if (inst.operands.size() != op.srcCount + 1u ||
      inst.operands[0].kind != DecodedOperand::Kind::Vector)
    return context.understood(false);
  op.dst.kind = Operand::Kind::Vector;
  op.dst.reg = inst.operands[0].reg;
  op.dst.dwords = inst.operands[0].dwords;
  for (unsigned i = 0; i < op.srcCount; ++i) {
    const DecodedOperand &from = inst.operands[i + 1];
    ValueType type =
        i < c.sources && c.from->bits() < 32 ? ValueType::B32 : ValueType::F32;
    if (!bindSource(context, from, type, op.src[i]))
      return context.understood(false);
    op.src[i].dwords = from.dwords;
  }
  op.table = made.get();
  op.handler = runScaled;
  context.keep(std::move(made));
  return true;
}
