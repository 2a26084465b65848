//===- SimModelProbe.cpp - Expected results of instructions ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimModelProbe.h"

#include "test/unit/simulator/SimInstructions.h"

#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <random>

using namespace aircc::sim;
using namespace aircc::sim::test;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The text of LLVM
//===----------------------------------------------------------------------===//

/// The bits of a list "[1,0,1]"; the first element is bit 0.
static unsigned bitList(StringRef text) {
  unsigned bits = 0, at = 0;
  for (char c : text)
    if (c == '0' || c == '1')
      bits |= unsigned(c == '1') << at++;
  return bits;
}

static Source parseSource(StringRef text) {
  Source s;
  if (text.consume_front("sext(")) {
    s.sext = true;
    text = text.drop_back();
  }
  s.neg = text.consume_front("-");
  if (text.consume_front("|")) {
    s.abs = true;
    text = text.drop_back();
  }
  auto whole = text;
  if (text == "vcc" || text == "vcc_lo") {
    s.kind = Source::Vcc;
    return s;
  }
  if ((text.starts_with("v") || text.starts_with("s")) && text.size() > 1 &&
      (text[1] == '[' || isdigit(text[1]))) {
    s.kind = text[0] == 'v' ? Source::Vector : Source::Scalar;
    text = text.drop_front();
    if (text.consume_back(".h"))
      s.half = 1;
    else if (text.consume_back(".l"))
      s.half = 0;
    unsigned last = 0;
    if (text.consume_front("[")) {
      text.consumeInteger(10, s.reg);
      text.consume_front(":");
      text.consumeInteger(10, last);
      s.dwords = last - s.reg + 1;
    } else {
      text.getAsInteger(10, s.reg);
    }
    return s;
  }
  if (!whole.getAsInteger(0, s.integer)) {
    s.kind = Source::Constant;
    if (s.neg)
      s.integer = -s.integer;
    s.neg = false;
    return s;
  }
  if (!whole.getAsDouble(s.number)) {
    s.kind = Source::Constant;
    s.isFloat = true;
    if (s.neg)
      s.number = -s.number;
    s.neg = false;
  }
  return s;
}

Printed aircc::sim::test::parsePrinted(StringRef text) {
  Printed p;
  auto [name, rest] = text.split(' ');
  for (const char *suffix : {"_e64_dpp", "_dpp", "_sdwa", "_e64", "_e32"})
    if (name.consume_back(suffix))
      break;
  p.base = name.str();
  llvm::SmallVector<StringRef, 8> parts;
  rest.trim().split(parts, ", ");
  for (size_t i = 0; i < parts.size(); ++i) {
    StringRef part = parts[i].trim();
    // Modifiers follow the last operand.
    StringRef modifiers;
    if (i + 1 == parts.size())
      std::tie(part, modifiers) = part.split(' ');
    p.operands.push_back(parseSource(part));
    llvm::SmallVector<StringRef, 8> words;
    modifiers.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : words) {
      auto [key, value] = word.split(':');
      if (key == "op_sel")
        p.opSel = bitList(value);
      else if (key == "op_sel_hi")
        p.opSelHi = bitList(value);
      else if (key == "neg_lo")
        p.negLo = bitList(value);
      else if (key == "neg_hi")
        p.negHi = bitList(value);
      else if (key == "clamp")
        p.clamp = true;
      else if (key == "mul")
        p.omod = value == "2" ? 1 : 2;
      else if (key == "div")
        p.omod = 3;
      else if (key == "bitop3")
        value.getAsInteger(0, p.immediate);
      else if (key == "dst_sel" || key == "dst_unused" || key == "src0_sel" ||
               key == "src1_sel" || key == "quad_perm" || key == "row_mask" ||
               key == "bank_mask" || key == "bound_ctrl" || key == "fi" ||
               key == "dpp8" || key.starts_with("row_") ||
               key.starts_with("wave_"))
        continue; // These are set in the encoding.
      else
        p.unknown = word.str();
    }
  }
  return p;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

unsigned aircc::sim::test::sizeOf(Kind k) {
  return k == Kind::U64 || k == Kind::I64 || k == Kind::F64 ? 2 : 1;
}

bool aircc::sim::test::isFloat(Kind k) {
  return k == Kind::F16 || k == Kind::BF16 || k == Kind::F32 ||
         k == Kind::F64 || k == Kind::B32 || k == Kind::Mix || k == Kind::PairF;
}

Image aircc::sim::test::makeImage(unsigned round) {
  Image image;
  const size_t n = kEdges.size();
  std::mt19937 random(round + 1);
  auto value = [&]() -> u32 {
    // Mostly edges.
    return random() % 4 ? kEdges[random() % n] : random();
  };
  for (auto &row : image.vectors)
    for (u32 &v : row)
      v = value();
  for (u32 &v : image.scalars)
    v = value();
  image.vcc = random() | u64(random()) << 32;
  return image;
}

namespace {

bool isSmall(Kind k) {
  return k == Kind::U16 || k == Kind::I16 || k == Kind::F16 || k == Kind::BF16;
}

/// The lane that DPP reads for `lane`; -1 if there is none.
int dppLane(unsigned control, int lane) {
  int row = lane & ~15, in = lane & 15, n = control & 15;
  if (control < 0x100)
    return (lane & ~3) | (control >> 2 * (lane & 3) & 3);
  if (control < 0x110) // row_shl
    return in + n > 15 ? -1 : lane + n;
  if (control < 0x120) // row_shr
    return in < n ? -1 : lane - n;
  if (control < 0x130) // row_ror
    return row | ((in - n) & 15);
  if (control == 0x140)
    return row | (15 - in);
  return row | n; // row_newbcast, row_share
}

u64 sdwaSelect(u64 v, unsigned sel, bool sext) {
  if (sel > 5)
    return v & 0xffffffff;
  unsigned bits = sel < 4 ? 8 : 16, at = sel < 4 ? 8 * sel : 16 * (sel - 4);
  u64 part = v >> at & ((1u << bits) - 1);
  if (sext && part >> (bits - 1) & 1)
    part |= ~u64(0) << bits;
  return part & 0xffffffff;
}

/// A constant as an operand of a kind.
u64 constantBits(const Source &s, Kind kind) {
  if (!s.isFloat)
    return static_cast<u64>(s.integer);
  if (kind == Kind::F64)
    return bits(s.number);
  if (kind == Kind::F16 || kind == Kind::U16 || kind == Kind::I16)
    return bits16(s.number);
  if (kind == Kind::BF16)
    return bitsBf16(s.number);
  if (kind == Kind::U64 || kind == Kind::I64)
    return bits(s.number);
  return bits(static_cast<float>(s.number));
}

u64 signedBits(u64 v, Kind kind, bool neg, bool abs) {
  u64 sign = kind == Kind::F64                         ? u64(1) << 63
             : kind == Kind::F16 || kind == Kind::BF16 ? 0x8000
                                                       : 0x80000000;
  if (abs)
    v &= ~sign;
  return neg ? v ^ sign : v;
}

} // namespace

std::optional<u64> aircc::sim::test::readSource(const Machine &m,
                                                const Probe &p,
                                                const Image &image,
                                                const Source &s, Kind kind,
                                                size_t i, unsigned lane) {
  const unsigned size = kind == Kind::Mask ? 1 : sizeOf(kind);
  u64 v = 0;
  switch (s.kind) {
  case Source::Vector: {
    int from = lane;
    if (i == 0 && p.form == Form::Dpp16)
      from = dppLane(p.control, lane);
    if (i == 0 && p.form == Form::Dpp8)
      from = (lane & ~7) | (7 - (lane & 7));
    if (from < 0)
      return std::nullopt;
    v = image.vectors[s.reg][from];
    if (size == 2 || s.dwords == 2)
      v |= u64(image.vectors[s.reg + 1][from]) << 32;
    break;
  }
  case Source::Scalar:
    if (kind == Kind::Mask) {
      u64 mask = image.scalars[s.reg];
      if (m.lanes == 64)
        mask |= u64(image.scalars[s.reg + 1]) << 32;
      return mask >> lane & 1;
    }
    v = image.scalars[s.reg];
    if (size == 2 || s.dwords == 2)
      v |= u64(image.scalars[s.reg + 1]) << 32;
    break;
  case Source::Vcc:
    if (kind == Kind::Mask)
      return image.vcc >> lane & 1;
    v = size == 2 ? image.vcc : image.vcc & 0xffffffff;
    break;
  case Source::Constant:
    v = constantBits(s, kind);
    if (kind == Kind::Mask)
      return v >> lane & 1;
    break;
  default:
    break;
  }
  return v;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {

/// Integers are wrapped or saturated, floats are clamped.
u64 finish(const Model &model, const Printed &p, i128 v, bool &overflows) {
  auto range = [&](i128 low, i128 high) {
    overflows = v < low || v > high;
    if (p.clamp && model.saturates)
      v = v < low ? low : v > high ? high : v;
  };
  auto unit = [&](auto value) {
    using T = decltype(value);
    return value > 0 ? std::min<T>(value, 1) : T(0);
  };
  u64 raw = static_cast<u64>(v);
  switch (model.dst) {
  case Kind::U16:
    range(0, 0xffff);
    return static_cast<u16>(v);
  case Kind::I16:
    range(-0x8000, 0x7fff);
    return static_cast<u16>(v);
  case Kind::U32:
    range(0, 0xffffffff);
    return static_cast<u32>(v);
  case Kind::I32:
    range(INT32_MIN, INT32_MAX);
    return static_cast<u32>(v);
  case Kind::U64:
    range(0, i128(UINT64_MAX));
    return static_cast<u64>(v);
  case Kind::I64:
    range(INT64_MIN, INT64_MAX);
    return static_cast<u64>(v);
  case Kind::F16:
    return p.clamp ? bits16(unit(f16(static_cast<u32>(raw)))) : raw & 0xffff;
  case Kind::F32:
    return p.clamp ? bits(unit(f32(static_cast<u32>(raw)))) : raw & 0xffffffff;
  case Kind::F64:
    return p.clamp ? bits(unit(f64(raw))) : raw;
  default:
    return raw;
  }
}

/// Whether a value is a signaling NaN, whose result in a chain of operations
/// depends on MODE.
bool signals(u64 v, Kind kind) {
  switch (kind) {
  case Kind::F16:
    return (v & 0x7fff) > 0x7c00 && !(v & 0x200);
  case Kind::F32:
  case Kind::Mix:
    return isNan32(static_cast<u32>(v)) && !(v & 0x400000);
  case Kind::F64:
    return isNan64(v) && !(v >> 51 & 1);
  default:
    return false;
  }
}

/// The sources of an instruction as a lane reads them.
struct Inputs {
  Source sources[3];
  u64 raw[3] = {};   ///< Before op_sel and signs.
  u64 old = 0;       ///< The destination before the instruction.
  bool valid = true; ///< DPP: the lane that is read exists.
};

Inputs readInputs(const Machine &m, const Probe &p, const Image &image,
                  unsigned lane) {
  const Model &model = *p.model;
  const Source &dst = p.printed.operands[0];
  Inputs in;
  if (dst.kind == Source::Vector) {
    in.old = image.vectors[dst.reg][lane];
    if (sizeOf(model.dst) == 2 || dst.dwords == 2)
      in.old |= u64(image.vectors[dst.reg + 1][lane]) << 32;
  }
  for (unsigned i = 0; i < model.count; ++i) {
    const Kind kind = model.src[i];
    const bool isTied = model.tied && i + 1 == model.count;
    Source &s = in.sources[i];
    if (kind == Kind::Mask) {
      s.kind = Source::Vcc;
      if (p.carryIn >= 0)
        s = p.printed.operands[p.carryIn];
    } else {
      s = isTied ? dst : p.printed.operands[p.firstSource + i];
    }
    if (isTied) {
      in.raw[i] = in.old;
    } else {
      std::optional<u64> value = readSource(m, p, image, s, kind, i, lane);
      in.valid &= value.has_value();
      in.raw[i] = value.value_or(0);
    }
    if (s.half == 1)
      in.raw[i] >>= 16;
    if (p.form == Form::Sdwa && i < 2 && kind != Kind::Mask)
      in.raw[i] = sdwaSelect(in.raw[i], p.srcSel[i], s.sext);
  }
  return in;
}

/// The operands of the low (part 0) or high half of a packed instruction.
void packedOperands(const Probe &p, const Inputs &inputs, unsigned part,
                    u64 (&in)[3]) {
  const Model &model = *p.model;
  const bool wide = model.dst == Kind::F32; // v_pk_*_f32
  const unsigned step = wide ? 32 : 16;
  const unsigned select =
      part ? p.printed.opSelHi.value_or(7) : p.printed.opSel;
  const unsigned negate = part ? p.printed.negHi : p.printed.negLo;
  for (unsigned i = 0; i < model.count; ++i) {
    // A tied operand is not selected.
    const bool isTied = model.tied && i + 1 == model.count;
    const unsigned high = isTied ? part : select >> i & 1;
    const u64 v = inputs.raw[i];
    in[i] = v >> step * high & (wide ? 0xffffffff : 0xffff);
    // A constant is the same for both halves.
    if (inputs.sources[i].kind == Source::Constant)
      in[i] = high && !wide ? v >> 16 & 0xffff : v & (wide ? ~0u : 0xffff);
    if (isFloat(model.src[i]))
      in[i] = signedBits(in[i], model.src[i], negate >> i & 1, false);
  }
}

/// Operand `i` of an instruction that is not packed.
u64 plainOperand(const Probe &p, const Inputs &inputs, unsigned i) {
  const Model &model = *p.model;
  const Kind kind = model.src[i];
  const Source &s = inputs.sources[i];
  const unsigned opSelHi = p.printed.opSelHi.value_or(7);
  u64 v = inputs.raw[i];
  if (kind == Kind::Pair || kind == Kind::PairF) {
    u64 low = v >> 16 * (p.printed.opSel >> i & 1) & 0xffff;
    u64 high = v >> 16 * (opSelHi >> i & 1) & 0xffff;
    return low | high << 16;
  }
  if (kind == Kind::Mix) {
    if (opSelHi >> i & 1 && p.printed.opSelHi)
      v = bits(f16(v >> 16 * (p.printed.opSel >> i & 1) & 0xffff));
    return signedBits(v, Kind::F32, s.neg || (p.printed.negLo >> i & 1),
                      s.abs || (p.printed.negHi >> i & 1));
  }
  if (isSmall(kind) && p.form != Form::Sdwa &&
      !(model.tied && i + 1 == model.count)) {
    // In some encodings, LLVM prints both op_sel and the names of halves.
    if (s.half < 0 && (p.printed.opSel >> i & 1))
      v >>= 16;
    v &= 0xffff;
  }
  return isFloat(kind) ? signedBits(v, kind, s.neg, s.abs) : v;
}

/// The destination after a result of at most 16 bits, or of SDWA, is written.
u64 mergeResult(const Machine &m, const Probe &p, u64 value, u64 old) {
  const Model &model = *p.model;
  const Source &dst = p.printed.operands[0];
  if (p.form == Form::Sdwa) {
    unsigned sel = p.dstSel;
    if (sel >= 6)
      return value;
    unsigned bits = sel < 4 ? 8 : 16, at = sel < 4 ? 8 * sel : 16 * (sel - 4);
    u64 mask = (u64(1) << bits) - 1, part = value & mask;
    u64 around = p.dstUnused == 2 ? old & 0xffffffff & ~(mask << at)
                 : p.dstUnused == 1 && part >> (bits - 1) & 1
                     ? ~u64(0) << (at + bits) & 0xffffffff
                     : 0;
    return part << at | around;
  }
  if (!isSmall(model.dst))
    return value;
  // A two-source VOP3 prints the destination's bit after those of its sources.
  const bool isHigh =
      dst.half == 1 ||
      (dst.half < 0 &&
       (p.printed.opSel >> 3 & 1 || (model.count < 3 && !model.tied &&
                                     p.printed.opSel >> model.count & 1))) ||
      StringRef(p.printed.base).contains("mixhi");
  if (isHigh)
    return (old & 0xffff) | value << 16;
  return !m.gfx9() || model.keepsHigh ? value | (old & 0xffff0000) : value;
}

} // namespace

Expected aircc::sim::test::expect(const Machine &m, const Probe &p,
                                  const Image &image, unsigned lane) {
  const Model &model = *p.model;
  const Inputs inputs = readInputs(m, p, image, lane);
  Expected e;
  e.written = p.form != Form::Dpp16 || inputs.valid || p.bound;

  Context context;
  context.lane = lane;
  context.immediate = p.printed.immediate;
  context.isSigned = p.printed.negLo;
  context.ocp = m.chip == "gfx950" || m.generation == 12;
  u64 in[3] = {};
  auto run = [&](bool &overflows) {
    for (unsigned i = 0; i < model.count; ++i)
      e.open |= signals(in[i], model.src[i]);
    return finish(model, p.printed, model.run(in, context), overflows);
  };
  bool overflows = false;
  if (model.packed) {
    const unsigned step = model.dst == Kind::F32 ? 32 : 16;
    for (unsigned part = 0; part < 2; ++part) {
      packedOperands(p, inputs, part, in);
      e.value |= run(overflows) << step * part;
    }
    return e;
  }
  for (unsigned i = 0; i < model.count; ++i)
    in[i] = plainOperand(p, inputs, i);
  const u64 value = run(overflows);
  e.mask = model.dst == Kind::Mask ? value & 1 : overflows;
  e.value = !e.written && model.dst != Kind::Mask
                ? inputs.old
                : mergeResult(m, p, value, inputs.old);
  return e;
}
