//===- SpirvKernelsTest.cpp - Reading the kernels of SPIR-V modules -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/SpirvKernels.h"
#include "test/unit/SpirvAssembler.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace aircc::rt;
using aircc::test::Assembler;

namespace {

std::vector<SpirvKernel> readAll(const std::string &module) {
  std::vector<SpirvKernel> kernels;
  Status status = readSpirvKernels(module, kernels);
  EXPECT_TRUE(status.ok()) << status.message();
  return kernels;
}

std::string errorOf(const std::string &module) {
  std::vector<SpirvKernel> kernels;
  Status status = readSpirvKernels(module, kernels);
  return status.ok() ? "no error" : status.message();
}

std::vector<uint64_t> sizes(const SpirvKernel &kernel) {
  std::vector<uint64_t> bytes;
  for (const SpirvArgument &argument : kernel.arguments)
    bytes.push_back(argument.bytes);
  return bytes;
}

/// A module with a kernel that has one argument, whose type %10 is defined by
/// `types`.
std::string withArgument(const std::function<void(Assembler &)> &types,
                         uint32_t addressing = 2) {
  Assembler a(addressing);
  a.entryPoint(100, "k");
  a.op(19, {1}); // void
  types(a);
  a.op(33, {2, 1, 10}); // void(%10)
  a.function(100, 2, {10}, 101);
  return a.bytes();
}

/// Returns LLVM's module for `text`.
std::string compile(const char *text) {
  LLVMInitializeSPIRVTargetInfo();
  LLVMInitializeSPIRVTarget();
  LLVMInitializeSPIRVTargetMC();
  LLVMInitializeSPIRVAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str();
    return {};
  }
  std::string error;
  llvm::Triple triple("spirv64-unknown-unknown");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    ADD_FAILURE() << error;
    return {};
  }
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "", "", {}, std::nullopt,
                                  std::nullopt, llvm::CodeGenOptLevel::None));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr,
                                            llvm::CodeGenFileType::ObjectFile));
  passes.run(*module);
  return std::string(bytes.begin(), bytes.end());
}

TEST(SpirvKernels, WhatLLVMWrites) {
  const std::vector<SpirvKernel> kernels = readAll(compile(R"(
target triple = "spirv64-unknown-unknown"
%S = type { i8, i64, <3 x float> }
@slm = internal addrspace(3) global [65 x float] undef, align 64
@slm2 = internal addrspace(3) global [3 x i16] undef, align 2
define spir_kernel void @first(ptr addrspace(1) %a, i64 %n, float %f, i8 %c,
    <3 x float> %v, %S %s, [3 x i32] %arr, ptr byval(%S) %bv,
    ptr addrspace(3) %l, half %h, <8 x i16> %w)
    !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %p = getelementptr [65 x float], ptr addrspace(3) @slm, i64 0, i64 %n
  store float %f, ptr addrspace(3) %p
  call void @called()
  ret void
}
define void @called() {
  store i16 1, ptr addrspace(3) @slm2
  ret void
}
define spir_kernel void @second_with_a_name(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a
  ret void
}
define spir_kernel void @third() {
  call void @called()
  ret void
}
!0 = !{i32 16, i32 2, i32 1}
!1 = !{i32 16}
)"));
  std::map<std::string, SpirvKernel> byName;
  for (const SpirvKernel &kernel : kernels)
    byName[kernel.name] = kernel;
  ASSERT_EQ(byName.size(), 3u);

  const SpirvKernel &first = byName["first"];
  EXPECT_EQ(sizes(first),
            (std::vector<uint64_t>{8, 8, 4, 1, 16, 32, 12, 32, 8, 2, 16}));
  for (size_t i = 0; i < first.arguments.size(); ++i)
    EXPECT_EQ(first.arguments[i].workgroupPointer, i == 8) << i;
  ASSERT_TRUE(first.requiredWorkgroupSize);
  EXPECT_EQ(first.requiredWorkgroupSize->x, 16u);
  EXPECT_EQ(first.requiredWorkgroupSize->y, 2u);
  EXPECT_EQ(first.requiredWorkgroupSize->z, 1u);
  EXPECT_EQ(first.requiredSubgroupSize, 16u);
  // Variables of 260 and of 6 bytes, in either order; the larger one is aligned
  // to 64 bytes.
  EXPECT_GE(first.sharedBytes, 266u);
  EXPECT_LE(first.sharedBytes, 64u + 260u);

  const SpirvKernel &second = byName["second_with_a_name"];
  EXPECT_EQ(sizes(second), (std::vector<uint64_t>{8}));
  EXPECT_FALSE(second.requiredWorkgroupSize);
  EXPECT_EQ(second.requiredSubgroupSize, 0u);
  EXPECT_EQ(second.sharedBytes, 0u);
  EXPECT_TRUE(byName["third"].arguments.empty());
  EXPECT_EQ(byName["third"].sharedBytes, 6u);
}

TEST(SpirvKernels, SizesOfArguments) {
  struct Case {
    const char *what;
    std::function<void(Assembler &)> types;
    uint64_t bytes, alignment;
  };
  const Case cases[] = {
      {"bool", [](Assembler &a) { a.op(20, {10}); }, 1, 1},
      {"i16", [](Assembler &a) { a.op(21, {10, 16, 0}); }, 2, 2},
      {"i48", [](Assembler &a) { a.op(21, {10, 48, 0}); }, 8, 8},
      {"f64", [](Assembler &a) { a.op(22, {10, 64}); }, 8, 8},
      {"bf16",
       [](Assembler &a) {
         a.op(22, {10, 16, 0}); // The name has an encoding.
       },
       2, 2},
      {"i8 x 3", [](Assembler &a) { a.op(21, {3, 8, 0}).op(23, {10, 3, 3}); },
       4, 4},
      {"i64 x 16",
       [](Assembler &a) { a.op(21, {3, 64, 0}).op(23, {10, 3, 16}); }, 128,
       128},
      {"pointer", [](Assembler &a) { a.op(21, {3, 8, 0}).op(32, {10, 5, 3}); },
       8, 8},
      {"untyped pointer", [](Assembler &a) { a.op(4417, {10, 5}); }, 8, 8},
      {"array with a 64-bit length",
       [](Assembler &a) {
         a.op(21, {3, 64, 0}).op(43, {3, 4, 6, 0}).op(28, {10, 3, 4});
       },
       48, 8},
      {"struct",
       [](Assembler &a) {
         a.op(21, {3, 8, 0}).op(21, {4, 32, 0}).op(30, {10, 3, 4, 3});
       },
       12, 4},
      {"packed struct",
       [](Assembler &a) {
         a.op(71, {10, 10});
         a.op(21, {3, 8, 0}).op(21, {4, 32, 0}).op(30, {10, 3, 4, 3});
       },
       6, 1},
      {"packed by a group",
       [](Assembler &a) {
         a.op(71, {9, 10}).op(73, {9}).op(74, {9, 10});
         a.op(21, {3, 8, 0}).op(21, {4, 32, 0}).op(30, {10, 3, 4, 3});
       },
       6, 1},
      {"empty struct", [](Assembler &a) { a.op(30, {10}); }, 0, 1},
      {"struct with a pointer to itself",
       [](Assembler &a) {
         a.op(39, {3, 5}).op(21, {4, 8, 0}).op(30, {10, 4, 3});
         a.op(32, {3, 5, 10});
       },
       16, 8},
      {"by value",
       [](Assembler &a) {
         a.op(71, {101, 38, 2});
         a.op(21, {3, 32, 0}).op(30, {4, 3, 3, 3}).op(32, {10, 7, 4});
       },
       12, 4},
  };
  for (const Case &c : cases) {
    const std::vector<SpirvKernel> kernels = readAll(withArgument(c.types));
    ASSERT_EQ(kernels.size(), 1u) << c.what;
    ASSERT_EQ(kernels[0].arguments.size(), 1u) << c.what;
    EXPECT_EQ(kernels[0].arguments[0].bytes, c.bytes) << c.what;
    EXPECT_EQ(kernels[0].arguments[0].alignment, c.alignment) << c.what;
    EXPECT_FALSE(kernels[0].arguments[0].workgroupPointer) << c.what;
  }
  auto pointer = [](Assembler &a) { a.op(21, {3, 8, 0}).op(32, {10, 5, 3}); };
  EXPECT_EQ(sizes(readAll(withArgument(pointer, /*addressing=*/1))[0]),
            (std::vector<uint64_t>{4}));
}

TEST(SpirvKernels, Imports) {
  Assembler a;
  a.linkage(5, "_Z7barrierj", /*type=*/1).linkage(6, "exported", /*type=*/0);
  a.linkage(7, "other", /*type=*/1);
  std::vector<SpirvKernel> kernels;
  std::vector<std::string> imports;
  ASSERT_TRUE(readSpirvKernels(a.bytes(), kernels, &imports).ok());
  EXPECT_EQ(imports, (std::vector<std::string>{"_Z7barrierj", "other"}));
}

TEST(SpirvKernels, SizesGivenByConstants) {
  Assembler a;
  a.entryPoint(100, "k");
  a.op(331, {100, 38, 4, 5, 4});
  a.op(19, {1}).op(21, {3, 32, 0});
  a.op(43, {3, 4, 8}).op(50, {3, 5, 2});
  a.op(33, {2, 1}).function(100, 2, {}, 0);
  const SpirvKernel kernel = readAll(a.bytes())[0];
  ASSERT_TRUE(kernel.requiredWorkgroupSize);
  EXPECT_EQ(kernel.requiredWorkgroupSize->x, 8u);
  EXPECT_EQ(kernel.requiredWorkgroupSize->y, 2u);
  EXPECT_EQ(kernel.requiredWorkgroupSize->z, 8u);
}

TEST(SpirvKernels, OneFunctionOfSeveralEntryPoints) {
  Assembler a;
  a.entryPoint(100, "one").entryPoint(100, "four").entryPoint(100, "shader", 5);
  a.op(16, {100, 35, 32});
  a.op(19, {1}).op(33, {2, 1}).function(100, 2, {}, 0);
  const std::vector<SpirvKernel> kernels = readAll(a.bytes());
  ASSERT_EQ(kernels.size(), 2u) << "only kernels are listed";
  EXPECT_EQ(kernels[0].name, "one");
  EXPECT_EQ(kernels[1].name, "four");
  EXPECT_EQ(kernels[1].requiredSubgroupSize, 32u);
}

TEST(SpirvKernels, SharedVariablesThatConstantsName) {
  Assembler a;
  a.entryPoint(100, "k").entryPoint(110, "none");
  a.op(71, {51, 44, 16});
  a.op(19, {1}).op(21, {3, 8, 0}).op(21, {4, 32, 0}).op(43, {4, 5, 7});
  a.op(28, {6, 3, 5});        // 7 bytes
  a.op(32, {7, 4, 6});        // in the workgroup's memory
  a.op(59, {7, 50, 4});       // the first variable
  a.op(4418, {7, 51, 4, 4});  // an untyped one, of 4 bytes
  a.op(52, {7, 52, 124, 50}); // a constant made of the first
  a.op(33, {2, 1});
  a.op(54, {1, 100, 0, 2}).op(57, {1, 60, 120}).op(56, {});
  a.op(54, {1, 110, 0, 2}).op(56, {});
  // The function is called, and calls itself.
  a.op(54, {1, 120, 0, 2}).op(61, {3, 61, 52}).op(61, {4, 62, 51});
  a.op(57, {1, 63, 120}).op(56, {});
  const std::vector<SpirvKernel> kernels = readAll(a.bytes());
  EXPECT_EQ(kernels[0].sharedBytes, 20u) << "7 bytes, and 4 at 16";
  EXPECT_EQ(kernels[1].sharedBytes, 0u);
}

TEST(SpirvKernels, ErrorsOfModules) {
  EXPECT_EQ(errorOf(""),
            "this is not a SPIR-V module: it does not begin with the "
            "number 0x07230203");
  EXPECT_EQ(errorOf("\x7f"
                    "ELF"),
            errorOf(""));
  EXPECT_EQ(errorOf(std::string("\x07\x23\x02\x03", 4)),
            "the SPIR-V module is in the other byte order; make it in that of "
            "this machine");
  Assembler good;
  good.entryPoint(100, "kernel");
  good.op(19, {1}).op(33, {2, 1}).function(100, 2, {}, 0);
  ASSERT_EQ(errorOf(good.bytes()), "no error");
  EXPECT_EQ(errorOf(good.bytes().substr(0, 12)),
            "the SPIR-V module is damaged: it ends within its header");
  EXPECT_EQ(errorOf(good.bytes() + 'x'),
            "the SPIR-V module is damaged: its size, 97 bytes, is not a "
            "multiple of 4");
  EXPECT_EQ(errorOf(good.bytes().substr(0, good.bytes().size() - 4)),
            "the SPIR-V module is damaged: it ends within a function");
  EXPECT_EQ(errorOf(good.bytes().substr(0, good.bytes().size() - 8)),
            "the SPIR-V module is damaged: it ends within instruction 54 at "
            "word 18");
  EXPECT_EQ(errorOf(good.bytes().substr(0, 20)),
            "the SPIR-V module is damaged: it has no memory model");
  Assembler version = good;
  version.words[1] = 0x00020100;
  EXPECT_EQ(errorOf(version.bytes()),
            "the SPIR-V module has version 2.1; only versions 1.x are known");
  Assembler empty = good;
  empty.words.push_back(0);
  EXPECT_EQ(errorOf(empty.bytes()),
            "the SPIR-V module is damaged: instruction 0 at word 24 has no "
            "words");
  Assembler nameless;
  nameless.op(15, {6, 100, 0x6b6b6b6b});
  EXPECT_EQ(errorOf(nameless.bytes()),
            "the SPIR-V module is damaged: an instruction has too few words "
            "(instruction 15 at word 8)");
  EXPECT_EQ(errorOf(Assembler(0).bytes()),
            "the SPIR-V module has no physical addresses: it is not one of "
            "OpenCL kernels (instruction 14 at word 5)");
  EXPECT_EQ(errorOf(Assembler().op(20, {5}).op(20, {5}).bytes()),
            "the SPIR-V module is damaged: %5 is defined twice (instruction 20 "
            "at word 10)");
  EXPECT_EQ(
      errorOf(Assembler().op(54, {1, 2, 0, 3}).op(54, {1, 4, 0, 3}).bytes()),
      "the SPIR-V module is damaged: a function begins within another "
      "(instruction 54 at word 13)");
}

TEST(SpirvKernels, ErrorsOfKernels) {
  EXPECT_EQ(errorOf(withArgument([](Assembler &a) {
              a.op(25, {10, 1, 0, 0, 0, 0, 0, 0}); // An image.
            })),
            "kernel \"k\" of the SPIR-V module has an argument, number 0, that "
            "is of a type without a size, such as an image; pass pointers and "
            "numbers");
  EXPECT_EQ(errorOf(withArgument([](Assembler &a) { a.op(30, {10, 10}); })),
            errorOf(withArgument([](Assembler &) {})))
      << "a structure in itself has no size";
  EXPECT_EQ(errorOf(Assembler().entryPoint(100, "gone").bytes()),
            "kernel \"gone\" of the SPIR-V module has no function");
  Assembler parameters;
  parameters.entryPoint(100, "k").op(19, {1}).op(20, {3}).op(33, {2, 1, 3});
  EXPECT_EQ(
      errorOf(parameters.function(100, 2, {}, 0).bytes()),
      "kernel \"k\" of the SPIR-V module has parameters that do not match "
      "its type");
  EXPECT_NE(errorOf(withArgument([](Assembler &a) {
              // 2^63 elements of 2 bytes.
              a.op(21, {3, 64, 0}).op(21, {5, 16, 0});
              a.op(43, {3, 4, 0, 0x80000000}).op(28, {10, 5, 4});
            })).find("type %10 has a size that does not fit in 64 bits"),
            std::string::npos);
  Assembler unsized;
  unsized.entryPoint(100, "k").op(19, {1}).op(21, {3, 8, 0}).op(29, {4, 3});
  unsized.op(32, {5, 4, 4}).op(59, {5, 50, 4}).op(33, {2, 1});
  unsized.op(54, {1, 100, 0, 2}).op(61, {3, 61, 50}).op(56, {});
  EXPECT_EQ(errorOf(unsized.bytes()),
            "kernel \"k\" of the SPIR-V module uses the workgroup's variable "
            "%50, which has no size; give it one");
}

// The reader terminates for any bytes, and its results are within the bytes.
TEST(SpirvKernels, DamagedModules) {
  const std::string module = withArgument([](Assembler &a) {
    a.op(71, {10, 10}).op(21, {3, 8, 0}).op(21, {4, 32, 0});
    a.op(43, {4, 5, 7}).op(28, {6, 3, 5}).op(32, {7, 4, 6}).op(59, {7, 50, 4});
    a.op(30, {10, 3, 4, 6});
  });
  ASSERT_EQ(errorOf(module), "no error");
  const size_t memoryModelEnd = 32; // A module without kernels.
  for (size_t size = 0; size < module.size(); ++size)
    if (size != memoryModelEnd)
      EXPECT_NE(errorOf(std::string(module, 0, size)), "no error") << size;
  std::mt19937 random(1);
  for (unsigned round = 0; round < 20000; ++round) {
    std::string damaged = module;
    for (unsigned i = 0; i < 1 + round % 4; ++i)
      damaged[20 + random() % (damaged.size() - 20)] =
          static_cast<char>(random() % (round % 2 ? 256 : 64));
    std::vector<SpirvKernel> kernels;
    if (readSpirvKernels(damaged, kernels).ok())
      EXPECT_LE(kernels.size(), 2u);
  }
}

} // namespace
