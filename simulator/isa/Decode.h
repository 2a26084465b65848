//===- Decode.h - From bytes to decoded instructions ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's disassembler makes an MCInst of the bytes; the form of its opcode
// (OpcodeForm.h) says what the operands are. Nothing is printed unless a
// message or a trace wants the assembly.
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
  /// `wave32` says how gfx10 and later read masks.
  static llvm::Expected<std::unique_ptr<InstructionDecoder>>
  create(const Chip &chip, bool wave32);
  ~InstructionDecoder();

  /// Decodes what `bytes` begin with and returns the size of it; 0 when it is
  /// no instruction. Thread-safe.
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t address,
                  DecodedInstruction &out) const;

  /// The assembly of what was decoded.
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
  mutable std::mutex mutex; ///< LLVM's disassembler has a state.
  mutable std::vector<std::unique_ptr<const OpcodeForm>> forms; ///< By opcode.
};

/// The modifiers that an instruction's fields hold, or why they mean nothing
/// ("" when they do).
std::string decodeFields(const llvm::MCInst &inst, const OpcodeForm &form,
                         const Chip &chip, InstructionModifiers &mods);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_DECODE_H
