//===- SimMatrixKernelTest.cpp - Matrix instructions in kernels -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembles every matrix instruction into a kernel, runs it on the simulated
// device, and compares with the same instruction on arrays. This tests that
// registers, constants and modifiers are decoded; SimMatrixTest tests what the
// instructions compute.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"
#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/exec/matrix/Matrix.h"

#include <gtest/gtest.h>

using namespace aircc::sim;
using namespace aircc::simtest;
using aircc::sim::test::LaneTest;

namespace {

// The registers of the operands in the kernels.
constexpr unsigned kC = 10, kA = 42, kB = 50, kIndex = 60, kAScale = 61,
                   kBScale = 62, kInputs = 53, kD = 64;

std::string range(char file, unsigned first, unsigned count) {
  std::string start = std::to_string(first);
  if (count == 1)
    return file + start;
  return std::string(1, file) + "[" + start + ":" +
         std::to_string(first + count - 1) + "]";
}

/// One instruction in one kernel.
struct Case {
  Shape shape;
  std::string mnemonic;
  MatrixModifiers mods;
  std::string modifiers;     ///< As assembly has them.
  std::string c;             ///< A constant; if empty, C is in registers.
  uint64_t cBits = 0;        ///< Of the constant.
  bool accumulators = false; ///< A, C and D in AccVGPRs.
  std::string before, after; ///< Instructions around it.
};

void check(const Case &test, std::mt19937 &random) {
  const Shape &s = test.shape;
  SCOPED_TRACE(test.mnemonic + test.modifiers + " on " + s.chip.name);
  const MatrixOp *op = findMatrixOp(test.mnemonic, s.chip.isa, s.chip.waveSize);
  ASSERT_NE(op, nullptr);
  ASSERT_EQ(checkMatrixModifiers(*op, test.mods), "");
  MatrixRegs regs = matrixRegs(*op, test.mods);

  // 8- and 16-bit floats without the top bit of the exponent are finite.
  std::vector<std::vector<uint32_t>> inputs(kInputs);
  std::vector<uint32_t> file(128 * 64, 0);
  for (unsigned r = 0; r < kInputs; ++r)
    for (unsigned l = 0; l < s.chip.waveSize; ++l) {
      inputs[r].push_back(random() & 0xbfbfbfbf);
      file[(kC + r) * 64 + l] = inputs[r].back();
    }

  std::string body;
  auto line = [&](const std::string &text) { body += text + "\n"; };
  char vector = test.accumulators ? 'a' : 'v';
  unsigned a = kA, c = kC, d = kD;
  if (test.accumulators) {
    for (unsigned r = 0; r < kInputs; ++r)
      line("v_accvgpr_write_b32 a" + std::to_string(kC + r) + ", v" +
           std::to_string(kC + r));
    line("s_nop 7");
  }
  if (s.sparse())
    for (unsigned r = 0; r < regs.d; ++r) {
      line(test.accumulators ? "v_accvgpr_write_b32 a" + std::to_string(d + r) +
                                   ", v" + std::to_string(c + r)
                             : "v_mov_b32 v" + std::to_string(d + r) + ", v" +
                                   std::to_string(c + r));
      for (unsigned l = 0; l < 64; ++l)
        file[(d + r) * 64 + l] = file[(c + r) * 64 + l];
    }
  line(test.before);
  std::string last = s.sparse()       ? range('v', kIndex, 1)
                     : test.c.empty() ? range(vector, c, regs.c)
                                      : test.c;
  line(test.mnemonic + " " + range(vector, d, regs.d) + ", " +
       range(vector, a, regs.a) + ", " + range('v', kB, regs.b) + ", " + last +
       (s.scaled
            ? ", v" + std::to_string(kAScale) + ", v" + std::to_string(kBScale)
            : "") +
       test.modifiers);
  line(test.after);
  if (test.accumulators) {
    line("s_nop 7\ns_nop 7\ns_nop 7");
    for (unsigned r = 0; r < regs.d; ++r)
      line("v_accvgpr_read_b32 v" + std::to_string(d + r) + ", a" +
           std::to_string(d + r));
  }

  LaneTest kernel;
  kernel.chip = s.chip.name;
  kernel.lanes = s.chip.waveSize;
  kernel.first = kC;
  kernel.out = kD;
  kernel.count = regs.d;
  auto got = kernel.run(body, inputs);
  ASSERT_EQ(kernel.error, "");

  MatrixOperands o;
  o.a = &file[kA * 64];
  o.b = &file[kB * 64];
  o.c = test.c.empty() ? &file[kC * 64] : nullptr;
  o.cConstant = test.cBits;
  o.d = &file[kD * 64];
  o.index = &file[kIndex * 64];
  o.aScale = &file[kAScale * 64];
  o.bScale = &file[kBScale * 64];
  executeMatrixOp(*op, test.mods, o);
  // 16-bit results of gfx11 leave half of a register unwritten.
  bool half = s.chip.isa.major == 11 && typeBits(s.c) == 16;
  uint32_t mask = !half ? ~0u : test.mods.opSel & 4 ? 0xffff0000 : 0xffff;
  for (unsigned r = 0; r < regs.d; ++r)
    for (unsigned l = 0; l < s.chip.waveSize; ++l)
      ASSERT_EQ(got[r][l] & mask, file[(kD + r) * 64 + l] & mask)
          << "register " << r << ", lane " << l;
}

/// The chips for the kernels of LaneTest, each with one wave size.
std::vector<aircc::simtest::Chip> kernelChips() {
  std::vector<aircc::simtest::Chip> chips;
  for (const aircc::simtest::Chip &chip : allChips())
    if (chip.isa.major == 9 || chip.waveSize == 32)
      chips.push_back(chip);
  return chips;
}

Case makeCase(const std::string &chipName, const std::string &mnemonic) {
  for (const aircc::simtest::Chip &chip : kernelChips())
    if (chip.name == chipName)
      return {describe(chip, mnemonic), mnemonic, {}, "", "", 0, false, "", ""};
  throw std::runtime_error("no chip " + chipName);
}

} // namespace

TEST(SimMatrixKernel, EveryInstruction) {
  std::mt19937 random(1);
  for (const aircc::simtest::Chip &chip : kernelChips())
    for (const std::string &mnemonic : matrixMnemonics(chip)) {
      if (mnemonic == "v_mfma_ld_scale_b32")
        continue; // part of v_mfma_scale_*
      Case test = makeCase(chip.name, mnemonic);
      if (test.shape.scaled)
        test.modifiers = " op_sel_hi:[0,0,0]";
      check(test, random);
      if (HasFatalFailure())
        return;
    }
}

TEST(SimMatrixKernel, AccumulationRegisters) {
  std::mt19937 random(2);
  for (auto [chip, mnemonic] :
       {std::pair("gfx90a", "v_mfma_f32_32x32x8f16"),
        std::pair("gfx90a", "v_mfma_f64_16x16x4f64"),
        std::pair("gfx90a", "v_mfma_f32_32x32x1f32"),
        std::pair("gfx942", "v_mfma_f32_16x16x16_bf16"),
        std::pair("gfx942", "v_smfmac_f32_32x32x16_f16"),
        std::pair("gfx950", "v_mfma_f32_16x16x128_f8f6f4")}) {
    Case test = makeCase(chip, mnemonic);
    test.accumulators = true;
    check(test, random);
  }
}

TEST(SimMatrixKernel, Modifiers) {
  std::mt19937 random(3);
  auto run = [&](const char *chip, const char *mnemonic, const char *modifiers,
                 auto set) {
    Case test = makeCase(chip, mnemonic);
    test.modifiers = std::string(" ") + modifiers;
    set(test.mods);
    check(test, random);
  };
  using Mods = MatrixModifiers &;
  run("gfx90a", "v_mfma_f32_16x16x1f32", "cbsz:1 abid:1 blgp:3", [](Mods m) {
    m.cbsz = 1;
    m.abid = 1;
    m.blgp = 3;
  });
  run("gfx942", "v_mfma_f32_4x4x4_16b_f16", "cbsz:4 abid:9",
      [](Mods m) { m.cbsz = 4, m.abid = 9; });
  run("gfx942", "v_mfma_f32_32x32x8_f16", "blgp:2", [](Mods m) { m.blgp = 2; });
  run("gfx942", "v_mfma_f64_16x16x4_f64", "neg:[1,0,1]",
      [](Mods m) { m.blgp = 5; });
  run("gfx942", "v_smfmac_f32_16x16x32_f16", "abid:3",
      [](Mods m) { m.abid = 3; });
  run("gfx942", "v_smfmac_f32_16x16x32_f16", "cbsz:1 abid:3",
      [](Mods m) { m.cbsz = 1, m.abid = 3; });
  run("gfx950", "v_mfma_f32_32x32x64_f8f6f4", "cbsz:4 blgp:2",
      [](Mods m) { m.cbsz = 4, m.blgp = 2; });
  run("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4",
      "op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:4", [](Mods m) {
        m.cbsz = 1;
        m.blgp = 4;
        m.opSel = 1;
        m.opSelHi = 2;
      });
  // The printer omits the modifier if all bits are ones.
  run("gfx950", "v_mfma_scale_f32_32x32x64_f8f6f4",
      "op_sel:[1,1,0] op_sel_hi:[1,1,0]",
      [](Mods m) { m.opSel = m.opSelHi = 3; });
  run("gfx1100", "v_wmma_f16_16x16x16_f16",
      "op_sel:[0,0,1] neg_lo:[1,0,1] neg_hi:[0,1,1]", [](Mods m) {
        m.opSel = 4;
        m.negLo = 5;
        m.negHi = 6;
      });
  run("gfx1201", "v_wmma_i32_16x16x32_iu4", "neg_lo:[0,1,0] clamp",
      [](Mods m) { m.negLo = 2, m.clamp = true; });
  run("gfx1201", "v_swmmac_f32_16x16x32_bf16", "index_key:1",
      [](Mods m) { m.indexKey = 1; });
}

TEST(SimMatrixKernel, ConstantC) {
  std::mt19937 random(4);
  auto run = [&](const char *chip, const char *mnemonic, const char *constant,
                 uint64_t bits) {
    Case test = makeCase(chip, mnemonic);
    test.c = constant;
    test.cBits = bits;
    check(test, random);
  };
  run("gfx90a", "v_mfma_f32_32x32x8f16", "-4.0", 0xc0800000);
  run("gfx942", "v_mfma_f32_16x16x16_f16", "0", 0);
  run("gfx942", "v_mfma_i32_16x16x32_i8", "-7", 0xfffffff9);
  run("gfx942", "v_mfma_f64_16x16x4_f64", "0.5", 0x3fe0000000000000);
  run("gfx1201", "v_wmma_f32_16x16x16_fp8_fp8", "2.0", 0x40000000);
  run("gfx1201", "v_wmma_f16_16x16x16_f16", "1.0", 0x3c00);
  run("gfx1100", "v_wmma_i32_16x16x16_iu8", "33", 33);
}

/// Matrix instructions ignore EXEC.
TEST(SimMatrixKernel, InactiveLanesTakePart) {
  std::mt19937 random(5);
  for (const char *mnemonic :
       {"v_mfma_f32_32x32x8_f16", "v_mfma_f64_16x16x4_f64"}) {
    Case test = makeCase("gfx942", mnemonic);
    test.before = "s_mov_b64 exec, 0x10";
    test.after = "s_mov_b64 exec, -1";
    check(test, random);
    test.before = "s_mov_b64 exec, 0";
    check(test, random);
  }
  Case test = makeCase("gfx1201", "v_wmma_f32_16x16x16_f16");
  test.before = "s_mov_b32 exec_lo, 0x10";
  test.after = "s_mov_b32 exec_lo, -1";
  check(test, random);
}

/// Matrix instructions ignore the modes of other vector arithmetic.
TEST(SimMatrixKernel, ModeDoesNotCount) {
  std::mt19937 random(6);
  for (const char *mnemonic :
       {"v_mfma_f32_16x16x4_f32", "v_mfma_f32_16x16x16_f16"}) {
    Case test = makeCase("gfx942", mnemonic);
    // Round toward zero, flush denormals.
    test.before = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x0f\n"
                  "v_mul_f32 v9, v10, v11";
    check(test, random);
  }
}

TEST(SimMatrixKernel, RefusedModifiersAreReported) {
  LaneTest kernel;
  kernel.chip = "gfx950";
  kernel.run(
      "v_mfma_f32_16x16x128_f8f6f4 v[64:67], v[42:49], v[50:57], v[10:13] "
      "cbsz:6",
      std::vector<std::vector<uint32_t>>(kInputs,
                                         std::vector<uint32_t>(64, 0)));
  EXPECT_NE(kernel.error.find("element formats"), std::string::npos)
      << kernel.error;
}
