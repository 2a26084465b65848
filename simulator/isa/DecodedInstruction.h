//===- DecodedInstruction.h - One AMDGPU instruction ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the bytes of an instruction say, in the words of the ISA manuals:
// mnemonic, operands in the order of the assembly syntax with their modifiers,
// and the modifiers of the instruction. Decode.h makes them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_DECODEDINSTRUCTION_H
#define AIRCC_SIMULATOR_ISA_DECODEDINSTRUCTION_H

#include "simulator/isa/Modifiers.h"

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace aircc::sim {

class InstructionDecoder;

struct DecodedOperand {
  enum class Kind : uint8_t {
    Vector,  ///< reg: row
    Scalar,  ///< reg: ScalarReg
    Special, ///< reg: SpecialValue
    Integer, ///< value: a literal or an integer inline constant
    Float,   ///< number: a floating-point inline constant
    Off,     ///< "off": no register here
    Raw,     ///< anything else
  } kind = Kind::Raw;
  uint16_t reg = 0;
  uint16_t dwords = 1;
  int64_t value = 0;
  double number = 0;
  bool neg = false, abs = false, sext = false;
  bool half = false;    ///< true16 syntax, v0.l or v0.h
  bool high = false;    ///< v0.h
  bool literal = false; ///< Integer is no inline constant.
};

/// One instruction. Lives as long as the program.
struct DecodedInstruction {
  std::string mnemonic; ///< Without _e32, _e64, _dpp, _sdwa.
  llvm::SmallVector<DecodedOperand, 6> operands;
  InstructionModifiers mods;
  uint64_t address = 0;
  uint32_t bytes = 0;              ///< Size of the encoding.
  std::array<uint32_t, 5> words{}; ///< The encoding.
  std::string unknown;             ///< What of it has no meaning, or "".
  /// VOPD: the two operations, which have no halves of their own.
  std::vector<DecodedInstruction> halves;
  /// What prints it; null for what is no instruction.
  const InstructionDecoder *decoder = nullptr;

  /// The assembly of it. Prints each time: for messages and traces.
  std::string text() const;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_DECODEDINSTRUCTION_H
