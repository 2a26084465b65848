//===- ChipCheck.cpp - Whether LLVM knows a chip --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/ChipCheck.h"

#include "targets/JsonSchema.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

using namespace llvm;

static std::vector<std::string> toStrings(ArrayRef<StringRef> refs) {
  std::vector<std::string> result;
  for (StringRef ref : refs)
    result.push_back(ref.str());
  return result;
}

static void checkFeatures(const aircc::TargetProfile &profile,
                          std::vector<aircc::ChipProblem> &problems) {
  if (profile.features.empty())
    return;
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  Triple triple(profile.triple);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    problems.push_back({"triple", error, {}});
    return;
  }
  std::unique_ptr<MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, profile.chip, ""));
  std::vector<std::string> known;
  for (const SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    known.push_back(feature.Key);

  SmallVector<StringRef> wanted;
  StringRef(profile.features).split(wanted, ',', -1, /*KeepEmpty=*/false);
  for (StringRef feature : wanted) {
    std::string name = feature.drop_front().str();
    if (is_contained(known, name))
      continue;
    std::string message = "LLVM has no AMDGPU feature '" + name + "'";
    if (std::string near = aircc::findNearest(name, known); !near.empty())
      message += "; did you mean '" + near + "'?";
    problems.push_back({"features", message, {}});
  }
}

std::vector<aircc::ChipProblem>
aircc::checkAMDGPUChip(const TargetProfile &profile) {
  std::vector<ChipProblem> problems;
  if (!Triple(profile.triple).isAMDGCN()) {
    problems.push_back({"triple",
                        "the rocdl backend makes code for amdgcn, not '" +
                            profile.triple + "'",
                        {"the usual triple is amdgcn-amd-amdhsa"}});
    return problems;
  }

  AMDGPU::GPUKind kind = AMDGPU::parseArchAMDGCN(profile.chip);
  if (kind == AMDGPU::GK_NONE) {
    SmallVector<StringRef> valid;
    AMDGPU::fillValidArchListAMDGCN(valid);
    std::string message = "LLVM knows no AMDGPU chip '" + profile.chip + "'";
    if (auto near = findNearest(profile.chip, toStrings(valid)); !near.empty())
      message += "; did you mean '" + near + "'?";
    problems.push_back({"chip", message, {"known: " + join(valid, ", ")}});
    return problems;
  }

  bool canWave32 = AMDGPU::getArchAttrAMDGCN(kind) & AMDGPU::FEATURE_WAVE32;
  if (profile.waveSize == 32 && !canWave32)
    problems.push_back(
        {"waveSize", profile.chip + " has no waves of 32 lanes", {"use 64"}});

  checkFeatures(profile, problems);
  return problems;
}
