//===- ProfileForm.cpp - Converts JSON to a TargetProfile -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/ProfileForm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace aircc;
using namespace llvm;
using nlohmann::json;

static OperandLayout convertOperand(const json &value) {
  OperandLayout layout;
  layout.type = value["type"].get<std::string>();
  auto tile = [&](const char *key) {
    return value.contains(key) ? value[key].get<std::vector<int64_t>>()
                               : std::vector<int64_t>{1, 1};
  };
  layout.outerTile = tile("outerTile");
  layout.threadTile = tile("threadTile");
  layout.elementTile = tile("elementTile");
  layout.threadStrides = tile("threadStrides");
  if (value.contains("lanePermutation"))
    layout.lanePermutation =
        value["lanePermutation"].get<std::vector<int64_t>>();
  return layout;
}

/// Returns the layout of the operand `key` in an instruction's entry, for waves
/// of `waveSize` lanes.
static OperandLayout convertOperand(const json &entry, const char *key,
                                    unsigned waveSize) {
  if (auto wave64 = entry.find("wave64");
      waveSize == 64 && wave64 != entry.end() && wave64->contains(key))
    return convertOperand((*wave64)[key]);
  return convertOperand(entry[key]);
}

/// Adds the instructions of an entry, one for each combination of the types of
/// A and B.
static void addInstructions(std::vector<MatrixInstruction> &instructions,
                            const MatrixInstruction &first, const json &entry) {
  auto typesOf = [&](const char *key, const OperandLayout &operand) {
    std::vector<std::string> types{operand.type};
    if (entry[key].contains("otherTypes"))
      for (const json &type : entry[key]["otherTypes"])
        types.push_back(type.get<std::string>());
    return types;
  };
  for (const std::string &a : typesOf("a", first.a))
    for (const std::string &b : typesOf("b", first.b)) {
      MatrixInstruction instruction = first;
      instruction.a.type = a;
      instruction.b.type = b;
      if (entry["a"].contains("otherTypes") ||
          entry["b"].contains("otherTypes"))
        instruction.name.append(".").append(a).append(".").append(b);
      instructions.push_back(std::move(instruction));
    }
}

static StageSpec convertStage(const json &value) {
  StageSpec stage;
  if (value.is_string()) {
    stage.name = value.get<std::string>();
    return stage;
  }
  stage.name = value["stage"].get<std::string>();
  if (value.contains("options"))
    for (const auto &[key, option] : value["options"].items())
      stage.options.emplace_back(
          key, option.is_string() ? option.get<std::string>() : option.dump());
  return stage;
}

static CostModel convertCostModel(const json &value) {
  CostModel model;
  for (auto [key, figure] :
       {std::pair("accessBits", &model.accessBits),
        std::pair("tileRowBytes", &model.tileRowBytes),
        std::pair("simdsPerCU", &model.simdsPerCU),
        std::pair("tileRowCost", &model.tileRowCost),
        std::pair("waveRowCost", &model.waveRowCost),
        std::pair("reservedVgprs", &model.reservedVgprs),
        std::pair("usableVgprs", &model.usableVgprs),
        std::pair("doubleAccumulatorVgprs", &model.doubleAccumulatorVgprs),
        std::pair("accumulatorVgprShare", &model.accumulatorVgprShare),
        std::pair("operandVgprShare", &model.operandVgprShare),
        std::pair("prefetchSteps", &model.prefetchSteps)})
    *figure = value[key]["value"].get<int64_t>();
  return model;
}

static TunedFactor convertTunedFactor(const json &value) {
  return {value["type"].get<std::string>(), value["alongK"].get<bool>(),
          value.value("computed", false)};
}

static TunedProduct convertTunedProduct(const json &value) {
  TunedProduct product;
  TunedProductKey &key = product.key;
  key.chip = value["chip"].get<std::string>();
  key.a = convertTunedFactor(value["a"]);
  key.b = convertTunedFactor(value["b"]);
  key.c = value["c"].get<std::string>();
  key.matrices = value.value("matrices", int64_t(1));
  for (auto [name, number] :
       {std::pair("waveSize", &key.waveSize), std::pair("cus", &key.cus),
        std::pair("m", &key.m), std::pair("n", &key.n), std::pair("k", &key.k),
        std::pair("buffers", &product.buffers)})
    *number = value[name].get<int64_t>();
  product.tileM = value["tile"][0].get<int64_t>();
  product.tileN = value["tile"][1].get<int64_t>();
  product.tileK = value["tile"][2].get<int64_t>();
  product.wavesM = value["waves"][0].get<int64_t>();
  product.wavesN = value["waves"][1].get<int64_t>();
  product.splits = value.value("splits", int64_t(1));
  return product;
}

TargetProfile aircc::convertProfile(const ProfileDocument &document) {
  // The document conforms to the schema, so all accesses below are safe.
  const json &value = document.value;
  TargetProfile profile;
  profile.files = document.files;
  profile.name = value.value("name", sys::path::stem(document.files[0]).str());
  profile.description = value.value("description", "");
  profile.vendor = value["vendor"].get<std::string>();
  profile.backend =
      value["backend"] == "rocdl" ? Backend::ROCDL : Backend::XeVM;
  profile.triple = value["triple"].get<std::string>();
  profile.chip = value["chip"].get<std::string>();
  profile.features = value.value("features", "");
  profile.codeObjectVersion = value.value("codeObjectVersion", 0u);
  profile.waveSize = value["waveSize"].get<unsigned>();
  profile.hasSelectedWaveSize = document.hasSelectedWaveSize;
  std::string fp8 = value.value("fp8", "none");
  profile.fp8 = fp8 == "fnuz"  ? Fp8Kind::FNUZ
                : fp8 == "ocp" ? Fp8Kind::OCP
                               : Fp8Kind::None;
  profile.bf16Conversion = value.value("bf16Conversion", false);

  const json &limits = value["limits"];
  profile.limits.ldsBytes = limits["ldsBytes"].get<int64_t>();
  profile.limits.ldsBanks = limits.value("ldsBanks", int64_t(32));
  profile.limits.threadsPerWorkgroup =
      limits["threadsPerWorkgroup"].get<int64_t>();
  profile.limits.wavesPerCU = limits["wavesPerCU"].get<int64_t>();
  profile.limits.vgprs = limits["vgprs"].get<int64_t>();
  profile.limits.largeVgprs = limits.value("largeVgprs", int64_t(0));
  profile.limits.xcds = limits["xcds"].get<int64_t>();
  profile.limits.cus = limits["cus"].get<int64_t>();

  profile.costModel = convertCostModel(value["costModel"]);

  if (value.contains("dmaWidths"))
    profile.dmaWidths = value["dmaWidths"].get<std::vector<unsigned>>();
  llvm::sort(profile.dmaWidths);
  if (value.contains("ldsTransposeBits"))
    profile.ldsTransposeBits =
        value["ldsTransposeBits"].get<std::vector<unsigned>>();
  llvm::sort(profile.ldsTransposeBits);
  if (value.contains("matrixInstructions"))
    for (const auto &[name, entry] : value["matrixInstructions"].items()) {
      MatrixInstruction instruction;
      instruction.name = name;
      instruction.op = entry.value("op", name);
      instruction.m = entry["shape"][0].get<int64_t>();
      instruction.n = entry["shape"][1].get<int64_t>();
      instruction.k = entry["shape"][2].get<int64_t>();
      instruction.a = convertOperand(entry, "a", profile.waveSize);
      instruction.b = convertOperand(entry, "b", profile.waveSize);
      instruction.c = convertOperand(entry, "c", profile.waveSize);
      if (entry.contains("scales")) {
        instruction.scaleA = convertOperand(entry["scales"]["a"]);
        instruction.scaleB = convertOperand(entry["scales"]["b"]);
      }
      addInstructions(profile.matrixInstructions, instruction, entry);
    }
  llvm::sort(profile.matrixInstructions,
             [](const MatrixInstruction &x, const MatrixInstruction &y) {
               return x.name < y.name;
             });
  for (const json &stage : value["pipeline"])
    profile.pipeline.push_back(convertStage(stage));
  if (value.contains("tuning"))
    for (const json &product : value["tuning"])
      profile.tuning.push_back(convertTunedProduct(product));
  profile.tuningFile = document.tuningFile;
  if (value.contains("deviceLibs"))
    profile.deviceLibs = value["deviceLibs"].get<std::vector<std::string>>();
  profile.host.triple = value["host"]["triple"].get<std::string>();
  profile.host.cc = value["host"]["cc"].get<std::string>();
  if (value["host"].contains("linkFlags"))
    profile.host.linkFlags =
        value["host"]["linkFlags"].get<std::vector<std::string>>();
  profile.runtimeDevices =
      value["runtimeDevices"].get<std::vector<std::string>>();
  return profile;
}

std::optional<TimingFigures>
aircc::convertTiming(const ProfileDocument &document, std::string &missing) {
  if (!document.value.contains("timing")) {
    missing = "timing";
    return std::nullopt;
  }
  const json &value = document.value["timing"];
  const json &limits = document.value["limits"];
  TimingFigures figures;
  figures.xcds = limits["xcds"].get<int64_t>();
  figures.cus = limits["cus"].get<int64_t>();
  figures.ldsBytes = limits["ldsBytes"].get<int64_t>();
  figures.ldsBanks = limits.value("ldsBanks", int64_t(32));
  if (auto matrixOps = value.find("matrixOps"); matrixOps != value.end())
    for (const auto &[type, figure] : matrixOps->items())
      figures.matrixOps[type] = figure["value"].get<int64_t>();
  for (auto [key, figure] :
       {std::pair("clock", &figures.clock),
        std::pair("matrixClock", &figures.matrixClock),
        std::pair("cusPerUnit", &figures.cusPerUnit),
        std::pair("simds", &figures.simds),
        std::pair("wavesPerSimd", &figures.wavesPerSimd),
        std::pair("vgprsPerSimd", &figures.vgprsPerSimd),
        std::pair("issueCycles", &figures.issueCycles),
        std::pair("vectorCycles", &figures.vectorCycles),
        std::pair("vectorLatency", &figures.vectorLatency),
        std::pair("transcendentalCycles", &figures.transcendentalCycles),
        std::pair("transcendentalLatency", &figures.transcendentalLatency),
        std::pair("scalarLatency", &figures.scalarLatency),
        std::pair("branchCycles", &figures.branchCycles),
        std::pair("barrierCycles", &figures.barrierCycles),
        std::pair("matrixLatency", &figures.matrixLatency),
        std::pair("ldsPorts", &figures.ldsPorts),
        std::pair("ldsLatency", &figures.ldsLatency),
        std::pair("ldsBytesPerCycle", &figures.ldsBytesPerCycle),
        std::pair("ldsWriteCycles", &figures.ldsWriteCycles),
        std::pair("scalarCacheLatency", &figures.scalarCacheLatency),
        std::pair("scalarMissLatency", &figures.scalarMissLatency),
        std::pair("scalarCacheKiB", &figures.scalarCacheKiB),
        std::pair("vectorCacheKiB", &figures.vectorCacheKiB),
        std::pair("vectorCacheLatency", &figures.vectorCacheLatency),
        std::pair("vectorCacheBytesPerCycle",
                  &figures.vectorCacheBytesPerCycle),
        std::pair("l2KiB", &figures.l2KiB),
        std::pair("l2Line", &figures.l2Line),
        std::pair("l2Latency", &figures.l2Latency),
        std::pair("l2BytesPerCycle", &figures.l2BytesPerCycle),
        std::pair("l2WriteBytesPerCycle", &figures.l2WriteBytesPerCycle),
        std::pair("lastLevelMiB", &figures.lastLevelMiB),
        std::pair("lastLevelLatency", &figures.lastLevelLatency),
        std::pair("lastLevelGBps", &figures.lastLevelGBps),
        std::pair("memoryLatency", &figures.memoryLatency),
        std::pair("memoryGBps", &figures.memoryGBps),
        std::pair("launchNanoseconds", &figures.launchNanoseconds),
        std::pair("workgroupCycles", &figures.workgroupCycles)}) {
    if (!value.contains(key)) {
      missing = std::string("timing/") + key;
      return std::nullopt;
    }
    *figure = value[key]["value"].get<int64_t>();
  }
  return figures;
}
