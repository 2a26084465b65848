//===- MCTables.h - LLVM's MC objects for a chip ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_MCTABLES_H
#define AIRCC_SIMULATOR_ISA_MCTABLES_H

#include "simulator/isa/Chip.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>

namespace llvm {
class Target;
} // namespace llvm

namespace aircc::sim {

/// LLVM's descriptions of the instructions and registers of a chip, its
/// disassembler and its printer.
struct MCTables {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  const llvm::Target *target = nullptr;
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<llvm::MCInstrInfo> instrs;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;

  /// `wave32` selects the wave size on chips that have both. The result must
  /// not be moved, because its members refer to each other.
  static llvm::Expected<std::unique_ptr<MCTables>> create(const Chip &chip,
                                                          bool wave32);
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_MCTABLES_H
