//===- MergeTargetsTest.cpp - One program for several targets -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Codegen.h"
#include "pipeline/link/Link.h"
#include "pipeline/link/OffloadBundle.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace aircc;
using namespace mlir;

namespace {

class MergeTargets : public testing::Test {
protected:
  MergeTargets() : context(makeRegistry()) {
    context.loadAllAvailableDialects();
    for (const char *chip : {"gfx90a", "gfx1100", "gfx1201"}) {
      TargetProfile profile;
      profile.name = profile.chip = chip;
      profile.triple = "amdgcn-amd-amdhsa";
      profile.host.triple = "x86_64-unknown-linux-gnu";
      profiles.push_back(profile);
    }
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    getLinkStage().registerDialects(registry);
    return registry;
  }

  /// A module with a host function that returns `value`, another that calls it,
  /// and a binary.
  std::string makeText(int value, StringRef chip) {
    return ("gpu.binary @kernels [#gpu.object<#rocdl.target<chip = \"" + chip +
            "\">, bin = \"code for " + chip + "\">]\n" +
            "llvm.mlir.global internal constant @same(7 : i32) : i32\n"
            "llvm.func @size(%x: i32) -> i32 {\n"
            "  %0 = llvm.mlir.constant(" +
            Twine(value) +
            " : i32) : i32\n"
            "  %1 = llvm.add %0, %x : i32\n"
            "  llvm.return %1 : i32\n"
            "}\n"
            "llvm.func @caller(%x: i32) -> i32 {\n"
            "  %0 = llvm.call @size(%x) : (i32) -> i32\n"
            "  llvm.return %0 : i32\n"
            "}\n")
        .str();
  }

  OwningOpRef<ModuleOp> merge(ArrayRef<std::string> texts) {
    SmallVector<TargetModule> targets;
    for (auto [profile, text] : llvm::zip(profiles, texts)) {
      modules.push_back(parseSourceString<ModuleOp>(text, &context));
      EXPECT_TRUE(modules.back());
      targets.push_back({&profile, *modules.back()});
    }
    return mergeTargets(targets);
  }

  /// Expects that the modules cannot be merged, with a diagnostic that contains
  /// `text`.
  void expectError(ArrayRef<std::string> texts, StringRef text) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      message = diag.str();
      return success();
    });
    EXPECT_FALSE(merge(texts));
    EXPECT_TRUE(StringRef(message).contains(text)) << message;
  }

  MLIRContext context;
  std::vector<TargetProfile> profiles;
  std::vector<OwningOpRef<ModuleOp>> modules;
};

TEST_F(MergeTargets, JoinsVendors) {
  TargetProfile xe;
  xe.name = xe.chip = "bmg";
  xe.backend = Backend::XeVM;
  xe.triple = "spirv64-unknown-unknown";
  xe.host.triple = profiles[0].host.triple;
  profiles.resize(1);
  profiles.push_back(xe);
  std::string text = makeText(1, "bmg");
  size_t place = text.find("rocdl");
  text.replace(place, 5, "xevm");
  OwningOpRef<ModuleOp> merged = merge({makeText(1, "gfx90a"), text});
  ASSERT_TRUE(merged);
  SmallVector<DeviceCode> code = collectDeviceCode(*merged);
  ASSERT_EQ(code.size(), 1u);
  // The two images have different ids, so that HIP does not load the code for
  // Intel.
  EXPECT_TRUE(code[0].bytes.contains("hipv4-amdgcn-amd-amdhsa--gfx90a"));
  EXPECT_TRUE(code[0].bytes.contains("openmp-spirv64-unknown-unknown--bmg"));
}

TEST_F(MergeTargets, SharesWhatIsTheSame) {
  OwningOpRef<ModuleOp> merged =
      merge({makeText(1, "gfx90a"), makeText(1, "gfx1100")});
  ASSERT_TRUE(merged);
  EXPECT_TRUE(succeeded(verify(*merged)));
  EXPECT_EQ(llvm::range_size(merged->getOps<LLVM::LLVMFuncOp>()), 2);
  EXPECT_FALSE(merged->lookupSymbol("mgpuSelectTarget"));
  SmallVector<DeviceCode> code = collectDeviceCode(*merged);
  ASSERT_EQ(code.size(), 1u);
  EXPECT_EQ(code[0].module, "kernels");
  EXPECT_EQ(code[0].chip, "");
  EXPECT_TRUE(isOffloadBundle(code[0].bytes));
  EXPECT_TRUE(code[0].bytes.contains("code for gfx90a"));
  EXPECT_TRUE(code[0].bytes.contains("code for gfx1100"));
}

TEST_F(MergeTargets, ChoosesAmongWhatDiffers) {
  OwningOpRef<ModuleOp> merged = merge(
      {makeText(1, "gfx90a"), makeText(2, "gfx1100"), makeText(2, "gfx1201")});
  ASSERT_TRUE(merged);
  EXPECT_TRUE(succeeded(verify(*merged)));
  auto find = [&](StringRef name) {
    return merged->lookupSymbol<LLVM::LLVMFuncOp>(name);
  };
  // The two bodies differ, so there are two versions, and the caller calls the
  // dispatcher.
  ASSERT_TRUE(find("size.gfx90a"));
  ASSERT_TRUE(find("size.gfx1100"));
  EXPECT_FALSE(find("size.gfx1201"));
  EXPECT_EQ(find("size.gfx90a").getLinkage(), LLVM::Linkage::Internal);
  ASSERT_TRUE(find("size"));
  ASSERT_TRUE(find("caller"));
  EXPECT_EQ(find("size").getLinkage(), LLVM::Linkage::External);

  LLVM::SwitchOp choice;
  find("size").walk([&](LLVM::SwitchOp op) { choice = op; });
  ASSERT_TRUE(choice);
  ASSERT_EQ(choice.getCaseDestinations().size(), 3u);
  auto getCallee = [&](unsigned index) {
    auto calls = choice.getCaseDestinations()[index]->getOps<LLVM::CallOp>();
    return (*calls.begin()).getCallee()->str();
  };
  EXPECT_EQ(getCallee(0), "size.gfx90a");
  EXPECT_EQ(getCallee(1), "size.gfx1100");
  EXPECT_EQ(getCallee(2), "size.gfx1100");
}

TEST_F(MergeTargets, RenamesConstantsThatDiffer) {
  auto text = [](int value) {
    return ("llvm.mlir.global private constant @table(" + Twine(value) +
            " : i32) : i32\n"
            "llvm.func @get() -> !llvm.ptr {\n"
            "  %0 = llvm.mlir.addressof @table : !llvm.ptr\n"
            "  llvm.return %0 : !llvm.ptr\n"
            "}\n")
        .str();
  };
  OwningOpRef<ModuleOp> merged = merge({text(1), text(2)});
  ASSERT_TRUE(merged);
  EXPECT_TRUE(succeeded(verify(*merged)));
  EXPECT_TRUE(merged->lookupSymbol("table.gfx90a"));
  EXPECT_TRUE(merged->lookupSymbol("table.gfx1100"));
  EXPECT_TRUE(merged->lookupSymbol("get.gfx90a"));
  EXPECT_TRUE(merged->lookupSymbol("get.gfx1100"));
}

TEST_F(MergeTargets, RejectsSignaturesThatDiffer) {
  expectError({"llvm.func @f(%x: i32) { llvm.return }",
               "llvm.func @f(%x: i64) { llvm.return }"},
              "has a different type for the target 'gfx1100'");
}

TEST_F(MergeTargets, RejectsATargetTwice) {
  profiles[1].chip = "gfx90a";
  expectError({makeText(1, "gfx90a"), makeText(1, "gfx90a")},
              "'gfx90a' is specified twice");
}

TEST_F(MergeTargets, RejectsExternalVariablesThatDiffer) {
  expectError({"llvm.mlir.global external @v(1 : i32) : i32",
               "llvm.mlir.global external @v(2 : i32) : i32"},
              "is an externally visible variable that differs between "
              "the targets 'gfx90a', 'gfx1100'");
}

TEST_F(MergeTargets, RejectsDeclarationsThatDiffer) {
  expectError(
      {"llvm.func @f(i32)", "llvm.func @f(%x: i32) { llvm.return }"},
      "'f' differs between the targets in a way that cannot be resolved "
      "at run time");
}

TEST_F(MergeTargets, RejectsBinariesOfSeveralTargets) {
  constexpr StringLiteral object =
      "#gpu.object<#rocdl.target<chip = \"gfx90a\">, bin = \"code\">";
  expectError({("gpu.binary @k [" + object + ", " + object + "]").str(),
               makeText(1, "gfx1100")},
              "must contain the code of exactly one target");
}

TEST_F(MergeTargets, RejectsBundles) {
  expectError({"gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "
               "\"gfx90a\">, bin = \"__CLANG_OFFLOAD_BUNDLE__\">]",
               makeText(1, "gfx1100")},
              "is already a bundle of several targets");
}

TEST_F(MergeTargets, SpellsFeaturesAsCodeObjectsDo) {
  profiles[0].features = "-xnack,+sramecc,+cumode";
  OwningOpRef<ModuleOp> merged =
      merge({makeText(1, "gfx90a"), makeText(1, "gfx1100")});
  ASSERT_TRUE(merged);
  EXPECT_TRUE(collectDeviceCode(*merged)[0].bytes.contains(
      "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"));
}

} // namespace
