//===- SimAsmText.h - Printed AMDGPU assembly, taken apart ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses LLVM's text of an instruction, whose syntax is documented and stable.
// The test of the decoder compares this with the decoded encoding, for every
// opcode.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMASMTEXT_H
#define AIRCC_TEST_UNIT_SIMASMTEXT_H

#include "simulator/isa/DecodedInstruction.h"

#include "llvm/ADT/StringRef.h"

namespace aircc::sim::test {

/// Splits `text` (one printed instruction) into mnemonic, operands and
/// modifiers.
void parseAsm(llvm::StringRef text, DecodedInstruction &inst);

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMASMTEXT_H
