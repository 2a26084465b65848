//===- SpirvSimDamageTest.cpp - Damaged SPIR-V modules --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module with arbitrary contents is loaded or rejected with a message. Memory
// has the alignment that a module declares.
//
//===----------------------------------------------------------------------===//

#include "test/unit/SpirvAssembler.h"
#include "test/unit/simulator/spirv/SpirvSimSupport.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace aircc;
using namespace aircc::sim::test;

namespace {

const char *const kKernel =
    "@slm = internal addrspace(3) global [16 x i32] undef, align 64\n"
    "define spir_kernel void @test(ptr addrspace(1) %p) {\nentry:\n"
    "  %l = call spir_func i32 @_Z22get_sub_group_local_id()\n"
    "  %a = getelementptr [16 x i32], ptr addrspace(3) @slm, i32 0, i32 %l\n"
    "  store i32 %l, ptr addrspace(3) %a\n"
    "  %v = insertelement <2 x i32> <i32 1, i32 2>, i32 %l, i32 0\n"
    "  %c = icmp ult i32 %l, 7\n"
    "  br i1 %c, label %then, label %end\n"
    "then:\n"
    "  %x = load i32, ptr addrspace(1) %p\n"
    "  %f = uitofp i32 %x to float\n"
    "  %g = fmul float %f, 3.0\n"
    "  br label %end\n"
    "end:\n"
    "  %m = phi float [ 0.0, %entry ], [ %g, %then ]\n"
    "  store float %m, ptr addrspace(1) %p\n"
    "  ret void\n}\n";

std::string load(const std::vector<uint32_t> &words) {
  SpirvRunner runner(std::string(reinterpret_cast<const char *>(words.data()),
                                 words.size() * 4));
  return runner.loadError();
}

std::vector<uint32_t> compiled() {
  std::string bytes = compileSpirv(std::string(kSpirvPrelude) + kKernel);
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// Gives all function variables this alignment. LLVM's backend gives them the
/// alignment of their type.
std::string withPrivateAlignment(const std::string &module,
                                 uint32_t alignment) {
  constexpr uint32_t kVariable = 59, kFunctionStorage = 7, kDecorate = 71,
                     kAlignment = 44, kFirstType = 19, kLastType = 33;
  std::vector<uint32_t> words(module.size() / 4), decorations;
  std::memcpy(words.data(), module.data(), module.size());
  size_t firstType = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const uint32_t op = words[at] & 0xffff;
    if (!firstType && op >= kFirstType && op <= kLastType)
      firstType = at;
    if (op == kVariable && words[at + 3] == kFunctionStorage)
      decorations.insert(
          decorations.end(),
          {4u << 16 | kDecorate, words[at + 2], kAlignment, alignment});
  }
  EXPECT_FALSE(decorations.empty());
  // The first one is used.
  for (size_t at = 5; at < firstType; at += words[at] >> 16)
    for (size_t n = 0; n < decorations.size(); n += 4)
      if ((words[at] & 0xffff) == kDecorate &&
          words[at + 1] == decorations[n + 1] && words[at + 2] == kAlignment)
        words[at + 3] = alignment;
  words.insert(words.begin() + firstType, decorations.begin(),
               decorations.end());
  return std::string(reinterpret_cast<const char *>(words.data()),
                     words.size() * 4);
}

} // namespace

TEST(SpirvSimDamage, EveryWord) {
  const std::vector<uint32_t> good = compiled();
  ASSERT_EQ(load(good), "");
  size_t refused = 0;
  for (size_t at = 3; at < good.size(); ++at) {
    const uint32_t values[] = {0, good[3], ~0u};
    std::vector<uint32_t> words = good;
    words[at] = values[at % 3];
    refused += !load(words).empty();
  }
  // Changes of names and the like are harmless; most others must be detected.
  EXPECT_GT(refused, good.size() / 3);
}

TEST(SpirvSimDamage, CutShort) {
  const std::vector<uint32_t> good = compiled();
  for (size_t size = 0; size < good.size(); size += 3)
    EXPECT_NE(load({good.begin(), good.begin() + size}), "") << size;
}

TEST(SpirvSimDamage, Ids) {
  auto expect = [](aircc::test::Assembler &module, const std::string &part) {
    std::string error = load(module.words);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  aircc::test::Assembler zero, high, interface, itself;
  zero.words[3] = 5;
  expect(zero.op(19, {0}), "id 0 of OpTypeVoid is not between 0 and the bound");
  high.words[3] = 5;
  expect(high.op(19, {5}), "id 5 of OpTypeVoid is not between 0 and the bound");
  interface.words[3] = 8;
  // An entry point with function 1, name "" and interface 7.
  expect(interface.op(15, {6, 1, 0, 7}),
         "the interface of kernel '' names id 7, which is not defined");
  // A structure with itself as its member, as the type of a variable.
  itself.words[3] = 6;
  itself.op(30, {1, 1}).op(32, {2, 4, 1}).op(59, {2, 3, 4});
  expect(itself, "a type that is part of itself");
}

TEST(SpirvSimDamage, Sizes) {
  // An array of 2^32 - 1 words in shared local memory; and an invalid
  // alignment.
  aircc::test::Assembler huge, odd;
  huge.words[3] = 12;
  huge.op(21, {1, 32, 0}).op(43, {1, 2, 0xffffffff}).op(28, {3, 1, 2});
  huge.op(32, {4, 4, 3}).op(59, {4, 5, 4});
  std::string error = load(huge.words);
  EXPECT_NE(error.find("an array of 4294967295 elements of 4 bytes"),
            std::string::npos)
      << error;
  odd.words[3] = 12;
  odd.op(71, {5, 44, 24}).op(21, {1, 32, 0}).op(32, {4, 4, 1});
  odd.op(59, {4, 5, 4});
  error = load(odd.words);
  EXPECT_NE(error.find("alignment 24; it must be a power of two"),
            std::string::npos)
      << error;
}

TEST(SpirvSimAlignment, AsDeclared) {
  // The addresses of variables in shared local memory, of the module and of the
  // function, and of dynamic shared local memory. If they were not aligned on
  // purpose, some of the many runs would have a misaligned one.
  std::string ir =
      std::string(kSpirvPrelude) +
      "@slm = internal addrspace(3) global [16 x i32] undef, align 4096\n"
      "@global = addrspace(1) global [3 x i32] zeroinitializer, align 1024\n"
      "define spir_kernel void @test(ptr addrspace(1) %p, "
      "ptr addrspace(3) align 2048 %d) {\n"
      "  %v = alloca [5 x i32], align 512\n"
      "  %n = load i32, ptr addrspace(1) %p\n"
      "  %e = getelementptr [5 x i32], ptr %v, i32 0, i32 %n\n"
      "  store i32 1, ptr %e\n"
      "  store i32 1, ptr addrspace(3) @slm\n"
      "  store i32 1, ptr addrspace(3) %d\n"
      "  store i32 1, ptr addrspace(1) @global\n"
      "  %a = ptrtoint ptr addrspace(3) @slm to i64\n"
      "  %b = ptrtoint ptr addrspace(1) @global to i64\n"
      "  %c = ptrtoint ptr %e to i64\n"
      "  %f = ptrtoint ptr addrspace(3) %d to i64\n"
      "  %p1 = getelementptr i64, ptr addrspace(1) %p, i64 1\n"
      "  %p2 = getelementptr i64, ptr addrspace(1) %p, i64 2\n"
      "  %p3 = getelementptr i64, ptr addrspace(1) %p, i64 3\n"
      "  store i64 %a, ptr addrspace(1) %p\n"
      "  store i64 %b, ptr addrspace(1) %p1\n"
      "  store i64 %c, ptr addrspace(1) %p2\n"
      "  store i64 %f, ptr addrspace(1) %p3\n"
      "  ret void\n}\n";
  SpirvRunner runner(withPrivateAlignment(compileSpirv(ir), 512));
  ASSERT_EQ(runner.loadError(), "");
  // An allocation between the runs changes the addresses of the host's heap.
  std::vector<std::vector<char>> between;
  for (unsigned n = 0; n < 16; ++n) {
    uint64_t *p = runner.upload<uint64_t>({0, 0, 0, 0});
    SpirvLaunch launch;
    launch.arguments = {&p};
    launch.dynamicBytes = 64 * (n + 1);
    launch.block = {1, 1, 1};
    ASSERT_EQ(runner.run(launch), "");
    EXPECT_EQ(p[0] % 4096, 0u);
    EXPECT_EQ(p[1] % 1024, 0u);
    EXPECT_EQ(p[2] % 512, 0u);
    EXPECT_EQ(p[3] % 2048, 0u);
    between.emplace_back(700 * n + 16);
  }
}
