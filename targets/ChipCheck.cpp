//===- ChipCheck.cpp - Compares a profile with LLVM's chips ---------------===//
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
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

using namespace llvm;
using namespace aircc;

static std::vector<std::string> toStrings(ArrayRef<StringRef> refs) {
  std::vector<std::string> result;
  for (StringRef ref : refs)
    result.push_back(ref.str());
  return result;
}

/// Determines the features of the profile's chip, including those that the
/// profile adds or removes.
static std::optional<ProfileProblem> findFeatures(const TargetProfile &profile,
                                                  ChipFeatures &features) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  Triple triple(profile.triple);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return ProfileProblem{"/triple", error, {}};
  std::unique_ptr<MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, profile.chip, ""));
  std::vector<std::string> known;
  for (const SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    known.push_back(feature.Key);

  SmallVector<StringRef> wanted;
  StringRef(profile.features).split(wanted, ',', -1, /*KeepEmpty=*/false);
  for (StringRef feature : wanted) {
    std::string name = feature.drop_front().str();
    if (is_contained(known, name)) {
      info->ApplyFeatureFlag(feature);
      continue;
    }
    std::string message = "LLVM has no AMDGPU feature '" + name + "'";
    if (std::string near = findNearest(name, known); !near.empty())
      message += "; did you mean '" + near + "'?";
    return ProfileProblem{"/features", message, {}};
  }
  for (const SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    if (info->hasFeature(feature.Value))
      features.insert(feature.Key);
  return std::nullopt;
}

static bool canHaveWave32(AMDGPU::GPUKind kind) {
  return AMDGPU::getArchAttrAMDGCN(kind) & AMDGPU::FEATURE_WAVE32;
}

void aircc::selectWaveSize(TargetProfile &profile) {
  AMDGPU::GPUKind kind = AMDGPU::parseArchAMDGCN(profile.chip);
  // Chips with waves of 32 lanes have these by default.
  if (profile.waveSize != 64 || !canHaveWave32(kind) ||
      StringRef(profile.features).contains("wavefrontsize"))
    return;
  if (!profile.features.empty())
    profile.features += ",";
  profile.features += "+wavefrontsize64";
}

/// Compares `waveSize` with the wave size that LLVM assumes for the chip.
static std::optional<ProfileProblem> checkWaveSize(const TargetProfile &profile,
                                                   AMDGPU::GPUKind kind) {
  if (profile.waveSize == 32 && !canHaveWave32(kind))
    return ProfileProblem{"/waveSize",
                          profile.chip + " does not support waves of 32 lanes",
                          {"use 64"}};
  StringMap<bool> flags;
  for (StringRef feature : split(StringRef(profile.features), ','))
    if (feature.size() > 1)
      flags[feature.drop_front()] = feature.front() == '+';
  auto [error, culprit] =
      AMDGPU::fillAMDGPUFeatureMap(profile.chip, Triple(profile.triple), flags);
  if (error != AMDGPU::NO_ERROR)
    return ProfileProblem{"/features",
                          profile.chip + " cannot have the feature '" +
                              culprit.str() + "'",
                          {}};
  unsigned waveSize = flags.lookup("wavefrontsize64") ? 64 : 32;
  if (waveSize == profile.waveSize)
    return std::nullopt;
  return ProfileProblem{
      "/waveSize",
      profile.chip + " with the features '" + profile.features +
          "' has waves of " + std::to_string(waveSize) + " lanes",
      {"without a feature that sets the wave size, waveSize selects it"}};
}

std::vector<ProfileProblem> aircc::checkAMDGPUChip(const TargetProfile &profile,
                                                   ChipFeatures &features) {
  if (!Triple(profile.triple).isAMDGCN())
    return {{"/triple",
             "the rocdl backend generates code for amdgcn, but got '" +
                 profile.triple + "'",
             {"the usual triple is amdgcn-amd-amdhsa"}}};

  AMDGPU::GPUKind kind = AMDGPU::parseArchAMDGCN(profile.chip);
  if (kind == AMDGPU::GK_NONE) {
    SmallVector<StringRef> valid;
    AMDGPU::fillValidArchListAMDGCN(valid);
    std::string message =
        "LLVM does not know the AMDGPU chip '" + profile.chip + "'";
    if (auto near = findNearest(profile.chip, toStrings(valid)); !near.empty())
      message += "; did you mean '" + near + "'?";
    return {{"/chip", message, {"known: " + join(valid, ", ")}}};
  }
  if (auto problem = findFeatures(profile, features))
    return {*problem};
  if (auto problem = checkWaveSize(profile, kind))
    return {*problem};
  return {};
}

/// Returns the LDS bytes that a workgroup on the chip can address, or 0 if
/// unknown.
static int64_t getAddressableLds(const ChipFeatures &features) {
  int64_t bytes = 0;
  for (StringRef feature : features) {
    int64_t size;
    if (feature.consume_front("addressablelocalmemorysize") &&
        !feature.getAsInteger(10, size))
      bytes = std::max(bytes, size);
  }
  return bytes;
}

bool aircc::hasOcpFloats(const ChipFeatures &features) {
  return features.contains("gfx950-insts") || features.contains("gfx12-insts");
}

std::vector<ProfileProblem>
aircc::checkAMDGPUFigures(const TargetProfile &profile,
                          const ChipFeatures &features) {
  std::vector<ProfileProblem> problems;
  int64_t lds = getAddressableLds(features);
  if (lds && profile.limits.ldsBytes > lds)
    problems.push_back({"/limits/ldsBytes",
                        "a workgroup on " + profile.chip + " has at most " +
                            std::to_string(lds) + " bytes of LDS",
                        {}});
  int64_t vgprs = features.contains("1024-addressable-vgprs") ? 1024
                  : features.contains("gfx90a-insts")         ? 512
                                                              : 256;
  if (profile.limits.vgprs > vgprs)
    problems.push_back({"/limits/vgprs",
                        "a lane on " + profile.chip + " has at most " +
                            std::to_string(vgprs) + " vector registers",
                        {}});

  for (unsigned width : profile.dmaWidths) {
    StringRef needed = width == 32 ? "vmem-to-lds-load-insts" : "gfx950-insts";
    if (!features.contains(needed))
      problems.push_back(
          {"/dmaWidths",
           profile.chip + " has no loads of " + std::to_string(width) +
               " bits directly to LDS",
           {"they require LLVM's feature '" + needed.str() + "'"}});
  }

  if (!profile.ldsTransposeBits.empty() && !features.contains("gfx950-insts"))
    problems.push_back({"/ldsTransposeBits",
                        profile.chip + " has no transposing reads from LDS",
                        {"they require LLVM's feature 'gfx950-insts'"}});

  if (profile.bf16Conversion && !features.contains("bf16-cvt-insts"))
    problems.push_back(
        {"/bf16Conversion",
         profile.chip + " has no instruction that rounds f32 to bf16",
         {"it requires LLVM's feature 'bf16-cvt-insts'"}});
  if (profile.fp8 == Fp8Kind::None)
    return problems;
  StringRef chipHas = !features.contains("fp8-conversion-insts") ? "none"
                      : hasOcpFloats(features)                   ? "ocp"
                                                                 : "fnuz";
  StringRef declared = profile.fp8 == Fp8Kind::OCP ? "ocp" : "fnuz";
  if (declared != chipHas)
    problems.push_back({"/fp8",
                        profile.chip +
                            " does not support 8-bit floats of kind '" +
                            declared.str() + "'",
                        {"write '" + chipHas.str() + "'"}});
  return problems;
}
