//===- AsmText.h - Printed AMDGPU assembly, taken apart ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opcode and operand enumerations of LLVM's AMDGPU backend are private, its
// assembly syntax is documented and stable. So an instruction is decoded by
// LLVM's disassembler, printed once, and the text is taken apart here: mnemonic
// (which names the semantics, in the words of the ISA manuals), operands with
// their modifiers, and the modifiers of the instruction. This costs about two
// microseconds an instruction, once.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_ASMTEXT_H
#define AIRCC_SIMULATOR_ISA_ASMTEXT_H

#include "simulator/isa/Modifiers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>

namespace aircc::sim {

struct AsmOperand {
  enum class Kind : uint8_t {
    Vector,  ///< reg: row
    Scalar,  ///< reg: ScalarReg
    Special, ///< reg: SpecialValue
    Integer, ///< value: a literal or an integer inline constant
    Float,   ///< number: a floating-point inline constant
    Off,     ///< "off": no register here
    Raw,     ///< anything else: text
  } kind = Kind::Raw;
  uint16_t reg = 0;
  uint16_t dwords = 1;
  int64_t value = 0;
  double number = 0;
  bool neg = false, abs = false, sext = false;
  bool half = false;    ///< true16 syntax, v0.l or v0.h
  bool high = false;    ///< v0.h
  bool literal = false; ///< Integer was printed in hexadecimal.
  llvm::StringRef text;
};

/// One instruction, taken apart. Lives as long as the program.
struct AsmInst {
  std::string text;     ///< As printed, without leading blanks.
  std::string mnemonic; ///< Without _e32, _e64, _dpp, _sdwa.
  std::string encoding; ///< "e32", "e64", "dpp", "sdwa", "e64_dpp" or "".
  llvm::SmallVector<AsmOperand, 6> operands;
  AsmModifiers mods;
  uint64_t address = 0;
  uint32_t bytes = 0;              ///< Size of the encoding.
  std::array<uint32_t, 4> words{}; ///< The encoding.
  std::string unknown; ///< A modifier that was not understood, or "".
};

/// Takes `text` (one printed instruction) apart into mnemonic, operands and
/// modifiers. Operand texts point into `inst.text`.
void parseAsm(llvm::StringRef text, AsmInst &inst);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_ASMTEXT_H
