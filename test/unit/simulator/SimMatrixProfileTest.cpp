//===- SimMatrixProfileTest.cpp - Layouts of the target profiles ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nested layouts of operands in targets/*.json must agree with the formulas
// of AMD's matrix instruction calculator: which lane holds an element, and
// which of its registers.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"

#include "targets/ProfileLoader.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

using namespace aircc;
using namespace aircc::simtest;

namespace {

/// The values of cbsz and blgp for a format of 4 to 8 bits.
unsigned formatOf(const std::string &type) {
  static const char *const types[] = {"f8E4M3FN", "f8E5M2", "f6E2M3FN",
                                      "f6E3M2FN", "f4E2M1FN"};
  return std::find(std::begin(types), std::end(types), type) -
         std::begin(types);
}

/// The position of element (i, j) in a layout: a lane and the number of the
/// element in the lane's vector.
struct InLane {
  unsigned lane, number;
};
InLane placeIn(const OperandLayout &layout, unsigned i, unsigned j) {
  const unsigned at[2] = {i, j};
  unsigned lane = 0, inLane[2], sizes[2];
  for (unsigned d = 0; d < 2; ++d) {
    unsigned element = layout.elementTile[d], thread = layout.threadTile[d];
    unsigned e = at[d] % element, t = at[d] / element % thread,
             o = at[d] / element / thread;
    lane += t * layout.threadStrides[d];
    inLane[d] = o * element + e;
    sizes[d] = layout.outerTile[d] * element;
  }
  return {lane, inLane[0] * sizes[1] + inLane[1]};
}

TEST(SimMatrixProfile, LayoutsAreTheCalculators) {
  unsigned compared = 0;
  for (const char *name :
       {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    std::vector<ProfileError> errors;
    auto profile = ProfileLoader({AIRCC_TARGETS_DIR}).load(name, errors);
    ASSERT_TRUE(profile);
    auto chip =
        std::find_if(allChips().begin(), allChips().end(), [&](const Chip &c) {
          return profile->chip == c.name && profile->waveSize == c.waveSize;
        });
    ASSERT_NE(chip, allChips().end());
    std::vector<std::string> mnemonics = matrixMnemonics(*chip);
    for (const MatrixInstruction &instruction : profile->matrixInstructions) {
      SCOPED_TRACE(instruction.name + " on " + name);
      // "mfma.f32.16x16x16f16" is v_mfma_f32_16x16x16f16 or, on later chips,
      // v_mfma_f32_16x16x16_f16.
      std::string plain;
      for (char c : instruction.op)
        if (c != '.' && c != '_')
          plain += c;
      auto mnemonic = std::find_if(
          mnemonics.begin(), mnemonics.end(), [&](const std::string &m) {
            std::string other;
            for (char c : m.substr(2))
              if (c != '_')
                other += c;
            // gfx90a's "bf16_1k" is "bf16" later.
            return other == plain ||
                   (plain.ends_with("1k") &&
                    other == plain.substr(0, plain.size() - 2));
          });
      ASSERT_NE(mnemonic, mnemonics.end());
      Shape shape = describe(*chip, *mnemonic);
      // The shape keeps saying that types are picked: their layouts differ.
      sim::MatrixType aType = shape.a, bType = shape.b;
      if (shape.a == sim::MatrixType::F8F6F4) {
        aType = smallType(formatOf(instruction.a.type));
        bType = smallType(formatOf(instruction.b.type));
      }
      ASSERT_EQ(shape.blocks, 1u);
      using Place_ = std::function<Place(unsigned, unsigned)>;
      auto compare = [&](const OperandLayout &layout, unsigned rows,
                         unsigned columns, sim::MatrixType type,
                         const Place_ &place, const char *operand) {
        const unsigned bits = typeBits(type);
        for (unsigned i = 0; i < rows; ++i)
          for (unsigned j = 0; j < columns; ++j) {
            InLane got = placeIn(layout, i, j);
            Place want = place(i, j);
            ASSERT_EQ(got.lane, want.lane) << operand << i << "," << j;
            ASSERT_EQ(got.number * bits, want.reg * 32 + want.bit)
                << operand << i << "," << j;
          }
        ++compared;
      };
      compare(
          instruction.a, shape.m, shape.k, aType,
          [&](unsigned i, unsigned k) { return placeA(shape, aType, i, k, 0); },
          "A ");
      compare(
          instruction.b, shape.k, shape.n, bType,
          [&](unsigned k, unsigned j) { return placeB(shape, bType, k, j, 0); },
          "B ");
      compare(
          instruction.c, shape.m, shape.n, shape.c,
          [&](unsigned i, unsigned j) { return placeC(shape, i, j, 0); }, "C ");
    }
  }
  EXPECT_GT(compared, 100u);
}

} // namespace
