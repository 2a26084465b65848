//===- MCTables.cpp - LLVM's MC objects for a chip ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/MCTables.h"

#include "llvm/MC/TargetRegistry.h"

using namespace aircc::sim;

llvm::Expected<std::unique_ptr<MCTables>> MCTables::create(const Chip &chip,
                                                           bool wave32) {
  auto made = std::make_unique<MCTables>();
  MCTables &t = *made;
  std::string error;
  t.target = llvm::TargetRegistry::lookupTarget(t.triple, error);
  if (!t.target)
    return llvm::createStringError(error);
  const char *features = !chip.hasWave32 ? ""
                         : wave32        ? "+wavefrontsize32"
                                         : "+wavefrontsize64";
  t.registers.reset(t.target->createMCRegInfo(t.triple));
  t.asmInfo.reset(t.target->createMCAsmInfo(*t.registers, t.triple, t.options));
  t.instrs.reset(t.target->createMCInstrInfo());
  t.subtarget.reset(
      t.target->createMCSubtargetInfo(t.triple, chip.name, features));
  t.context = std::make_unique<llvm::MCContext>(
      t.triple, t.asmInfo.get(), t.registers.get(), t.subtarget.get());
  t.disassembler.reset(
      t.target->createMCDisassembler(*t.subtarget, *t.context));
  t.printer.reset(t.target->createMCInstPrinter(t.triple, 0, *t.asmInfo,
                                                *t.instrs, *t.registers));
  if (!t.disassembler || !t.printer)
    return llvm::createStringError("LLVM has no AMDGPU disassembler");
  return made;
}
