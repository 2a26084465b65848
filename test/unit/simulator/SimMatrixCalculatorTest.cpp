//===- SimMatrixCalculatorTest.cpp - Against AMD's calculator -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output of AMD's matrix instruction calculator for its documented
// examples: single elements, whole layouts, broadcasts of blocks (cbsz, abid)
// and lanes (blgp), halves (op_sel), negations (neg, and blgp of f64), sparse
// indices. Each is checked twice: against the formulas from which the other
// tests derive layouts, and on the simulator, by setting a single element and
// finding the elements of D that depend on it.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <tuple>

using namespace aircc::sim;
using namespace aircc::simtest;

namespace {

/// Lines in the notation of the calculator, "A[i][k].Bb = vr{lane}.[high:low]".
/// A range "0-15" abbreviates as many lines; several ranges of a line advance
/// together.
struct Output {
  const char *chip;
  unsigned waveSize;
  const char *mnemonic;
  MatrixModifiers mods;
  const char *lines;
};

MatrixModifiers broadcast(uint8_t cbsz, uint8_t abid) {
  MatrixModifiers m;
  m.cbsz = cbsz;
  m.abid = abid;
  return m;
}
MatrixModifiers lanes(uint8_t blgp) {
  MatrixModifiers m;
  m.blgp = blgp;
  return m;
}
MatrixModifiers indexSet(uint8_t abid, uint8_t key) {
  MatrixModifiers m;
  m.abid = abid;
  m.indexKey = key;
  return m;
}
MatrixModifiers select(uint8_t opSel) {
  MatrixModifiers m;
  m.opSel = opSel;
  return m;
}
MatrixModifiers negate(uint8_t low, uint8_t high) {
  MatrixModifiers m;
  m.negLo = low;
  m.negHi = high;
  return m;
}

const Output kOutputs[] = {
    // --detail-instruction: lane 4 * block + i (or j), register i of D.
    {"gfx90a",
     64,
     "v_mfma_f32_4x4x1f32",
     {},
     "A[0-3][0].B0 = v0{0-3}\nA[0-3][0].B9 = v0{36-39}\n"
     "A[0-3][0].B15 = v0{60-63}\n"
     "B[0][0-3].B0 = v0{0-3}\nB[0][0-3].B6 = v0{24-27}\n"
     "B[0][0-3].B15 = v0{60-63}\n"
     "D[0][0-3].B0 = v0{0-3}\nD[1][0-3].B0 = v1{0-3}\n"
     "D[2][0-3].B11 = v2{44-47}\nD[3][0-3].B15 = v3{60-63}\n"},
    // --get-register, --matrix-entry, --output-calculation.
    {"gfx90a",
     64,
     "v_mfma_f32_4x4x4f16",
     {},
     "A[1][2].B4 = v1{17}.[15:0]\nA[1][3].B4 = v1{17}.[31:16]\n"
     "D[3][2].B1 = v3{6}\n"
     "A[3][0].B1 = v0{7}.[15:0]\nA[3][1].B1 = v0{7}.[31:16]\n"
     "A[3][2].B1 = v1{7}.[15:0]\nA[3][3].B1 = v1{7}.[31:16]\n"
     "B[0][2].B1 = v0{6}.[15:0]\nB[1][2].B1 = v0{6}.[31:16]\n"
     "B[2][2].B1 = v1{6}.[15:0]\nB[3][2].B1 = v1{6}.[31:16]\n"
     "C[3][2].B1 = v3{6}\nD[2][1].B8 = v2{33}\n"},
    // --register-layout and --matrix-layout.
    {"gfx90a",
     64,
     "v_mfma_f64_4x4x4f64",
     {},
     "D[0][0-3].B0 = v0{0-3}\nD[1][0-3].B0 = v0{16-19}\n"
     "D[2][0-3].B0 = v0{32-35}\nD[3][0-3].B0 = v0{48-51}\n"
     "D[0][0-3].B1 = v0{4-7}\nD[1][0-3].B1 = v0{20-23}\n"
     "D[2][0-3].B1 = v0{36-39}\nD[3][0-3].B1 = v0{52-55}\n"
     "D[0][0-3].B2 = v0{8-11}\nD[1][0-3].B2 = v0{24-27}\n"
     "D[2][0-3].B2 = v0{40-43}\nD[3][0-3].B2 = v0{56-59}\n"
     "D[0][0-3].B3 = v0{12-15}\nD[1][0-3].B3 = v0{28-31}\n"
     "D[2][0-3].B3 = v0{44-47}\nD[3][0-3].B3 = v0{60-63}\n"},
    {"gfx90a",
     64,
     "v_mfma_f32_16x16x2bf16",
     {},
     "A[0-15][0].B0 = v0{0-15}.[15:0]\nA[0-15][1].B0 = v0{0-15}.[31:16]\n"
     "A[0-15][0].B1 = v0{16-31}.[15:0]\nA[0-15][1].B1 = v0{16-31}.[31:16]\n"
     "A[0-15][0].B2 = v0{32-47}.[15:0]\nA[0-15][1].B2 = v0{32-47}.[31:16]\n"
     "A[0-15][0].B3 = v0{48-63}.[15:0]\nA[0-15][1].B3 = v0{48-63}.[31:16]\n"
     "B[0][0-15].B0 = v0{0-15}.[15:0]\nB[1][0-15].B0 = v0{0-15}.[31:16]\n"
     "B[0][0-15].B2 = v0{32-47}.[15:0]\nB[1][0-15].B2 = v0{32-47}.[31:16]\n"
     "B[0][0-15].B3 = v0{48-63}.[15:0]\nB[1][0-15].B3 = v0{48-63}.[31:16]\n"},
    // --cbsz 2 --abid 2
    {"gfx90a", 64, "v_mfma_f32_16x16x2bf16", broadcast(2, 2),
     "A[0-15][0].B0 = v0{32-47}.[15:0]\nA[0-15][1].B0 = v0{32-47}.[31:16]\n"
     "A[0-15][0].B1 = v0{32-47}.[15:0]\nA[0-15][1].B1 = v0{32-47}.[31:16]\n"
     "A[0-15][0].B2 = v0{32-47}.[15:0]\nA[0-15][1].B2 = v0{32-47}.[31:16]\n"
     "A[0-15][0].B3 = v0{32-47}.[15:0]\nA[0-15][1].B3 = v0{32-47}.[31:16]\n"},
    // --blgp 2
    {"gfx90a", 64, "v_mfma_f32_16x16x2bf16", lanes(2),
     "B[0][0-15].B0 = v0{32-47}.[15:0]\nB[1][0-15].B0 = v0{32-47}.[31:16]\n"
     "B[0][0-15].B1 = v0{48-63}.[15:0]\nB[1][0-15].B1 = v0{48-63}.[31:16]\n"
     "B[0][0-15].B2 = v0{32-47}.[15:0]\nB[1][0-15].B2 = v0{32-47}.[31:16]\n"
     "B[0][0-15].B3 = v0{48-63}.[15:0]\nB[1][0-15].B3 = v0{48-63}.[31:16]\n"},
    // --blgp 6: B and C negated.
    {"gfx942", 64, "v_mfma_f64_16x16x4_f64", lanes(6),
     "-B[0][0-15] = v0{0-15}\n-B[1][0-15] = v0{16-31}\n"
     "-B[2][0-15] = v0{32-47}\n-B[3][0-15] = v0{48-63}\n"},
    // --compression, by default and with --cbsz 0 --abid 3.
    {"gfx942", 64, "v_smfmac_f32_16x16x32_f16", {}, "K[2][31] = v0{50}.[7:4]"},
    {"gfx942", 64, "v_smfmac_f32_16x16x32_f16", indexSet(3, 0),
     "K[2][31] = v0{50}.[31:28]"},
    // --opsel 0 and --opsel 4
    {"gfx1100",
     32,
     "v_wmma_f16_16x16x16_f16",
     {},
     "D[0][0-15] = v0{0-15}.[15:0]\nD[1][0-15] = v0{16-31}.[15:0]\n"
     "D[2][0-15] = v1{0-15}.[15:0]\nD[3][0-15] = v1{16-31}.[15:0]\n"
     "D[4][0-15] = v2{0-15}.[15:0]\nD[5][0-15] = v2{16-31}.[15:0]\n"
     "D[6][0-15] = v3{0-15}.[15:0]\nD[7][0-15] = v3{16-31}.[15:0]\n"
     "D[8][0-15] = v4{0-15}.[15:0]\nD[9][0-15] = v4{16-31}.[15:0]\n"},
    {"gfx1100", 32, "v_wmma_f16_16x16x16_f16", select(4),
     "D[2][6-15] = v1{6-15}.[31:16]\nD[3][0-15] = v1{16-31}.[31:16]\n"
     "D[4][0-15] = v2{0-15}.[31:16]\nD[5][0-15] = v2{16-31}.[31:16]\n"
     "D[6][0-15] = v3{0-15}.[31:16]\nD[7][0-15] = v3{16-31}.[31:16]\n"
     "D[8][0-15] = v4{0-15}.[31:16]\nD[9][0-15] = v4{16-31}.[31:16]\n"
     "D[10][0-15] = v5{0-15}.[31:16]\nD[11][0-15] = v5{16-31}.[31:16]\n"
     "D[12][0-15] = v6{0-15}.[31:16]\nD[13][0-15] = v6{16-31}.[31:16]\n"
     "D[14][0-15] = v7{0-15}.[31:16]\nD[15][0-15] = v7{16-31}.[31:16]\n"},
    // --neg 6 --neg_hi 6: both halves of the wave hold all of B.
    {"gfx1100", 32, "v_wmma_f32_16x16x16_f16", negate(6, 6),
     "-B[0][0-15] = v0{0-15}.[15:0]\n-B[1][0-15] = v0{0-15}.[31:16]\n"
     "-B[2][0-15] = v1{0-15}.[15:0]\n-B[3][0-15] = v1{0-15}.[31:16]\n"
     "-B[4][0-15] = v2{0-15}.[15:0]\n-B[5][0-15] = v2{0-15}.[31:16]\n"
     "-B[6][0-15] = v3{0-15}.[15:0]\n-B[7][0-15] = v3{0-15}.[31:16]\n"
     "-B[8][0-15] = v4{0-15}.[15:0]\n-B[9][0-15] = v4{0-15}.[31:16]\n"
     "-B[10][0-15] = v5{0-15}.[15:0]\n-B[11][0-15] = v5{0-15}.[31:16]\n"
     "-B[12][0-15] = v6{0-15}.[15:0]\n-B[13][0-15] = v6{0-15}.[31:16]\n"
     "-B[14][0-15] = v7{0-15}.[15:0]\n-B[15][0-15] = v7{0-15}.[31:16]\n"
     "-B[0][0-15] = v0{16-31}.[15:0]\n-B[1][0-15] = v0{16-31}.[31:16]\n"
     "-B[2][0-15] = v1{16-31}.[15:0]\n-B[3][0-15] = v1{16-31}.[31:16]\n"
     "-B[4][0-15] = v2{16-31}.[15:0]\n-B[5][0-15] = v2{16-31}.[31:16]\n"
     "-B[6][0-15] = v3{16-31}.[15:0]\n-B[7][0-15] = v3{16-31}.[31:16]\n"
     "-B[8][0-15] = v4{16-31}.[15:0]\n-B[9][0-15] = v4{16-31}.[31:16]\n"
     "-B[10][0-15] = v5{16-31}.[15:0]\n-B[11][0-15] = v5{16-31}.[31:16]\n"
     "-B[12][0-15] = v6{16-31}.[15:0]\n-B[13][0-15] = v6{16-31}.[31:16]\n"
     "-B[14][0-15] = v7{16-31}.[15:0]\n-B[15][0-15] = v7{16-31}.[31:16]\n"},
    // --compression, by default and with --opsel 1.
    {"gfx1201",
     32,
     "v_swmmac_f32_16x16x32_f16",
     {},
     "K[2][31] = v0{18}.[15:12]"},
    {"gfx1201", 32, "v_swmmac_f32_16x16x32_f16", indexSet(0, 1),
     "K[2][31] = v0{18}.[31:28]"},
};

/// One element and its position.
struct Figure {
  char matrix;
  bool negative;
  unsigned row, column, block;
  Place place;
};

std::vector<Figure> parse(const std::string &lines) {
  std::vector<Figure> figures;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    size_t at = 0;
    auto skip = [&](char c) {
      bool there = at < line.size() && line[at] == c;
      at += there;
      return there;
    };
    auto number = [&] {
      unsigned v = 0;
      for (; at < line.size() && std::isdigit(line[at]); ++at)
        v = v * 10 + (line[at] - '0');
      return v;
    };
    // The first and the last element.
    auto range = [&] {
      unsigned first = number();
      return std::pair(first, skip('-') ? number() : first);
    };
    bool negative = skip('-');
    char matrix = line[at++];
    skip('[');
    auto rows = range();
    at += 2;
    auto columns = range();
    skip(']');
    unsigned block = 0;
    if (skip('.')) {
      skip('B');
      block = number();
    }
    at += 3 + 1; // " = v"
    unsigned reg = number();
    skip('{');
    auto lanes = range();
    skip('}');
    unsigned low = 0;
    if (skip('.')) {
      skip('[');
      number();
      skip(':');
      low = number();
    }
    for (unsigned n = 0; n <= lanes.second - lanes.first; ++n)
      figures.push_back({matrix,
                         negative,
                         std::min(rows.first + n, rows.second),
                         std::min(columns.first + n, columns.second),
                         block,
                         {reg, lanes.first + n, low}});
  }
  return figures;
}

using Element = std::tuple<char, unsigned, unsigned, unsigned>;
using Spot = std::tuple<unsigned, unsigned, unsigned>;

class Calculator : public ::testing::TestWithParam<Output> {
protected:
  static constexpr unsigned kA = 0, kB = 32, kC = 64, kD = 96, kIndex = 128;
  const Output &o = GetParam();
  Shape s;
  const MatrixOp *op = nullptr;
  unsigned half = 0;

  void SetUp() override {
    for (const Chip &chip : allChips())
      if (chip.name == std::string(o.chip) && chip.waveSize == o.waveSize)
        s = describe(chip, o.mnemonic);
    op = findMatrixOp(o.mnemonic, s.chip.isa, o.waveSize);
    ASSERT_NE(op, nullptr);
    half = o.mods.opSel >> 2 & 1;
  }
  Registers zeros() {
    std::mt19937 random(1);
    Registers file(130, random);
    for (unsigned r = 0; r < 130; ++r)
      std::fill_n(file.row(r), 64, 0);
    return file;
  }
  void fillOnes(Registers &file, unsigned base, MatrixType type,
                unsigned count) {
    unsigned bits = typeBits(type);
    for (unsigned r = 0; r < count * 32 / bits; ++r)
      for (unsigned lane = 0; lane < 64; ++lane)
        file.write(base, {r * bits / 32, lane, r * bits % 32}, bits,
                   encodeBits(type, 1));
  }
  void execute(Registers &file) {
    MatrixOperands operands;
    operands.a = file.row(kA);
    operands.b = file.row(kB);
    operands.c = file.row(kC);
    operands.d = file.row(kD);
    operands.index = s.sparse() ? file.row(kIndex) : nullptr;
    executeMatrixOp(*op, o.mods, operands);
  }
  double result(Registers &file, unsigned i, unsigned j, unsigned block) {
    return decodeBits(
        s.c, file.read(kD, placeC(s, i, j, block, half), typeBits(s.c)));
  }
  void checkInput(const std::vector<Figure> &figures, char matrix);
  void checkOutput(const Figure &f);
  void checkIndex(const Figure &f);
};

/// Sets each element of A or B alone; all elements of the other matrix are one.
void Calculator::checkInput(const std::vector<Figure> &figures, char matrix) {
  std::map<Element, std::set<Spot>> spots;
  std::map<Spot, std::set<Element>> elements;
  for (const Figure &f : figures) {
    if (f.matrix != matrix)
      continue;
    Element e{matrix, f.row, f.column, f.block};
    Spot spot{f.place.reg, f.place.lane, f.place.bit};
    spots[e].insert(spot);
    elements[spot].insert(e);
  }
  for (const Figure &f : figures) {
    if (f.matrix != matrix)
      continue;
    Registers file = zeros();
    fillOnes(file, matrix == 'A' ? kB : kA, matrix == 'A' ? s.b : s.a, 8);
    std::set<std::tuple<unsigned, unsigned>> expected; // row or column, block
    for (auto [reg, lane, bit] : spots[{matrix, f.row, f.column, f.block}]) {
      file.write(matrix == 'A' ? kA : kB, {reg, lane, bit}, typeBits(s.a),
                 encodeBits(s.a, 3));
      for (auto [m, row, column, block] : elements[{reg, lane, bit}])
        expected.insert({matrix == 'A' ? row : column, block});
    }
    execute(file);
    for (unsigned block = 0; block < s.blocks; ++block)
      for (unsigned i = 0; i < s.m; ++i)
        for (unsigned j = 0; j < s.n; ++j)
          ASSERT_EQ(result(file, i, j, block),
                    expected.count({matrix == 'A' ? i : j, block})
                        ? (f.negative ? -3 : 3)
                        : 0)
              << matrix << "[" << f.row << "][" << f.column << "].B" << f.block
              << " gives D[" << i << "][" << j << "].B" << block;
  }
}

/// One row of A, one column of B.
void Calculator::checkOutput(const Figure &f) {
  Registers file = zeros();
  for (unsigned k = 0; k < s.k; ++k)
    for (unsigned copy = 0; copy < (s.cdna() ? 1u : 2u); ++copy) {
      Place a = placeA(s, s.a, f.row, k, f.block);
      Place b = placeB(s, s.b, k, f.column, f.block);
      a.lane += 16 * copy;
      b.lane += 16 * copy;
      file.write(kA, a, typeBits(s.a), encodeBits(s.a, 1));
      file.write(kB, b, typeBits(s.b), encodeBits(s.b, 1));
    }
  execute(file);
  for (unsigned r = 0; r < 32; ++r)
    for (unsigned lane = 0; lane < o.waveSize; ++lane) {
      if (typeBits(s.c) == 64 && r % 2)
        continue;
      unsigned step = typeBits(s.c) == 16 ? 16 : 32;
      for (unsigned bit = 0; bit < 32; bit += step) {
        bool here =
            r == f.place.reg && lane == f.place.lane && bit == f.place.bit;
        ASSERT_EQ(decodeBits(s.c, file.read(kD, {r, lane, bit}, typeBits(s.c))),
                  here ? s.k : 0)
            << "D[" << f.row << "][" << f.column << "].B" << f.block << " in v"
            << r << "{" << lane << "}";
      }
    }
}

/// The last two of four elements of A, selected by the bits of the index.
void Calculator::checkIndex(const Figure &f) {
  Registers file = zeros();
  const unsigned q = f.column / 4;
  for (unsigned lane = 0; lane < 64; ++lane)
    file.row(kIndex)[lane] = 0x44444444; // 0 and 1 of each four
  for (unsigned k : {2 * q, 2 * q + 1})
    file.write(kA, placeA(s, s.a, f.row, k, 0), 16, encodeBits(s.a, 1));
  for (unsigned k = 0; k < s.k; ++k)
    for (unsigned j = 0; j < s.n; ++j)
      file.write(kB, placeB(s, s.b, k, j, 0), 16, encodeBits(s.b, k + 1));
  Registers other = file;
  execute(other);
  file.write(kIndex, f.place, 4, 2 | 3 << 2);
  execute(file);
  for (unsigned j = 0; j < s.n; ++j) {
    EXPECT_EQ(result(other, f.row, j, 0), (4 * q + 1) + (4 * q + 2));
    EXPECT_EQ(result(file, f.row, j, 0), (4 * q + 3) + (4 * q + 4));
  }
}

TEST_P(Calculator, Agrees) {
  const std::vector<Figure> figures = parse(o.lines);
  ASSERT_FALSE(figures.empty());
  bool plain = !o.mods.cbsz && (!o.mods.blgp || s.a == MatrixType::F64);
  for (const Figure &f : figures) {
    // Compares with the formulas of the other tests; of several copies, with
    // the first.
    Place at = f.place, formula = at;
    if (s.chip.isa.major == 11 && f.matrix == 'B')
      at.lane %= 16;
    if (f.matrix == 'A' && plain)
      formula = placeA(s, s.a, f.row, f.column, f.block);
    else if (f.matrix == 'B' && plain)
      formula = placeB(s, s.b, f.row, f.column, f.block);
    else if (f.matrix == 'C' || f.matrix == 'D')
      formula = placeC(s, f.row, f.column, f.block, half);
    else if (f.matrix == 'K')
      formula = placeIndex(s, f.row, f.column / 4,
                           s.cdna() ? o.mods.abid : o.mods.indexKey);
    else
      formula = at;
    EXPECT_EQ(std::tie(at.reg, at.lane, at.bit),
              std::tie(formula.reg, formula.lane, formula.bit))
        << f.matrix << "[" << f.row << "][" << f.column << "].B" << f.block;
    if (f.matrix == 'C' || f.matrix == 'D')
      checkOutput(f);
    if (f.matrix == 'K')
      checkIndex(f);
  }
  checkInput(figures, 'A');
  checkInput(figures, 'B');
}

std::string nameOf(const ::testing::TestParamInfo<Output> &info) {
  return std::string(info.param.chip) + "_" + info.param.mnemonic + "_" +
         std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Examples, Calculator, ::testing::ValuesIn(kOutputs),
                         nameOf);

} // namespace
