//===- SimModelTest.cpp - Every encoding against the model ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes every vector and scalar instruction that LLVM's tables have for a chip,
// in every encoding (e32, e64, SDWA, DPP) and with every modifier, runs it on
// edge values, and compares with SimModel. The modifiers are parsed from the
// text that LLVM prints, and are implemented here once more.
//
// kUncovered lists the instructions without a model; it may only shrink.
// AIRCC_TEST_UNCOVERED=FILE writes the correct list.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimModel.h"
#include "test/unit/simulator/SimInstructions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>
#include <sstream>

using namespace aircc::sim;
using namespace aircc::sim::test;
using llvm::StringRef;

namespace {

//===----------------------------------------------------------------------===//
// What LLVM prints
//===----------------------------------------------------------------------===//

struct Source {
  enum { Vector, Scalar, Vcc, Constant, Other } kind = Other;
  unsigned reg = 0, dwords = 1;
  bool neg = false, abs = false, sext = false;
  int half = -1; ///< .l 0, .h 1
  bool isFloat = false;
  i64 integer = 0;
  double number = 0;
};

/// The bits of a list "[1,0,1]"; the first element is bit 0.
unsigned bitList(StringRef text) {
  unsigned bits = 0, at = 0;
  for (char c : text)
    if (c == '0' || c == '1')
      bits |= unsigned(c == '1') << at++;
  return bits;
}

struct Printed {
  std::string base;
  std::vector<Source> operands;
  unsigned opSel = 0, negLo = 0, negHi = 0;
  std::optional<unsigned> opSelHi;
  bool clamp = false;
  unsigned omod = 0; ///< As encoded: 1 * 2, 2 * 4, 3 / 2.
  unsigned immediate = 0;
  std::string unknown; ///< A part that was not understood.
};

Source parseSource(StringRef text) {
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

Printed parsePrinted(StringRef text) {
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
// One instruction to run
//===----------------------------------------------------------------------===//

enum class Form { Plain, Sdwa, Dpp16, Dpp8 };

struct Probe {
  std::string text;
  std::vector<uint8_t> bytes;
  Printed printed;
  const Model *model = nullptr;
  const ScalarModel *scalar = nullptr;
  Form form = Form::Plain;
  unsigned dstSel = 6, dstUnused = 0, srcSel[2] = {6, 6};
  unsigned control = 0; ///< DPP
  bool bound = false;
  bool isCompare = false, isExec = false;
  // The role of each operand.
  size_t firstSource = 1;
  int carryIn = -1, carryOut = -1;
  size_t out = 0; ///< Where its results are, in rows of the output.
  unsigned rows = 0;
};

unsigned sizeOf(Kind k) {
  return k == Kind::U64 || k == Kind::I64 || k == Kind::F64 ? 2 : 1;
}
bool isFloat(Kind k) {
  return k == Kind::F16 || k == Kind::BF16 || k == Kind::F32 ||
         k == Kind::F64 || k == Kind::B32 || k == Kind::Mix || k == Kind::PairF;
}
bool isSmall(Kind k) {
  return k == Kind::U16 || k == Kind::I16 || k == Kind::F16 || k == Kind::BF16;
}

/// Values by register and lane.
struct Image {
  static constexpr unsigned kRegisters = 64;
  u32 vectors[kRegisters][64];
  u32 scalars[40];
  u64 vcc;
};

Image makeImage(unsigned round) {
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

struct Machine {
  std::string chip;
  unsigned generation;
  unsigned lanes;
  bool gfx9() const { return generation == 9; }
};

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

/// The raw bits of source `i` for a lane, before op_sel; none if DPP reads from
/// a lane that does not exist.
std::optional<u64> readSource(const Machine &m, const Probe &p,
                              const Image &image, const Source &s, Kind kind,
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

struct Expected {
  bool open = false; ///< The model does not define the result.
  u64 value = 0;
  bool written = true; ///< False for DPP that reads from no lane.
  bool mask = false;   ///< Of a comparison or a carry.
};

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

Expected expect(const Machine &m, const Probe &p, const Image &image,
                unsigned lane) {
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

//===----------------------------------------------------------------------===//
// Running them
//===----------------------------------------------------------------------===//

/// Writes the program that runs probes. It stores rows of results: a row has
/// one dword for each lane. Every lane stores the same mask.
class ProgramWriter {
public:
  explicit ProgramWriter(const Machine &m)
      : m(m), store(m.gfx9() ? "global_store_dword" : "global_store_b32"),
        add(m.gfx9() ? "v_add_u32_e32" : "v_add_nc_u32_e32"),
        rowBytes(std::to_string(4 * m.lanes)) {}

  std::string write(std::vector<Probe> &probes) {
    loadImage();
    for (Probe &p : probes) {
      p.out = row;
      run(p);
      storeResults(p);
      p.rows = row - p.out;
    }
    return s.str();
  }

private:
  void loadImage();
  void run(const Probe &p);
  void storeResults(const Probe &p);
  void storeScalarResults(const Probe &p);
  void storeMask(const Source &mask);
  void storeRow(const std::string &reg) {
    s << store << " v100, " << reg << ", s[82:83]\n"
      << add << " v100, " << rowBytes << ", v100\n";
    ++row;
  }
  /// Stores a scalar register by every lane.
  void storeScalar(const std::string &reg) {
    s << "v_mov_b32 v101, " << reg << "\n";
    storeRow("v101");
  }

  const Machine &m;
  const std::string store, add, rowBytes;
  std::ostringstream s;
  size_t row = 0;
};

void ProgramWriter::loadImage() {
  const bool gfx9 = m.gfx9();
  const std::string wait = m.generation == 12
                               ? "s_wait_loadcnt 0x0\ns_wait_kmcnt 0x0\n"
                               : "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
  s << (gfx9 ? "s_load_dwordx4" : "s_load_b128") << " s[80:83], s[0:1], 0x0\n"
    << "v_and_b32 v100, 0x3ff, v0\nv_lshlrev_b32 v100, 2, v100\n"
    << "v_mov_b32 v99, v100\n"
    << wait;
  for (unsigned r = 0; r < Image::kRegisters; ++r)
    s << (gfx9 ? "global_load_dword" : "global_load_b32") << " v" << r
      << ", v99, s[80:81]\n"
      << add << " v99, " << rowBytes << ", v99\n";
  // The scalars follow the vectors; copies restore them.
  s << "s_add_u32 s80, s80, " << Image::kRegisters * m.lanes * 4
    << "\ns_addc_u32 s81, s81, 0\n";
  for (unsigned r = 0; r < 40; ++r)
    s << (gfx9 ? "s_load_dword" : "s_load_b32") << " s" << r << ", s[80:81], 0x"
      << std::hex << 4 * r << std::dec << "\n";
  s << (gfx9 ? "s_load_dwordx2" : "s_load_b64") << " s[84:85], s[80:81], 0x"
    << std::hex << 160 << std::dec << "\n"
    << wait;
  for (unsigned r = 0; r < 40; ++r)
    s << "s_mov_b32 s" << 40 + r << ", s" << r << "\n";
  // Copies of the registers that are destinations.
  for (unsigned r = 0; r < 4; ++r)
    s << "v_mov_b32 v" << 104 + r << ", v" << r << "\n";
}

void ProgramWriter::run(const Probe &p) {
  s << "s_mov_b64 vcc, s[84:85]\n";
  if (p.scalar) // SCC is the low bit of s85.
    s << "s_bitcmp1_b32 s85, 0\n";
  s << ".byte ";
  for (size_t i = 0; i < p.bytes.size(); ++i)
    s << (i ? "," : "") << unsigned(p.bytes[i]);
  s << "\n";
}

void ProgramWriter::storeMask(const Source &mask) {
  const bool isVcc = mask.kind == Source::Vcc;
  storeScalar(isVcc ? "vcc_lo" : "s" + std::to_string(mask.reg));
  if (m.lanes == 64)
    storeScalar(isVcc ? "vcc_hi" : "s" + std::to_string(mask.reg + 1));
  if (mask.kind == Source::Scalar)
    for (unsigned k = 0; k < m.lanes / 32; ++k)
      s << "s_mov_b32 s" << mask.reg + k << ", s" << 40 + mask.reg + k << "\n";
}

void ProgramWriter::storeScalarResults(const Probe &p) {
  const unsigned reg = p.printed.operands[0].reg;
  s << "s_cselect_b32 s86, 1, 0\n";
  if (p.scalar->scc != ScalarModel::Is)
    for (unsigned k = 0; k < sizeOf(p.scalar->dst); ++k) {
      storeScalar("s" + std::to_string(reg + k));
      s << "s_mov_b32 s" << reg + k << ", s" << 40 + reg + k << "\n";
    }
  storeScalar("s86");
}

void ProgramWriter::storeResults(const Probe &p) {
  const Source &dst = p.printed.operands[0];
  if (p.scalar)
    return storeScalarResults(p);
  if (p.isExec) {
    s << (m.lanes == 64 ? "s_mov_b64 s[86:87], exec\ns_mov_b64 exec, -1\n"
                        : "s_mov_b32 s86, exec_lo\ns_mov_b32 exec_lo, -1\n");
    storeScalar("s86");
    if (m.lanes == 64)
      storeScalar("s87");
    return;
  }
  if (p.isCompare)
    return storeMask(dst);
  const unsigned dwords = std::max(dst.dwords, sizeOf(p.model->dst));
  for (unsigned k = 0; k < dwords; ++k) {
    storeRow("v" + std::to_string(dst.reg + k));
    s << "v_mov_b32 v" << dst.reg + k << ", v" << 104 + dst.reg + k << "\n";
  }
  if (p.carryOut >= 0)
    storeMask(p.printed.operands[p.carryOut]);
}

/// Whether two results of the same kind are equal.
bool same(const Model &model, u64 got, u64 want) {
  if (got == want)
    return true;
  auto nans = [&](u64 a, u64 b) {
    switch (model.dst) {
    case Kind::F16:
      return isNan16(a & 0xffff) && isNan16(b & 0xffff);
    case Kind::F32:
      return isNan32(u32(a)) && isNan32(u32(b));
    case Kind::F64:
      return isNan64(a) && isNan64(b);
    case Kind::BF16:
      return (a & 0x7fff) > 0x7f80 && (b & 0x7fff) > 0x7f80;
    default:
      return false;
    }
  };
  if (model.packed) {
    unsigned step = model.dst == Kind::F32 ? 32 : 16;
    u64 mask = (u64(1) << step) - 1;
    for (unsigned part = 0; part < 2; ++part) {
      u64 a = got >> step * part & mask, b = want >> step * part & mask;
      if (a != b && !nans(a, b))
        return false;
    }
    return true;
  }
  // A half in the high half of a register.
  if (model.dst == Kind::F16 && got >> 16 != want >> 16 &&
      (got & 0xffff) == (want & 0xffff))
    return nans(got >> 16, want >> 16);
  if (model.dst == Kind::F16 && got >> 16 != want >> 16)
    return false;
  if (nans(got, want))
    return true;
  if (!model.inexact)
    return false;
  u64 distance = got > want ? got - want : want - got;
  return distance <= 1;
}

/// Parts of a message, numbers in hexadecimal.
template <class... Parts> std::string text(const Parts &...parts) {
  std::ostringstream s;
  s << std::hex;
  (s << ... << parts);
  return s.str();
}

/// The settings of the fields of SDWA and DPP that the test iterates over.
const unsigned kSdwa[][4] = { // dst_sel, dst_unused, src0_sel, src1_sel
    {6, 0, 6, 6}, {5, 2, 4, 5}, {0, 1, 1, 6}, {2, 2, 5, 0},
    {4, 0, 6, 3}, {1, 0, 2, 4}, {3, 1, 0, 1}, {4, 1, 3, 2}};
const unsigned kDpp[] = {0xb1, 0x111, 0x125, 0x140, 0x103, 0x1b, 0x118};

class SimModelRun {
public:
  SimModelRun(const Machine &machine) : m(machine) {}

  /// Adds the probes of an instance; returns false if no model covers it.
  bool add(const KnownInstruction &known,
           const KnownInstruction::Instance &instance, unsigned turn) {
    Probe p;
    p.text = instance.text;
    p.bytes = instance.bytes;
    p.printed = parsePrinted(instance.text);
    if (!p.printed.unknown.empty() || p.printed.operands.empty())
      return false;
    if (known.family[0] == 'S')
      return addScalar(p);
    std::string base = p.printed.base;
    p.isCompare = StringRef(base).starts_with("v_cmp");
    if (StringRef(base).starts_with("v_cmpx_")) {
      p.isExec = true;
      base = "v_cmp_" + base.substr(7);
    }
    auto found = vectorModels().find(base);
    if (found == vectorModels().end())
      return false;
    p.model = &found->second;
    const Model &model = *p.model;
    const size_t count = p.printed.operands.size();
    // gfx11 and gfx12: v_cmpx has no destination but EXEC.
    bool implicit = p.isExec && !m.gfx9();
    p.firstSource = implicit ? 0 : 1;
    if (model.carry) {
      p.carryOut = 1;
      p.firstSource = 2;
    }
    size_t printed = model.count - (model.tied ? 1 : 0);
    size_t sources = 0;
    for (unsigned i = 0; i < printed; ++i)
      sources += model.src[i] != Kind::Mask;
    if (count == p.firstSource + sources + 1 &&
        model.src[model.count - 1] == Kind::Mask)
      p.carryIn = static_cast<int>(count - 1);
    else if (count != p.firstSource + sources)
      return false;
    for (size_t i = 0; i < count; ++i) {
      const Source &s = p.printed.operands[i];
      if (s.kind == Source::Other)
        return false;
      if (s.kind == Source::Vector && s.reg + s.dwords > Image::kRegisters)
        return false;
      if (s.kind == Source::Scalar && s.reg + s.dwords > 40)
        return false;
    }
    const Source &dst = p.printed.operands[0];
    if (!implicit && !p.isCompare &&
        (dst.kind != Source::Vector || dst.reg + dst.dwords > 4))
      return false;
    if (!implicit && p.isCompare && dst.kind != Source::Vcc &&
        dst.kind != Source::Scalar)
      return false;
    // Integers have no sign modifiers, and some ignore clamp.
    for (unsigned i = 0; i < sources; ++i) {
      const Source &s = p.printed.operands[p.firstSource + i];
      if ((s.neg || s.abs) && !isFloat(model.src[i]))
        return false;
    }
    if (p.printed.clamp && !model.saturates && !isFloat(model.dst))
      return false;
    bool anyFloat = false;
    for (Kind kind : model.src)
      anyFloat |= isFloat(kind);
    if ((p.printed.negLo || p.printed.negHi) && !anyFloat &&
        !StringRef(base).contains("_iu"))
      return false;
    if (known.family.find("sdwa") != std::string::npos)
      setSdwa(p, known, turn);
    else if (known.family.find("dpp16") != std::string::npos)
      setDpp16(p, turn);
    else if (known.family.find("dpp8") != std::string::npos)
      setDpp8(p);
    probes.push_back(std::move(p));
    return true;
  }

  void run();
  size_t count() const { return probes.size(); }

private:
  bool addScalar(Probe &p) {
    auto found = scalarModels().find(p.printed.base);
    if (found == scalarModels().end())
      return false;
    p.scalar = &found->second;
    const ScalarModel &model = *p.scalar;
    size_t sources =
        (model.src[0] != Kind::None) + (model.src[1] != Kind::None);
    size_t expected =
        model.reads ? 2 : sources + (model.scc != ScalarModel::Is);
    if (p.printed.operands.size() != expected)
      return false;
    for (const Source &s : p.printed.operands)
      if ((s.kind != Source::Scalar || s.reg + s.dwords > 40) &&
          s.kind != Source::Constant)
        return false;
    if (model.scc != ScalarModel::Is &&
        p.printed.operands[0].kind != Source::Scalar)
      return false;
    probes.push_back(std::move(p));
    return true;
  }
  void setSdwa(Probe &p, const KnownInstruction &known, unsigned turn) {
    p.form = Form::Sdwa;
    const unsigned *f = kSdwa[turn % std::size(kSdwa)];
    p.srcSel[0] = f[2];
    p.srcSel[1] = f[3];
    p.bytes[6] = (p.bytes[6] & ~7) | f[2];
    // A VOP1 has no second source.
    if (known.family.find("VOP1") == std::string::npos)
      p.bytes[7] = (p.bytes[7] & ~7) | f[3];
    if (p.isCompare)
      return;
    p.dstSel = f[0];
    p.dstUnused = f[1];
    p.bytes[5] = (p.bytes[5] & ~0x1f) | f[0] | f[1] << 3;
  }
  void setDpp16(Probe &p, unsigned turn) {
    p.form = Form::Dpp16;
    p.control = kDpp[turn % std::size(kDpp)];
    // 64-bit values move only within a row, and by row_newbcast.
    for (unsigned i = 0; i < p.model->count; ++i)
      if (sizeOf(p.model->src[i]) == 2 || sizeOf(p.model->dst) == 2)
        p.control = 0x153;
    p.bound = turn / std::size(kDpp) % 2;
    size_t at = p.bytes.size() - 4;
    p.bytes[at + 1] = p.control & 255;
    p.bytes[at + 2] =
        (p.bytes[at + 2] & ~0x0d) | (p.control >> 8) | (p.bound ? 8 : 0);
    p.bytes[at + 3] = 0xff;
  }
  void setDpp8(Probe &p) {
    p.form = Form::Dpp8;
    u32 selectors = 0;
    for (unsigned k = 0; k < 8; ++k)
      selectors |= (7 - k) << 3 * k;
    size_t at = p.bytes.size() - 3;
    for (unsigned k = 0; k < 3; ++k)
      p.bytes[at + k] = selectors >> 8 * k & 255;
  }
  /// Describes the first difference, or returns "".
  std::string check(const Probe &p, const Image &image, const u32 *out) const;
  std::string checkScalar(const Probe &p, const Image &image,
                          const u32 *out) const;

  const Machine m;
  std::vector<Probe> probes;
};

std::string SimModelRun::checkScalar(const Probe &p, const Image &image,
                                     const u32 *out) const {
  const ScalarModel &model = *p.scalar;
  Context context;
  context.immediate = image.vcc >> 32 & 1;
  u64 in[2] = {};
  const size_t first = model.reads || model.scc == ScalarModel::Is ? 0 : 1;
  for (unsigned i = 0; i < 2 && model.src[i] != Kind::None; ++i) {
    Probe plain;
    in[i] = *readSource(m, plain, image, p.printed.operands[first + i],
                        model.src[i], i, 0);
  }
  i128 exact = model.run(in, context);
  u64 want = static_cast<u64>(exact);
  bool scc = context.immediate, over = false;
  auto range = [&](i128 low, i128 high) { over = exact < low || exact > high; };
  if (model.dst == Kind::I32)
    range(INT32_MIN, INT32_MAX);
  if (model.dst == Kind::U32)
    range(0, UINT32_MAX);
  if (sizeOf(model.dst) == 1)
    want &= 0xffffffff;
  if (model.dst == Kind::F16)
    want &= 0xffff;
  if (model.scc == ScalarModel::NotZero)
    scc = want != 0;
  if (model.scc == ScalarModel::OutOfRange)
    scc = over;
  if (model.scc == ScalarModel::IsFirst)
    scc = u32(want) == u32(in[0]) && u32(in[0]) != u32(in[1]);
  if (model.scc == ScalarModel::Is)
    scc = exact != 0;
  size_t row = p.out;
  if (model.scc != ScalarModel::Is) {
    u64 got = out[row++ * m.lanes];
    if (sizeOf(model.dst) == 2)
      got |= u64(out[row++ * m.lanes]) << 32;
    Model kind;
    kind.dst = model.dst;
    if (!same(kind, got, want))
      return text(p.text, " of ", in[0], ", ", in[1], ": ", got, " instead of ",
                  want);
  }
  if (out[row * m.lanes] != u32(scc))
    return text("SCC of ", p.text, " of ", in[0], ", ", in[1], " is not ", scc);
  return "";
}

std::string SimModelRun::check(const Probe &p, const Image &image,
                               const u32 *out) const {
  if (p.scalar)
    return checkScalar(p, image, out);
  const Model &model = *p.model;
  const Source &dst = p.printed.operands[0];
  size_t row = p.out;
  u64 wantMask = 0;
  const bool isMask = p.isCompare;
  const unsigned dwords = isMask ? 0 : std::max(dst.dwords, sizeOf(model.dst));
  for (unsigned lane = 0; lane < m.lanes; ++lane) {
    Expected e = expect(m, p, image, lane);
    // A comparison is false if DPP provides no value.
    if (e.mask && (e.written || !p.isCompare))
      wantMask |= u64(1) << lane;
    if (isMask)
      continue;
    u64 got = 0;
    for (unsigned k = 0; k < dwords; ++k)
      got |= u64(out[(row + k) * m.lanes + lane]) << 32 * k;
    if (dwords == 1)
      e.value &= 0xffffffff;
    if (e.open || same(model, got, e.value))
      continue;
    std::string values;
    for (size_t i = p.firstSource; i < p.printed.operands.size(); ++i) {
      std::optional<u64> value = readSource(m, p, image, p.printed.operands[i],
                                            Kind::U64, i - p.firstSource, lane);
      values += text(" ", value.value_or(0));
    }
    return text(p.text, ", lane ", std::to_string(lane), ": ", got,
                " instead of ", e.value, " (dpp ", p.control, ", sdwa ",
                p.dstSel, p.dstUnused, p.srcSel[0], p.srcSel[1], "), of",
                values);
  }
  if (!isMask && p.carryOut < 0)
    return "";
  row += dwords;
  u64 got = out[row * m.lanes];
  if (m.lanes == 64)
    got |= u64(out[(row + 1) * m.lanes]) << 32;
  if (got != wantMask)
    return text("mask of ", p.text, ": ", got, " instead of ", wantMask,
                " (dpp ", p.control, ")");
  return "";
}

void SimModelRun::run() {
  const size_t kChunk = 1500;
  std::set<std::string> failed;
  for (size_t begin = 0; begin < probes.size(); begin += kChunk) {
    std::vector<Probe> chunk(probes.begin() + begin,
                             probes.begin() +
                                 std::min(begin + kChunk, probes.size()));
    std::string body = ProgramWriter(m).write(chunk);
    KernelOptions options;
    options.wave64 = !m.gfx9() && m.lanes == 64;
    const std::string image =
        assemble(m.chip, kernelText(m.chip, body, 2, options),
                 options.wave64 ? "+wavefrontsize64" : "");
    SimDevice device;
    LoadedKernels loaded(device, image);
    const size_t rows = chunk.back().out + chunk.back().rows;
    for (unsigned round = 0; round < 6; ++round) {
      Image values = makeImage(round);
      std::vector<u32> in;
      for (auto &r : values.vectors)
        in.insert(in.end(), r, r + m.lanes);
      in.insert(in.end(), values.scalars, values.scalars + 40);
      in.push_back(u32(values.vcc));
      in.push_back(u32(values.vcc >> 32));
      u32 *from = onDevice(device, in);
      u32 *to = onDevice(device, std::vector<u32>(rows * m.lanes, 0xdeadbeef));
      ASSERT_EQ(loaded.run("test", {from, to}, {1, 1, 1}, {m.lanes, 1, 1}), "");
      for (const Probe &p : chunk) {
        // One report for each operation is enough.
        if (failed.count(p.printed.base))
          continue;
        std::string what = check(p, values, to);
        if (what.empty())
          continue;
        ADD_FAILURE() << m.chip << ": " << what;
        failed.insert(p.printed.base);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

/// Instructions without a model, by a part of their name, and where they are
/// tested. The list
/// may only shrink.
const struct {
  const char *part, *where;
} kUncovered[] = {
    {"v_mfma_", "SimMatrixTest"},
    {"v_smfmac_", "SimMatrixTest"},
    {"v_wmma_", "SimMatrixTest"},
    {"v_swmmac_", "SimMatrixTest"},
    {"v_accvgpr_", "SimMatrixKernelTest"},
    {"v_cvt_scalef32_", "SimFormatTest"},
    {"v_cvt_sr_", "SimFormatTest"},
    {"v_mqsad_u32_u8", "SimEdgeTest"},
    {"v_pk_mov_b32", "SimEdgeTest"},
    {"v_trig_preop_f64", "SimVectorTest"},
    {"v_div_scale_", "SimVectorTest, in divisions"},
    {"v_div_fmas_", "SimVectorTest, in divisions"},
    {"v_readlane_", "SimMemoryTest"},
    {"v_readfirstlane_", "SimMemoryTest"},
    {"v_writelane_", "SimMemoryTest"},
    {"v_permlane", "SimMemoryTest"},
    {"v_movrel", "SimControlTest"},
    {"v_swap", "SimControlTest"},
    {"s_movrel", "SimControlTest"},
    {"_saveexec_", "SimScalarTest"},
    {"_wrexec_", "random kernels"},
    {"v_dual_", "random kernels"},
    {"v_dot2_", "the order of its sums is not documented"},
    {"v_dot2c_", "the order of its sums is not documented"},
    {"v_dot2acc_", "the order of its sums is not documented"},
    {"v_dot4_f32_", "the order of its sums is not documented"},
    {"v_s_", "nowhere: transcendental functions of scalars"},
    {"s_fma", "nowhere"},
    {"v_nop", "does nothing"},
    {"v_clrexcp", "does nothing"},
    {"v_pipeflush", "does nothing"},
    {"v_interp_", "not executed"},
    {"v_screen_partition_", "not executed"},
    // Control instructions of the scalar unit: SimControlTest and
    // SimLaunchTest.
    {"s_alloc_vgpr", "registers are there"},
    {"s_barrier", "SimControlTest"},
    {"s_get_barrier_state", "SimControlTest"},
    {"s_branch", "SimScalarTest"},
    {"s_call_b64", "SimLaunchTest"},
    {"s_cbranch_", "SimControlTest"},
    {"s_clause", "does nothing"},
    {"s_code_end", "does nothing"},
    {"s_delay_alu", "does nothing"},
    {"perflevel", "does nothing"},
    {"s_denorm_mode", "SimVectorTest, by s_setreg"},
    {"s_round_mode", "SimVectorTest, by s_setreg"},
    {"s_endpgm", "everywhere"},
    {"s_getpc_b64", "SimScalarTest"},
    {"s_setpc_b64", "SimScalarTest"},
    {"s_swappc_b64", "SimScalarTest"},
    {"s_getreg_", "SimControlTest"},
    {"s_setreg_", "SimControlTest"},
    {"s_icache_inv", "does nothing"},
    {"s_nop", "does nothing"},
    {"s_rfe_", "not executed"},
    {"s_sendmsg", "SimControlTest"},
    {"s_set_gpr_idx_", "random kernels"},
    {"s_set_inst_prefetch_distance", "does nothing"},
    {"s_sethalt", "does nothing"},
    {"s_setkill", "does nothing"},
    {"s_setprio", "does nothing"},
    {"s_setvskip", "SimControlTest"},
    {"s_sleep", "SimCountersTest"},
    {"s_subvector_loop_", "SimControlTest"},
    {"s_trap", "SimLaunchTest"},
    {"s_ttracedata", "does nothing"},
    {"s_version", "does nothing"},
    {"s_wait", "SimCheckerTest"},
    {"s_wakeup", "does nothing"},
};

/// The families that this test covers: memory has tests of its own.
bool isComputed(const std::string &family) {
  return StringRef(family).starts_with("VOP") ||
         StringRef(family).starts_with("SOP");
}

Machine machineOf(const WaveConfiguration &c) {
  return {c.chip,
          StringRef(c.chip).starts_with("gfx11")   ? 11u
          : StringRef(c.chip).starts_with("gfx12") ? 12u
                                                   : 9u,
          c.lanes()};
}

/// Adds the instructions of a chip to `run`: all, or one of each opcode.
/// Returns the mnemonics that no model covers.
enum class Extent { All, OneEach };
std::set<std::string> addAll(const WaveConfiguration &c, SimModelRun &run,
                             unsigned &covered, Extent extent) {
  std::set<std::string> uncovered;
  unsigned turn = 0;
  for (const KnownInstruction &known :
       knownInstructions(c.chip, c.wave32, {.registersFirst = true})) {
    if (!isComputed(known.family))
      continue;
    bool any = run.add(known, known.instance, turn++);
    for (const KnownInstruction::Instance &variant : known.variants)
      if (extent == Extent::All || !any)
        any |= run.add(known, variant, turn++);
    if (any)
      ++covered;
    else
      uncovered.insert(known.mnemonic);
  }
  return uncovered;
}

class SimModel : public ::testing::TestWithParam<WaveConfiguration> {};

TEST_P(SimModel, EveryEncoding) {
  SimModelRun run(machineOf(GetParam()));
  unsigned covered = 0;
  std::set<std::string> uncovered =
      addAll(GetParam(), run, covered, Extent::All);
  for (const std::string &name : uncovered)
    EXPECT_TRUE(std::any_of(std::begin(kUncovered), std::end(kUncovered),
                            [&](const auto &entry) {
                              return StringRef(name).contains(entry.part);
                            }))
        << name << " has no model";
  if (const char *path = std::getenv("AIRCC_TEST_UNCOVERED")) {
    std::ofstream file(path, std::ios::app);
    file << GetParam().chip << " wave" << GetParam().lanes() << ": " << covered
         << " opcodes, " << run.count() << " forms; not covered:\n";
    for (const std::string &name : uncovered)
      file << name << "\n";
  }
  EXPECT_GT(covered, 850u);
  run.run();
}

/// Each entry of the list names an instruction without a model on some chip.
TEST(SimModelCoverage, ListIsShort) {
  std::set<std::string> uncovered;
  for (const WaveConfiguration &c : kWaveConfigurations) {
    SimModelRun run(machineOf(c));
    unsigned covered = 0;
    uncovered.merge(addAll(c, run, covered, Extent::OneEach));
  }
  for (const auto &entry : kUncovered)
    EXPECT_TRUE(std::any_of(uncovered.begin(), uncovered.end(),
                            [&](const std::string &name) {
                              return StringRef(name).contains(entry.part);
                            }))
        << entry.part << " is covered now: take it off the list";
}

INSTANTIATE_TEST_SUITE_P(Chips, SimModel,
                         ::testing::ValuesIn(kWaveConfigurations),
                         [](const auto &info) { return info.param.name(); });

} // namespace
