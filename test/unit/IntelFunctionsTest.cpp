//===- IntelFunctionsTest.cpp - Names of Intel's device functions ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/xevm/IntelFunctions.h"
#include "pipeline/codegen/llvm/spirv/SPIRVModule.h"

#include "gtest/gtest.h"
#include <cstring>

using namespace aircc;

// The expected names are those that Clang mangles from the declarations of
// OpenCL's extensions.
TEST(IntelFunctions, KnowsBlocks) {
  for (const char *name :
       {"_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt",
        "_Z42intel_sub_group_2d_block_read_16b_32r16x2cPU3AS1viiiDv2_iPt",
        "_Z40intel_sub_group_2d_block_read_8b_8r32x1cPU3AS1viiiDv2_iPt",
        "_Z40intel_sub_group_2d_block_read_8b_8r16x4cPU3AS1viiiDv2_iPh",
        "_Z41intel_sub_group_2d_block_read_32b_8r16x1cPU3AS1viiiDv2_iPj",
        ("_Z52intel_sub_group_2d_block_read_transform_16b_16r16x1c"
         "PU3AS1viiiDv2_iPj"),
        ("_Z51intel_sub_group_2d_block_read_transpose_32b_16r8x1c"
         "PU3AS1viiiDv2_iPj"),
        "_Z42intel_sub_group_2d_block_write_32b_8r16x1cPU3AS1viiiDv2_iPj",
        "_Z45intel_sub_group_2d_block_prefetch_16b_8r16x1cPU3AS1viiiDv2_i",
        "__builtin_IB_ftobf_1"})
    EXPECT_TRUE(isIntelFunction(name)) << name;
}

TEST(IntelFunctions, KnowsNoOtherBlocks) {
  for (const char *name :
       {// Of other types than the function's.
        "_Z40intel_sub_group_2d_block_read_8b_8r32x1cPU3AS1viiiDv2_iPh",
        "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPj",
        // Shapes that the extensions do not have.
        "_Z41intel_sub_group_2d_block_read_16b_3r16x1cPU3AS1viiiDv2_iPt",
        "_Z41intel_sub_group_2d_block_read_16b_8r16x4cPU3AS1viiiDv2_iPt",
        "_Z43intel_sub_group_2d_block_write_32b_16r16x1cPU3AS1viiiDv2_iPj",
        ("_Z52intel_sub_group_2d_block_read_transpose_16b_16r16x1c"
         "PU3AS1viiiDv2_iPt"),
        // These are not mangled names.
        "", "_Z", "_Z99short", "intel_sub_group_2d_block_read_16b_8r16x1c",
        "_Z4sinff"})
    EXPECT_FALSE(isIntelFunction(name)) << name;
}

TEST(IntelFunctions, KnowsProducts) {
  for (const char *name :
       {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f",
        "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_Dh",
        "_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_if",
        "_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f",
        "_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iS_",
        "_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv4_fDv8_fS0_",
        "_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv2_fDv8_fDv4_f",
        "_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_",
        "_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv4_sDv8_iDv4_i",
        "_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_tDv8_jDv8_i"})
    EXPECT_TRUE(isIntelFunction(name)) << name;
  for (const char *name :
       {"_Z36intel_sub_group_s8_s8_matrix_mad_k32Dv8_sDv8_iS0_",
        "_Z36intel_sub_group_i8_i8_matrix_mad_k16Dv8_sDv8_iS0_",
        "_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_sDv8_iS0_",
        "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv3_sDv8_iDv3_f",
        "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iS_"})
    EXPECT_FALSE(isIntelFunction(name)) << name;
}

TEST(IntelFunctions, CorrectsNames) {
  EXPECT_EQ(
      getIntelName("_Z36intel_sub_group_s8_s8_matrix_mad_k32Dv8_sDv8_iS0_"),
      "_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_");
  EXPECT_EQ(
      getIntelName("_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_sDv8_iS0_"),
      "_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_tDv8_jDv8_i");
  // With one row, the type is a scalar instead of a vector.
  EXPECT_EQ(
      getIntelName("_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv1_sDv8_iDv1_f"),
      "_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_if");
  EXPECT_EQ(
      getIntelName("_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv1_sDv8_iS_"),
      "_Z40intel_sub_group_bf16_bf16_matrix_mad_k16sDv8_is");
  EXPECT_EQ(
      getIntelName("_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv1_sDv8_iDv1_i"),
      "_Z36intel_sub_group_u8_u8_matrix_mad_k32tDv8_ji");
  EXPECT_EQ(
      getIntelName("_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv1_fDv8_fS_"),
      "_Z39intel_sub_group_tf32_tf32_matrix_mad_k8fDv8_ff");
  EXPECT_EQ(getIntelName(
                "_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv1_fDv8_fDv2_f"),
            "_Z39intel_sub_group_tf32_tf32_matrix_mad_k8fDv8_fDv2_f");
  EXPECT_EQ(getIntelName("_Z40intel_sub_group_2d_block_read_8b_8r32x1c"
                         "PU3AS1viiiDv2_iPh"),
            "_Z40intel_sub_group_2d_block_read_8b_8r32x1cPU3AS1viiiDv2_iPt");
  // Correct names and other functions are unchanged.
  for (const char *name :
       {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f", "_Z3sinf",
        "main", ""})
    EXPECT_EQ(getIntelName(name), name);
}

TEST(SPIRVModule, LosesAnExtension) {
  // A module with a header, OpCapability Kernel, OpExtension "abc", OpExtension
  // "abcd" and OpMemoryModel.
  const uint32_t words[] = {0x07230203,
                            0x10400,
                            0,
                            10,
                            0,
                            2u << 16 | 17,
                            6,
                            2u << 16 | 10,
                            0x00636261,
                            3u << 16 | 10,
                            0x64636261,
                            0,
                            3u << 16 | 14,
                            2,
                            2};
  llvm::SmallVector<char> module(sizeof(words));
  std::memcpy(module.data(), words, sizeof(words));
  dropSPIRVExtension(module, "ab");
  EXPECT_EQ(module.size(), sizeof(words));
  dropSPIRVExtension(module, "abc");
  ASSERT_EQ(module.size(), sizeof(words) - 8);
  EXPECT_EQ(std::memcmp(module.data(), words, 28), 0);
  EXPECT_EQ(std::memcmp(module.data() + 28, words + 9, 24), 0);
  dropSPIRVExtension(module, "abcd");
  ASSERT_EQ(module.size(), sizeof(words) - 20);
  EXPECT_EQ(std::memcmp(module.data() + 28, words + 12, 12), 0);
}

TEST(SPIRVModule, TellsWhatIsNone) {
  EXPECT_FALSE(isSPIRV(""));
  EXPECT_FALSE(isSPIRV("\x7f"
                       "ELF and twenty more bytes"));
  EXPECT_TRUE(getSPIRVImports("no SPIR-V, whatever it is").empty());
  EXPECT_FALSE(getLargestWorkgroup("no SPIR-V, whatever it is"));
}
