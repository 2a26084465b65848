//===- SimMatrixSupport.h - A second view of matrix code --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the tests of the simulated matrix instructions. None of it is taken
// from the library under test: LLVM's assembler tells which instructions a chip
// has, mnemonics tell shapes and types, and LLVM's APFloat tells the values of
// the formats. The register that holds an element comes from formulas of AMD's
// matrix instruction calculator or, for sparse forms and f8f6f4, of the layout
// tests that AMD ran on hardware (hip-fpsan).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMMATRIXSUPPORT_H
#define AIRCC_TEST_UNIT_SIMMATRIXSUPPORT_H

#include "simulator/exec/matrix/Matrix.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace aircc::simtest {

using sim::MatrixFamily;
using sim::MatrixType;

/// The ISA of a chip as LLVM numbers it: gfx90a is {9, 0, 10}.
struct MatrixIsa {
  unsigned major = 0, minor = 0, stepping = 0;
};

/// The instruction with this mnemonic, or null.
const sim::MatrixOp *findMatrixOp(std::string_view mnemonic, MatrixIsa isa,
                                  unsigned waveSize);

/// A processor and a wave size.
struct Chip {
  const char *name;
  MatrixIsa isa;
  unsigned waveSize;
};
/// gfx90a, gfx942, gfx950, gfx1100 and gfx1201; the latter two with both wave
/// sizes.
const std::vector<Chip> &allChips();

/// The mnemonics of all matrix instructions that LLVM assembles for a chip.
std::vector<std::string> matrixMnemonics(const Chip &chip);

/// Assembles one line for a chip; returns false if the assembler rejects it.
bool assembles(const Chip &chip, const std::string &line);

/// An instruction as its mnemonic describes it.
struct Shape {
  Chip chip;
  MatrixFamily family;
  unsigned m, n, k, blocks;
  MatrixType a, b, c;
  bool scaled;
  bool sparse() const {
    return family == MatrixFamily::SMFMAC || family == MatrixFamily::SWMMAC;
  }
  bool cdna() const { return chip.isa.major == 9; }
};
Shape describe(const Chip &chip, const std::string &mnemonic);

/// The format that cbsz or blgp selects by its number.
MatrixType smallType(unsigned format);

unsigned typeBits(MatrixType type);
/// The value of a bit pattern, and the bit pattern of a value that the type can
/// represent.
double decodeBits(MatrixType type, uint64_t bits);
uint64_t encodeBits(MatrixType type, double value);

struct Place {
  unsigned reg, lane, bit;
};
/// The position of A(i, k) of a block; `type` is the resolved type. For a
/// sparse instruction, k counts stored elements. Returns the first lane that
/// holds the element; on gfx11, each group of 16 lanes has a copy.
Place placeA(const Shape &s, MatrixType type, unsigned i, unsigned k,
             unsigned block);
Place placeB(const Shape &s, MatrixType type, unsigned k, unsigned j,
             unsigned block);
/// The position of C(i, j) and D(i, j); `half` is op_sel of gfx11's 16-bit
/// results.
Place placeC(const Shape &s, unsigned i, unsigned j, unsigned block,
             unsigned half = 0);
/// Returns the position of the four bits that select the stored elements 2q and
/// 2q + 1 of row i.
Place placeIndex(const Shape &s, unsigned i, unsigned q, unsigned set);
/// The number of sets of sparse indices that a register holds.
unsigned indexSets(const Shape &s);

/// Registers of a wave, rows of 64 lanes, filled with random values.
class Registers {
public:
  explicit Registers(unsigned count, std::mt19937 &random);
  uint32_t *row(unsigned reg) { return words.data() + reg * 64; }
  uint64_t read(unsigned base, Place at, unsigned bits) const;
  void write(unsigned base, Place at, unsigned bits, uint64_t value);
  bool operator==(const Registers &) const = default;

private:
  std::vector<uint32_t> words;
};

} // namespace aircc::simtest

#endif // AIRCC_TEST_UNIT_SIMMATRIXSUPPORT_H
