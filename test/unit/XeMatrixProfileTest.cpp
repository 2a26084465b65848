//===- XeMatrixProfileTest.cpp - Operands of dpas as profiles have them ---===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of the profiles' matrix instructions against what the functions
// of cl_intel_subgroup_matrix_multiply_accumulate (and its tf32 sister) take
// from each work item of a subgroup of 16:
//
//   A   M words of 16 bits: word r has the elements of row r, one or two of
//       them side by side, and work items follow each other along the row. Of
//       tf32: the M x 8 elements in the order of the rows, 16 at a time.
//   B   8 words of 32 bits: work item l has column l, as many rows as fit in a
//       word side by side.
//   C   M values: value r of work item l is in row r, column l.
//
//===----------------------------------------------------------------------===//

#include "test/unit/TargetTestSupport.h"

#include "dialects/layout/algebra/NestedLayout.h"
#include "targets/ProfileLoader.h"

#include <gtest/gtest.h>

#include <set>

using namespace aircc;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;
using aircc::layout::NestedParams;

using aircc::test::loadProfile;

namespace {

constexpr int64_t kLanes = 16;

NestedLayout layoutOf(const OperandLayout &operand) {
  auto layout = NestedLayout::get(
      NestedParams::ofInstruction(operand.outerTile, operand.threadTile,
                                  operand.elementTile, operand.threadStrides));
  EXPECT_TRUE(layout);
  return *layout;
}

int64_t bitsOf(const std::string &type) {
  return type == "i8" ? 8 : type == "tf32" ? 32 : 16;
}

/// Returns the element of A in value `n` of a work item, or nothing if the
/// instruction ignores the value.
std::optional<Ints> elementOfA(const MatrixInstruction &instruction,
                               int64_t lane, int64_t n) {
  int64_t bits = bitsOf(instruction.a.type);
  if (bits == 32) {
    int64_t flat = n * kLanes + lane;
    if (flat >= instruction.m * instruction.k)
      return std::nullopt;
    return Ints{flat / instruction.k, flat % instruction.k};
  }
  int64_t inWord = 16 / bits;
  return Ints{n / inWord, lane * inWord + n % inWord};
}

TEST(XeMatrixProfile, OperandsAreWhatWorkItemsHave) {
  for (const char *chip : {"pvc", "bmg", "bmg-g31", "lnl", "ptl", "wcl", "nvl",
                           "nvl-s", "nvl-u", "cri"}) {
    TargetProfile profile = loadProfile(chip);
    std::set<std::string> types;
    for (const MatrixInstruction &instruction : profile.matrixInstructions) {
      SCOPED_TRACE(std::string(chip) + " " + instruction.name);
      types.insert(instruction.c.type + " " + instruction.a.type);
      int64_t bits = bitsOf(instruction.a.type);
      EXPECT_EQ(instruction.k, 8 * 32 / bits);
      EXPECT_EQ(instruction.n, kLanes);
      NestedLayout a = layoutOf(instruction.a), b = layoutOf(instruction.b),
                   c = layoutOf(instruction.c);
      EXPECT_EQ(a.shape(), (Ints{instruction.m, instruction.k}));
      EXPECT_EQ(b.shape(), (Ints{instruction.k, instruction.n}));
      EXPECT_EQ(c.shape(), (Ints{instruction.m, instruction.n}));
      EXPECT_EQ(b.numRegisters(), 8 * 32 / bits);
      EXPECT_EQ(c.numRegisters(), instruction.m);
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        for (int64_t n = 0; n < a.numRegisters(); ++n)
          if (auto element = elementOfA(instruction, lane, n))
            EXPECT_EQ(a.elementAt(0, lane, n), *element) << lane << " " << n;
        for (int64_t n = 0; n < b.numRegisters(); ++n)
          EXPECT_EQ(b.elementAt(0, lane, n), (Ints{n, lane}));
        for (int64_t n = 0; n < c.numRegisters(); ++n)
          EXPECT_EQ(c.elementAt(0, lane, n), (Ints{n, lane}));
      }
    }
    EXPECT_EQ(types, (std::set<std::string>{"bf16 bf16", "f16 f16", "f32 bf16",
                                            "f32 f16", "f32 tf32", "i32 i8"}));
  }
}

} // namespace
