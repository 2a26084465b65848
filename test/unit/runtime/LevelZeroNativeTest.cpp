//===- LevelZeroNativeTest.cpp - Native code for Xe, and names of chips ---===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/Chips.h"
#include "runtime-stubs/level-zero/NativeKernels.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <random>

using namespace aircc::rt;

namespace {

const std::string info = R"(---
version:         '1.39'
kernels:
  - name:            scale
    execution_env:
      grf_count:       128
      required_work_group_size: [ 16, 2, 1 ]
      required_sub_group_size: 16
      simd_size:       16
      slm_size:        2048
    payload_arguments:
      - arg_type:        global_id_offset
        offset:          0
        size:            12
      - arg_type:        arg_bypointer
        offset:          32
        size:            8
        arg_index:       0
        addrmode:        stateless
        addrspace:       global
        access_type:     readwrite
      - arg_type:        arg_byvalue
        offset:          40
        size:            8
        arg_index:       2
        source_offset:   0
      - arg_type:        arg_byvalue
        offset:          48
        size:            4
        arg_index:       2
        source_offset:   8
      - arg_type:        arg_bypointer
        offset:          56
        size:            4
        arg_index:       3
        addrmode:        slm
        addrspace:       local
        access_type:     readwrite
    per_thread_payload_arguments:
      - arg_type:        local_id
        offset:          0
        size:            192
  - name:            'empty'
    execution_env:
      simd_size:       32
kernels_misc_info:
  - name:            scale
    args_info:
      - index:           0
        name:            data
        address_qualifier: __global
...
)";

/// Builds an ELF file with sections of these names and contents.
std::string
elf(const std::vector<std::pair<std::string, std::string>> &sections) {
  std::string names(1, '\0'), contents;
  std::vector<Elf64_Shdr> headers(1);
  std::memset(headers.data(), 0, sizeof(Elf64_Shdr));
  auto add = [&](const std::string &name, const std::string &content) {
    Elf64_Shdr header = {};
    header.sh_name = static_cast<uint32_t>(names.size());
    header.sh_offset = sizeof(Elf64_Ehdr) + contents.size();
    names += name + '\0';
    contents += name == ".shstrtab" ? names : content;
    header.sh_size = sizeof(Elf64_Ehdr) + contents.size() - header.sh_offset;
    headers.push_back(header);
  };
  for (auto &[name, content] : sections)
    add(name, content);
  add(".shstrtab", "");
  Elf64_Ehdr file = {};
  std::memcpy(file.e_ident, ELFMAG, SELFMAG);
  file.e_ident[EI_CLASS] = ELFCLASS64;
  file.e_shoff = sizeof(file) + contents.size();
  file.e_shentsize = sizeof(Elf64_Shdr);
  file.e_shnum = static_cast<uint16_t>(headers.size());
  file.e_shstrndx = file.e_shnum - 1;
  return std::string(reinterpret_cast<char *>(&file), sizeof(file)) + contents +
         std::string(reinterpret_cast<char *>(headers.data()),
                     headers.size() * sizeof(Elf64_Shdr));
}

TEST(LevelZeroNative, ReadsTheKernels) {
  std::vector<SpirvKernel> kernels;
  const std::string image = elf({{".text", "code"}, {".ze_info", info}});
  Status status = ze::readNativeKernels(image, kernels);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(kernels.size(), 2u);
  const SpirvKernel &scale = kernels[0];
  EXPECT_EQ(scale.name, "scale");
  ASSERT_EQ(scale.arguments.size(), 4u);
  EXPECT_EQ(scale.arguments[0].bytes, 8u);
  EXPECT_EQ(scale.arguments[1].bytes, 0u) << "it is not used";
  EXPECT_EQ(scale.arguments[2].bytes, 12u) << "of two parts";
  EXPECT_TRUE(scale.arguments[3].workgroupPointer);
  EXPECT_FALSE(scale.arguments[0].workgroupPointer);
  EXPECT_EQ(scale.requiredSubgroupSize, 16u);
  EXPECT_EQ(scale.sharedBytes, 2048u);
  ASSERT_TRUE(scale.requiredWorkgroupSize);
  EXPECT_EQ(scale.requiredWorkgroupSize->y, 2u);
  EXPECT_EQ(kernels[1].name, "empty");
  EXPECT_TRUE(kernels[1].arguments.empty());
}

TEST(LevelZeroNative, DamagedFiles) {
  const std::string image = elf({{".text", "code"}, {".ze_info", info}});
  auto errorOf = [](const std::string &bytes) {
    std::vector<SpirvKernel> kernels;
    Status status = ze::readNativeKernels(bytes, kernels);
    return status.ok() ? "no error" : status.message();
  };
  const std::string noSection =
      "the ELF file is not native code for an Intel GPU: it has no section "
      ".ze_info";
  EXPECT_EQ(errorOf(elf({{".text", "code"}})), noSection);
  for (size_t size = 0; size < image.size(); size += 7)
    EXPECT_EQ(errorOf(image.substr(0, size)), noSection) << size;
  std::string text = info;
  text.replace(text.find("arg_index:       2"), 18, "arg_index:      -2");
  EXPECT_EQ(errorOf(elf({{".ze_info", text}})),
            "the description of the native code's kernels (.ze_info) is "
            "damaged: arg_index: -2");
  text = info;
  text.replace(text.find("[ 16, 2, 1 ]"), 12, "[ 16, 2, x ]");
  EXPECT_NE(errorOf(elf({{".ze_info", text}})).find("[ 16, 2, x ]"),
            std::string::npos);
  // The reader terminates for any bytes.
  std::mt19937 random(1);
  for (unsigned round = 0; round < 5000; ++round) {
    std::string damaged = info;
    for (unsigned i = 0; i < 1 + round % 4; ++i)
      damaged[random() % damaged.size()] = " -:\n0a"[random() % 6];
    std::vector<SpirvKernel> kernels;
    (void)ze::readZeInfo(damaged, kernels).ok();
    std::string file = image;
    file[random() % sizeof(Elf64_Ehdr)] = static_cast<char>(random());
    errorOf(file);
  }
}

TEST(LevelZeroChips, Names) {
  auto version = [](uint32_t architecture, uint32_t release,
                    uint32_t revision) {
    return architecture << 22 | release << 14 | revision;
  };
  EXPECT_EQ(ze::chipOfIpVersion(0x05004000), "bmg");
  EXPECT_EQ(ze::chipOfIpVersion(0x030f0007), "pvc");
  EXPECT_EQ(ze::chipOfIpVersion(version(20, 4, 4)), "lnl");
  EXPECT_EQ(ze::chipOfIpVersion(version(20, 2, 0)), "bmg-g31");
  EXPECT_EQ(ze::chipOfIpVersion(version(12, 55, 8)), "");
  EXPECT_EQ(ze::chipOfIpVersion(0), "");
  EXPECT_EQ(ze::formatIpVersion(version(30, 1, 4)), "30.1.4");
}

TEST(LevelZeroChips, Preference) {
  EXPECT_GT(ze::matchChip("lnl", "lnl"), ze::matchChip("lnl", "bmg"));
  EXPECT_GT(ze::matchChip("lnl", "bmg"), ze::matchChip("lnl", "spirv64"));
  EXPECT_GT(ze::matchChip("lnl", "spirv64"), 0);
  EXPECT_EQ(ze::matchChip("bmg", "lnl"), 0);
  EXPECT_EQ(ze::matchChip("bmg", "gfx942"), 0);
  EXPECT_EQ(ze::matchChip("bmg", ""), 0);
  EXPECT_EQ(ze::matchChip("", ""), 0);
  EXPECT_GT(ze::matchChip("", "spirv64"), 0);
  EXPECT_EQ(ze::matchChip("unlisted", "unlisted"), ze::matchChip("bmg", "bmg"));
}

} // namespace
