//===- SPIRVValidationTest.cpp - SPIR-V modules that are none -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVValidation.h"
#include "test/unit/SpirvAssembler.h"

#include "gtest/gtest.h"

using namespace aircc;

/// Returns the validator's message for a module, or "".
static std::string getMistake(const std::string &bytes) {
  return findSPIRVMistake(bytes).value_or("");
}

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

/// A module with an empty kernel, whose function is labeled `label`.
static std::string makeKernel(uint32_t label) {
  test::Assembler module;
  // The capabilities Kernel and Addresses precede the memory model.
  module.words.resize(5);
  module.op(17, {6}).op(17, {4}).op(14, {2, 2}).entryPoint(3, "kernel");
  module.op(19, {1}).op(33, {2, 1});
  module.op(54, {1, 3, 0, 2}).op(248, {label}).op(253, {}).op(56, {});
  return module.bytes();
}

TEST(SPIRVValidation, AcceptsAKernel) {
  EXPECT_EQ(findSPIRVMistake(makeKernel(4)), std::nullopt);
}

TEST(SPIRVValidation, FindsIdsOfOthers) {
  // The backend emits such a label if it mistakes the block for one of an
  // earlier module.
  EXPECT_TRUE(contains(getMistake(makeKernel(2)), "2"));
  EXPECT_TRUE(contains(getMistake(makeKernel(5000)), "5000"));
}

TEST(SPIRVValidation, FindsWhatIsNoModule) {
  std::string kernel = makeKernel(4);
  EXPECT_NE(getMistake(""), "");
  EXPECT_NE(getMistake("no SPIR-V at all"), "");
  EXPECT_NE(getMistake(kernel.substr(0, kernel.size() - 4)), "");
  EXPECT_TRUE(contains(getMistake(kernel.substr(0, kernel.size() - 1)),
                       "multiple of 4"));
}
