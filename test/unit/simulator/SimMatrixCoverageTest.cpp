//===- SimMatrixCoverageTest.cpp - Against what LLVM assembles ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"

#include "simulator/exec/matrix/Matrix.h"

#include <gtest/gtest.h>

#include <set>

using namespace aircc::sim;
using namespace aircc::simtest;

/// The table has exactly the instructions that LLVM assembles for a chip, with
/// the shapes that are in their names.
TEST(SimMatrixCoverage, EveryMnemonicOfLLVM) {
  std::set<std::string> all;
  for (const Chip &chip : allChips())
    for (const std::string &mnemonic : matrixMnemonics(chip))
      all.insert(mnemonic);
  for (const Chip &chip : allChips()) {
    std::vector<std::string> list = matrixMnemonics(chip);
    std::set<std::string> has(list.begin(), list.end());
    has.erase("v_mfma_ld_scale_b32"); // part of v_mfma_scale_*
    EXPECT_FALSE(has.empty());
    for (const std::string &mnemonic : all) {
      if (mnemonic == "v_mfma_ld_scale_b32")
        continue;
      SCOPED_TRACE(mnemonic + " on " + chip.name);
      const MatrixOp *op = findMatrixOp(mnemonic, chip.isa, chip.waveSize);
      ASSERT_EQ(op != nullptr, has.count(mnemonic) == 1);
      if (!op)
        continue;
      Shape s = describe(chip, mnemonic);
      EXPECT_EQ(op->mnemonic, mnemonic);
      EXPECT_EQ(op->family, s.family);
      EXPECT_EQ(op->waveSize, chip.waveSize);
      EXPECT_EQ(op->m, s.m);
      EXPECT_EQ(op->n, s.n);
      EXPECT_EQ(op->k, s.k);
      EXPECT_EQ(op->blocks, s.blocks);
      EXPECT_EQ(op->aType, s.a);
      EXPECT_EQ(op->bType, s.b);
      EXPECT_EQ(op->cType, s.c);
      EXPECT_EQ(op->scaled, s.scaled);
      EXPECT_EQ(op->passes > 0, s.cdna());
    }
  }
}

static std::string range(unsigned first, unsigned count) {
  if (count == 1)
    return "v" + std::to_string(first);
  return "v[" + std::to_string(first) + ":" +
         std::to_string(first + count - 1) + "]";
}

static std::string line(const std::string &mnemonic, const Shape &s,
                        const MatrixRegs &regs, const std::string &modifiers) {
  std::string text = mnemonic + " " + range(0, regs.d) + ", " +
                     range(64, regs.a) + ", " + range(128, regs.b) + ", " +
                     (s.sparse() ? range(192, regs.index) : range(32, regs.c));
  return text + (s.scaled ? ", v200, v201" : "") + modifiers;
}

/// The assembler accepts exactly these numbers of registers.
TEST(SimMatrixCoverage, RegistersAsAssembled) {
  for (const Chip &chip : allChips()) {
    std::vector<std::string> list = matrixMnemonics(chip);
    for (const std::string &mnemonic : list) {
      const MatrixOp *op = findMatrixOp(mnemonic, chip.isa, chip.waveSize);
      if (!op)
        continue;
      Shape s = describe(chip, mnemonic);
      unsigned formats = s.a == MatrixType::F8F6F4 ? 5 : 1;
      for (unsigned a = 0; a < formats; ++a) {
        SCOPED_TRACE(mnemonic + " on " + chip.name);
        MatrixModifiers mods;
        std::string modifiers;
        if (formats > 1) {
          mods.cbsz = a;
          mods.blgp = 4 - a;
          modifiers =
              " cbsz:" + std::to_string(a) + " blgp:" + std::to_string(4 - a);
        }
        MatrixRegs regs = matrixRegs(*op, mods);
        EXPECT_TRUE(assembles(chip, line(mnemonic, s, regs, modifiers)))
            << line(mnemonic, s, regs, modifiers);
        if (a > 0)
          continue;
        for (unsigned MatrixRegs::*which :
             {&MatrixRegs::a, &MatrixRegs::b, &MatrixRegs::d}) {
          MatrixRegs wrong = regs;
          wrong.*which *= 2;
          EXPECT_FALSE(assembles(chip, line(mnemonic, s, wrong, modifiers)));
        }
      }
    }
  }
}

TEST(SimMatrixCoverage, NothingElsewhere) {
  EXPECT_EQ(findMatrixOp("v_mfma_f32_32x32x8f16", {9, 4, 2}, 64), nullptr);
  EXPECT_EQ(findMatrixOp("v_mfma_f32_32x32x8_f16", {9, 4, 2}, 32), nullptr);
  EXPECT_EQ(findMatrixOp("v_add_f32", {9, 4, 2}, 64), nullptr);
}
