//===- Bind.h - From instructions to operations, by family ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each family of instructions has a bind function, which fills the Op from the
// record of the instruction and its operands.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_BIND_H
#define AIRCC_SIMULATOR_EXEC_BIND_H

#include "simulator/exec/Op.h"
#include "simulator/isa/Chip.h"
#include "simulator/isa/DecodedInstruction.h"
#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/StringRef.h"
#include <deque>
#include <memory>
#include <string>

namespace aircc::sim {

class ConstantRows;
struct LaneLevel;

/// The program and the chip for which an instruction is bound.
struct BindContext {
  const Chip &chip;
  bool wave32;
  ConstantRows &constants;
  const LaneLevel &level;
  /// Data that handlers point to. It lives as long as the program.
  std::deque<std::shared_ptr<void>> &kept;
  void keep(std::shared_ptr<void> data) { kept.push_back(std::move(data)); }

  /// Why a known mnemonic was rejected ("clamp is not implemented for it", …).
  std::string problem;
  bool refuse(std::string why) {
    problem = std::move(why);
    return false;
  }
  /// Rejects operands that an instruction cannot have.
  bool understood(bool good) {
    return good || refuse("its operands are not supported");
  }
};

/// Resolves an assembly operand that is read as `type`. Returns false if its
/// kind cannot be a source.
bool bindSource(BindContext &context, const DecodedOperand &from,
                ValueType type, Operand &to);
/// Resolves a destination register.
bool bindDest(BindContext &context, const DecodedOperand &from, ValueType type,
              Operand &to);

/// Reads the operands of an instruction in order.
class OperandReader {
public:
  explicit OperandReader(const DecodedInstruction &inst)
      : operands(inst.operands) {}
  /// Returns the next operand, or null.
  const DecodedOperand *take() {
    return next < operands.size() ? &operands[next++] : nullptr;
  }
  /// Returns whether the next operand is a register of this kind.
  bool vector(Operand &to);
  bool scalar(Operand &to);

private:
  const decltype(DecodedInstruction::operands) &operands;
  size_t next = 0;
};

/// Returns the number of 32-bit rows in a value of this type.
unsigned typeRows(ValueType type);

// One function per family. Each returns true if the op was bound; otherwise,
// `BindContext::problem` says why not.
using BindFunction = bool (*)(BindContext &, const InstructionRecord &,
                              const DecodedInstruction &, Op &);
bool bindScalar(BindContext &, const InstructionRecord &,
                const DecodedInstruction &, Op &);
bool bindScalarImmediate(BindContext &, const InstructionRecord &,
                         const DecodedInstruction &, Op &);
bool bindScalarSpecial(BindContext &, const InstructionRecord &,
                       const DecodedInstruction &, Op &);
bool bindControl(BindContext &, const InstructionRecord &,
                 const DecodedInstruction &, Op &);
bool bindScalarMemory(BindContext &, const InstructionRecord &,
                      const DecodedInstruction &, Op &);
bool bindVector(BindContext &, const InstructionRecord &,
                const DecodedInstruction &, Op &);
bool bindMoveRelative(BindContext &, const InstructionRecord &,
                      const DecodedInstruction &, Op &);
bool bindCrossLane(BindContext &, const InstructionRecord &,
                   const DecodedInstruction &, Op &);
bool bindLds(BindContext &, const InstructionRecord &,
             const DecodedInstruction &, Op &);
bool bindLdsLanes(BindContext &, const InstructionRecord &,
                  const DecodedInstruction &, Op &);
bool bindFlat(BindContext &, const InstructionRecord &,
              const DecodedInstruction &, Op &);
bool bindBuffer(BindContext &, const InstructionRecord &,
                const DecodedInstruction &, Op &);
bool bindMatrix(BindContext &, const InstructionRecord &,
                const DecodedInstruction &, Op &);
bool bindScaledConvert(BindContext &, const InstructionRecord &,
                       const DecodedInstruction &, Op &);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_BIND_H
