//===- Chip.cpp - Which AMD GPU a code object is for ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/Chip.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

using namespace aircc::sim;
using llvm::StringRef;

/// The ISA version that a processor name spells: "gfx", the major version in
/// decimal, one hexadecimal digit each for minor version and stepping. Code for
/// a generic processor ("gfx9-4-generic") uses what all of its processors have,
/// and runs as on one of them.
static bool parseVersion(StringRef name, Chip &chip) {
  if (name == "gfx9-4-generic")
    name = "gfx942";
  else if (name == "gfx11-generic")
    name = "gfx1100";
  else if (name == "gfx12-generic")
    name = "gfx1200";
  if (!name.consume_front("gfx") || name.size() < 3 || name.contains('-'))
    return false;
  return !name.take_back(1).getAsInteger(16, chip.stepping) &&
         !name.drop_back(1).take_back(1).getAsInteger(16, chip.minor) &&
         !name.drop_back(2).getAsInteger(10, chip.major);
}

std::optional<Chip> Chip::parse(StringRef processor) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });

  Chip chip;
  StringRef name = processor.split(':').first;
  chip.name = name.str();
  if (!parseVersion(name, chip))
    return std::nullopt;
  if (!chip.isSimulated())
    return std::nullopt;

  std::string error;
  llvm::Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return std::nullopt;
  // Asked of a subtarget of no processor first: making one for an unknown
  // processor prints a warning.
  std::unique_ptr<llvm::MCSubtargetInfo> sti(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!sti || !sti->isCPUStringValid(name))
    return std::nullopt;
  sti.reset(target->createMCSubtargetInfo(triple, name, ""));
  chip.ldsBytes = sti->checkFeatures("+addressablelocalmemorysize163840")
                      ? 160 * 1024
                      : 64 * 1024;
  chip.transUseHazard = sti->checkFeatures("+valu-trans-use-hazard");
  chip.compareExecHazard = sti->checkFeatures("+vcmpx-permlane-hazard");
  return chip;
}

MemoryFigures Chip::memoryFigures() const {
  MemoryFigures figures;
  if (!isGfx9())
    return figures;
  figures.ldsBanks = isGfx950Plus() ? 64 : 32;
  figures.pairsReadQuads = !isGfx950Plus();
  figures.vectorLineBytes = isGfx940Plus() ? 128 : 64;
  return figures;
}

IssueFigures Chip::issueFigures() const {
  IssueFigures figures;
  if (isGfx9()) {
    figures.cacheBytesPerCycle = isGfx940Plus() ? 128 : 64;
    return figures;
  }
  figures.simds = 2;
  figures.simdLanes = 32;
  figures.doubleFactor = 16;
  figures.scalarCycles = 1;
  figures.matrixMacsPerCycle = isGfx12Plus() ? 256 : 128;
  return figures;
}
