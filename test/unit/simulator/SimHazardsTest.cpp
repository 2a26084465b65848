//===- SimHazardsTest.cpp - Instructions that come too soon ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of instructions separated by the number of wait states that the ISA
// guides require give no report, and with one wait state less they give one.
// Pairs without a common register give none.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/check/Checker.h"

#include <gtest/gtest.h>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

/// Returns the checker's report for one wave that runs `body`.
std::string check(const std::string &chip, const std::string &body,
                  bool wave64 = true) {
  SimDevice device;
  Checker checker(10);
  device.addObserver(checker);
  KernelOptions options;
  options.ldsBytes = 4096;
  options.wave64 = wave64;
  uint32_t *memory = onDevice<uint32_t>(device, std::vector<uint32_t>(4096, 0));
  const bool hasChoice = wave64 && chip.rfind("gfx9", 0) != 0;
  return run(device,
             assemble(chip, kernelText(chip, body, 1, options),
                      hasChoice ? "+wavefrontsize64" : ""),
             {memory}, {1, 1, 1}, {wave64 ? 64u : 32u, 1, 1});
}

/// Emits `states` wait states.
std::string nops(unsigned states) {
  std::string text;
  for (; states; states -= std::min(states, 8u))
    text += "s_nop " + std::to_string(std::min(states, 8u) - 1) + "\n";
  return text;
}

struct Pair {
  const char *chips; ///< Separated by commas.
  const char *first, *second;
  unsigned states;  ///< The required wait states.
  const char *text; ///< Part of the report.
};

/// s[4:5] and s[6:7] are addresses of memory, v1 is a multiple of four per
/// lane, v10 to v63 are defined.
std::string withPair(const Pair &pair, const std::string &between) {
  std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 s8, 0
    s_mov_b32 s9, 0
    s_waitcnt lgkmcnt(0)
    s_mov_b64 s[6:7], s[4:5]
    v_mov_b32_e32 v9, s5
    v_mov_b32_e32 v8, s5
)";
  for (unsigned reg = 10; reg < 96; ++reg)
    body += "v_mov_b32_e32 v" + std::to_string(reg) + ", 0\n";
  return body + nops(8) + pair.first + "\n" + between + pair.second + "\n" +
         nops(8) + nops(8) + nops(8) + "s_endpgm\n";
}

void checkPair(const std::string &chip, const Pair &pair) {
  SCOPED_TRACE(chip + ": " + pair.first + "; " + pair.second);
  EXPECT_EQ(check(chip, withPair(pair, nops(pair.states))), "");
  if (pair.states == 0)
    return;
  const std::string text = check(chip, withPair(pair, nops(pair.states - 1)));
  EXPECT_NE(text.find("missing wait states: "), std::string::npos) << text;
  EXPECT_NE(text.find(pair.text), std::string::npos) << text;
  EXPECT_NE(text.find("wait states between them (s_nop, other instructions): " +
                      std::to_string(pair.states - 1) +
                      ", needed: " + std::to_string(pair.states)),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(std::string("): ") + pair.second), std::string::npos)
      << text;
  EXPECT_NE(text.find(std::string("): ") + pair.first), std::string::npos)
      << text;
}

void checkPairs(llvm::ArrayRef<Pair> pairs) {
  for (const Pair &pair : pairs) {
    llvm::SmallVector<llvm::StringRef, 3> chips;
    llvm::StringRef(pair.chips).split(chips, ',');
    for (llvm::StringRef chip : chips)
      checkPair(chip.str(), pair);
  }
}

const char kGfx9[] = "gfx90a,gfx942,gfx950";
const char kGfx940[] = "gfx942,gfx950";

TEST(SimHazards, ScalarsAndLanes) {
  checkPairs({
      {kGfx9, "v_readfirstlane_b32 s7, v9", "global_load_dword v20, v1, s[6:7]",
       5, "reads a scalar that a vector instruction wrote (s7)"},
      {kGfx9, "v_readfirstlane_b32 s7, v9", "global_load_dword v20, v1, s[4:5]",
       0, ""},
      {kGfx9, "s_mov_b32 s7, s5", "global_load_dword v20, v1, s[6:7]", 0, ""},
      {kGfx9, "v_readfirstlane_b32 s10, v10", "v_readlane_b32 s11, v11, s10", 4,
       "a lane is chosen"},
      {kGfx9, "v_readfirstlane_b32 s10, v10", "v_writelane_b32 v11, 0, s10", 4,
       "a lane is chosen"},
      {kGfx9, "v_cmp_eq_u32_e32 vcc, v10, v11",
       "v_div_fmas_f32 v12, v13, v14, v15", 4, "v_div_fmas reads VCC"},
      {"gfx90a", "v_cmp_eq_u32_e32 vcc, v10, v11",
       "v_cndmask_b32_e32 v12, v13, v14, vcc", 0, ""},
      {kGfx940, "v_cmp_eq_u32_e32 vcc, v10, v11",
       "v_cndmask_b32_e32 v12, v13, v14, vcc", 2,
       "reads a scalar that a vector instruction wrote (vcc_lo)"},
      {kGfx940, "v_readfirstlane_b32 s10, v10", "v_mov_b32_e32 v12, s10", 2,
       "(s10)"},
      {kGfx940, "v_readfirstlane_b32 s10, v10", "s_mov_b32 s11, s10", 0, ""},
      {kGfx940, "v_mov_b32_e32 v12, v13", "v_readlane_b32 s10, v12, 3", 1,
       "a lane is read"},
      {kGfx940, "v_cmpx_eq_u32_e64 s[10:11], v10, v10",
       "v_readlane_b32 s12, v12, 3", 4, "a lane is accessed"},
      {"gfx90a", "v_mov_b32_e32 v12, v13", "v_readlane_b32 s10, v12, 3", 0, ""},
      {kGfx940, "s_mov_b32 m0, 0", "global_load_lds_dword v1, s[4:5]", 1,
       "M0 is used"},
      {kGfx9, "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8",
       "s_getreg_b32 s10, hwreg(HW_REG_MODE)", 2,
       "a hardware register is read"},
      {kGfx9, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0",
       "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8", 2,
       "a hardware register is written"},
      {"gfx950", "v_mov_b32_e32 v12, v13", "v_permlane32_swap_b32_e32 v12, v14",
       2, "v_permlane reads"},
      {"gfx950", "v_cmpx_eq_u32_e64 s[10:11], v10, v10",
       "v_permlane32_swap_b32_e32 v12, v14", 4, "v_permlane follows"},
  });
}

TEST(SimHazards, ZeroFlagsAsData) {
  checkPairs({
      {kGfx9, "v_cmp_eq_u32_e32 vcc, v10, v11", "v_mov_b32_e32 v12, src_vccz",
       5, "VCCZ or EXECZ is read as data"},
      {kGfx9, "v_cmpx_eq_u32_e64 s[10:11], v10, v10",
       "v_mov_b32_e32 v12, src_execz", 5, "VCCZ or EXECZ is read as data"},
      {kGfx9, "v_cmp_eq_u32_e32 vcc, v10, v11", "v_mov_b32_e32 v12, src_execz",
       0, ""},
      {kGfx9, "s_mov_b64 vcc, 0", "v_mov_b32_e32 v12, src_vccz", 0, ""},
  });
}

TEST(SimHazards, DoubleMatrixBetweenAVectorAndAMemoryInstruction) {
  const char kDouble[] = "v_mfma_f64_4x4x4f64 v[40:41], v[10:11], v[14:15], "
                         "v[40:41]\n";
  auto body = [&](const std::string &between, const char *use) {
    return withPair({"", "v_mov_b32_e32 v20, v21", use, 0, ""}, between);
  };
  for (const char *use :
       {"global_store_dword v1, v20, s[4:5]", "ds_write_b32 v1, v20"}) {
    const std::string text = check("gfx90a", body(kDouble, use));
    EXPECT_NE(text.find("before a matrix instruction of f64 (v20)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(": 1, needed: 2"), std::string::npos) << text;
    EXPECT_EQ(check("gfx90a", body(std::string(kDouble) + "s_nop 0\n", use)),
              "");
    EXPECT_EQ(check("gfx90a", body("s_nop 0\n", use)), "");
    EXPECT_EQ(
        check("gfx942", body("v_mfma_f64_4x4x4_4b_f64 v[40:41], v[10:11], "
                             "v[14:15], v[40:41]\n",
                             use)),
        "");
  }
}

TEST(SimHazards, Vectors) {
  checkPairs({
      {kGfx9, "v_mov_b32_e32 v12, v13",
       "v_mov_b32_dpp v14, v12 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
       2, "a DPP instruction reads"},
      {kGfx9, "v_cmpx_eq_u32_e64 s[10:11], v10, v10",
       "v_mov_b32_dpp v14, v12 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
       5, "a DPP instruction follows"},
      {"gfx90a", "global_store_dwordx4 v1, v[12:15], s[4:5]",
       "v_mov_b32_e32 v15, v10", 1, "is overwritten (v15)"},
      {kGfx940, "global_store_dwordx4 v1, v[12:15], s[4:5]",
       "v_mov_b32_e32 v15, v10", 2, "is overwritten (v15)"},
      {kGfx940, "buffer_store_dwordx4 v[12:15], v1, s[4:7], 0 offen",
       "v_mov_b32_e32 v15, v10", 2, "is overwritten (v15)"},
      {kGfx940, "buffer_store_dwordx4 v[12:15], v1, s[4:7], s9 offen",
       "v_mov_b32_e32 v15, v10", 1, "is overwritten (v15)"},
      {"gfx90a", "buffer_store_dwordx4 v[12:15], v1, s[4:7], s9 offen",
       "v_mov_b32_e32 v15, v10", 0, ""},
      {kGfx940, "buffer_store_dwordx2 v[12:13], v1, s[4:7], s9 offen",
       "v_mov_b32_e32 v13, v10", 0, ""},
      {kGfx9, "global_store_dwordx2 v1, v[12:13], s[4:5]",
       "v_mov_b32_e32 v12, v10", 0, ""},
      {kGfx940, "v_exp_f32_e32 v12, v13", "v_add_f32_e32 v14, v12, v10", 1,
       "that a transcendental instruction wrote (v12)"},
      {kGfx940, "v_exp_f32_e32 v12, v13", "v_log_f32_e32 v14, v12", 0, ""},
      {"gfx90a", "v_exp_f32_e32 v12, v13", "v_add_f32_e32 v14, v12, v10", 0,
       ""},
      {kGfx940,
       "v_add_u16_sdwa v12, v13, v14 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
       "src0_sel:WORD_0 src1_sel:WORD_0",
       "v_mov_b32_e32 v15, v12", 1, "wrote a part (v12)"},
      {kGfx940, "v_mad_u16 v12, v13, v14, v15 op_sel:[0,0,0,1]",
       "v_mov_b32_e32 v15, v12", 1, "wrote a part (v12)"},
      {kGfx9, "v_dot4_i32_i8 v12, v13, v14, v15", "v_add_u32_e32 v16, v12, v10",
       3, "that a dot instruction wrote (v12)"},
      {kGfx9, "v_dot4_i32_i8 v12, v13, v14, v15",
       "v_dot4_i32_i8 v16, v13, v14, v12", 0, ""},
      {kGfx9, "v_dot4_i32_i8 v12, v13, v14, v15",
       "v_dot4_i32_i8 v16, v12, v14, v15", 3, "(v12)"},
  });
}

TEST(SimHazards, MatrixInstructions) {
  const char kBig[] = "v_mfma_f32_32x32x8_f16 v[16:31], v[10:11], v[12:13], "
                      "v[16:31]";
  const char kBig90a[] = "v_mfma_f32_32x32x8f16 v[16:31], v[10:11], v[12:13], "
                         "v[16:31]";
  const char kSmall[] = "v_mfma_f32_4x4x4_16b_f16 v[16:19], v[10:11], "
                        "v[12:13], v[16:19]";
  const char kSmall90a[] = "v_mfma_f32_4x4x4f16 v[16:19], v[10:11], v[12:13], "
                           "v[16:19]";
  const char kSingle[] = "v_mfma_f32_16x16x4_f32 v[16:19], v10, v11, v[16:19]";
  const char kDouble90a[] = "v_mfma_f64_16x16x4f64 v[16:23], v[10:11], "
                            "v[12:13], v[16:23]";
  const char kDouble[] = "v_mfma_f64_16x16x4_f64 v[16:23], v[10:11], "
                         "v[12:13], v[16:23]";
  const char kRead[] = "v_add_f32_e32 v40, v16, v10";
  const char kStore[] = "global_store_dword v1, v17, s[4:5]";
  const char kWrite[] = "v_mov_b32_e32 v18, v10";
  checkPairs({
      {"gfx90a", "v_mov_b32_e32 v10, v40",
       "v_mfma_f32_4x4x1f32 v[16:19], v10, v11, v[16:19]", 2,
       "a matrix instruction reads"},
      {kGfx940, "v_mov_b32_e32 v10, v40",
       "v_mfma_f32_4x4x1_16b_f32 v[16:19], v10, v11, v[16:19]", 2,
       "a matrix instruction reads"},
      {"gfx90a", "v_cmpx_eq_u32_e64 s[10:11], v40, v40",
       "v_mfma_f32_4x4x1f32 v[16:19], v10, v11, v[16:19]", 4,
       "a matrix instruction follows"},
      {kGfx940, "v_cmpx_eq_u32_e64 s[10:11], v40, v40",
       "v_mfma_f32_4x4x1_16b_f32 v[16:19], v10, v11, v[16:19]", 4,
       "a matrix instruction follows"},
      // The registers are read and written by other instructions.
      {"gfx90a", kBig90a, kRead, 19, "v16 is read"},
      {"gfx90a", kBig90a, kStore, 19, "v17 is read"},
      {"gfx90a", kBig90a, kWrite, 19, "v18 is written"},
      {"gfx90a", kSmall90a, kRead, 5, "v16 is read"},
      {"gfx90a", kDouble90a, kRead, 11, "v16 is read"},
      {"gfx90a", kDouble90a, kStore, 18, "v17 is read"},
      {"gfx90a", kDouble90a, kWrite, 11, "v18 is written"},
      {"gfx942", kBig, kRead, 11, "v16 is read"},
      {"gfx942", kBig, kStore, 11, "v17 is read"},
      {"gfx942", kSmall, kRead, 5, "v16 is read"},
      {"gfx942", kSingle, kRead, 10, "v16 is read"},
      {"gfx942", kDouble, kRead, 11, "v16 is read"},
      {"gfx942", kDouble, kStore, 18, "v17 is read"},
      {"gfx950", kBig, kRead, 12, "v16 is read"},
      {"gfx950", kSmall, kRead, 5, "v16 is read"},
      {"gfx950", kDouble, kRead, 19, "v16 is read"},
      {kGfx9, "v_mov_b32_e32 v17, v40", kStore, 0, ""},
      // The registers are operands of matrix instructions.
      {"gfx942", kBig, kBig, 0, ""},
      {"gfx942", kSmall, kSmall, 2, "v16 is read"},
      {"gfx942", kBig,
       "v_mfma_f32_4x4x4_16b_f16 v[40:43], v[10:11], v[12:13], v[20:23]", 9,
       "v20 is read"},
      {"gfx942", kBig,
       "v_mfma_f32_4x4x4_16b_f16 v[40:43], v[16:17], v[12:13], v[44:47]", 11,
       "v16 is read"},
      {"gfx950", kBig,
       "v_mfma_f32_4x4x4_16b_f16 v[40:43], v[10:11], v[12:13], v[20:23]", 10,
       "v20 is read"},
      {"gfx90a", kBig90a,
       "v_mfma_f32_4x4x4f16 v[40:43], v[10:11], v[12:13], v[20:23]", 16,
       "v20 is read"},
      {"gfx90a", kBig90a,
       "v_mfma_f32_4x4x4f16 v[40:43], v[16:17], v[12:13], v[44:47]", 19,
       "v16 is read"},
      // The accumulator C is overwritten.
      {"gfx942",
       "v_mfma_f32_32x32x8_f16 v[16:31], v[10:11], v[12:13], v[40:55]",
       "v_mov_b32_e32 v41, v10", 7, "v41 is written that a matrix"},
      {"gfx90a", "v_mfma_f64_4x4x4f64 v[40:41], v[10:11], v[12:13], v[40:41]",
       "v_fma_f64 v[60:61], v[62:63], v[62:63], v[62:63]", 2,
       "v_fma_f64 follows"},
      {kGfx940,
       "v_mfma_f64_4x4x4_4b_f64 v[40:41], v[10:11], v[12:13], v[40:41]",
       "v_fma_f64 v[60:61], v[62:63], v[62:63], v[62:63]", 2,
       "v_fma_f64 follows"},
  });
}

/// Two bodies; only the first gives a report.
void expectOnly(const std::string &chip, bool wave64, const std::string &bad,
                const std::string &good, const char *part) {
  const std::string head = wave64 ? "v_lshlrev_b32_e32 v1, 2, v0\n"
                                    "s_mov_b64 s[8:9], 0\n"
                                    "v_mov_b32_e32 v2, 0\n"
                                    "v_mov_b32_e32 v3, 0\n"
                                  : "v_lshlrev_b32_e32 v1, 2, v0\n"
                                    "s_mov_b32 s8, 0\n"
                                    "v_mov_b32_e32 v2, 0\n"
                                    "v_mov_b32_e32 v3, 0\n";
  SCOPED_TRACE(chip + ": " + bad);
  const std::string text = check(chip, head + bad + "s_endpgm\n", wave64);
  EXPECT_NE(text.find("missing wait states: "), std::string::npos) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(check(chip, head + good + "s_endpgm\n", wave64), "");
}

TEST(SimHazards, TranscendentalResults) {
  const std::string trans = "v_exp_f32_e32 v4, v2\n",
                    use = "v_add_f32_e32 v5, v4, v3\n",
                    other = "v_add_f32_e32 v6, v2, v3\n";
  expectOnly("gfx1100", false, trans + use,
             trans + "s_waitcnt_depctr 0xfff\n" + use,
             "v4 is read that a transcendental instruction wrote");
  expectOnly("gfx1100", false,
             trans + other + other + other + other + other + use,
             trans + other + other + other + other + other + other + use,
             "v_exp_f32_e32 v4, v2");
  // A store requires waiting for the vector ALU.
  expectOnly("gfx1100", false, trans + use,
             trans + "ds_store_b32 v1, v2\n" + use, "v4 is read");
  expectOnly("gfx1100", false, trans + use, trans + "buffer_gl0_inv\n" + use,
             "v4 is read");
  EXPECT_EQ(check("gfx1201",
                  "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0\n" + trans + use +
                      "s_endpgm\n",
                  false),
            "");
}

TEST(SimHazards, RegistersAroundAChangeOfExec) {
  const std::string first = "v_mov_b32_e32 v4, v2\ns_mov_b64 exec, -1\n"
                            "v_mov_b32_e32 v5, v2\n",
                    use = "v_add_f32_e32 v6, v4, v5\n";
  expectOnly("gfx1100", true, first + use,
             first + "s_waitcnt_depctr 0xfff\n" + use,
             "right before and right after a change of EXEC");
  EXPECT_EQ(check("gfx1100", "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v4, v2\n"
                             "v_mov_b32_e32 v5, v2\n" +
                                 use + "s_endpgm\n"),
            "");
}

TEST(SimHazards, ScalarsThatVectorInstructionsHaveRead) {
  const std::string mask = "v_cndmask_b32_e64 v4, v2, v3, s[8:9]\n",
                    write = "s_mov_b64 s[8:9], -1\n",
                    use = "v_mov_b32_e32 v5, s8\n";
  expectOnly("gfx1100", true, mask + write + use,
             mask + write + "s_waitcnt_depctr 0xfffe\n" + use,
             "s8 is read, which was written after a vector instruction");
  // The instruction that writes the mask also reads it.
  expectOnly("gfx1100", true, mask + write + use,
             "v_add_co_ci_u32_e64 v4, s[8:9], v2, v3, s[8:9]\n" + use, "s8");
  // A load in between gives the register another value.
  EXPECT_EQ(check("gfx1100", R"(
    v_mov_b32_e32 v2, 0
    s_mov_b64 s[8:9], 0
    v_cndmask_b32_e64 v4, v2, v2, s[8:9]
    s_load_b64 s[8:9], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    s_mov_b64 s[8:9], 0
    v_mov_b32_e32 v5, s8
    s_endpgm
)"),
            "");
  // VCC as one of the two values is not a hazard either.
  expectOnly("gfx1100", true, mask + write + use,
             "s_mov_b64 vcc, 0\nv_cndmask_b32_e64 v4, vcc_lo, v3, s[8:9]\n"
             "s_mov_b64 vcc, -1\nv_mov_b32_e32 v5, vcc_lo\n",
             "s8");
  // VCC as an ordinary operand does not count.
  expectOnly("gfx1100", true, mask + write + use, use + write + use, "s8");
  expectOnly("gfx1201", false,
             "v_mov_b32_e32 v4, s8\ns_mov_b32 s8, 5\nv_mov_b32_e32 v5, s8\n",
             "v_mov_b32_e32 v4, s8\ns_mov_b32 s8, 5\n"
             "s_wait_alu depctr_sa_sdst(0)\nv_mov_b32_e32 v5, s8\n",
             "depctr_sa_sdst(0)");
  expectOnly("gfx1201", false,
             "v_mov_b32_e32 v4, s8\nv_readfirstlane_b32 s8, v2\n"
             "v_mov_b32_e32 v5, s8\n",
             "v_mov_b32_e32 v4, s8\nv_readfirstlane_b32 s8, v2\n"
             "s_wait_alu depctr_va_sdst(0)\nv_mov_b32_e32 v5, s8\n",
             "depctr_va_sdst(0)");
  expectOnly("gfx1201", false,
             "v_cmp_eq_u32_e32 vcc_lo, v2, v3\n"
             "v_cndmask_b32_e32 v4, v2, v3, vcc_lo\n"
             "v_cmp_eq_u32_e32 vcc_lo, v2, v3\n"
             "v_cndmask_b32_e32 v4, v2, v3, vcc_lo\n",
             "v_cmp_eq_u32_e32 vcc_lo, v2, v3\n"
             "v_cndmask_b32_e32 v4, v2, v3, vcc_lo\n"
             "v_cmp_eq_u32_e32 vcc_lo, v2, v3\n"
             "s_wait_alu depctr_va_vcc(0)\n"
             "v_cndmask_b32_e32 v4, v2, v3, vcc_lo\n",
             "depctr_va_vcc(0)");
  // A scalar instruction waits for the vector ALU regardless of its operands.
  EXPECT_EQ(check("gfx1201",
                  "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v4, s8\n"
                  "v_readfirstlane_b32 s8, v2\ns_mov_b32 s9, s2\n"
                  "v_mov_b32_e32 v5, s8\ns_endpgm\n",
                  false),
            "");
  // v_s_* are vector instructions.
  EXPECT_EQ(check("gfx1201", R"(
    s_mov_b32 s8, 1.0
    v_mov_b32_e32 v4, s8
    v_s_rcp_f32 s8, s8
    s_mul_f32 s9, s8, s8
    s_endpgm
)",
                  false),
            "");
  // Calls write their return address in order.
  EXPECT_EQ(check("gfx1201", R"(
    v_mov_b32_e32 v4, s30
    s_call_b64 s[30:31], callee
    s_endpgm
callee:
    s_setpc_b64 s[30:31]
)",
                  false),
            "");
}

TEST(SimHazards, MatrixInputsOnRdna) {
  std::string zero;
  for (unsigned reg = 8; reg < 64; ++reg)
    zero += "v_mov_b32_e32 v" + std::to_string(reg) + ", 0\n";
  const std::string first = zero + "v_wmma_f32_16x16x16_f16 v[8:15], v[16:23], "
                                   "v[24:31], v[8:15]\n",
                    asA = "v_wmma_f32_16x16x16_f16 v[40:47], v[8:15], "
                          "v[24:31], v[40:47]\n",
                    asC = "v_wmma_f32_16x16x16_f16 v[40:47], v[16:23], "
                          "v[24:31], v[8:15]\n";
  expectOnly("gfx1100", false, first + asA, first + "v_nop\n" + asA,
             "v8 is read that the matrix instruction before writes");
  expectOnly("gfx1100", false, first + asA, first + asC, "v8");
  const std::string twelve =
      zero + "v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[24:27], v[8:15]\n";
  const std::string use =
      "v_wmma_f32_16x16x16_f16 v[40:47], v[8:11], v[24:27], v[40:47]\n";
  expectOnly("gfx1201", false, twelve + use, twelve + "v_nop\n" + use, "v8");
}

TEST(SimHazards, RegistersWrittenStraightFromLds) {
  const std::string m0 = "s_mov_b32 m0, 0x20000\n",
                    write = m0 + "v_mov_b32_e32 v4, v2\n",
                    other = "v_mov_b32_e32 v5, v2\n",
                    read = m0 + "ds_store_b32 v1, v4\n";
  const char kText[] = "v4 is written straight from LDS while it is in use";
  auto load = [](unsigned wait) {
    return "lds_direct_load v4 wait_vdst:" + std::to_string(wait) + "\n";
  };
  expectOnly("gfx1100", false, write + load(1), write + load(0), kText);
  expectOnly("gfx1100", false, write + other + load(2), write + other + load(1),
             kText);
  // Wait states after transcendental instructions are not counted.
  expectOnly("gfx1100", false, write + "v_exp_f32_e32 v5, v2\n" + load(1),
             write + "v_exp_f32_e32 v5, v2\n" + load(0), kText);
  const std::string stored = m0 + "v_mov_b32_e32 v4, v2\n" + read;
  expectOnly("gfx1100", false, stored + load(15),
             stored + "s_waitcnt_depctr 0xffe3\n" + load(15), kText);
  expectOnly("gfx1100", false, stored + load(15), stored + other + load(15),
             kText);
  auto load12 = [](unsigned wait, unsigned memory) {
    return "ds_direct_load v4 wait_va_vdst:" + std::to_string(wait) +
           " wait_vm_vsrc:" + std::to_string(memory) + "\n";
  };
  expectOnly("gfx1201", false, write + load12(1, 1), write + load12(0, 1),
             kText);
  expectOnly("gfx1201", false, stored + load12(15, 1), stored + load12(15, 0),
             kText);
}

TEST(SimHazards, PermlaneBehindACompareThatWritesExec) {
  const std::string first = "v_cmpx_eq_u32_e32 v2, v3\n",
                    use = "v_permlane16_b32 v4, v2, s8, s8\n";
  expectOnly("gfx1100", false, first + "v_nop\n" + use,
             first + "v_mov_b32_e32 v2, v2\n" + use, "v_permlane follows");
}

} // namespace
