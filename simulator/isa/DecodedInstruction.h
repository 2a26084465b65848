//===- DecodedInstruction.h - One AMDGPU instruction ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A decoded instruction in the terms of the ISA guides: the mnemonic, the
// operands in the order of the assembly syntax with their modifiers, and the
// modifiers of the instruction. InstructionDecoder (Decode.h) creates it.
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
    Off,     ///< "off": the operand is absent
    Raw,     ///< any other operand
  } kind = Kind::Raw;
  uint16_t reg = 0;
  uint16_t dwords = 1;
  int64_t value = 0;
  double number = 0;
  bool neg = false, abs = false, sext = false;
  bool half = false;    ///< true16 syntax, v0.l or v0.h
  bool high = false;    ///< v0.h
  bool literal = false; ///< Whether the Integer is a literal rather than an
                        ///< inline constant.
};

/// An instruction, which exists as long as the program.
struct DecodedInstruction {
  std::string mnemonic; ///< Without _e32, _e64, _dpp, _sdwa.
  llvm::SmallVector<DecodedOperand, 6> operands;
  InstructionModifiers mods;
  uint64_t address = 0;
  uint32_t bytes = 0;              ///< Size of the encoding.
  std::array<uint32_t, 5> words{}; ///< The encoding.
  std::string unknown;             ///< Why the encoding is invalid, or "".
  /// For VOPD, the two operations.
  std::vector<DecodedInstruction> halves;
  /// Prints the instruction. Null if the bytes are not an instruction.
  const InstructionDecoder *decoder = nullptr;

  /// Returns the assembly text, for messages and traces. Each call prints it
  /// anew.
  std::string text() const;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_DECODEDINSTRUCTION_H
