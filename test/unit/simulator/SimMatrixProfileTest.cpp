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
// which of its registers. In gfx12's waves of 64 lanes, a profile's rows of A
// and C are the instruction's in another order, and so are the columns of A and
// the rows of B, which gives the same product.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"

#include "targets/ProfileLoader.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

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

/// The instruction's number of each row or column of a profile's layout.
class Order {
public:
  explicit Order(unsigned size) : numbers(size, -1) {}

  /// Returns false if `number` contradicts another operand.
  bool set(unsigned at, unsigned number) {
    if (numbers[at] < 0)
      numbers[at] = static_cast<int>(number);
    return numbers[at] == static_cast<int>(number);
  }
  bool isPermutation() const {
    std::vector<int> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    return sorted == makeIdentity();
  }
  bool isIdentity() const { return numbers == makeIdentity(); }

private:
  std::vector<int> makeIdentity() const {
    std::vector<int> identity(numbers.size());
    std::iota(identity.begin(), identity.end(), 0);
    return identity;
  }
  std::vector<int> numbers;
};

/// Compares the layout of an operand with the places of its elements in the
/// registers.
void compare(const OperandLayout &layout, sim::MatrixType type, Order &rows,
             Order &columns, std::array<unsigned, 2> size,
             llvm::function_ref<Place(unsigned, unsigned)> place) {
  const unsigned bits = typeBits(type);
  std::map<std::pair<unsigned, unsigned>, std::pair<unsigned, unsigned>> held;
  for (unsigned i = 0; i < size[0]; ++i)
    for (unsigned j = 0; j < size[1]; ++j) {
      Place at = place(i, j);
      held[{at.lane, at.reg * 32 + at.bit}] = {i, j};
    }
  const std::vector<int64_t> &permutation = layout.lanePermutation;
  for (unsigned i = 0; i < size[0]; ++i)
    for (unsigned j = 0; j < size[1]; ++j) {
      InLane got = placeIn(layout, i, j);
      unsigned lane = got.lane;
      if (!permutation.empty())
        lane = lane / 16 * 16 +
               (std::find(permutation.begin(), permutation.end(), lane % 16) -
                permutation.begin());
      auto element = held.find({lane, got.number * bits});
      ASSERT_NE(element, held.end()) << i << "," << j;
      ASSERT_TRUE(rows.set(i, element->second.first)) << i << "," << j;
      ASSERT_TRUE(columns.set(j, element->second.second)) << i << "," << j;
    }
}

/// "mfma.f32.16x16x16f16" is v_mfma_f32_16x16x16f16 or, on later chips,
/// v_mfma_f32_16x16x16_f16. Returns "" if there is no such instruction.
std::string findMnemonic(const Chip &chip, const std::string &op) {
  auto strip = [](std::string text) {
    std::erase_if(text, [](char c) { return c == '.' || c == '_'; });
    return text;
  };
  std::string plain = strip(op);
  for (const std::string &mnemonic : matrixMnemonics(chip)) {
    std::string other = strip(mnemonic.substr(2));
    // gfx90a's "bf16_1k" is "bf16" later.
    if (other == plain ||
        (plain.ends_with("1k") && other == plain.substr(0, plain.size() - 2)))
      return mnemonic;
  }
  return "";
}

void compareInstruction(const Chip &chip,
                        const MatrixInstruction &instruction) {
  std::string mnemonic = findMnemonic(chip, instruction.op);
  ASSERT_NE(mnemonic, "");
  Shape shape = describe(chip, mnemonic);
  // The shape keeps saying that types are picked: their layouts differ.
  sim::MatrixType aType = shape.a, bType = shape.b;
  if (shape.a == sim::MatrixType::F8F6F4) {
    aType = smallType(formatOf(instruction.a.type));
    bType = smallType(formatOf(instruction.b.type));
  }
  ASSERT_EQ(shape.blocks, 1u);
  Order m(shape.m), n(shape.n), k(shape.k);
  compare(
      instruction.a, aType, m, k, {shape.m, shape.k},
      [&](unsigned i, unsigned j) { return placeA(shape, aType, i, j, 0); });
  compare(
      instruction.b, bType, k, n, {shape.k, shape.n},
      [&](unsigned i, unsigned j) { return placeB(shape, bType, i, j, 0); });
  compare(instruction.c, shape.c, m, n, {shape.m, shape.n},
          [&](unsigned i, unsigned j) { return placeC(shape, i, j, 0); });
  for (const Order &order : {m, n, k}) {
    EXPECT_TRUE(order.isPermutation());
    bool isReordered = chip.isa.major == 12 && chip.waveSize == 64;
    EXPECT_TRUE(isReordered || order.isIdentity());
  }
}

TEST(SimMatrixProfile, LayoutsAreTheCalculators) {
  unsigned compared = 0;
  for (const Chip &chip : allChips()) {
    std::vector<ProfileError> errors;
    auto profile = ProfileLoader({AIRCC_TARGETS_DIR})
                       .load(chip.name, errors, {chip.waveSize});
    ASSERT_TRUE(profile);
    for (const MatrixInstruction &instruction : profile->matrixInstructions) {
      SCOPED_TRACE(instruction.name + " on " + chip.name + ", waves of " +
                   std::to_string(chip.waveSize));
      compareInstruction(chip, instruction);
      ++compared;
    }
  }
  EXPECT_GT(compared, 50u);
}

} // namespace
