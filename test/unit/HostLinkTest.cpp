//===- HostLinkTest.cpp - Bundles, lld and the system's linker ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Dependency.h"
#include "pipeline/link/Link.h"
#include "pipeline/link/LinkELF.h"
#include "pipeline/link/OffloadBundle.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>

using namespace aircc;

namespace {

uint64_t readWord(llvm::StringRef bytes, size_t offset) {
  return llvm::support::endian::read64le(bytes.data() + offset);
}

TEST(OffloadBundle, HasTheDocumentedLayout) {
  std::string a(5000, 'a'), b(3, 'b');
  std::string bundle = makeOffloadBundle(
      "x86_64-unknown-linux-gnu", {{"amdgcn-amd-amdhsa", "gfx942", a},
                                   {"amdgcn-amd-amdhsa", "gfx90a:xnack-", b}});
  llvm::StringRef bytes = bundle;
  ASSERT_TRUE(isOffloadBundle(bytes));
  ASSERT_EQ(bytes.take_front(24), "__CLANG_OFFLOAD_BUNDLE__");
  ASSERT_EQ(readWord(bytes, 24), 3u);
  size_t at = 32;
  const std::pair<const char *, llvm::StringRef> expected[] = {
      {"host-x86_64-unknown-linux-gnu-", ""},
      {"hipv4-amdgcn-amd-amdhsa--gfx942", a},
      {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", b}};
  for (auto [id, code] : expected) {
    uint64_t offset = readWord(bytes, at), size = readWord(bytes, at + 8),
             length = readWord(bytes, at + 16);
    EXPECT_EQ(bytes.substr(at + 24, length), id);
    EXPECT_EQ(offset % 4096, 0u);
    EXPECT_EQ(bytes.substr(offset, size), code);
    at += 24 + length;
  }
}

TEST(OffloadBundle, CodeObjectsAreNone) {
  EXPECT_FALSE(isOffloadBundle("\177ELF"));
  EXPECT_FALSE(isOffloadBundle(""));
}

TEST(LinkELF, SaysWhatLldSays) {
  llvm::SmallString<0> output;
  llvm::Error error = linkCodeObject("no object", output);
  ASSERT_TRUE(static_cast<bool>(error));
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("ld.lld: error:"), std::string::npos) << text;
  // An error leaves no state in lld.
  llvm::Error again = linkCodeObject("no object", output);
  EXPECT_EQ(llvm::toString(std::move(again)), text);
}

class HostLinking : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("link", path));
    root = path.str().str();
    link.output = root + "/out";
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  void addObject(llvm::StringRef bytes) {
    llvm::Expected<MemoryFile> file =
        MemoryFile::create("object", /*inherit=*/true);
    ASSERT_TRUE(static_cast<bool>(file));
    ASSERT_FALSE(file->write(bytes));
    link.objects.push_back(std::move(*file));
  }

  std::string root;
  HostSpec host{"x86_64-unknown-linux-gnu", "cc", {}};
  HostLink link;
};

TEST_F(HostLinking, MissingCompilerIsNamed) {
  host.cc = "no-such-compiler";
  llvm::Error error = linkHost(host, link);
  ASSERT_TRUE(error.isA<MissingDependencyError>());
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("'no-such-compiler'"), std::string::npos) << text;
  EXPECT_NE(text.find("host.cc"), std::string::npos) << text;
}

TEST_F(HostLinking, CommandNamesEverything) {
  link.kind = HostLink::Kind::Shared;
  addObject("bytes");
  link.inputs = {"more.o"};
  link.runtimeLibrary = "/r/libaircc_runtime.a";
  link.runtimeDir = "/r";
  host.linkFlags = {"-Wl,--as-needed"};
  auto command = getHostLinkCommand(host, link);
  ASSERT_TRUE(static_cast<bool>(command));
  EXPECT_EQ(llvm::StringRef(command->front()).take_back(3), "/cc");
  auto has = [&](llvm::StringRef what) {
    return llvm::is_contained(*command, what);
  };
  for (const char *what :
       {"-shared", "<object>", "more.o", "/r/libaircc_runtime.a",
        "-Wl,-rpath,/r", "-Wl,--as-needed", "-ldl", "-lpthread", "-lm"})
    EXPECT_TRUE(has(what)) << what;
  // Archives resolve symbols of the objects before them.
  EXPECT_LT(llvm::find(*command, "<object>"),
            llvm::find(*command, "/r/libaircc_runtime.a"));
}

TEST_F(HostLinking, FailureCarriesTheLinkersMessage) {
  link.kind = HostLink::Kind::Executable;
  addObject("no object");
  llvm::Error error = linkHost(host, link);
  ASSERT_TRUE(static_cast<bool>(error));
  EXPECT_FALSE(error.isA<MissingDependencyError>());
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("failed"), std::string::npos) << text;
  EXPECT_FALSE(std::filesystem::exists(link.output));
}

} // namespace
