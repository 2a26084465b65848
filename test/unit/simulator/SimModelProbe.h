//===- SimModelProbe.h - Expected results of instructions -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses instructions as LLVM prints them, with all modifiers, and computes
// their results by SimModel.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMULATOR_SIMMODELPROBE_H
#define AIRCC_TEST_UNIT_SIMULATOR_SIMMODELPROBE_H

#include "test/unit/simulator/SimModel.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aircc::sim::test {

/// An operand as LLVM prints it.
struct Source {
  enum { Vector, Scalar, Vcc, Constant, Other } kind = Other;
  unsigned reg = 0, dwords = 1;
  bool neg = false, abs = false, sext = false;
  int half = -1; ///< .l 0, .h 1
  bool isFloat = false;
  i64 integer = 0;
  double number = 0;
};

/// An instruction as LLVM prints it.
struct Printed {
  std::string base;
  std::vector<Source> operands;
  unsigned opSel = 0, negLo = 0, negHi = 0;
  std::optional<unsigned> opSelHi;
  bool clamp = false;
  unsigned omod = 0; ///< As encoded: 1 * 2, 2 * 4, 3 / 2.
  unsigned immediate = 0;
  std::string unknown; ///< A part that was not understood.
};

Printed parsePrinted(llvm::StringRef text);

enum class Form { Plain, Sdwa, Dpp16, Dpp8 };

/// An instruction to run.
struct Probe {
  std::string text;
  std::vector<uint8_t> bytes;
  Printed printed;
  const Model *model = nullptr;
  const ScalarModel *scalar = nullptr;
  Form form = Form::Plain;
  unsigned dstSel = 6, dstUnused = 0, srcSel[2] = {6, 6};
  unsigned control = 0; ///< DPP
  bool bound = false;
  bool isCompare = false, isExec = false;
  // The role of each operand.
  size_t firstSource = 1;
  int carryIn = -1, carryOut = -1;
  size_t out = 0; ///< Where its results are, in rows of the output.
  unsigned rows = 0;
};

/// The dwords of a value.
unsigned sizeOf(Kind k);
bool isFloat(Kind k);

/// Values by register and lane.
struct Image {
  static constexpr unsigned kRegisters = 64;
  u32 vectors[kRegisters][64];
  u32 scalars[40];
  u64 vcc;
};

Image makeImage(unsigned round);

struct Machine {
  std::string chip;
  unsigned generation;
  unsigned lanes;
  bool gfx9() const { return generation == 9; }
};

/// The raw bits of source `i` for a lane, before op_sel; none if DPP reads from
/// a lane that does not exist.
std::optional<u64> readSource(const Machine &m, const Probe &p,
                              const Image &image, const Source &s, Kind kind,
                              size_t i, unsigned lane);

/// The result of an instruction in a lane.
struct Expected {
  bool open = false; ///< The model does not define the result.
  u64 value = 0;
  bool written = true; ///< False for DPP that reads from no lane.
  bool mask = false;   ///< Of a comparison or a carry.
};

Expected expect(const Machine &m, const Probe &p, const Image &image,
                unsigned lane);

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMULATOR_SIMMODELPROBE_H
