//===- SimDecodeTest.cpp - The decoder against printed assembly -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests every opcode of a chip in LLVM's tables, with every modifier, and
// random bits: the result of the decoder must match LLVM's disassembly.
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/Decode.h"
#include "test/unit/simulator/SimAsmText.h"
#include "test/unit/simulator/SimInstructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace aircc::sim;
using namespace aircc::sim::test;
using llvm::StringRef;

namespace {

/// Instructions whose operands the simulator does not decode: images, exports,
/// interpolation.
bool isOut(StringRef mnemonic) {
  for (const char *prefix :
       {"image_", "exp", "v_interp", "lds_param", "ds_param", "ds_gws_"})
    if (mnemonic.starts_with(prefix))
      return true;
  return false;
}

/// Instructions whose immediate LLVM's text splits into words or omits.
bool hasWordsForImmediate(StringRef mnemonic) {
  return mnemonic.starts_with("s_wait") || mnemonic == "s_delay_alu" ||
         mnemonic == "s_sendmsg" || mnemonic == "s_clause" ||
         mnemonic == "s_endpgm";
}

/// LLVM prints eight formats for these, of which there are five.
bool hasReservedFormats(StringRef opcode) { return opcode.contains("F8F6F4"); }

std::string show(const DecodedOperand &operand) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "(kind " << int(operand.kind) << " reg " << operand.reg << " x"
     << operand.dwords << " value " << operand.value << " number "
     << operand.number << (operand.neg ? " neg" : "")
     << (operand.abs ? " abs" : "") << (operand.sext ? " sext" : "")
     << (operand.half ? " half" : "") << (operand.high ? " high" : "") << ")";
  return text;
}

/// Returns how the decoded instruction differs from the parsed text; "" if it
/// does not.
class Comparison {
public:
  Comparison(const DecodedInstruction &decoded, const DecodedInstruction &read,
             StringRef text)
      : decoded(decoded), read(read), text(text), os(found) {}
  std::string run();

private:
  void compareOperands();
  void compareModifiers();
  template <typename T>
  void compare(const char *what, const T &left, const T &right) {
    if (left != right)
      os << " " << what;
  }

  const DecodedInstruction &decoded, &read;
  const StringRef text;
  std::string found;
  llvm::raw_string_ostream os;
};

std::string Comparison::run() {
  compare("mnemonic", decoded.mnemonic, read.mnemonic);
  if (isOut(read.mnemonic))
    return found;
  // In this case LLVM prints a comment, and the operand that it prints is not a
  // register.
  const bool complains = !hasWordsForImmediate(read.mnemonic) &&
                         (text.contains("/*") || !read.unknown.empty());
  const bool raw =
      llvm::any_of(read.operands, [](const DecodedOperand &operand) {
        return operand.kind == DecodedOperand::Kind::Raw;
      });
  if (complains && decoded.unknown.empty())
    os << " a complaint";
  // LLVM prints masks in vector registers without a mask operand.
  if (!complains && !raw && !decoded.unknown.empty() &&
      !StringRef(decoded.unknown).contains("VGPR"))
    os << " no complaint, but '" << decoded.unknown << "'";
  if (complains || !decoded.unknown.empty())
    return found;
  if (!hasWordsForImmediate(read.mnemonic))
    compareOperands();
  compareModifiers();
  return found;
}

void Comparison::compareOperands() {
  if (decoded.operands.size() != read.operands.size()) {
    os << " " << decoded.operands.size() << " operands for "
       << read.operands.size();
    return;
  }
  const bool scalar = StringRef(read.mnemonic).starts_with("s_");
  for (auto [n, left] : llvm::enumerate(decoded.operands)) {
    const DecodedOperand &right = read.operands[n];
    // Symbolic immediates: hwreg(…), sendmsg(…), gpr_idx(…).
    if (right.kind == DecodedOperand::Kind::Raw && scalar &&
        left.kind == DecodedOperand::Kind::Integer)
      continue;
    if (show(left) != show(right))
      os << " operand " << n << ": " << show(left) << " for " << show(right);
    // A hexadecimal number is a literal, except in fields of scalar
    // instructions.
    if (left.literal != right.literal && !scalar)
      os << " operand " << n << " as literal";
  }
}

void Comparison::compareModifiers() {
  const InstructionModifiers &a = decoded.mods, &b = read.mods;
  // The text of swizzles is symbolic.
  if (!StringRef(text).contains("offset:swizzle"))
    compare("offset", a.offset, b.offset);
  // The op_sel of v_cndmask_b16 appears only in the names of its registers.
  if (read.mnemonic != "v_cndmask_b16") {
    compare("op_sel", a.opSel, b.opSel);
    compare("op_sel there", a.hasOpSel, b.hasOpSel);
  }
  // LLVM prints "cascade" instead of "return".
  if (!text.contains("CASCADE"))
    compare("return", a.returns, b.returns);
#define COMPARE(FIELD) compare(#FIELD, a.FIELD, b.FIELD)
  COMPARE(offset0);
  COMPARE(offset1);
  COMPARE(offen);
  COMPARE(idxen);
  COMPARE(lds);
  COMPARE(gds);
  COMPARE(tfe);
  COMPARE(glc);
  COMPARE(slc);
  COMPARE(dlc);
  COMPARE(sc0);
  COMPARE(sc1);
  COMPARE(nt);
  COMPARE(clamp);
  COMPARE(omodMul);
  COMPARE(opSelHi);
  COMPARE(hasOpSelHi);
  COMPARE(negLo);
  COMPARE(negHi);
  COMPARE(sdwa);
  COMPARE(dstSel);
  COMPARE(srcSel[0]);
  COMPARE(srcSel[1]);
  COMPARE(dstUnused);
  COMPARE(dpp);
  COMPARE(dppAmount);
  COMPARE(rowMask);
  COMPARE(bankMask);
  COMPARE(boundCtrl);
  COMPARE(fetchInactive);
  COMPARE(cbsz);
  COMPARE(abid);
  COMPARE(blgp);
  COMPARE(indexKey);
  COMPARE(byteSel);
  COMPARE(bitop3);
  COMPARE(scope);
  COMPARE(dataFormat);
  COMPARE(numberFormat);
#undef COMPARE
  // LLVM 22.1 drops the last bit of quad_perm in some opcodes.
  if (a.dpp == DppKind::QuadPerm) {
    for (unsigned k = 0; k < 4; ++k)
      if ((a.dppLanes[k] & (k == 3 ? 1 : 3)) !=
          (b.dppLanes[k] & (k == 3 ? 1 : 3)))
        os << " lane " << k << " of quad_perm";
    const uint32_t last = decoded.words[decoded.bytes / 4 - 1];
    if (a.dppLanes[3] != (last >> 14 & 3))
      os << " last lane of quad_perm as encoded";
  } else {
    compare("dppLanes", a.dppLanes, b.dppLanes);
  }
}

class SimDecode : public ::testing::TestWithParam<WaveConfiguration> {
protected:
  SimDecode()
      : decoder(llvm::cantFail(InstructionDecoder::create(
            *Chip::parse(GetParam().chip), GetParam().wave32))) {}

  /// Returns false if the bytes are not an instruction.
  bool check(llvm::ArrayRef<uint8_t> bytes, StringRef from) {
    DecodedInstruction decoded;
    if (!decoder->decode(bytes, 0, decoded))
      return false;
    const std::string text = decoded.text();
    auto [first, second] = StringRef(text).split(" :: ");
    std::string found;
    if (second.empty()) {
      DecodedInstruction read;
      parseAsm(text, read);
      found = Comparison(decoded, read, text).run();
    } else {
      if (decoded.halves.size() != 2)
        found = " halves";
      const StringRef parts[] = {first, second};
      for (auto [n, part] : llvm::enumerate(parts)) {
        if (!found.empty())
          break;
        DecodedInstruction read, half = decoded.halves[n];
        parseAsm(part, read);
        StringRef name = read.mnemonic;
        name.consume_front("v_dual_");
        read.mnemonic = ("v_" + name).str();
        // If a half has fields without a meaning, the whole instruction has the
        // complaint.
        if (decoded.unknown.empty())
          found = Comparison(half, read, part).run();
      }
    }
    mnemonics.insert(decoded.mnemonic);
    EXPECT_EQ(found, "") << text << " [" << from.str() << "]";
    return true;
  }

  std::unique_ptr<InstructionDecoder> decoder;
  std::set<std::string> mnemonics;
};

TEST_P(SimDecode, EveryOpcodeAsPrinted) {
  unsigned count = 0;
  for (bool registersFirst : {false, true})
    for (const KnownInstruction &known :
         knownInstructions(GetParam().chip, GetParam().wave32,
                           {.registersFirst = registersFirst})) {
      EXPECT_TRUE(check(known.instance.bytes, known.opcode));
      for (const KnownInstruction::Instance &variant : known.variants)
        EXPECT_TRUE(check(variant.bytes, known.opcode) ||
                    hasReservedFormats(known.opcode))
            << known.opcode;
      count += 1 + known.variants.size();
      if (HasFailure())
        return;
    }
  EXPECT_GT(count, 20000u);
  EXPECT_GT(mnemonics.size(), 1000u);
}

/// AIRCC_TEST_DECODE=COUNT,SEED selects the number and the seed of random
/// words.
TEST_P(SimDecode, RandomBits) {
  unsigned count = 40000, seed = 1;
  if (const char *wanted = std::getenv("AIRCC_TEST_DECODE")) {
    auto [first, second] = StringRef(wanted).split(',');
    ASSERT_FALSE(first.getAsInteger(10, count));
    ASSERT_TRUE(second.empty() || !second.getAsInteger(10, seed));
  }
  // The first words of encodings, and how many of their bits are free.
  struct Begin {
    uint32_t word;
    unsigned bits;
  };
  static const Begin kBegins[] = {
      {0x7c000000, 25}, {0x7e000000, 25}, {0xb0000000, 28}, {0xbe800000, 23},
      {0xbf000000, 24}, {0xc0000000, 26}, {0xc4000000, 26}, {0xc8000000, 27},
      {0xcc000000, 24}, {0xd0000000, 26}, {0xd1000000, 28}, {0xd3800000, 23},
      {0xd4000000, 26}, {0xd5000000, 24}, {0xd6000000, 24}, {0xd8000000, 26},
      {0xdc000000, 26}, {0xe0000000, 26}, {0xe8000000, 26}, {0xed000000, 25},
      {0xf4000000, 26},
  };
  std::mt19937_64 random(seed);
  unsigned decoded = 0;
  for (unsigned n = 0; n < count && !HasFailure(); ++n) {
    uint32_t words[6];
    for (uint32_t &word : words)
      word = static_cast<uint32_t>(random());
    if (n & 1) {
      const Begin &begin = kBegins[random() % std::size(kBegins)];
      words[0] = begin.word | (words[0] & ((1u << begin.bits) - 1));
      // SDWA, DPP, DPP8.
      static const uint32_t kForms[] = {0xf9, 0xfa, 0xe9};
      if (random() % 3 == 0)
        words[0] = (words[0] & ~511u) | kForms[random() % std::size(kForms)];
    }
    decoded += check({reinterpret_cast<const uint8_t *>(words), sizeof(words)},
                     "random");
  }
  if (!HasFailure())
    EXPECT_GT(decoded, count / 4);
}

/// Reserved encodings for which LLVM's disassembler or printer crashes.
TEST_P(SimDecode, ReservedEncodings) {
  if (StringRef(GetParam().chip).starts_with("gfx9")) {
    static const uint32_t kReserved[][2] = {
        {0xeb1a78ef, 0xff1df8d8}, // MTBUF: a literal as scalar offset
        {0xe23c2949, 0xff5498a1}, // MUBUF likewise
        {0xd2063136, 0xf076a8ff}, // VOP3: a literal as source
        {0xd04fd1ff, 0x4360cb57}, // VOPC: a literal as destination
        {0x7dbe0cf9, 0xcf46884a}, // SDWA: part 7 of a source
    };
    for (const uint32_t (&words)[2] : kReserved) {
      DecodedInstruction inst;
      EXPECT_EQ(decoder->decode({reinterpret_cast<const uint8_t *>(words), 8},
                                0, inst),
                0u);
      EXPECT_EQ(inst.bytes, 4u);
      EXPECT_EQ(inst.text(),
                "(undecodable 0x" + llvm::utohexstr(words[0]) + ")");
    }
  } else if (StringRef(GetParam().chip).starts_with("gfx12")) {
    const uint32_t words[] = {0xbec651ff, 0x0054a1ac}; // s_barrier_init literal
    DecodedInstruction inst;
    EXPECT_EQ(
        decoder->decode({reinterpret_cast<const uint8_t *>(words), 8}, 0, inst),
        0u);
  }
}

/// The code ends in the middle of an instruction.
TEST_P(SimDecode, CutOff) {
  for (const KnownInstruction &known : knownInstructions(
           GetParam().chip, GetParam().wave32, {.variants = false})) {
    if (known.instance.bytes.size() < 8)
      continue;
    DecodedInstruction inst;
    decoder->decode(llvm::ArrayRef<uint8_t>(known.instance.bytes).take_front(4),
                    0, inst);
    EXPECT_EQ(inst.bytes, 4u) << known.opcode;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, SimDecode,
                         ::testing::ValuesIn(kWaveConfigurations),
                         [](const auto &info) { return info.param.name(); });

} // namespace
