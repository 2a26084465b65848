//===- SimInstructions.h - All instructions of a chip -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of a chip, from the MC tables of LLVM's AMDGPU backend:
// every opcode is encoded with some operands and decoded again for the chip.
// The opcodes for which this succeeds are those of the chip.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMINSTRUCTIONS_H
#define AIRCC_TEST_UNIT_SIMINSTRUCTIONS_H

#include "test/unit/simulator/SimChips.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aircc::sim::test {

/// One opcode of a chip.
struct KnownInstruction {
  std::string opcode;   ///< LLVM's name of it.
  std::string mnemonic; ///< As printed, with _e32, _e64, _dpp or _sdwa.
  std::string family;   ///< "SOP1", "VOP3P dpp16", "DS", …
  /// As LLVM prints it, and encoded.
  struct Instance {
    std::string text;
    std::vector<uint8_t> bytes;
  };
  Instance instance;
  /// Instances with the same registers and another immediate: one for every
  /// modifier that the opcode has.
  std::vector<Instance> variants;
};

struct InstructionSelection {
  /// Operands are different vector registers (otherwise scalar registers) where
  /// the encoding permits.
  bool registersFirst = false;
  /// Whether KnownInstruction::variants are wanted. Encoding them takes most of
  /// the time.
  bool variants = true;
};

/// Returns the instructions of `chip` with waves of 32 or 64 lanes, by opcode.
std::vector<KnownInstruction>
knownInstructions(const std::string &chip, bool wave32,
                  InstructionSelection selection = {});

/// Returns the reason if the simulator does not implement an instruction, or
/// null.
const char *reasonToBeOut(const std::string &mnemonic);

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMINSTRUCTIONS_H
