//===- DeviceLibrariesTest.cpp - Search and linking of device libraries ---===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/rocdl/DeviceLibraries.h"
#include "pipeline/common/Dependency.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>

using namespace aircc;

namespace {

/// A directory with the structure of a ROCm installation, and libraries in it.
class DeviceLibraries : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rocm", path));
    root = path.str().str();
  }
  void TearDown() override {
    std::filesystem::remove_all(root);
    unsetenv("ROCM_PATH");
  }

  void addLibrary(const std::string &folder, const std::string &name,
                  llvm::StringRef text) {
    std::filesystem::create_directories(folder);
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = parse(text, context);
    ASSERT_TRUE(module);
    std::error_code ec;
    llvm::raw_fd_ostream os(folder + "/" + name + ".bc", ec);
    ASSERT_FALSE(ec);
    llvm::WriteBitcodeToFile(*module, os);
  }

  static std::unique_ptr<llvm::Module> parse(llvm::StringRef text,
                                             llvm::LLVMContext &context) {
    llvm::SMDiagnostic error;
    auto module = llvm::parseAssemblyString(text, error, context);
    if (!module)
      error.print("test", llvm::errs());
    return module;
  }

  std::string root;
};

constexpr llvm::StringLiteral kOcml = R"(
  @__oclc_ISA_version = external addrspace(4) constant i32
  @__oclc_wavefrontsize64 = external addrspace(4) constant i8
  define float @__ocml_used(float %x) {
    %v = load i32, ptr addrspace(4) @__oclc_ISA_version
    %f = sitofp i32 %v to float
    %r = call float @__ockl_helper(float %f)
    ret float %r
  }
  define float @__ocml_unused(float %x) {
    ret float %x
  }
  declare float @__ockl_helper(float)
)";

constexpr llvm::StringLiteral kOckl = R"(
  define float @__ockl_helper(float %x) {
    ret float %x
  }
)";

constexpr llvm::StringLiteral kKernel = R"(
  define amdgpu_kernel void @k(ptr addrspace(1) %p) {
    %r = call float @__ocml_used(float 1.0)
    store float %r, ptr addrspace(1) %p
    ret void
  }
  declare float @__ocml_used(float)
)";

TEST_F(DeviceLibraries, GivenPathExcludesOthers) {
  setenv("ROCM_PATH", "/from/environment", 1);
  for (const std::string &folder : getDeviceLibraryFolders(root))
    EXPECT_TRUE(llvm::StringRef(folder).starts_with(root)) << folder;
}

TEST_F(DeviceLibraries, EnvironmentComesBeforeSystem) {
  setenv("ROCM_PATH", root.c_str(), 1);
  std::vector<std::string> folders = getDeviceLibraryFolders("");
  ASSERT_FALSE(folders.empty());
  EXPECT_EQ(folders.front(), root + "/amdgcn/bitcode");
  auto rocm = llvm::find(folders, "/opt/rocm/amdgcn/bitcode");
  auto debian = llvm::find(folders, "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode");
  ASSERT_NE(rocm, folders.end());
  ASSERT_NE(debian, folders.end());
  EXPECT_LT(rocm, debian);
}

TEST_F(DeviceLibraries, NewestReadableClangFirst) {
  for (const char *version : {"9", "17", "21.1.0", "1000"})
    std::filesystem::create_directories(root + "/lib/llvm/lib/clang/" +
                                        version);
  std::vector<std::string> found;
  for (const std::string &folder : getDeviceLibraryFolders(root))
    if (llvm::StringRef(folder).contains("/clang/") &&
        llvm::StringRef(folder).ends_with("/lib/amdgcn/bitcode"))
      found.push_back(folder.substr(root.size()));
  EXPECT_EQ(found, (std::vector<std::string>{
                       "/lib/llvm/lib/clang/21.1.0/lib/amdgcn/bitcode",
                       "/lib/llvm/lib/clang/17/lib/amdgcn/bitcode",
                       "/lib/llvm/lib/clang/9/lib/amdgcn/bitcode"}));
}

TEST_F(DeviceLibraries, LinksOnlyWhatIsCalled) {
  std::string folder = root + "/amdgcn/bitcode";
  addLibrary(folder, "ocml", kOcml);
  addLibrary(folder, "ockl", kOckl);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(kKernel, context);
  DeviceLibraryControl control;
  control.isaVersion = 9402;
  std::vector<std::string> used;
  // ockl is linked first, so that it is needed only after ocml has been linked.
  llvm::Error error = linkDeviceLibraries(
      *module, getDeviceLibraryFolders(root), {"ockl", "ocml"}, control, used);
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(used, (std::vector<std::string>{folder + "/ocml.bc",
                                            folder + "/ockl.bc"}));
  EXPECT_EQ(module->getFunction("__ocml_unused"), nullptr);
  for (const char *name : {"__ocml_used", "__ockl_helper"}) {
    llvm::Function *function = module->getFunction(name);
    ASSERT_TRUE(function) << name;
    EXPECT_FALSE(function->isDeclaration()) << name;
    EXPECT_TRUE(function->hasInternalLinkage()) << name;
  }
  EXPECT_FALSE(module->getFunction("k")->hasInternalLinkage());
  llvm::GlobalVariable *isa = module->getNamedGlobal("__oclc_ISA_version");
  ASSERT_TRUE(isa && isa->hasInitializer());
  EXPECT_EQ(
      llvm::cast<llvm::ConstantInt>(isa->getInitializer())->getZExtValue(),
      9402u);
}

TEST_F(DeviceLibraries, NothingCalledNeedsNothing) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      parse("define amdgpu_kernel void @k() { ret void }", context);
  std::vector<std::string> used;
  llvm::Error error = linkDeviceLibraries(
      *module, getDeviceLibraryFolders(root), {"ocml"}, {}, used);
  EXPECT_FALSE(static_cast<bool>(error));
  EXPECT_TRUE(used.empty());
  EXPECT_TRUE(module->globals().empty());
}

TEST_F(DeviceLibraries, MissingLibrariesAreNamed) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(kKernel, context);
  std::vector<std::string> used;
  llvm::Error error = linkDeviceLibraries(
      *module, getDeviceLibraryFolders(root), {"ocml", "ockl"}, {}, used);
  ASSERT_TRUE(error.isA<MissingDependencyError>());
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("__ocml_used"), std::string::npos) << text;
  EXPECT_NE(text.find("ocml.bc, ockl.bc"), std::string::npos) << text;
  EXPECT_NE(text.find(root + "/amdgcn/bitcode"), std::string::npos) << text;
  EXPECT_NE(text.find("--rocm-path"), std::string::npos) << text;
}

TEST_F(DeviceLibraries, OldLibrariesAreNamed) {
  addLibrary(root, "ocml", "define float @__ocml_other() { ret float 0.0 }");
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(kKernel, context);
  std::vector<std::string> used;
  llvm::Error error = linkDeviceLibraries(
      *module, getDeviceLibraryFolders(root), {"ocml"}, {}, used);
  ASSERT_TRUE(error.isA<MissingDependencyError>());
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("do not define it (" + root + "/ocml.bc)"),
            std::string::npos)
      << text;
}

TEST_F(DeviceLibraries, DamagedLibraryIsNamed) {
  std::error_code ec;
  llvm::raw_fd_ostream(root + "/ocml.bc", ec) << "no bitcode";
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(kKernel, context);
  std::vector<std::string> used;
  llvm::Error error = linkDeviceLibraries(
      *module, getDeviceLibraryFolders(root), {"ocml"}, {}, used);
  ASSERT_TRUE(static_cast<bool>(error));
  EXPECT_FALSE(error.isA<MissingDependencyError>());
  EXPECT_NE(llvm::toString(std::move(error)).find(root + "/ocml.bc"),
            std::string::npos);
}

} // namespace
