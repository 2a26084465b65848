//===- FormBuilder.h - Creates the form of an opcode ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_FORMBUILDER_H
#define AIRCC_SIMULATOR_ISA_FORMBUILDER_H

#include "simulator/isa/OpcodeForm.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

namespace aircc::sim {

/// Creates the form of an opcode.
class FormBuilder {
public:
  FormBuilder(const llvm::MCInstrDesc &desc, llvm::StringRef name,
              llvm::StringRef printed, const llvm::MCInstrInfo &instrs,
              const llvm::MCRegisterInfo &registers, unsigned hwMode);
  OpcodeForm build();

private:
  bool is(uint64_t bits) const { return form.tsFlags & bits; }
  bool isVector(const OperandSlot &slot) const;
  bool isOldDestination(const OperandSlot &slot) const;
  bool isIntegerSource(unsigned type) const;
  void add(OperandSlot::Source source);
  void addAll();
  void field(size_t n, Field field) {
    if (n < immediates.size())
      form.fields.push_back({immediates[n], field});
  }
  void fieldsInOrder(llvm::ArrayRef<Field> list) {
    for (auto [n, each] : llvm::enumerate(list))
      field(n, each);
  }
  void immediateOperand(size_t n);

  void buildScalar();
  void buildScalarMemory();
  void buildVop();
  void buildSources();
  void vopFields();
  void vop3Fields(size_t count);
  void buildDual();
  void buildFlat();
  void buildBuffer();
  void buildDs();

  const llvm::MCInstrDesc &desc;
  const llvm::StringRef name;
  const llvm::MCRegisterInfo &registers;
  OpcodeForm form;
  /// Operands that have a register class or are literals, without tied ones, in
  /// LLVM's order.
  llvm::SmallVector<OperandSlot, 8> values;
  llvm::SmallVector<uint8_t, 12> immediates; ///< All other operands.
  bool hasHalves = false;                    ///< Whether an operand has 16
                                             ///< bits.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_FORMBUILDER_H
