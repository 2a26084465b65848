//===- RuntimeTest.cpp - The runtime's parts that need no device ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/mgpu/TargetId.h"
#include "runtime-stubs/ranks/World.h"
#include "runtime-stubs/support/CodeObject.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace aircc::rt;
using ::testing::ExitedWithCode;

namespace {

//===----------------------------------------------------------------------===//
// Target IDs
//===----------------------------------------------------------------------===//

TEST(TargetId, Matches) {
  const char *device = "gfx942:sramecc+:xnack-";
  EXPECT_EQ(matchTargetId(device, "gfx942"), 1);
  EXPECT_EQ(matchTargetId(device, "gfx942:xnack-"), 2);
  EXPECT_EQ(matchTargetId(device, "gfx942:xnack-:sramecc+"), 3);
  EXPECT_EQ(matchTargetId("gfx1100", "gfx1100"), 1);
}

TEST(TargetId, DoesNotMatch) {
  const char *device = "gfx942:sramecc+:xnack-";
  for (const char *code :
       {"gfx90a", "gfx94", "gfx9420", "gfx942:xnack+", "gfx942:sramecc-",
        "gfx942:xnack-:sramecc-", "gfx942:tgsplit+", "gfx942:xnack", "gfx942:-",
        "gfx942::", "", ":xnack-", "gfx9-4-generic", "GFX942"})
    EXPECT_EQ(matchTargetId(device, code), 0) << code;
  EXPECT_EQ(matchTargetId("gfx1100", "gfx1100:xnack-"), 0);
  EXPECT_EQ(matchTargetId("", ""), 0);
}

//===----------------------------------------------------------------------===//
// Images and bundles
//===----------------------------------------------------------------------===//

std::string u64(uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

/// A bundle with one entry that has the given offset and size.
std::string bundleOfOne(const std::string &id, uint64_t offset, uint64_t size,
                        const std::string &code) {
  return "__CLANG_OFFLOAD_BUNDLE__" + u64(1) + u64(offset) + u64(size) +
         u64(id.size()) + id + code;
}

TEST(CodeObject, Classifies) {
  auto classify = [](const std::string &image) { return classifyImage(image); };
  EXPECT_EQ(classify("\x7f"
                     "ELF\x02"),
            ImageKind::ELF);
  EXPECT_EQ(classify("\x03\x02\x23\x07"), ImageKind::SPIRV);
  EXPECT_EQ(classify("\x07\x23\x02\x03"), ImageKind::SPIRV);
  EXPECT_EQ(classify("__CLANG_OFFLOAD_BUNDLE__"), ImageKind::Bundle);
  EXPECT_EQ(classify("CCOB"), ImageKind::CompressedBundle);
  EXPECT_EQ(classify("__CLANG_OFFLOAD_BUNDLE_"), ImageKind::Unknown);
  EXPECT_EQ(classify("\x7f"
                     "EL"),
            ImageKind::Unknown);
  EXPECT_EQ(classify(""), ImageKind::Unknown);
}

TEST(CodeObject, TargetsOfEntryIds) {
  EXPECT_EQ(targetOfEntryId("hipv4-amdgcn-amd-amdhsa--gfx942"), "gfx942");
  EXPECT_EQ(targetOfEntryId("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"),
            "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(targetOfEntryId("hip-amdgcn-amd-amdhsa-gfx906"), "gfx906");
  EXPECT_EQ(targetOfEntryId("host-x86_64-unknown-linux--"), "");
  EXPECT_EQ(targetOfEntryId("host-x86_64-unknown-linux-gnu"), "");
  EXPECT_EQ(targetOfEntryId("hip-spirv64-unknown-unknown--"), "spirv64");
  EXPECT_EQ(targetOfEntryId("hip-spirv64-unknown-unknown--bmg"), "bmg");
  EXPECT_EQ(targetOfEntryId(""), "");
}

TEST(CodeObject, ReadsABundle) {
  std::string id = "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-";
  std::string image = bundleOfOne(id, 56 + id.size(), 3, "abcd");
  std::vector<BundleEntry> entries;
  ASSERT_TRUE(readBundle(image, entries).ok());
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].id, id);
  EXPECT_EQ(entries[0].target, "gfx942:xnack-");
  EXPECT_EQ(entries[0].code, "abc");
}

TEST(CodeObject, RefusesADamagedBundle) {
  std::string id = "hipv4-amdgcn-amd-amdhsa--gfx942";
  std::string whole = bundleOfOne(id, 56 + id.size(), 4, "abcd");
  // The bundle is truncated at every length, in a buffer of exactly that size,
  // so that sanitizers detect reads out of bounds.
  for (size_t size = 0; size < whole.size(); ++size) {
    std::vector<char> cut(whole.begin(), whole.begin() + size);
    std::vector<BundleEntry> entries;
    EXPECT_FALSE(readBundle({cut.data(), size}, entries).ok()) << size;
  }
  auto message = [](const std::string &image) {
    std::vector<BundleEntry> entries;
    return readBundle(image, entries).message();
  };
  EXPECT_EQ(message(bundleOfOne(id, 10000, 4, "abcd")),
            "the offload bundle is damaged: the code of entry " + id +
                " ends after its end");
  EXPECT_EQ(message(bundleOfOne(id, 8, ~uint64_t(0), "abcd")),
            "the offload bundle is damaged: the code of entry " + id +
                " ends after its end");
  EXPECT_EQ(message("__CLANG_OFFLOAD_BUNDLE__" + u64(~uint64_t(0))),
            "the offload bundle is damaged: it ends within its table");
  EXPECT_EQ(message("__CLANG_OFFLOAD_BUNDLE__" + u64(1) + u64(0) + u64(0) +
                    u64(~uint64_t(0)) + "x"),
            "the offload bundle is damaged: it ends within its table");
  EXPECT_EQ(message("text"), "not an offload bundle");
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

class Ranks : public testing::Test {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    for (const char *name : {"RANK",
                             "WORLD_SIZE",
                             "LOCAL_RANK",
                             "LOCAL_WORLD_SIZE",
                             "OMPI_COMM_WORLD_RANK",
                             "OMPI_COMM_WORLD_SIZE",
                             "OMPI_COMM_WORLD_LOCAL_RANK",
                             "OMPI_COMM_WORLD_LOCAL_SIZE",
                             "PMI_RANK",
                             "PMI_SIZE",
                             "MPI_LOCALRANKID",
                             "MPI_LOCALNRANKS",
                             "SLURM_PROCID",
                             "SLURM_NTASKS",
                             "SLURM_STEP_NUM_TASKS",
                             "SLURM_LOCALID",
                             "SLURM_STEP_NUM_NODES",
                             "SLURM_JOB_ID",
                             "SLURM_STEP_ID",
                             "AIRCC_JOB",
                             "AIRGPU_JOB_ID",
                             "MASTER_ADDR",
                             "MASTER_PORT",
                             "TORCHELASTIC_RUN_ID",
                             "PMIX_NAMESPACE",
                             "PMIX_RANK",
                             "I_MPI_ROOT",
                             "I_MPI_HYDRA_BOOTSTRAP",
                             "MV2_COMM_WORLD_RANK",
                             "AIRCC_NODE"})
      unsetenv(name);
  }
};

TEST_F(Ranks, OneByDefault) {
  EXPECT_EQ(mgpuGetRank(), 0);
  EXPECT_EQ(mgpuGetWorldSize(), 1);
  mgpuBarrier();
  // A shell inside a Slurm allocation is not a rank.
  setenv("SLURM_NTASKS", "8", 1);
  EXPECT_EQ(mgpuGetWorldSize(), 1);
}

TEST_F(Ranks, EveryLauncher) {
  const char *names[][2] = {{"SLURM_PROCID", "SLURM_NTASKS"},
                            {"PMI_RANK", "PMI_SIZE"},
                            {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                            {"RANK", "WORLD_SIZE"}};
  // In this list, each launcher has precedence over the preceding ones.
  int rank = 2;
  for (auto &[rankName, sizeName] : names) {
    setenv(rankName, std::to_string(rank).c_str(), 1);
    setenv(sizeName, "16", 1);
    EXPECT_EQ(mgpuGetRank(), rank) << rankName;
    EXPECT_EQ(mgpuGetWorldSize(), 16) << rankName;
    ++rank;
  }
}

TEST_F(Ranks, WrongValues) {
  auto with = [](const char *rank, const char *size) {
    if (rank)
      setenv("RANK", rank, 1);
    if (size)
      setenv("WORLD_SIZE", size, 1);
    mgpuGetRank();
  };
  EXPECT_EXIT(with("0", nullptr), ExitedWithCode(1),
              "mgpuGetRank\\(\\): WORLD_SIZE is not set");
  EXPECT_EXIT(with(nullptr, "4"), ExitedWithCode(1), "RANK is not set");
  EXPECT_EXIT(with("4", "4"), ExitedWithCode(1),
              "RANK=4 is not below WORLD_SIZE=4");
  EXPECT_EXIT(with("0", "0"), ExitedWithCode(1),
              "RANK=0 is not below WORLD_SIZE=0");
  for (const char *text : {"", "x", "1x", "-1", "99999999999"})
    EXPECT_EXIT(with(text, "4"), ExitedWithCode(1),
                std::string("RANK=") + text + " is not a number");
}

/// Returns the world that the environment describes, or the error.
std::string
readEnvironment(const std::vector<std::pair<const char *, const char *>> &set,
                World &world) {
  for (auto &[name, value] : set)
    setenv(name, value, 1);
  Status status = readWorld(world);
  for (auto &[name, value] : set)
    unsetenv(name);
  return status.message();
}

TEST_F(Ranks, LocalRanks) {
  World world;
  EXPECT_EQ(readEnvironment({{"RANK", "2"}, {"WORLD_SIZE", "4"}}, world), "");
  EXPECT_FALSE(world.localRank);
  // Ranks may share a device if the user requests it.
  EXPECT_EQ(
      readEnvironment({{"RANK", "2"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}},
                      world),
      "");
  EXPECT_EQ(world.localRank, 0);
  EXPECT_EQ(readEnvironment({{"SLURM_PROCID", "1"},
                             {"SLURM_NTASKS", "8"},
                             {"SLURM_STEP_NUM_TASKS", "2"},
                             {"SLURM_LOCALID", "1"},
                             {"SLURM_STEP_NUM_NODES", "1"}},
                            world),
            "");
  EXPECT_EQ(world.size, 2);
  EXPECT_EQ(world.localRank, 1);
}

TEST_F(Ranks, ContradictionsAreErrors) {
  World world;
  EXPECT_EQ(
      readEnvironment({{"RANK", "2"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "4"}},
                      world),
      "LOCAL_RANK=4 is not below WORLD_SIZE=4");
  EXPECT_EQ(
      readEnvironment({{"RANK", "2"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "x"}},
                      world),
      "LOCAL_RANK=x is not a number");
  EXPECT_EQ(readEnvironment({{"PMI_RANK", "1"},
                             {"PMI_SIZE", "4"},
                             {"MPI_LOCALRANKID", "3"},
                             {"MPI_LOCALNRANKS", "3"}},
                            world),
            "MPI_LOCALRANKID=3 is not below MPI_LOCALNRANKS=3");
  EXPECT_EQ(readEnvironment({{"OMPI_COMM_WORLD_RANK", "1"},
                             {"OMPI_COMM_WORLD_SIZE", "2"},
                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}},
                            world),
            "OMPI_COMM_WORLD_LOCAL_SIZE=3 is more than OMPI_COMM_WORLD_SIZE=2");
}

TEST_F(Ranks, SeveralNodesNeedOpenMPI) {
  World world;
  auto refused = [](const std::string &why, const std::string &launcher) {
    return "the ranks are on several nodes (" + why +
           "), which communicate by Open MPI, but " + launcher +
           "; start them with Open MPI's mpirun, or with srun --mpi=pmix";
  };
  const std::string none = "no MPI launcher has started them";
  EXPECT_EQ(readEnvironment({{"RANK", "3"},
                             {"WORLD_SIZE", "4"},
                             {"LOCAL_RANK", "1"},
                             {"LOCAL_WORLD_SIZE", "2"}},
                            world),
            refused("LOCAL_WORLD_SIZE=2 and WORLD_SIZE=4", none));
  EXPECT_EQ(
      readEnvironment(
          {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "1"}},
          world),
      refused("MPI_LOCALNRANKS=1 and PMI_SIZE=2",
              "MPICH or a derivative of it has started them, which has a "
              "different binary interface"));
  EXPECT_EQ(readEnvironment({{"PMI_RANK", "1"},
                             {"PMI_SIZE", "2"},
                             {"MPI_LOCALNRANKS", "1"},
                             {"I_MPI_ROOT", "/opt/intel"}},
                            world),
            refused("MPI_LOCALNRANKS=1 and PMI_SIZE=2",
                    "Intel MPI has started them, which has a different binary "
                    "interface"));
  EXPECT_EQ(readEnvironment({{"SLURM_PROCID", "1"},
                             {"SLURM_NTASKS", "2"},
                             {"SLURM_STEP_NUM_NODES", "2"}},
                            world),
            refused("SLURM_STEP_NUM_NODES=2", none));

  EXPECT_EQ(readEnvironment({{"OMPI_COMM_WORLD_RANK", "1"},
                             {"OMPI_COMM_WORLD_SIZE", "2"},
                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}},
                            world),
            "");
  EXPECT_EQ(world.severalNodes,
            "OMPI_COMM_WORLD_LOCAL_SIZE=1 and OMPI_COMM_WORLD_SIZE=2");
  EXPECT_EQ(readEnvironment({{"SLURM_PROCID", "1"},
                             {"SLURM_NTASKS", "2"},
                             {"SLURM_STEP_NUM_NODES", "2"},
                             {"PMIX_RANK", "1"}},
                            world),
            "");
  EXPECT_EQ(world.severalNodes, "SLURM_STEP_NUM_NODES=2");
  EXPECT_EQ(readEnvironment({{"OMPI_COMM_WORLD_RANK", "1"},
                             {"OMPI_COMM_WORLD_SIZE", "2"},
                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}},
                            world),
            "");
  EXPECT_EQ(world.severalNodes, "");
}

TEST_F(Ranks, WhatIdentifiesAJob) {
  World world;
  world.size = 2;
  world.rankVariable = "SLURM_PROCID";
  std::string parent = jobIdentity(world);
  EXPECT_EQ(parent.find("process "), 0u) << parent;
  setenv("SLURM_JOB_ID", "17", 1);
  EXPECT_EQ(jobIdentity(world), parent);
  setenv("SLURM_STEP_ID", "3", 1);
  EXPECT_EQ(jobIdentity(world), "SLURM_JOB_ID=17 SLURM_STEP_ID=3 ");
  // A wrapper that passes Slurm's numbers on in the generic variables.
  setenv("SLURM_PROCID", "0", 1);
  setenv("SLURM_NTASKS", "2", 1);
  world.rankVariable = "RANK";
  EXPECT_EQ(jobIdentity(world), "SLURM_JOB_ID=17 SLURM_STEP_ID=3 ");
  // The step's identity is not used if the numbers differ: a job within a step.
  setenv("SLURM_NTASKS", "1", 1);
  EXPECT_EQ(jobIdentity(world), parent);
  setenv("MASTER_ADDR", "localhost", 1);
  setenv("MASTER_PORT", "29500", 1);
  EXPECT_EQ(jobIdentity(world), "MASTER_ADDR=localhost MASTER_PORT=29500 ");
  setenv("AIRGPU_JOB_ID", "5", 1);
  EXPECT_EQ(jobIdentity(world), "AIRGPU_JOB_ID=5");
  setenv("AIRCC_JOB", "mine", 1);
  EXPECT_EQ(jobIdentity(world), "AIRCC_JOB=mine");
}

TEST_F(Ranks, RequiredRanks) {
  mgpuRequireRanks(1, "nothing");
  EXPECT_EXIT(mgpuRequireRanks(4, "air.rank at a.mlir:3:5"), ExitedWithCode(1),
              "air.rank at a.mlir:3:5 needs 4 ranks, and there is 1; start the "
              "program with `aircc run -n 4` or another launcher");
  setenv("RANK", "1", 1);
  setenv("WORLD_SIZE", "3", 1);
  mgpuRequireRanks(3, "nothing");
  EXPECT_EXIT(mgpuRequireRanks(4, "air.rank"), ExitedWithCode(1),
              "needs 4 ranks, and there are 3; .*"
              "note: this is rank 1 of 3");
}

//===----------------------------------------------------------------------===//
// The helpers of test programs
//===----------------------------------------------------------------------===//

/// The output of mgpuCheckOutput for matrices that it accepts.
std::string checkOutput(std::vector<float> c, std::vector<float> a,
                        std::vector<float> b, int64_t rows, int64_t cols) {
  testing::internal::CaptureStdout();
  mgpuCheckOutput(c.data(), a.data(), b.data(), rows, cols);
  return testing::internal::GetCapturedStdout();
}

TEST(TestHelpers, Init) {
  std::vector<float> a(6), b(6);
  mgpuInit(a.data(), b.data(), 2, 3);
  EXPECT_EQ(a, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(b, (std::vector<float>{1, 0, 0, 0, 1, 0}));
}

TEST(TestHelpers, CheckOutput) {
  EXPECT_EQ(checkOutput({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6},
                        {1, 0, 0, 0, 1, 0}, 2, 3),
            "Output Matched!\n");
  EXPECT_EQ(checkOutput({19, 22, 43, 50}, {1, 2, 3, 4}, {5, 6, 7, 8}, 2, 2),
            "Output Matched!\n");
  // Within the tolerance, relative above 1 and absolute below.
  EXPECT_EQ(checkOutput({1000.9f, 0.0009f}, {1000, 0}, {1, 0}, 1, 2),
            "Output Matched!\n");
}

TEST(TestHelpersDeath, CheckOutputFindsMismatches) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // The mismatch is printed on standard output; the death test only sees
  // standard error.
  auto check = [](std::vector<float> c, std::vector<float> a,
                  std::vector<float> b, int64_t rows, int64_t cols) {
    dup2(2, 1);
    mgpuCheckOutput(c.data(), a.data(), b.data(), rows, cols);
  };
  EXPECT_EXIT(check({1, 2, 3, 5}, {1, 2, 3, 4}, {1, 0, 0, 1}, 2, 2),
              ExitedWithCode(1),
              "Mismatch at \\(1, 1\\): expected 4 != actual 5 \\(diff: 1\\)");
  EXPECT_EXIT(check({19, 22, 43, 51}, {1, 2, 3, 4}, {5, 6, 7, 8}, 2, 2),
              ExitedWithCode(1), "expected 50 != actual 51");
  EXPECT_EXIT(check({NAN}, {1}, {1}, 1, 1), ExitedWithCode(1),
              "Mismatch at \\(0, 0\\)");
  EXPECT_EXIT(check({1, 2}, {1, 2}, {3, 4}, 1, 2), ExitedWithCode(1),
              "mgpuCheckOutput\\(.*rows=1, cols=2\\): the product of two "
              "matrices of this size is not defined");
}

} // namespace
