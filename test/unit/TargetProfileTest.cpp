//===- TargetProfileTest.cpp - Reading and checking profiles --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/JsonPositions.h"
#include "targets/JsonSchema.h"
#include "targets/ProfileLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

using namespace aircc;

namespace {

/// A directory with profiles that a test writes.
class ProfileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("aircc-profile", folder));
  }
  void TearDown() override {
    EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
  }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> p(folder);
    llvm::sys::path::append(p, name);
    return std::string(p);
  }
  void write(llvm::StringRef name, llvm::StringRef text) {
    std::ofstream(path(name)) << text.str();
  }
  std::optional<TargetProfile> load(llvm::StringRef name) {
    errors.clear();
    return ProfileLoader({std::string(folder), AIRCC_TARGETS_DIR})
        .load(name, errors);
  }
  /// Loads `name` and returns the only error, as "line:column pointer:
  /// message".
  std::string error(llvm::StringRef name) {
    if (load(name))
      return "no error";
    std::ostringstream os;
    for (const ProfileError &e : errors)
      os << (&e == &errors.front() ? "" : "\n") << e.line << ":" << e.column
         << " " << e.pointer << ": " << e.message;
    return os.str();
  }

  llvm::SmallString<128> folder;
  std::vector<ProfileError> errors;
};

TEST_F(ProfileTest, EveryShippedProfileIsValid) {
  std::vector<ProfileListing> listings =
      ProfileLoader({AIRCC_TARGETS_DIR}).list(errors);
  EXPECT_TRUE(errors.empty());
  std::vector<std::string> names;
  for (const ProfileListing &listing : listings) {
    names.push_back(listing.name);
    auto profile =
        ProfileLoader({AIRCC_TARGETS_DIR}).load(listing.name, errors);
    ASSERT_TRUE(profile) << listing.name << ": "
                         << (errors.empty() ? "" : errors[0].message);
    EXPECT_EQ(profile->name, listing.name);
    EXPECT_FALSE(profile->description.empty());
    EXPECT_FALSE(profile->matrixInstructions.empty());
  }
  for (const char *name :
       {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "pvc", "bmg",
        "bmg-g31", "lnl", "ptl", "wcl", "nvl", "nvl-s", "nvl-u", "cri"})
    EXPECT_TRUE(llvm::is_contained(names, name)) << name;
}

TEST_F(ProfileTest, InheritsAndKeepsTheFilesInOrder) {
  auto profile = load("gfx942");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->chip, "gfx942");
  EXPECT_EQ(profile->waveSize, 64u);
  EXPECT_EQ(profile->limits.ldsBytes, 65536);
  EXPECT_EQ(profile->limits.threadsPerWorkgroup, 1024);
  EXPECT_EQ(profile->limits.xcds, 8);
  EXPECT_EQ(profile->fp8, Fp8Kind::FNUZ);
  ASSERT_EQ(profile->files.size(), 3u);
  EXPECT_EQ(llvm::sys::path::filename(profile->files[0]), "gfx942.json");
  EXPECT_EQ(llvm::sys::path::filename(profile->files[1]), "gfx9-base.json");
  EXPECT_EQ(llvm::sys::path::filename(profile->files[2]), "amdgpu-base.json");
  // Its own entries and the inherited ones, in order.
  EXPECT_TRUE(
      llvm::is_sorted(profile->matrixInstructions,
                      [](auto &a, auto &b) { return a.name < b.name; }));
  auto has = [&](llvm::StringRef name) {
    return llvm::any_of(profile->matrixInstructions,
                        [&](auto &i) { return i.name == name; });
  };
  EXPECT_TRUE(has("mfma.f32.16x16x16f16"));
  EXPECT_TRUE(has("mfma.f32.16x16x32.fp8.fp8"));
}

TEST_F(ProfileTest, MergesObjectsAndReplacesTheRest) {
  write("mine.json", R"({
    "extends": "gfx950", "limits": { "cus": 32 }, "dmaWidths": [128, 32],
    "features": "+xnack", "fp8": null,
    "pipeline": ["hierarchy",
                 { "stage": "codegen", "options": { "opt-level": 3, "debug": true } }]
  })");
  auto profile = load("mine");
  ASSERT_TRUE(profile) << error("mine");
  EXPECT_EQ(profile->name, "mine");
  EXPECT_EQ(profile->description, "");
  EXPECT_EQ(profile->limits.cus, 32);
  EXPECT_EQ(profile->limits.xcds, 8);
  EXPECT_EQ(profile->dmaWidths, (std::vector<unsigned>{32, 128}));
  EXPECT_EQ(profile->features, "+xnack");
  EXPECT_EQ(profile->fp8, Fp8Kind::None) << "null removes what is inherited";
  ASSERT_EQ(profile->pipeline.size(), 2u);
  EXPECT_EQ(profile->pipeline[1].name, "codegen");
  EXPECT_EQ(profile->pipeline[1].options,
            (std::vector<std::pair<std::string, std::string>>{
                {"debug", "true"}, {"opt-level", "3"}}));
}

TEST_F(ProfileTest, AFileMayExtendTheInstalledOneOfItsName) {
  write("gfx942.json", R"({ "extends": "gfx942", "limits": { "cus": 228 } })");
  auto profile = load("gfx942");
  ASSERT_TRUE(profile) << error("gfx942");
  EXPECT_EQ(profile->limits.cus, 228);
  EXPECT_EQ(profile->files.size(), 4u);
}

/// A profile may override a figure of the cost model, and must then cite its
/// source.
TEST_F(ProfileTest, CostFiguresHaveSources) {
  write("t.json", R"({ "extends": "gfx942", "costModel":
    { "reservedVgprs": { "value": 48, "source": "measured" } } })");
  auto profile = load("t"), base = load("gfx942");
  ASSERT_TRUE(profile) << error("t");
  EXPECT_EQ(profile->costModel.reservedVgprs, 48);
  EXPECT_EQ(profile->costModel.tileRowCost, base->costModel.tileRowCost);
  EXPECT_GT(base->costModel.tileRowCost, 0);
  write("t.json", "{ \"extends\": \"gfx942\", \"costModel\":\n"
                  "  { \"reservedVgprs\": 48 } }");
  EXPECT_EQ(error("t"),
            "2:22 /costModel/reservedVgprs: expected an object, got "
            "an integer");
  write("t.json", R"({ "extends": "gfx942", "costModel":
    { "reservedVgprs": { "value": 48 } } })");
  EXPECT_NE(error("t").find("'source'"), std::string::npos) << error("t");
  write("t.json", R"({ "extends": "gfx942", "costModel":
    { "simdsPerCU": { "value": 0, "source": "none" } } })");
  EXPECT_NE(error("t").find("0 is too small; the minimum is 1"),
            std::string::npos)
      << error("t");
}

TEST_F(ProfileTest, ExtendsTakesPathsRelativeToTheFile) {
  ASSERT_FALSE(llvm::sys::fs::create_directories(path("sub")));
  write("base.json", R"({ "extends": "gfx942", "abstract": true })");
  write("sub/t.json", R"({ "extends": "../base.json" })");
  EXPECT_TRUE(load(path("sub/t.json"))) << error(path("sub/t.json"));
}

TEST_F(ProfileTest, NamesTheNearestKey) {
  write("t.json", "{\n  \"extends\": \"gfx942\",\n  \"limits\": {\n"
                  "    \"ldsByte\": 4\n  }\n}");
  EXPECT_EQ(error("t"), "4:5 /limits/ldsByte: unknown key 'ldsByte'; did you "
                        "mean 'ldsBytes'?");
}

TEST_F(ProfileTest, ChecksTypes) {
  write("t.json", "{ \"extends\": \"gfx942\",\n  \"waveSize\": \"64\" }");
  EXPECT_EQ(error("t"), "2:15 /waveSize: \"64\" is not valid here");
  write("t.json", "{ \"extends\": \"gfx942\",\n  \"limits\": [] }");
  EXPECT_EQ(error("t"), "2:13 /limits: expected an object, got an array");
  write("t.json", "{ \"extends\": \"gfx942\",\n"
                  "  \"limits\": { \"cus\": 1.5 } }");
  EXPECT_EQ(error("t"),
            "2:22 /limits/cus: expected an integer, got a fraction");
  write("t.json", "{ \"extends\": \"gfx942\",\n"
                  "  \"limits\": { \"cus\": 0 } }");
  EXPECT_EQ(error("t"), "2:22 /limits/cus: 0 is too small; the minimum is 1");
  write("t.json", "[]");
  EXPECT_EQ(error("t"), "1:1 : expected an object, got an array");
}

TEST_F(ProfileTest, ReportsEveryMistakeOfAFile) {
  write("t.json", "{ \"extends\": \"gfx942\", \"chp\": \"gfx942\",\n"
                  "  \"dmaWidths\": [32, 33, 32] }");
  EXPECT_EQ(error("t"), "1:24 /chp: unknown key 'chp'; did you mean 'chip'?\n"
                        "2:25 /dmaWidths/2: 32 appears twice\n"
                        "2:21 /dmaWidths/1: 33 is not valid here");
}

TEST_F(ProfileTest, ReportsSyntaxErrorsWithTheirPlace) {
  write("t.json", "{\n  \"extends\": \"gfx942\",\n}");
  std::string text = error("t");
  EXPECT_EQ(text.substr(0, 4), "3:1 ") << text;
  EXPECT_EQ(text.find("json.exception"), std::string::npos) << text;
  write("t.json", "");
  EXPECT_EQ(error("t").substr(0, 4), "1:1 ") << error("t");
}

TEST_F(ProfileTest, RefusesRepeatedKeys) {
  write("t.json", "{ \"extends\": \"gfx942\",\n  \"fp8\": \"none\", "
                  "\"fp8\": \"ocp\" }");
  EXPECT_EQ(error("t"), "2:18 /fp8: key 'fp8' appears twice");
}

TEST_F(ProfileTest, ReportsCycles) {
  write("a.json", R"({ "extends": "b" })");
  write("b.json", "{\n  \"extends\": \"a\" }");
  EXPECT_EQ(error("a"), "2:14 /extends: this profile extends itself");
  write("c.json", R"({ "extends": "c" })");
  EXPECT_EQ(error("c"), "1:14 /extends: this profile extends itself");
}

TEST_F(ProfileTest, ReportsABaseThatIsNoName) {
  write("t.json", R"({ "extends": null })");
  EXPECT_EQ(error("t"),
            "1:14 /extends: expected the name or the path of a profile");
}

TEST_F(ProfileTest, ReportsAMissingBaseOrProfile) {
  write("t.json", R"({ "extends": "gfx9-bas" })");
  EXPECT_EQ(error("t"), "1:14 /extends: there is no target profile 'gfx9-bas'; "
                        "did you mean 'gfx9-base'?");
  EXPECT_EQ(error("gfx943"), "0:0 : there is no target profile 'gfx943'; did "
                             "you mean 'gfx942'?");
  EXPECT_EQ(error("./none.json"),
            "0:0 : there is no profile file './none.json'");
}

TEST_F(ProfileTest, ABaseIsNoTarget) {
  EXPECT_NE(error("gfx9-base").find("is a base for others"), std::string::npos);
}

TEST_F(ProfileTest, ReportsWhatIsMissingInTheWhole) {
  write("t.json", R"({ "extends": "gfx9-base", "limits": { "cus": 4 } })");
  EXPECT_EQ(error("t"), "1:1 : key 'chip' is missing");
  write("t.json", "{ \"extends\": \"gfx9-base\", \"chip\": \"gfx942\" }");
  // The error is reported in the file with the object that lacks the key.
  ASSERT_FALSE(load("t"));
  EXPECT_EQ(errors[0].message, "key 'cus' is missing");
  EXPECT_EQ(errors[0].pointer, "/limits");
}

TEST_F(ProfileTest, ChecksTheChipAgainstLLVM) {
  write("t.json", "{ \"extends\": \"gfx942\",\n  \"chip\": \"gfx924\" }");
  EXPECT_EQ(error("t").substr(0, 61),
            "2:11 /chip: LLVM does not know the AMDGPU chip 'gfx924'; did ");
  write("t.json", "{ \"extends\": \"gfx942\",\n  \"waveSize\": 32 }");
  std::string text = error("t");
  EXPECT_NE(
      text.find("2:15 /waveSize: gfx942 does not support waves of 32 lanes"),
      std::string::npos)
      << text;
  write("t.json", "{ \"extends\": \"gfx942\",\n  \"features\": \"+xnak\" }");
  EXPECT_EQ(error("t"), "2:15 /features: LLVM has no AMDGPU feature 'xnak'; "
                        "did you mean 'xnack'?");
  write("t.json", "{ \"extends\": \"pvc\",\n  \"chip\": \"dg2\" }");
  EXPECT_EQ(error("t"), "2:11 /chip: \"dg2\" is not valid here");
}

/// The sizes of the accumulators of a lane tell which layouts were selected.
static int64_t getAccumulatorElements(const TargetProfile &profile) {
  const OperandLayout &c = profile.matrixInstructions.front().c;
  return c.outerTile[0] * c.elementTile[0];
}

TEST_F(ProfileTest, SelectsTheWaveSize) {
  write("t.json", R"({ "extends": "gfx1100", "waveSize": 64 })");
  auto profile = load("t");
  ASSERT_TRUE(profile) << error("t");
  EXPECT_EQ(profile->features, "-real-true16,+wavefrontsize64");
  EXPECT_EQ(getAccumulatorElements(*profile), 4);
  EXPECT_FALSE(profile->hasSelectedWaveSize);

  auto select = [&](const char *name, unsigned waveSize) {
    errors.clear();
    return ProfileLoader({AIRCC_TARGETS_DIR}).load(name, errors, {waveSize});
  };
  for (const char *name : {"gfx1100", "gfx1201"})
    for (unsigned waveSize : {32, 64}) {
      profile = select(name, waveSize);
      ASSERT_TRUE(profile);
      EXPECT_EQ(profile->waveSize, waveSize);
      EXPECT_TRUE(profile->hasSelectedWaveSize);
      EXPECT_EQ(profile->features.ends_with("+wavefrontsize64"),
                waveSize == 64);
      EXPECT_EQ(getAccumulatorElements(*profile), waveSize == 64 ? 4 : 8);
    }
  EXPECT_EQ(select("gfx942", 64)->features, "");
  // The option is at fault, so the error has no position in a file.
  EXPECT_FALSE(select("gfx942", 32));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].file, "");
  EXPECT_EQ(errors[0].message, "gfx942 does not support waves of 32 lanes");
  EXPECT_FALSE(select("bmg", 32));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].message,
            "the matrix instructions of bmg require subgroups of 16 lanes");
}

TEST_F(ProfileTest, ChecksLanePermutations) {
  auto withLanes = [&](llvm::StringRef operand, llvm::StringRef lanes) {
    auto permutation = [&](llvm::StringRef name) {
      return operand == name ? ", \"lanePermutation\": [" + lanes.str() + "]"
                             : "";
    };
    write(
        "t.json",
        R"({ "extends": "gfx942", "matrixInstructions": { "x": { "op": "mfma.f32.16x16x16f16",
        "shape": [16, 16, 16],
        "a": { "type": "f16", "threadTile": [16, 4], "elementTile": [1, 4], "threadStrides": [1, 16])" +
            permutation("a") + R"( },
        "b": { "type": "f16", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] },
        "c": { "type": "f32", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1])" +
            permutation("c") + " } } } }");
    return error("t");
  };
  EXPECT_EQ(withLanes("a", "1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, "
                           "15"),
            "no error");
  std::string text =
      withLanes("a", "1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15");
  EXPECT_NE(
      text.find(
          "a permutation must contain each of the lanes 0 to 15 exactly once"),
      std::string::npos)
      << text;
  text = withLanes("c", "1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15");
  EXPECT_NE(text.find("only the lanes of A and B can be permuted"),
            std::string::npos)
      << text;
}

TEST_F(ProfileTest, ChecksOperandLayouts) {
  auto withA = [&](llvm::StringRef a) {
    write(
        "t.json",
        ("{ \"extends\": \"gfx942\", \"matrixInstructions\": { \"x\": {\n"
         "\"op\": \"mfma.f32.16x16x16f16\", \"shape\": [16, 16, 16],\n\"a\": " +
         a +
         ",\n\"b\": { \"type\": \"f16\", \"threadTile\": [4, 16], "
         "\"elementTile\": [4, 1], \"threadStrides\": [16, 1] },\n"
         "\"c\": { \"type\": \"f32\", \"threadTile\": [4, 16], "
         "\"elementTile\": [4, 1], \"threadStrides\": [16, 1] } } } }")
            .str());
  };
  withA(
      R"({ "type": "f16", "threadTile": [16, 4], "elementTile": [1, 4], "threadStrides": [1, 16] })");
  EXPECT_TRUE(load("t")) << error("t");
  withA(
      R"({ "type": "f16", "threadTile": [16, 4], "elementTile": [1, 2], "threadStrides": [1, 16] })");
  EXPECT_EQ(error("t"),
            "3:6 /matrixInstructions/x/a: dimension 1 has 8 elements (outer 1 "
            "* thread 4 * element 2), but the instruction's shape gives it 16");
  withA(
      R"({ "type": "f16", "threadTile": [16, 8], "elementTile": [1, 2], "threadStrides": [1, 16] })");
  EXPECT_EQ(error("t"),
            "3:6 /matrixInstructions/x/a: the thread tiles take 128 "
            "lanes, but a wave has 64");
  withA(
      R"({ "type": "f16", "threadTile": [16, 4], "elementTile": [1, 4], "threadStrides": [1, 8] })");
  EXPECT_EQ(error("t"),
            "3:6 /matrixInstructions/x/a: the thread strides of the "
            "two dimensions overlap");
}

TEST_F(ProfileTest, BoundsWhatALayoutMultiplies) {
  // Products of these values overflowed and were then used as divisors.
  write("t.json", R"({ "extends": "gfx942", "matrixInstructions": { "x": {
    "op": "mfma.f32.16x16x16f16", "shape": [16, 16, 16],
    "a": { "type": "f16", "threadTile": [16, 4], "elementTile": [1, 4], "threadStrides": [1152921504606846976, 16] },
    "b": { "type": "f16", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] },
    "c": { "type": "f32", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] } } } })");
  EXPECT_EQ(error("t"), "3:91 /matrixInstructions/x/a/threadStrides/0: "
                        "1152921504606846976 is too large; the maximum is 64");
}

TEST_F(ProfileTest, ReportsTheCauseAlone) {
  // With another wave size, the layouts of all instructions would be invalid.
  write("t.json", R"({ "extends": "gfx942", "waveSize": 32 })");
  EXPECT_EQ(error("t"),
            "1:36 /waveSize: gfx942 does not support waves of 32 lanes");
  write("t.json", R"({ "extends": "gfx1100", "waveSize": 64,
    "features": "+wavefrontsize32" })");
  EXPECT_EQ(error("t"), "1:37 /waveSize: gfx1100 with the features "
                        "'+wavefrontsize32' has waves of 32 lanes");
  write("t.json", R"({ "extends": "gfx942", "backend": "xevm" })");
  EXPECT_EQ(error("t"), "1:35 /backend: the backend of the vendor 'amd' is "
                        "'rocdl', not \"xevm\"");
  // All of MFMA: one error, at the chip.
  write("t.json", R"({ "extends": "gfx942", "chip": "gfx1030",
    "waveSize": 64, "features": "+wavefrontsize64" })");
  std::string text = error("t");
  EXPECT_EQ(errors.size(), 1u) << text;
  EXPECT_EQ(text.find("1:32 /chip: "), 0u) << text;
  EXPECT_NE(text.find("is not an instruction of gfx1030"), std::string::npos);
  // The file itself gives the value, so the error is at the instruction.
  write("t.json", R"({ "extends": "gfx90a", "matrixInstructions": {
    "mfma.f32.16x16x32.f16": { "shape": [16, 16, 32],
      "a": { "type": "f16", "threadTile": [16, 4], "elementTile": [1, 8], "threadStrides": [1, 16] },
      "b": { "type": "f16", "threadTile": [4, 16], "elementTile": [8, 1], "threadStrides": [16, 1] },
      "c": { "type": "f32", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] } } } })");
  EXPECT_EQ(
      error("t"),
      "2:30 /matrixInstructions/mfma.f32.16x16x32.f16: "
      "'mfma.f32.16x16x32.f16' is not an instruction of gfx90a, which lacks "
      "LLVM's feature 'gfx950-insts'");
}

TEST_F(ProfileTest, ComparesFiguresWithTheChip) {
  write("t.json", R"({ "extends": "gfx942", "dmaWidths": [32, 128] })");
  EXPECT_EQ(error("t"), "1:37 /dmaWidths: gfx942 has no loads of 128 bits "
                        "directly to LDS");
  write("t.json", R"({ "extends": "gfx942", "ldsTransposeBits": [16] })");
  EXPECT_EQ(error("t"), "1:44 /ldsTransposeBits: gfx942 has no transposing "
                        "reads from LDS");
  write("t.json", R"({ "extends": "gfx942", "bf16Conversion": true })");
  EXPECT_EQ(error("t"), "1:42 /bf16Conversion: gfx942 has no instruction that "
                        "rounds f32 to bf16");
  write("t.json", R"({ "extends": "gfx942", "fp8": "ocp" })");
  EXPECT_EQ(error("t"),
            "1:31 /fp8: gfx942 does not support 8-bit floats of kind 'ocp'");
  write("t.json",
        R"({ "extends": "gfx942", "limits": { "ldsBytes": 65540 } })");
  EXPECT_EQ(error("t"), "1:48 /limits/ldsBytes: a workgroup on gfx942 has "
                        "at most 65536 bytes of LDS");
  write("t.json",
        R"({ "extends": "gfx942", "limits": { "threadsPerWorkgroup": 100 } })");
  EXPECT_EQ(error("t"), "1:59 /limits/threadsPerWorkgroup: a workgroup of 100 "
                        "lanes does not consist of whole waves of 64");
  write("t.json",
        R"({ "extends": "gfx942", "runtimeDevices": ["level-zero"] })");
  EXPECT_EQ(error("t"), "1:43 /runtimeDevices/0: 'level-zero' cannot execute "
                        "the code of the backend 'rocdl'");
  write("t.json", R"({ "extends": "bmg", "dmaWidths": [32] })");
  EXPECT_EQ(error("t"), "1:34 /dmaWidths: the xevm backend has no direct "
                        "loads to shared local memory");
  write("t.json", R"({ "extends": "bmg", "ldsTransposeBits": [16] })");
  EXPECT_EQ(error("t"), "1:41 /ldsTransposeBits: the xevm backend has no "
                        "transposing reads from shared local memory");
  write("t.json",
        R"({ "extends": "bmg", "triple": "spirv32-unknown-unknown" })");
  EXPECT_EQ(error("t"), "1:31 /triple: the xevm backend generates code for "
                        "spirv64, but got 'spirv32-unknown-unknown'");
}

TEST_F(ProfileTest, ComparesInstructionsWithTheirDefinition) {
  auto with = [&](llvm::StringRef base, llvm::StringRef instruction) {
    write("t.json", ("{ \"extends\": \"" + base +
                     "\",\n\"matrixInstructions\": { " + instruction + " } }")
                        .str());
    return error("t");
  };
  EXPECT_EQ(with("gfx942", R"("mfma.f32.16x16x16f16": { "shape": [16, 16, 16],
    "a": { "type": "bf16", "threadTile": [16, 4], "elementTile": [1, 4], "threadStrides": [1, 16] },
    "b": { "type": "f16", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] },
    "c": { "type": "f32", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] } })"),
            "3:20 /matrixInstructions/mfma.f32.16x16x16f16/a/type: "
            "'mfma.f32.16x16x16f16' takes f16 here, not bf16");
  EXPECT_EQ(with("gfx942", R"("mfma.f32.16x16x16f16": { "shape": [16, 16, 16],
    "a": { "type": "f16", "threadTile": [16, 1], "elementTile": [1, 16], "threadStrides": [1, 0] },
    "b": { "type": "f16", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] },
    "c": { "type": "f32", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] } })"),
            "3:10 /matrixInstructions/mfma.f32.16x16x16f16/a: a lane holds 256 "
            "bits in this layout, but 'mfma.f32.16x16x16f16' takes 64 of each "
            "of a wave's 64 lanes");
  EXPECT_EQ(with("gfx942", R"("mfma.f32.16x16x16f16": { "shape": [16, 16, 16],
    "a": { "type": "f16", "threadTile": [16, 4], "elementTile": [1, 4], "threadStrides": [1, 32] },
    "b": { "type": "f16", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] },
    "c": { "type": "f32", "threadTile": [4, 16], "elementTile": [4, 1], "threadStrides": [16, 1] } })"),
            "3:10 /matrixInstructions/mfma.f32.16x16x16f16/a: dimension 1: 4 "
            "threads with the thread stride 32 go beyond a wave of 64 lanes");
  EXPECT_EQ(with("bmg", R"("dpas": { "shape": [8, 16, 16],
    "a": { "type": "f16", "outerTile": [8, 1], "threadTile": [1, 16], "threadStrides": [0, 1] },
    "b": { "type": "f16", "threadTile": [1, 16], "elementTile": [16, 1], "threadStrides": [0, 1] },
    "c": { "type": "i32", "outerTile": [8, 1], "threadTile": [1, 16], "threadStrides": [0, 1] } })"),
            "5:20 /matrixInstructions/dpas/c/type: dpas adds products of f16 "
            "in f32 or f16");
}

TEST(JsonPositions, FindsKeysAndValues) {
  JsonPositions positions(
      "{\n \"a/b\": [1,\n  {\"c\\\"~\": true}],\n \"e\" : {}}");
  const auto &entries = positions.entries();
  ASSERT_EQ(entries.count("/a~1b/1/c\"~0"), 1u);
  EXPECT_EQ(entries.at("/a~1b/1/c\"~0").key.line, 3u);
  EXPECT_EQ(entries.at("/a~1b/1/c\"~0").key.column, 4u);
  EXPECT_EQ(entries.at("/a~1b/1/c\"~0").value.column, 12u);
  EXPECT_EQ(entries.at("/a~1b/0").value.column, 10u);
  EXPECT_EQ(entries.at("/e").value.line, 4u);
  EXPECT_EQ(entries.at("/e").value.column, 8u);
  EXPECT_EQ(entries.size(), 6u);
}

TEST(JsonPositions, FindsTooDeepNesting) {
  EXPECT_EQ(findTooDeepNesting("[{},{}]", 2), std::nullopt);
  EXPECT_EQ(findTooDeepNesting("[{}, {}]", 1), 1u);
  EXPECT_EQ(findTooDeepNesting(R"(["[[", "\"[[", {"a": [0]}])", 2), 21u);
  // Malformed text.
  EXPECT_EQ(findTooDeepNesting("]]]}[[", 1), 5u);
  EXPECT_EQ(findTooDeepNesting("[\"[[", 1), std::nullopt);
  EXPECT_EQ(findTooDeepNesting("\"\\", 0), std::nullopt);
  EXPECT_EQ(findTooDeepNesting("", 0), std::nullopt);
}

TEST(JsonSchema, RefusesKeywordsItDoesNotImplement) {
  auto schema = nlohmann::json::parse(
      R"({ "properties": { "x": { "multipleOf": 2 } } })");
  EXPECT_EQ(JsonSchema::findUnsupported(schema),
            "keyword 'multipleOf' at /properties/x/multipleOf is not "
            "implemented");
  std::ifstream file(std::string(AIRCC_TARGETS_DIR) + "/profile.schema.json");
  auto shipped = nlohmann::json::parse(file);
  EXPECT_EQ(JsonSchema::findUnsupported(shipped), "");
}

TEST(JsonSchema, FindsTheNearestOnlyIfItIsNear) {
  EXPECT_EQ(findNearest("ldsByte", {"ldsBytes", "vgprs"}), "ldsBytes");
  EXPECT_EQ(findNearest("zzzz", {"ldsBytes", "vgprs"}), "");
  EXPECT_EQ(findNearest("CHIP", {"chip"}), "chip");
}

} // namespace
