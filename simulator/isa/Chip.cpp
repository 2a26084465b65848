//===- Chip.cpp - Properties of an AMD GPU --------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/Chip.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
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

/// Parses the ISA version in a processor name: "gfx", the major version in
/// decimal, and one hexadecimal digit each for the minor version and the
/// stepping. Code for a generic processor ("gfx9-4-generic") runs on all
/// processors of the group, so it is simulated on one of them.
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

/// Returns the generation of an ISA version. Minor versions that are not listed
/// have other memories, encodings and instructions.
static std::optional<Generation> generationOf(const Chip &chip) {
  const unsigned major = chip.major, minor = chip.minor;
  if (major == 9 && minor == 0 && chip.stepping == 10)
    return Generation::Gfx90a;
  if (major == 9 && minor == 4)
    return Generation::Gfx940;
  if (major == 9 && minor == 5)
    return Generation::Gfx950;
  if (major == 11 && minor < 5)
    return Generation::Gfx11;
  if (major == 11 && minor == 5)
    return Generation::Gfx115;
  if (major == 12 && minor == 0)
    return Generation::Gfx12;
  return std::nullopt;
}

/// CDNA 2, which the later CDNA generations modify.
static GenerationTraits makeCdna() {
  GenerationTraits t;
  t.hasPackedWorkItemIds = true;
  t.hasUnifiedRegisterFile = true;
  t.vgprSizeBit = 8;
  t.hasXccId = true;
  t.hasIndexingMode = true;
  t.hasIeeeMode = true;
  t.compareExecWritesMask = true;
  t.waits = WaitEncoding::SplitLoads;
  t.cachesReachSystem = true;
  t.countsWaitStates = true;
  t.hazards = {.wideStoreStates = 1,
               .doubleHidesWrites = true,
               .f32OnMatrixUnit = true,
               .doubleCStates = 9,
               .doubleInputStates = 11};
  t.memory.pairsReadQuads = true;
  t.memory.vectorLineBytes = 64;
  t.issue.cacheBytesPerCycle = 64;
  return t;
}

static GenerationTraits makeCdna3() {
  GenerationTraits t = makeCdna();
  t.hasArchitectedFlatScratch = true;
  t.scopes = ScopeEncoding::Sc;
  t.cachesReachSystem = false;
  t.storesHaveScope = true;
  t.needsWriteBack = true;
  t.hazards = {.wideStoreStates = 2,
               .readsOffsetStoresLate = true,
               .waitsLess = true,
               .shortSameCStates = 2,
               .doubleCStates = 9,
               .doubleInputStates = 11};
  t.memory.vectorLineBytes = 128;
  t.issue.cacheBytesPerCycle = 128;
  return t;
}

static GenerationTraits makeCdna4() {
  GenerationTraits t = makeCdna3();
  t.hazards.hasPermlaneStates = true;
  t.hazards.longMatrixStates = 1;
  t.hazards.doubleCStates = 17;
  t.hazards.doubleInputStates = 19;
  t.memory.ldsBanks = 64;
  t.memory.pairsReadQuads = false;
  return t;
}

static GenerationTraits makeRdna3() {
  GenerationTraits t;
  t.hasWave32 = true;
  t.hasPackedWorkItemIds = true;
  t.hasArchitectedFlatScratch = true;
  t.hasWgpMode = true;
  t.vgprGranules[false] = 4;
  t.hasIeeeMode = true;
  t.preservesHigh16 = true;
  t.waits = WaitEncoding::Contiguous;
  t.hasStoreCounter = true;
  t.hasTwoInvalidations = true;
  t.hasChosenRangeCheck = true;
  t.hasUnifiedFormats = true;
  t.permutesHalves = true;
  t.hasMaskHazards = true;
  t.issue.simds = 2;
  t.issue.simdLanes = 32;
  t.issue.doubleFactor = 16;
  t.issue.scalarCycles = 1;
  t.issue.matrixMacsPerCycle = 128;
  return t;
}

static GenerationTraits makeRdna4() {
  GenerationTraits t = makeRdna3();
  t.hasArchitectedSgprs = true;
  t.hasIeeeMode = false;
  t.waits = WaitEncoding::None;
  t.hasScalarCounter = true;
  t.countsCaches = true;
  t.scopes = ScopeEncoding::Scope;
  t.hasTwoInvalidations = false;
  t.storesHaveScope = true;
  t.permutesHalves = false;
  t.hasMaskHazards = false;
  t.hasScalarReadHazards = true;
  t.directLoadWaits = true;
  t.issue.matrixMacsPerCycle = 256;
  return t;
}

static GenerationTraits traitsOf(Generation generation) {
  switch (generation) {
  case Generation::Gfx90a:
    return makeCdna();
  case Generation::Gfx940:
    return makeCdna3();
  case Generation::Gfx950:
    return makeCdna4();
  case Generation::Gfx11:
  case Generation::Gfx115:
    return makeRdna3();
  case Generation::Gfx12:
    return makeRdna4();
  }
  llvm_unreachable("unknown generation");
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
  std::optional<Generation> generation = generationOf(chip);
  if (!generation)
    return std::nullopt;
  chip.generation = *generation;
  static_cast<GenerationTraits &>(chip) = traitsOf(*generation);

  std::string error;
  llvm::Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return std::nullopt;
  // Check the name with a subtarget without a processor first, because creating
  // one for an unknown processor prints a warning.
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

Chip::WaitFields Chip::waitFields(uint32_t immediate) const {
  const uint32_t raw = immediate;
  WaitFields fields{0, 0, 0};
  if (waits == WaitEncoding::SplitLoads) {
    fields.loads = (raw & 15) | (raw >> 14 & 3) << 4;
    fields.lds = raw >> 8 & 15;
    fields.exports = raw >> 4 & 7;
  } else {
    // gfx12 still decodes it like gfx11.
    fields.loads = raw >> 10 & 63;
    fields.lds = raw >> 4 & 63;
    fields.exports = raw & 7;
  }
  return fields;
}
