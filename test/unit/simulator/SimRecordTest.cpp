//===- SimRecordTest.cpp - The instruction tables against LLVM's ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every mnemonic that LLVM prints for a chip has a record for the generation of
// the chip, or is excluded by name (reasonToBeOut). The generations of a record
// are those for which LLVM prints one of its names.
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/Chip.h"
#include "simulator/isa/InstructionTables.h"
#include "simulator/isa/MCTables.h"
#include "test/unit/simulator/SimInstructions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace aircc::sim;
using namespace aircc::sim::test;
using llvm::StringRef;

namespace {

/// A chip of each generation.
constexpr std::pair<const char *, Generation> kChips[] = {
    {"gfx90a", Generation::Gfx90a},  {"gfx942", Generation::Gfx940},
    {"gfx950", Generation::Gfx950},  {"gfx1100", Generation::Gfx11},
    {"gfx1150", Generation::Gfx115}, {"gfx1201", Generation::Gfx12}};
static_assert(std::size(kChips) == kGenerations);

/// A printed mnemonic without the suffix of its encoding.
std::string stemOf(StringRef mnemonic) {
  for (StringRef suffix : {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"})
    if (mnemonic.consume_back(suffix))
      break;
  return mnemonic.str();
}

/// The instructions of a chip. Several tests use them, and encoding all of them
/// takes time.
const std::vector<KnownInstruction> &instructionsOf(const std::string &chip) {
  static std::map<std::string, std::vector<KnownInstruction>> cache;
  auto [entry, isNew] = cache.try_emplace(chip);
  if (isNew)
    entry->second = knownInstructions(chip, Chip::parse(chip)->hasWave32,
                                      {.variants = false});
  return entry->second;
}

/// The mnemonics that LLVM prints for a chip; those of VOPD are split into
/// their halves.
std::set<std::string> printedFor(const char *chip) {
  std::set<std::string> printed;
  auto add = [&](StringRef text) {
    StringRef mnemonic = text.split(' ').first;
    if (mnemonic.consume_front("v_dual_"))
      printed.insert("v_" + mnemonic.str());
    else
      printed.insert(stemOf(mnemonic));
  };
  for (const KnownInstruction &known : instructionsOf(chip)) {
    auto [first, second] = StringRef(known.instance.text).split(" :: ");
    add(first);
    if (!second.empty())
      add(second);
  }
  return printed;
}

llvm::SmallVector<StringRef> namesOf(const InstructionRecord &record) {
  llvm::SmallVector<StringRef> names;
  StringRef(record.names).split(names, '|', -1, /*KeepEmpty=*/false);
  return names;
}

template <class F> void forEachRecord(F visit) {
  for (unsigned t = 0; t < kInstructionTables; ++t)
    for (const InstructionRecord &record :
         recordsOf(static_cast<InstructionTable>(t)))
      visit(record);
}

TEST(SimRecord, GenerationsAreThoseOfLlvm) {
  std::set<std::string> anywhere;
  for (auto [chip, generation] : kChips) {
    EXPECT_EQ(Chip::parse(chip)->generation, generation);
    const std::set<std::string> printed = printedFor(chip);
    EXPECT_GT(printed.size(), 800u);
    anywhere.insert(printed.begin(), printed.end());
    for (const std::string &mnemonic : printed) {
      const bool isOut = reasonToBeOut(mnemonic) != nullptr;
      EXPECT_NE(findRecord(mnemonic, generation) != nullptr, isOut)
          << mnemonic << " of " << chip;
    }
    forEachRecord([&](const InstructionRecord &record) {
      bool isPrinted = false;
      for (StringRef name : namesOf(record))
        isPrinted |= printed.count(name.str()) != 0;
      // A name can have another record on another generation.
      if (record.isIn(generation))
        EXPECT_TRUE(isPrinted) << record.names << " of " << chip;
    });
  }
  forEachRecord([&](const InstructionRecord &record) {
    for (StringRef name : namesOf(record))
      EXPECT_TRUE(anywhere.count(name.str())) << name.str();
  });
}

/// On one generation, a name has one meaning, and at most another one with
/// clamp.
TEST(SimRecord, NamesAreUnambiguous) {
  std::map<std::tuple<std::string, unsigned, bool>, unsigned> seen;
  forEachRecord([&](const InstructionRecord &record) {
    EXPECT_NE(record.generations, 0) << record.names;
    EXPECT_NE(record.opClass, OpClass::Unknown) << record.names;
    for (StringRef name : namesOf(record))
      for (unsigned g = 0; g < kGenerations; ++g)
        if (record.isIn(static_cast<Generation>(g)))
          ++seen[{name.str(), g, record.has(trait::Saturates)}];
  });
  for (const auto &[key, count] : seen)
    EXPECT_EQ(count, 1u) << std::get<0>(key);
}

/// The implicit operands for which records have traits, as bits.
enum Implicit : unsigned {
  kReadsScc = 1,
  kWritesScc = 2,
  kReadsM0 = 4,
  kWritesM0 = 8,
  kReadsExec = 16,
  kWritesExec = 32,
};

unsigned implicitOf(const InstructionRecord &record) {
  unsigned bits = 0;
  for (auto [value, bit] : {std::pair(trait::ReadsScc, kReadsScc),
                            std::pair(trait::WritesScc, kWritesScc),
                            std::pair(trait::ReadsM0, kReadsM0),
                            std::pair(trait::WritesM0, kWritesM0),
                            std::pair(trait::ReadsExec, kReadsExec),
                            std::pair(trait::WritesExec, kWritesExec)})
    if (record.has(value))
      bits |= bit;
  return bits;
}

unsigned implicitOf(const llvm::MCInstrDesc &desc,
                    const llvm::MCRegisterInfo &registers) {
  unsigned bits = 0;
  auto add = [&](unsigned reg, unsigned read) {
    StringRef name = registers.getName(reg);
    if (name == "SCC")
      bits |= read ? kReadsScc : kWritesScc;
    else if (name == "M0")
      bits |= read ? kReadsM0 : kWritesM0;
    else if (name.starts_with("EXEC"))
      bits |= read ? kReadsExec : kWritesExec;
  };
  for (unsigned reg : desc.implicit_uses())
    add(reg, true);
  for (unsigned reg : desc.implicit_defs())
    add(reg, false);
  return bits;
}

/// Implicit operands that LLVM declares for scheduling, not for semantics, or
/// that a record has as an operand.
unsigned ignoredImplicit(StringRef opcode) {
  if (opcode.contains("_M0_")) // The assembly syntax shows M0.
    return kReadsM0 | (opcode.contains("ISFIRST") ? kReadsScc : 0);
  if (opcode.contains("BARRIER_SIGNAL_ISFIRST"))
    return kReadsScc;
  if (opcode.starts_with("S_SETVSKIP")) // It writes MODE.
    return kWritesScc;
  if (opcode.starts_with("S_SENDMSG")) // TakesM0Late
    return kReadsM0 | kReadsExec;
  if (opcode.starts_with("S_SET_GPR_IDX")) // It preserves other fields of M0.
    return kReadsM0;
  if (opcode.starts_with("S_TTRACEDATA")) // A hint.
    return kReadsM0;
  return 0;
}

/// Scalar instructions read and write SCC, M0 and EXEC as LLVM declares.
TEST(SimRecord, ImplicitOperandsAreThoseOfLlvm) {
  for (auto [name, generation] : kChips) {
    const Chip chip = *Chip::parse(name);
    auto mc = llvm::cantFail(MCTables::create(chip, chip.hasWave32));
    std::map<std::string, unsigned> opcodes;
    for (unsigned op = 0; op < mc->instrs->getNumOpcodes(); ++op)
      opcodes[mc->instrs->getName(op).str()] = op;
    for (const KnownInstruction &known : instructionsOf(name)) {
      if (!StringRef(known.family).starts_with("SOP"))
        continue;
      const InstructionRecord *record =
          findRecord(stemOf(known.mnemonic), generation);
      if (!record)
        continue;
      const unsigned relevant = ~ignoredImplicit(known.opcode);
      EXPECT_EQ(implicitOf(*record) & relevant,
                implicitOf(mc->instrs->get(opcodes.at(known.opcode)),
                           *mc->registers) &
                    relevant)
          << known.opcode << " of " << name;
    }
  }
}

/// An instruction without a record is never decoded as another one.
TEST(SimRecord, OthersHaveNone) {
  EXPECT_EQ(findRecord("v_no_such_f32", Generation::Gfx90a), nullptr);
  EXPECT_EQ(findRecord("", Generation::Gfx90a), nullptr);
  EXPECT_EQ(findRecord("image_load", Generation::Gfx11), nullptr);
  EXPECT_EQ(findRecord("s_add_f32", Generation::Gfx11), nullptr);
  EXPECT_NE(findRecord("s_add_f32", Generation::Gfx115), nullptr);
}

/// The name is the same, but its meaning is different.
TEST(SimRecord, MeaningsDiffer) {
  const InstructionRecord *fnuz =
      findRecord("v_cvt_pk_fp8_f32", Generation::Gfx940);
  const InstructionRecord *ocp =
      findRecord("v_cvt_pk_fp8_f32", Generation::Gfx950);
  ASSERT_TRUE(fnuz && ocp);
  EXPECT_TRUE(fnuz->has(trait::Limit240));
  EXPECT_TRUE(ocp->has(trait::Limit448));
  const InstructionRecord *wraps =
      findRecord("v_add_nc_u32", Generation::Gfx12, false);
  const InstructionRecord *saturates =
      findRecord("v_add_nc_u32", Generation::Gfx12, true);
  ASSERT_TRUE(wraps && saturates);
  EXPECT_TRUE(wraps->has(trait::MayOverflow));
  EXPECT_TRUE(saturates->has(trait::Saturates));
  EXPECT_EQ(findRecord("v_add_u32", Generation::Gfx90a), wraps);
}

} // namespace
