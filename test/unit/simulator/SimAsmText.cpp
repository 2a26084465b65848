//===- SimAsmText.cpp - Printed AMDGPU assembly, taken apart --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimAsmText.h"

#include "simulator/isa/BufferFormat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstdlib>

using namespace aircc::sim;
using llvm::SmallVector;
using llvm::StringRef;

/// Splits at `separator` outside brackets and parentheses.
static void splitTop(StringRef text, char separator,
                     SmallVector<StringRef, 8> &parts) {
  int depth = 0;
  bool inBars = false; // |v1|
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '[' || c == '(')
      ++depth;
    else if (c == ']' || c == ')')
      --depth;
    else if (c == '|')
      inBars = !inBars;
    else if (c == separator && depth == 0 && !inBars) {
      parts.push_back(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push_back(text.substr(start));
}

/// Parses "v7", "v[4:7]", "a3", "s[0:1]" or "ttmp[4:5]". Returns false for
/// other text.
static bool parseRegister(StringRef text, DecodedOperand &op) {
  using Kind = DecodedOperand::Kind;
  unsigned first = 0;
  if (text.consume_front("ttmp")) {
    op.kind = Kind::Scalar;
    first = kTtmp0;
  } else if (text.consume_front("v")) {
    op.kind = Kind::Vector;
  } else if (text.consume_front("a")) {
    op.kind = Kind::Vector;
    first = kFirstAgprRow;
  } else if (text.consume_front("s")) {
    op.kind = Kind::Scalar;
  } else {
    return false;
  }
  if (text.consume_back(".l")) {
    op.half = true;
  } else if (text.consume_back(".h")) {
    op.half = op.high = true;
  }
  unsigned low = 0, high = 0;
  if (text.consume_front("[")) {
    if (!text.consume_back("]"))
      return false;
    auto [a, b] = text.split(':');
    if (a.getAsInteger(10, low))
      return false;
    if (b.empty())
      high = low;
    else if (b.getAsInteger(10, high))
      return false;
  } else {
    if (text.getAsInteger(10, low))
      return false;
    high = low;
  }
  op.reg = first + low;
  op.dwords = high - low + 1;
  return true;
}

static bool parseNamed(StringRef text, DecodedOperand &op) {
  struct Named {
    const char *name;
    uint16_t reg;
    uint8_t dwords;
  };
  static const Named kNamed[] = {
      {"vcc", kVcc, 2},
      {"vcc_lo", kVcc, 1},
      {"vcc_hi", kVcc + 1, 1},
      {"exec", kExec, 2},
      {"exec_lo", kExec, 1},
      {"exec_hi", kExec + 1, 1},
      {"m0", kM0, 1},
      {"null", kNull, 1},
      {"flat_scratch", kFlatScratch, 2},
      {"flat_scratch_lo", kFlatScratch, 1},
      {"flat_scratch_hi", kFlatScratch + 1, 1},
      {"xnack_mask", kXnackMask, 2},
      {"xnack_mask_lo", kXnackMask, 1},
      {"xnack_mask_hi", kXnackMask + 1, 1},
  };
  for (const Named &entry : kNamed)
    if (text == entry.name) {
      op.kind = DecodedOperand::Kind::Scalar;
      op.reg = entry.reg;
      op.dwords = entry.dwords;
      return true;
    }
  struct Special {
    const char *name;
    SpecialValue value;
  };
  static const Special kSpecial[] = {
      {"scc", SpecialValue::Scc},
      {"src_scc", SpecialValue::Scc},
      {"src_vccz", SpecialValue::Vccz},
      {"src_execz", SpecialValue::Execz},
      {"src_shared_base", SpecialValue::SharedBase},
      {"src_shared_limit", SpecialValue::SharedLimit},
      {"src_private_base", SpecialValue::PrivateBase},
      {"src_private_limit", SpecialValue::PrivateLimit},
  };
  for (const Special &entry : kSpecial)
    if (text == entry.name) {
      op.kind = DecodedOperand::Kind::Special;
      op.reg = static_cast<uint16_t>(entry.value);
      op.dwords = 2;
      return true;
    }
  return false;
}

static bool parseNumber(StringRef text, DecodedOperand &op) {
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (digits.empty() || !llvm::isDigit(digits[0]))
    return false;
  if (digits.contains('.')) {
    op.kind = DecodedOperand::Kind::Float;
    op.number = std::strtod(digits.str().c_str(), nullptr);
    if (negative)
      op.number = -op.number;
    return true;
  }
  uint64_t value;
  if (digits.getAsInteger(0, value))
    return false;
  op.kind = DecodedOperand::Kind::Integer;
  op.literal = digits.starts_with("0x");
  op.value = negative ? -static_cast<int64_t>(value) : value;
  return true;
}

static DecodedOperand parseOperand(StringRef text) {
  DecodedOperand op;
  if (parseNumber(text, op))
    return op;
  StringRef inner = text;
  if (inner.consume_front("-"))
    op.neg = true;
  if (inner.size() > 2 && inner.front() == '|' && inner.back() == '|') {
    op.abs = true;
    inner = inner.drop_front().drop_back();
    // LLVM prints V_CNDMASK's implied VCC inside the modifiers.
    if (!inner.consume_back(", vcc_lo"))
      inner.consume_back(", vcc");
  }
  for (auto [prefix, flag] :
       {std::pair("neg(", &op.neg), std::pair("abs(", &op.abs),
        std::pair("sext(", &op.sext), std::pair("lit(", &op.literal),
        std::pair("lit64(", &op.literal)})
    if (inner.ends_with(")") && inner.consume_front(prefix)) {
      inner = inner.drop_back();
      *flag = true;
    }
  if (inner == "off") {
    op.kind = DecodedOperand::Kind::Off;
    return op;
  }
  if (parseNamed(inner, op) || parseRegister(inner, op) ||
      parseNumber(inner, op))
    return op;
  op.kind = DecodedOperand::Kind::Raw;
  return op;
}

/// Parses "[1,0,1]" or "1,0,1" into bytes.
template <size_t N>
static bool parseList(StringRef text, std::array<uint8_t, N> &out) {
  text.consume_front("[");
  text.consume_back("]");
  SmallVector<StringRef, 8> parts;
  text.split(parts, ',');
  if (parts.size() > N)
    return false;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].trim().getAsInteger(0, out[i]))
      return false;
  return true;
}

static bool parseSdwaSel(StringRef text, SdwaSel &out) {
  int value = llvm::StringSwitch<int>(text)
                  .Case("BYTE_0", 0)
                  .Case("BYTE_1", 1)
                  .Case("BYTE_2", 2)
                  .Case("BYTE_3", 3)
                  .Case("WORD_0", 4)
                  .Case("WORD_1", 5)
                  .Case("DWORD", 6)
                  .Default(-1);
  out = static_cast<SdwaSel>(value);
  return value >= 0;
}

/// Parses one modifier. Returns false if it is unknown.
static bool parseModifier(StringRef word, InstructionModifiers &mods) {
  auto [key, value] = word.split(':');
  if (value.empty()) {
    bool *flag = llvm::StringSwitch<bool *>(key)
                     .Case("offen", &mods.offen)
                     .Case("idxen", &mods.idxen)
                     .Case("lds", &mods.lds)
                     .Case("gds", &mods.gds)
                     .Case("tfe", &mods.tfe)
                     .Case("glc", &mods.glc)
                     .Case("slc", &mods.slc)
                     .Case("dlc", &mods.dlc)
                     .Case("sc0", &mods.sc0)
                     .Case("sc1", &mods.sc1)
                     .Case("scc", &mods.sc1) // gfx90a's name
                     .Case("nv", &mods.slc)
                     .Case("nt", &mods.nt)
                     .Case("clamp", &mods.clamp)
                     .Default(nullptr);
    if (flag)
      return *flag = true;
    if (key == "row_mirror")
      mods.dpp = DppKind::RowMirror;
    else if (key == "row_half_mirror")
      mods.dpp = DppKind::RowHalfMirror;
    else
      return false;
    return true;
  }
  auto number = [&](auto &out) {
    int64_t parsed;
    if (value.getAsInteger(0, parsed))
      return false;
    out = parsed;
    return true;
  };
  DppKind dpp = llvm::StringSwitch<DppKind>(key)
                    .Case("row_shl", DppKind::RowShl)
                    .Case("row_shr", DppKind::RowShr)
                    .Case("row_ror", DppKind::RowRor)
                    .Case("wave_shl", DppKind::WaveShl)
                    .Case("wave_shr", DppKind::WaveShr)
                    .Case("wave_rol", DppKind::WaveRol)
                    .Case("wave_ror", DppKind::WaveRor)
                    .Case("row_bcast", DppKind::RowBcast)
                    .Case("row_newbcast", DppKind::RowNewBcast)
                    .Case("row_share", DppKind::RowShare)
                    .Case("row_xmask", DppKind::RowXmask)
                    .Default(DppKind::None);
  if (dpp != DppKind::None) {
    mods.dpp = dpp;
    return number(mods.dppAmount);
  }
  if (key == "quad_perm" || key == "dpp8") {
    mods.dpp = key == "dpp8" ? DppKind::Dpp8 : DppKind::QuadPerm;
    // RDNA3 ISA guide, "DPP8": without FI, inactive lanes read as zero.
    if (key == "dpp8")
      mods.boundCtrl = true;
    return parseList(value, mods.dppLanes);
  }
  if (key == "offset")
    // The symbolic form of ds_swizzle is read from the encoding instead.
    return value.starts_with("swizzle") || number(mods.offset);
  if (key == "offset0")
    return number(mods.offset0);
  if (key == "offset1")
    return number(mods.offset1);
  if (key == "mul")
    return number(mods.omodMul);
  if (key == "div") {
    mods.omodMul = -2;
    return value == "2";
  }
  if (key == "op_sel") {
    mods.hasOpSel = true;
    return parseList(value, mods.opSel);
  }
  if (key == "op_sel_hi") {
    mods.hasOpSelHi = true;
    return parseList(value, mods.opSelHi);
  }
  if (key == "neg_lo")
    return parseList(value, mods.negLo);
  if (key == "neg_hi")
    return parseList(value, mods.negHi);
  if (key == "neg") // f64 MFMA: the sign of A, B and C.
    return parseList(value, mods.negLo);
  if (key == "row_mask")
    return number(mods.rowMask);
  if (key == "bank_mask")
    return number(mods.bankMask);
  if (key == "bound_ctrl") {
    // LLVM has used both spellings for the set bit.
    mods.boundCtrl = true;
    return true;
  }
  if (key == "format") {
    BufferFormat format;
    // A number that names no format is invalid.
    if (!parseBufferFormat(value, format))
      format.data = 0;
    mods.dataFormat = format.data;
    mods.numberFormat = static_cast<int>(format.number);
    return true;
  }
  if (key == "fi")
    return number(mods.fetchInactive);
  if (key == "cbsz")
    return number(mods.cbsz);
  if (key == "abid")
    return number(mods.abid);
  if (key == "blgp")
    return number(mods.blgp);
  if (key == "byte_sel")
    return number(mods.byteSel);
  if (key == "index_key")
    return number(mods.indexKey);
  if (key == "bitop3")
    return number(mods.bitop3);
  if (key == "wait_exp" || key == "wait_va_vdst" || key == "wait_vm_vsrc" ||
      key == "wait_vdst")
    return true;
  if (key == "th") {
    // In a hint without a name, bit 0 requests the old value of an atomic.
    unsigned number;
    StringRef unnamed = value;
    if (value.contains("ATOMIC") && value.contains("RETURN"))
      mods.returns = true;
    else if (unnamed.consume_front("TH_ATOMIC_") &&
             !unnamed.getAsInteger(0, number) && (number & 1))
      mods.returns = true;
    return true;
  }
  if (key == "scope") {
    mods.scope = llvm::StringSwitch<int>(value)
                     .Case("SCOPE_SE", 1)
                     .Case("SCOPE_DEV", 2)
                     .Case("SCOPE_SYS", 3)
                     .Default(0);
    return true;
  }
  if (key == "dst_sel") {
    mods.sdwa = true;
    return parseSdwaSel(value, mods.dstSel);
  }
  if (key == "src0_sel" || key == "src1_sel") {
    mods.sdwa = true;
    return parseSdwaSel(value, mods.srcSel[key == "src1_sel"]);
  }
  if (key == "dst_unused") {
    mods.sdwa = true;
    mods.dstUnused = value == "UNUSED_SEXT"       ? SdwaUnused::Sext
                     : value == "UNUSED_PRESERVE" ? SdwaUnused::Preserve
                                                  : SdwaUnused::Pad;
    return true;
  }
  return false;
}

/// Splits the encoding suffix off a mnemonic.
static void splitMnemonic(StringRef word, DecodedInstruction &inst) {
  for (StringRef suffix : {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"}) {
    StringRef stem = word;
    if (stem.consume_back(suffix)) {
      inst.mnemonic = stem.str();
      return;
    }
  }
  inst.mnemonic = word.str();
}

void aircc::sim::test::parseAsm(StringRef text, DecodedInstruction &inst) {
  auto [word, rest] = text.trim().split(' ');
  splitMnemonic(word, inst);
  rest = rest.trim();
  // Operands such as counters and hints; their values are read from the
  // encoding.
  if (rest.empty() || word.starts_with("s_wait") || word == "s_delay_alu" ||
      word == "s_sendmsg" || word == "s_clause")
    return;
  SmallVector<StringRef, 8> pieces;
  splitTop(rest, ',', pieces);
  for (size_t i = 0; i < pieces.size(); ++i) {
    SmallVector<StringRef, 8> words;
    splitTop(pieces[i].trim(), ' ', words);
    bool first = true;
    for (StringRef part : words) {
      part = part.trim();
      if (part.empty())
        continue;
      if (first) {
        first = false;
        // A lone modifier where an operand would be ("buffer_wbl2 sc1").
        if (i == 0 && parseModifier(part, inst.mods))
          continue;
        inst.operands.push_back(parseOperand(part));
        for (StringRef implied : {"vcc", "vcc_lo"})
          if (part.ends_with((", " + implied + "|").str()))
            inst.operands.push_back(parseOperand(implied));
        continue;
      }
      if (!parseModifier(part, inst.mods) && inst.unknown.empty())
        inst.unknown = part.str();
    }
  }
  if (inst.mods.glc || inst.mods.sc0)
    inst.mods.returns = true;
}
