//===- SimMatrixTest.cpp - Matrix instructions against plain products -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"

#include "simulator/exec/matrix/Matrix.h"
#include "simulator/exec/matrix/MatrixKernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

using namespace aircc::sim;
using namespace aircc::simtest;

namespace {

/// The first registers of the operands.
struct Bases {
  unsigned a = 0, b = 32, c = 64, d = 96, index = 128, aScale = 130,
           bScale = 132;
};
constexpr unsigned kRegisters = 134;

MatrixOperands operandsAt(Registers &file, const Shape &s, const Bases &at) {
  MatrixOperands o;
  o.a = file.row(at.a);
  o.b = file.row(at.b);
  o.c = file.row(at.c);
  o.d = file.row(at.d);
  o.index = s.sparse() ? file.row(at.index) : nullptr;
  o.aScale = s.scaled ? file.row(at.aScale) : nullptr;
  o.bScale = s.scaled ? file.row(at.bScale) : nullptr;
  return o;
}

/// Numbers that are indexed by up to three coordinates.
class Grid {
public:
  int &operator()(unsigned x, unsigned y, unsigned z = 0) {
    size_t at = (size_t(x) * 128 + y) * 128 + z;
    if (at >= values.size())
      values.resize(at + 1);
    return values[at];
  }

private:
  std::vector<int> values;
};

/// Small numbers that every type can represent and whose sums are always exact.
class Numbers {
public:
  Numbers(const Shape &s, const MatrixModifiers &mods, std::mt19937 &random)
      : shape(s), mods(mods), random(random) {
    aType = s.a == MatrixType::F8F6F4 ? smallType(mods.cbsz) : s.a;
    bType = s.b == MatrixType::F8F6F4 ? smallType(mods.blgp) : s.b;
  }
  MatrixType aType, bType;

  int input(MatrixType type, unsigned operand) {
    // A bf16 result has eight bits.
    int most = shape.c == MatrixType::BF16 ? 2 : 4;
    bool isUnsigned = (type == MatrixType::IU8 || type == MatrixType::IU4) &&
                      !(mods.negLo >> operand & 1);
    int value = int(random() % (2 * most + 1)) - most;
    return isUnsigned ? value + most : value;
  }
  int addend() { return int(random() % 33) - 16; }

private:
  const Shape &shape;
  const MatrixModifiers &mods;
  std::mt19937 &random;
};

/// The instruction-set levels that this host supports.
const std::vector<const MatrixLevel *> &levels() {
  static const auto list = [] {
    std::vector<const MatrixLevel *> found;
    for (const char *name : {"base", "v3", "v4"})
      if (const MatrixLevel *level = findMatrixLevel(name))
        found.push_back(level);
    return found;
  }();
  return list;
}

/// The block of A that is read instead of `block`, as cbsz and abid select it.
unsigned blockOfA(unsigned block, const MatrixModifiers &m) {
  unsigned set = 1u << m.cbsz;
  return block / set * set + m.abid;
}
/// The lane of B that is read instead of `lane`.
unsigned laneOfB(unsigned lane, unsigned blgp) {
  switch (blgp) {
  case 1:
    return lane % 32;
  case 2:
    return lane % 32 + 32;
  case 3:
    return (lane + 16) % 64;
  case 4:
  case 5:
  case 6:
  case 7:
    return lane % 16 + 16 * (blgp - 4);
  default:
    return lane;
  }
}

/// A product of integers that are small enough for any type: its operands, as
/// numbers and in a register file, and its result.
class Product {
public:
  Product(const Shape &s, const MatrixModifiers &mods, std::mt19937 &random,
          bool constantC)
      : s(s), mods(mods), random(random), numbers(s, mods, random),
        file(kRegisters, random), bBits(typeBits(numbers.bType)),
        cBits(typeBits(s.c)), half(s.scaled ? 0 : mods.opSel >> 2 & 1),
        stored(s.sparse() ? s.k / 2 : s.k) {
    for (unsigned block = 0; block < s.blocks; ++block) {
      fillA(block);
      fillB(block);
      fillC(block, constantC);
    }
    if (s.sparse())
      fillIndex();
    if (s.scaled)
      fillScales();
  }

  /// Calls visit(block, i, j, place) for each element of D.
  template <class Visit> void forD(Visit visit) const {
    for (unsigned block = 0; block < s.blocks; ++block)
      for (unsigned i = 0; i < s.m; ++i)
        for (unsigned j = 0; j < s.n; ++j)
          visit(block, i, j, placeC(s, i, j, block, half));
  }
  /// Returns the registers with D, which is computed here.
  Registers expected();
  void checkAt(const MatrixLevel &level, const MatrixOp &op, bool constantC,
               const Registers &expected, const Registers &rest);

  const Registers &registers() const { return file; }
  Bases at;

private:
  /// Writes an element of A or B. gfx11 has a copy of it in every 16 lanes.
  void writeInput(unsigned base, Place place, MatrixType type, int value) {
    unsigned copies = s.chip.isa.major == 11 ? s.chip.waveSize / 16 : 1;
    for (unsigned n = 0; n < copies; ++n, place.lane += 16)
      file.write(base, place, typeBits(type), encodeBits(type, value));
  }
  void fillA(unsigned block);
  void fillB(unsigned block);
  void fillC(unsigned block, bool constantC);
  void fillIndex();
  void fillScales();
  bool isF64() const { return s.c == MatrixType::F64; }
  bool isInteger() const { return s.c == MatrixType::I32; }
  bool hasBlocksAndLanes() const {
    return s.family == MatrixFamily::MFMA && s.a != MatrixType::F8F6F4;
  }
  int sign(unsigned operand, unsigned k) const;
  Grid selectedB();
  double addend(unsigned block, unsigned i, unsigned j);

  const Shape &s;
  const MatrixModifiers &mods;
  std::mt19937 &random;
  Numbers numbers;
  Registers file;
  const unsigned bBits, cBits, half;
  const unsigned stored; ///< Elements of a row of A.
  Grid a, b, c, position, aScale, bScale;
};

/// A, as stored. IU types are encoded by value, which wraps as two's complement
/// does.
void Product::fillA(unsigned block) {
  for (unsigned i = 0; i < s.m; ++i)
    for (unsigned k = 0; k < stored; ++k) {
      int value = numbers.input(numbers.aType, 0);
      a(block, i, k) = value;
      writeInput(at.a, placeA(s, numbers.aType, i, k, block), numbers.aType,
                 value);
    }
}

void Product::fillB(unsigned block) {
  for (unsigned k = 0; k < s.k; ++k)
    for (unsigned j = 0; j < s.n; ++j) {
      int value = numbers.input(numbers.bType, 1);
      b(block, k, j) = value;
      writeInput(at.b, placeB(s, numbers.bType, k, j, block), numbers.bType,
                 value);
    }
}

void Product::fillC(unsigned block, bool constantC) {
  int everyC = numbers.addend();
  for (unsigned i = 0; i < s.m; ++i)
    for (unsigned j = 0; j < s.n; ++j) {
      int value = constantC ? everyC : numbers.addend();
      if (constantC && block)
        value = c(0, 0, 0);
      c(block, i, j) = value;
      file.write(s.sparse() ? at.d : at.c, placeC(s, i, j, block, half), cBits,
                 encodeBits(s.c, value));
    }
}

/// The positions of the two nonzero elements of four, in any order: the
/// hardware does not require an ascending one.
void Product::fillIndex() {
  unsigned set = s.family == MatrixFamily::SWMMAC ? mods.indexKey
                 : mods.cbsz                      ? 0
                                                  : mods.abid;
  for (unsigned i = 0; i < s.m; ++i)
    for (unsigned q = 0; q < s.k / 4; ++q) {
      unsigned first = random() % 4, second = (first + 1 + random() % 3) % 4;
      position(i, 2 * q) = first;
      position(i, 2 * q + 1) = second;
      file.write(at.index, placeIndex(s, i, q, set), 4, first | second << 2);
    }
}

/// Scales 2^-2 to 2^2, one for each 32 k.
void Product::fillScales() {
  auto byte = [&](unsigned operand) -> unsigned {
    return (mods.opSel >> operand & 1) + 2 * (mods.opSelHi >> operand & 1);
  };
  for (unsigned x = 0; x < s.m; ++x)
    for (unsigned kb = 0; kb < s.k / 32; ++kb) {
      aScale(x, kb) = int(random() % 5) - 2;
      bScale(x, kb) = int(random() % 5) - 2;
      file.write(at.aScale, {0, kb * s.m + x, 8 * byte(0)}, 8,
                 127 + aScale(x, kb));
      file.write(at.bScale, {0, kb * s.n + x, 8 * byte(1)}, 8,
                 127 + bScale(x, kb));
    }
}

/// The sign by which an element of A (operand 0) or B is multiplied.
int Product::sign(unsigned operand, unsigned k) const {
  if (isF64())
    return mods.blgp >> operand & 1 ? -1 : 1;
  if (isInteger())
    return 1;
  // Even elements are low halves.
  return (k % 2 ? mods.negHi : mods.negLo) >> operand & 1 ? -1 : 1;
}

/// B after blgp has selected lanes.
Grid Product::selectedB() {
  Grid selected = b;
  if (!hasBlocksAndLanes() || isF64() || !mods.blgp)
    return selected;
  for (unsigned block = 0; block < s.blocks; ++block)
    for (unsigned k = 0; k < s.k; ++k)
      for (unsigned j = 0; j < s.n; ++j) {
        Place from = placeB(s, numbers.bType, k, j, block);
        from.lane = laneOfB(from.lane, mods.blgp);
        selected(block, k, j) =
            int(decodeBits(numbers.bType, file.read(at.b, from, bBits)));
      }
  return selected;
}

/// An element of C after its modifiers.
double Product::addend(unsigned block, unsigned i, unsigned j) {
  double value = c(block, i, j);
  if (!isInteger() && !isF64() && !s.cdna() && (mods.negHi & 4))
    value = std::abs(value);
  if ((isF64() && mods.blgp & 4) ||
      (!isInteger() && !isF64() && mods.negLo & 4))
    value = -value;
  return value;
}

Registers Product::expected() {
  Grid selected = selectedB();
  Registers result = file;
  forD([&](unsigned block, unsigned i, unsigned j, Place place) {
    double sum = addend(block, i, j);
    for (unsigned k = 0; k < stored; ++k) {
      unsigned kb = s.sparse() ? k / 2 * 4 + position(i, k) : k;
      double left =
          a(hasBlocksAndLanes() ? blockOfA(block, mods) : block, i, k);
      double right = selected(block, kb, j);
      double product = left * right * sign(0, k) * sign(1, kb);
      if (s.scaled)
        product *= std::ldexp(1.0, aScale(i, k / 32) + bScale(j, k / 32));
      sum += product;
    }
    if (mods.clamp)
      sum = std::clamp(sum, -2147483648.0, 2147483647.0);
    result.write(at.d, place, cBits, encodeBits(s.c, sum));
  });
  return result;
}

/// Executes the instruction, and compares D with `expected` and the other
/// registers with `rest`, where D is zero.
void Product::checkAt(const MatrixLevel &level, const MatrixOp &op,
                      bool constantC, const Registers &expected,
                      const Registers &rest) {
  Registers run = file;
  MatrixOperands o = operandsAt(run, s, at);
  if (constantC) {
    o.c = nullptr;
    o.cConstant = encodeBits(s.c, c(0, 0, 0));
  }
  executeMatrixOpAt(level, op, mods, o);
  // Numbers are compared: a zero may have either sign.
  forD([&](unsigned block, unsigned i, unsigned j, Place place) {
    ASSERT_EQ(decodeBits(s.c, run.read(at.d, place, cBits)),
              decodeBits(s.c, expected.read(at.d, place, cBits)))
        << "level " << level.name << ", D(" << i << ", " << j << ") of block "
        << block;
  });
  if (testing::Test::HasFatalFailure())
    return;
  forD([&](unsigned, unsigned, unsigned, Place place) {
    run.write(at.d, place, cBits, 0);
  });
  ASSERT_TRUE(run == rest) << "level " << level.name
                           << " wrote registers other than D";
}

/// Checks an instruction at every level of the host.
void checkProduct(const Shape &s, const std::string &mnemonic,
                  const MatrixModifiers &mods, std::mt19937 &random,
                  bool constantC = false) {
  const MatrixOp *op = findMatrixOp(mnemonic, s.chip.isa, s.chip.waveSize);
  ASSERT_NE(op, nullptr);
  ASSERT_EQ(checkMatrixModifiers(*op, mods), "");
  Product product(s, mods, random, constantC);
  const Registers expected = product.expected();
  Registers rest = product.registers();
  product.forD([&](unsigned, unsigned, unsigned, Place place) {
    rest.write(product.at.d, place, typeBits(s.c), 0);
  });
  for (const MatrixLevel *level : levels()) {
    product.checkAt(*level, *op, constantC, expected, rest);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

/// Calls check(shape, mnemonic) for every instruction of every chip.
template <class Check> void forEveryInstruction(Check check) {
  for (const Chip &chip : allChips()) {
    for (const std::string &mnemonic : matrixMnemonics(chip)) {
      if (mnemonic == "v_mfma_ld_scale_b32")
        continue; // the first half of v_mfma_scale_*, not a product
      SCOPED_TRACE(mnemonic + " on " + chip.name + " in waves of " +
                   std::to_string(chip.waveSize));
      check(describe(chip, mnemonic), mnemonic);
      if (testing::Test::HasFatalFailure())
        return;
    }
  }
}

} // namespace

TEST(SimMatrix, ProductsOfEveryInstruction) {
  std::mt19937 random(1);
  unsigned count = 0;
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    ++count;
    for (unsigned round = 0; round < 2; ++round)
      checkProduct(s, mnemonic, {}, random);
  });
  EXPECT_EQ(count, 27u + 46 + 68 + 2 * 6 + 2 * 22);
}

TEST(SimMatrix, ConstantC) {
  std::mt19937 random(2);
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (!s.sparse())
      checkProduct(s, mnemonic, {}, random, /*constantC=*/true);
  });
}

TEST(SimMatrix, BroadcastsOfBlocks) {
  std::mt19937 random(3);
  unsigned count = 0;
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (s.family != MatrixFamily::MFMA || s.blocks == 1)
      return;
    for (uint8_t cbsz = 1; 1u << cbsz <= s.blocks; ++cbsz)
      for (uint8_t abid = 0; abid < 1 << cbsz; ++abid, ++count) {
        MatrixModifiers mods;
        mods.cbsz = cbsz;
        mods.abid = abid;
        checkProduct(s, mnemonic, mods, random);
      }
  });
  EXPECT_GT(count, 100u);
}

TEST(SimMatrix, LanePatternsOfB) {
  std::mt19937 random(4);
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (s.family != MatrixFamily::MFMA || s.a == MatrixType::F8F6F4 ||
        s.a == MatrixType::F64)
      return;
    for (uint8_t blgp = 1; blgp < 8; ++blgp) {
      MatrixModifiers mods;
      mods.blgp = blgp;
      checkProduct(s, mnemonic, mods, random);
    }
  });
}

TEST(SimMatrix, NegatedDoubles) {
  std::mt19937 random(5);
  unsigned count = 0;
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (s.a != MatrixType::F64)
      return;
    for (uint8_t negation = 1; negation < 8; ++negation) {
      MatrixModifiers mods;
      mods.blgp = negation;
      const MatrixOp *op = findMatrixOp(mnemonic, s.chip.isa, 64);
      bool has = s.chip.isa.minor > 0;
      EXPECT_EQ(checkMatrixModifiers(*op, mods).empty(), has);
      if (has)
        checkProduct(s, mnemonic, mods, random), ++count;
    }
  });
  EXPECT_EQ(count, 2u * 2 * 7);
}

TEST(SimMatrix, SmallFormatsAndScales) {
  std::mt19937 random(6);
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (s.a != MatrixType::F8F6F4)
      return;
    for (uint8_t a = 0; a < 5; ++a)
      for (uint8_t b = 0; b < 5; ++b)
        for (unsigned bytes = 0; bytes < (s.scaled ? 4 : 1); ++bytes) {
          MatrixModifiers mods;
          mods.cbsz = a;
          mods.blgp = b;
          mods.opSel = s.scaled ? random() % 4 : 0;
          mods.opSelHi = s.scaled ? random() % 4 : 0;
          checkProduct(s, mnemonic, mods, random);
        }
  });
}

TEST(SimMatrix, SparseIndexSets) {
  std::mt19937 random(7);
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (!s.sparse())
      return;
    for (unsigned set = 0; set < indexSets(s); ++set) {
      MatrixModifiers mods;
      (s.cdna() ? mods.abid : mods.indexKey) = set;
      checkProduct(s, mnemonic, mods, random);
      // With cbsz, abid is ignored.
      if (s.cdna()) {
        mods.cbsz = 1;
        checkProduct(s, mnemonic, mods, random);
      }
    }
    MatrixModifiers beyond;
    (s.cdna() ? beyond.abid : beyond.indexKey) = indexSets(s);
    EXPECT_NE(checkMatrixModifiers(
                  *findMatrixOp(mnemonic, s.chip.isa, s.chip.waveSize), beyond),
              "");
  });
}

TEST(SimMatrix, SignsOfIntegers) {
  std::mt19937 random(8);
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (s.a != MatrixType::IU8 && s.a != MatrixType::IU4)
      return;
    for (uint8_t isSigned = 0; isSigned < 4; ++isSigned)
      for (bool clamp : {false, true}) {
        MatrixModifiers mods;
        mods.negLo = isSigned;
        mods.clamp = clamp;
        checkProduct(s, mnemonic, mods, random);
      }
  });
}

TEST(SimMatrix, NegationsAndHalvesOfWmma) {
  std::mt19937 random(9);
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (s.cdna() || s.c == MatrixType::I32)
      return;
    bool inputs = s.a == MatrixType::F16 || s.a == MatrixType::BF16;
    uint8_t allowed = (inputs ? 3 : 0) | (s.sparse() ? 0 : 4);
    bool half = s.chip.isa.major == 11 && s.c != MatrixType::F32;
    for (uint8_t low = 0; low < 8; ++low)
      for (uint8_t high = 0; high < 8; ++high) {
        MatrixModifiers mods;
        mods.negLo = low;
        mods.negHi = high;
        const MatrixOp *op =
            findMatrixOp(mnemonic, s.chip.isa, s.chip.waveSize);
        if ((low | high) & ~allowed) {
          EXPECT_NE(checkMatrixModifiers(*op, mods), "");
          continue;
        }
        mods.opSel = half && (low ^ high) & 1 ? 4 : 0;
        checkProduct(s, mnemonic, mods, random);
      }
  });
}

TEST(SimMatrix, ClampSaturatesTheSumOnce) {
  std::mt19937 random(10);
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    if (s.c != MatrixType::I32 || s.cdna())
      return;
    const MatrixOp *op = findMatrixOp(mnemonic, s.chip.isa, s.chip.waveSize);
    for (bool clamp : {false, true}) {
      Registers file(kRegisters, random);
      Bases at;
      MatrixModifiers mods;
      mods.negLo = 3; // signed
      mods.clamp = clamp;
      // All elements of A are 1; B is 1 in even columns and -1 in odd ones; C
      // is so near the limit of the type that the sum exceeds it.
      unsigned bits = typeBits(s.a), stored = s.sparse() ? s.k / 2 : s.k;
      for (unsigned r = 0; r < 32; ++r)
        for (unsigned l = 0; l < 64; ++l) {
          uint32_t ones = bits == 8 ? 0x01010101 : 0x11111111;
          file.row(at.a + r)[l] = ones;
          file.row(at.b + r)[l] = l % 2 ? ~0u : ones;
          uint32_t c = l % 2 ? 0x80000003 : 0x7ffffffc;
          file.row((s.sparse() ? at.d : at.c) + r)[l] = c;
        }
      executeMatrixOp(*op, mods, operandsAt(file, s, at));
      for (unsigned i = 0; i < 16; ++i)
        for (unsigned j = 0; j < 16; ++j) {
          uint32_t got = file.read(at.d, placeC(s, i, j, 0), 32);
          uint32_t wrapped = j % 2 ? 0x80000003 - stored : 0x7ffffffc + stored;
          uint32_t end = j % 2 ? 0x80000000 : 0x7fffffff;
          ASSERT_EQ(got, clamp ? end : wrapped) << i << ", " << j;
        }
    }
  });
}

/// If D overlaps A, B, C or the index, the result is the same as in separate
/// registers, at every level, for any bits.
TEST(SimMatrix, OverlappingOperandsAndAnyBits) {
  std::mt19937 random(11);
  constexpr Bases kOverlaps[] = {
      {0, 2, 4, 0, 6, 7, 8},      {0, 2, 4, 2, 6, 7, 8},
      {4, 8, 12, 12, 13, 14, 15}, {4, 8, 12, 11, 2, 3, 4},
      {4, 8, 12, 13, 14, 15, 16}, {8, 8, 8, 8, 8, 8, 8}};
  forEveryInstruction([&](const Shape &s, const std::string &mnemonic) {
    const MatrixOp *op = findMatrixOp(mnemonic, s.chip.isa, s.chip.waveSize);
    for (const Bases &at : kOverlaps)
      for (bool finite : {false, true}) {
        Registers file(64, random);
        // Without the top bit of their exponents, 8- and 16-bit floats are
        // finite.
        if (finite)
          for (unsigned r = 0; r < 64; ++r)
            for (unsigned l = 0; l < 64; ++l)
              file.row(r)[l] &= 0xbfbfbfbf;
        MatrixModifiers mods;
        if (s.a == MatrixType::F8F6F4) {
          mods.cbsz = random() % 5;
          mods.blgp = random() % 5;
        }
        std::optional<Registers> first;
        for (const MatrixLevel *level : levels()) {
          Registers aside = file, run = file;
          // D in separate registers, with their previous contents.
          Registers input = file;
          MatrixOperands o = operandsAt(input, s, at);
          o.d = aside.row(at.d);
          executeMatrixOpAt(*level, *op, mods, o);
          executeMatrixOpAt(*level, *op, mods, operandsAt(run, s, at));
          ASSERT_TRUE(input == file);
          ASSERT_TRUE(run == aside) << "level " << level->name;
          if (!first)
            first = run;
          ASSERT_TRUE(run == *first) << "level " << level->name;
        }
      }
  });
}

TEST(SimMatrix, RowsOfThirtyTwoLanes) {
  // A register file may have only as many lanes as a wave.
  std::mt19937 random(12);
  MatrixIsa isa{11, 0, 0};
  const MatrixOp *op = findMatrixOp("v_wmma_f32_16x16x16_f16", isa, 32);
  ASSERT_NE(op, nullptr);
  std::vector<uint32_t> wide(24 * 64), narrow(24 * 32);
  for (unsigned r = 0; r < 24; ++r)
    for (unsigned l = 0; l < 32; ++l)
      wide[r * 64 + l] = narrow[r * 32 + l] = random() & 0xbfffbfff;
  MatrixOperands o;
  auto run = [&](std::vector<uint32_t> &file, unsigned stride) {
    o.a = &file[0];
    o.b = &file[8 * stride];
    o.c = o.d = &file[16 * stride];
    o.rowStride = stride;
    executeMatrixOp(*op, {}, o);
  };
  run(wide, 64);
  run(narrow, 32);
  for (unsigned r = 0; r < 24; ++r)
    for (unsigned l = 0; l < 32; ++l)
      ASSERT_EQ(wide[r * 64 + l], narrow[r * 32 + l]);
}

TEST(SimMatrix, RefusedModifiers) {
  auto check = [](const char *name, MatrixIsa isa, MatrixModifiers mods) {
    const MatrixOp *op = findMatrixOp(name, isa, isa.major == 9 ? 64 : 32);
    EXPECT_NE(op, nullptr);
    return op ? checkMatrixModifiers(*op, mods) : std::string();
  };
  MatrixModifiers mods;
  mods.cbsz = 2;
  EXPECT_NE(check("v_mfma_f32_32x32x1_2b_f32", {9, 4, 2}, mods), "");
  EXPECT_EQ(check("v_mfma_f32_16x16x1_4b_f32", {9, 4, 2}, mods), "");
  mods.abid = 4;
  EXPECT_NE(check("v_mfma_f32_16x16x1_4b_f32", {9, 4, 2}, mods), "");
  mods = {};
  mods.cbsz = 5;
  EXPECT_NE(check("v_mfma_f32_16x16x128_f8f6f4", {9, 5, 0}, mods), "");
  mods = {};
  mods.clamp = true;
  EXPECT_NE(check("v_wmma_f32_16x16x16_f16", {12, 0, 1}, mods), "");
  EXPECT_EQ(check("v_wmma_i32_16x16x16_iu8", {12, 0, 1}, mods), "");
  mods = {};
  mods.opSel = 4;
  EXPECT_NE(check("v_wmma_f16_16x16x16_f16", {12, 0, 1}, mods), "");
  EXPECT_EQ(check("v_wmma_f16_16x16x16_f16", {11, 0, 0}, mods), "");
  EXPECT_NE(check("v_wmma_f32_16x16x16_f16", {11, 0, 0}, mods), "");
}
