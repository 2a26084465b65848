//===- DriverTest.cpp - Parts of the driver by themselves -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "driver/cache/CacheableOptions.h"
#include "driver/files/Cleanup.h"
#include "driver/files/Dependencies.h"
#include "driver/files/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

using namespace aircc;

namespace {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

CompileOptions parse(const std::vector<std::string> &arguments,
                     bool forRun = false) {
  auto options = parseCompileOptions(arguments, forRun);
  EXPECT_TRUE(bool(options));
  if (options)
    return *options;
  ADD_FAILURE() << llvm::toString(options.takeError());
  return {};
}

TEST(Options, TakesClangsSpellings) {
  CompileOptions o =
      parse({"a.mlir", "-MD", "-MF", "x.d", "-MTy", "-O3", "-g", "-###", "-c",
             "--target=gfx942", "--target", "gfx90a", "-oout.o"});
  EXPECT_EQ(o.inputs, std::vector<std::string>{"a.mlir"});
  EXPECT_TRUE(o.writeDependencies);
  EXPECT_EQ(o.dependencyFile, "x.d");
  EXPECT_EQ(o.dependencyTarget, "y");
  EXPECT_EQ(o.optLevel, 3u);
  EXPECT_TRUE(o.debugInfo);
  EXPECT_TRUE(o.dryRun);
  EXPECT_EQ(o.emit, EmitKind::HostObject);
  EXPECT_EQ(o.targets, (std::vector<std::string>{"gfx942", "gfx90a"}));
  EXPECT_EQ(o.output, "out.o");
}

TEST(Options, KeepsTheLinkersArgumentsInOrder) {
  CompileOptions o = parse({"-L/x", "a.mlir", "b.o", "-lm", "libc.so.6",
                            "-Wl,--gc-sections", "d.a"});
  EXPECT_EQ(o.inputs, std::vector<std::string>{"a.mlir"});
  EXPECT_EQ(o.linkInputs.size(), 6u);
  EXPECT_EQ(o.linkInputs[0], "-L/x");
  EXPECT_EQ(o.linkInputs[1], "-lm");
}

TEST(Options, AnObjectWithAHeaderIsOneForC) {
  EXPECT_EQ(parse({"a.mlir", "--emit=obj"}).emit, EmitKind::Object);
  EXPECT_EQ(parse({"a.mlir", "--emit=obj", "--header", "a.h"}).emit,
            EmitKind::HostObject);
  EXPECT_EQ(parse({"a.mlir", "--emit=obj", "-c"}).emit, EmitKind::HostObject);
}

TEST(Options, PassesOnWhatFollowsTheDashes) {
  CompileOptions o =
      parse({"a.mlir", "--device", "sim", "--", "--device", "x"}, true);
  EXPECT_EQ(o.device, "sim");
  EXPECT_EQ(o.programArguments, (std::vector<std::string>{"--device", "x"}));
}

TEST(Options, SeparatesMLIRsOptions) {
  CompileOptions o = parse({"a.mlir", "--mlir-print-ir-after-all", "-mllvm",
                            "-x=1", "--save-temps=/d"});
  EXPECT_EQ(o.mlirOptions,
            (std::vector<std::string>{"--mlir-print-ir-after-all", "-x=1"}));
  EXPECT_TRUE(o.saveTemps);
  EXPECT_EQ(o.saveTempsFolder, "/d");
  EXPECT_EQ(parse({"a.mlir", "--save-temps"}).saveTempsFolder, ".");
}

TEST(Options, ParsesStageOptions) {
  // Options are checked against the stages that exist.
  auto wrong = parseCompileOptions(
      std::vector<std::string>{"a.mlir", "--stage-option", "x"}, false);
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(llvm::toString(wrong.takeError()),
            "--stage-option expects STAGE.KEY=VALUE, but got 'x'");
  CompileOptions o =
      parse({"a.mlir", "--stage-option", "codegen.format=a=b.c"});
  ASSERT_EQ(o.stageOptions.size(), 1u);
  EXPECT_EQ(o.stageOptions[0].stage, "codegen");
  EXPECT_EQ(o.stageOptions[0].key, "format");
  EXPECT_EQ(o.stageOptions[0].value, "a=b.c");
}

//===----------------------------------------------------------------------===//
// Cache
//===----------------------------------------------------------------------===//

TEST(CacheableOptions, AreOptionsOfLLVMAndSorted) {
  EXPECT_TRUE(llvm::is_sorted(getCacheableOptions()));
  for (llvm::StringRef name : getCacheableOptions())
    EXPECT_TRUE(llvm::cl::getRegisteredOptions().contains(name)) << name.str();
}

TEST(CacheableOptions, FindsOthers) {
  auto find = [](const std::vector<std::string> &options) {
    return findUncacheableOption(options).str();
  };
  EXPECT_EQ(find({}), "");
  EXPECT_EQ(find({"-unroll-count=4", "--amdgpu-dpp-combine=0"}), "");
  EXPECT_EQ(find({"-unroll-count", "4", "-misched-limit=8"}), "");
  EXPECT_EQ(find({"-unroll-count=4", "-print-after-all"}), "-print-after-all");
  // This option prints, although its name does not suggest it.
  EXPECT_EQ(find({"-misched-dcpl"}), "-misched-dcpl");
  EXPECT_EQ(find({"--mlir-timing"}), "--mlir-timing");
  // A longer name is another option.
  EXPECT_EQ(find({"-regalloc-csr-first-time-cost=1"}),
            "-regalloc-csr-first-time-cost=1");
  EXPECT_EQ(find({"4"}), "4");
}

//===----------------------------------------------------------------------===//
// Dependencies
//===----------------------------------------------------------------------===//

TEST(Dependencies, EscapesAsMakeReads) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error =
      writeDependencies(os, {"my out"}, {"a b", "c$d", "e#f", "g\\ h", "a b"});
  EXPECT_FALSE(static_cast<bool>(error));
  EXPECT_EQ(text, "my\\ out: \\\n  a\\ b \\\n  c$$d \\\n  e\\#f \\\n  "
                  "g\\\\\\ h\n");
}

//===----------------------------------------------------------------------===//
// OutputFile
//===----------------------------------------------------------------------===//

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("aircc-output", folder));
  }
  void TearDown() override {
    EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
  }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> p(folder);
    llvm::sys::path::append(p, name);
    return std::string(p);
  }
  std::string read(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "no file";
  }
  unsigned countEntries() {
    unsigned n = 0;
    std::error_code ec;
    for (llvm::sys::fs::directory_iterator it(folder, ec), end; it != end;
         it.increment(ec))
      ++n;
    return n;
  }
  std::unique_ptr<OutputFile> create(llvm::StringRef name) {
    return llvm::cantFail(OutputFile::create(path(name)));
  }

  llvm::SmallString<128> folder;
};

TEST_F(OutputFileTest, AppearsAtCommit) {
  auto file = create("x");
  file->os() << "new";
  EXPECT_EQ(read("x"), "no file");
  llvm::cantFail(file->close());
  EXPECT_EQ(read("x"), "no file");
  llvm::cantFail(file->commit());
  EXPECT_EQ(read("x"), "new");
  EXPECT_EQ(countEntries(), 1u);
}

TEST_F(OutputFileTest, LeavesNothingWithoutCommit) {
  {
    auto file = create("x");
    file->os() << "new";
    llvm::cantFail(file->close());
  }
  EXPECT_EQ(countEntries(), 0u);
}

TEST_F(OutputFileTest, IsRemovedByCleanup) {
  auto file = create("x");
  file->os() << "new";
  llvm::cantFail(file->close());
  EXPECT_EQ(countEntries(), 1u);
  runCleanup();
  EXPECT_EQ(countEntries(), 0u);
}

TEST_F(OutputFileTest, KeepsTheModeThatTheUserWants) {
  mode_t old = ::umask(027);
  auto plain = create("plain"), program = create("program");
  program->setExecutable();
  llvm::cantFail(plain->commit());
  llvm::cantFail(program->commit());
  ::umask(old);
  struct stat status;
  ASSERT_EQ(::stat(path("plain").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  ASSERT_EQ(::stat(path("program").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0750u);
}

TEST_F(OutputFileTest, FailsWithTheRightCode) {
  auto code = [](llvm::Error error) {
    ExitCode result = ExitCode::Done;
    llvm::handleAllErrors(std::move(error),
                          [&](const Failure &f) { result = f.code; });
    return result;
  };
  EXPECT_EQ(code(OutputFile::create(path("none/x")).takeError()),
            ExitCode::BadUsage);
  EXPECT_EQ(code(OutputFile::create(folder).takeError()), ExitCode::BadUsage);
  auto full = llvm::cantFail(OutputFile::create("/dev/full"));
  full->os() << "x";
  EXPECT_EQ(code(full->commit()), ExitCode::Environment);
}

} // namespace
