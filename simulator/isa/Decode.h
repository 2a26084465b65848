//===- Decode.h - From bytes to decoded instructions ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LLVM's disassembler decodes the bytes to an MCInst. The form of its opcode
// (OpcodeForm.h) maps the operands of the MCInst to those of the assembly
// syntax. Text is only printed for messages and traces.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_DECODE_H
#define AIRCC_SIMULATOR_ISA_DECODE_H

#include "simulator/isa/Chip.h"
#include "simulator/isa/DecodedInstruction.h"
#include "simulator/isa/OpcodeForm.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <vector>

namespace llvm {
class MCInst;
class MCOperand;
} // namespace llvm

namespace aircc::sim {

class InstructionDecoder {
public:
  /// `wave32` is the wave size on chips that have both. It determines the size
  /// of masks.
  static llvm::Expected<std::unique_ptr<InstructionDecoder>>
  create(const Chip &chip, bool wave32);
  ~InstructionDecoder();

  /// Decodes the instruction at the start of `bytes` and returns its size, or 0
  /// if there is no valid instruction. Thread-safe.
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t address,
                  DecodedInstruction &out) const;

  /// Returns the assembly text of a decoded instruction.
  std::string print(const DecodedInstruction &inst) const;

private:
  struct Tables;
  InstructionDecoder(const Chip &chip, bool wave32);
  const OpcodeForm &formOf(const llvm::MCInst &inst) const;
  void fill(const llvm::MCInst &inst, const OpcodeForm &form,
            DecodedInstruction &out) const;
  DecodedOperand operandOf(const llvm::MCInst &inst, const OperandSlot &slot,
                           std::string &problem) const;
  unsigned pseudoOf(unsigned reg) const;
  DecodedOperand registerOf(unsigned reg, const OperandSlot &slot,
                            std::string &problem) const;
  DecodedOperand constantOf(const llvm::MCOperand &from,
                            const OperandSlot &slot,
                            std::string &problem) const;

  const Chip chip;
  const bool wave32;
  std::unique_ptr<Tables> tables;
  mutable std::mutex mutex; ///< LLVM's disassembler is not thread-safe.
  mutable std::vector<std::unique_ptr<const OpcodeForm>> forms; ///< By opcode.
};

/// Decodes the modifiers in an instruction's fields. Returns why they are
/// invalid, or "".
std::string decodeFields(const llvm::MCInst &inst, const OpcodeForm &form,
                         const Chip &chip, InstructionModifiers &mods);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_DECODE_H
