//===- Dot4WorkaroundTest.cpp - The byte-dot combine stays off ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/Dot4Workaround.h"
#include "pipeline/codegen/llvm/LLVMBackend.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

namespace {

constexpr const char *kTriple = "amdgcn-amd-amdhsa";

std::unique_ptr<llvm::Module> parse(llvm::StringRef text,
                                    llvm::LLVMContext &context) {
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  if (!module)
    error.print("test", llvm::errs());
  return module;
}

/// Assembly of `text` for `cpu`, after the workaround.
std::string compile(llvm::StringRef text, const char *cpu) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(text, context);
  if (!module)
    return "";
  auto machine = aircc::createTargetMachine({kTriple, cpu, "", 2});
  EXPECT_TRUE(static_cast<bool>(machine))
      << llvm::toString(machine.takeError());
  if (!machine)
    return "";
  module->setTargetTriple(llvm::Triple(kTriple));
  module->setDataLayout((*machine)->createDataLayout());
  aircc::optimizeModule(*module, **machine, 2);
  aircc::avoidDot4Combine(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  llvm::SmallString<0> code;
  llvm::Error error = aircc::emitMachineCode(
      *module, **machine, llvm::CodeGenFileType::AssemblyFile, code);
  EXPECT_FALSE(static_cast<bool>(error));
  return code.str().str();
}

// smin(x, x*x) + x*x on bytes: LLVM 22.1.8 takes it for a dot product.
constexpr llvm::StringLiteral kScalar = R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr i8, ptr addrspace(1) %p, i32 %id
  %x = load i8, ptr addrspace(1) %g
  %m = mul i8 %x, %x
  %s = call i8 @llvm.smin.i8(i8 %x, i8 %m)
  %a = add i8 %s, %m
  store i8 %a, ptr addrspace(1) %q
  ret void
}
)";

// The same on vectors crashes its instruction selection.
constexpr llvm::StringLiteral kVector = R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr <4 x i8>, ptr addrspace(1) %p, i32 %id
  %x = load <4 x i8>, ptr addrspace(1) %g
  %m = mul <4 x i8> %x, %x
  %s = call <4 x i8> @llvm.smin.v4i8(<4 x i8> %x, <4 x i8> %m)
  %a = add <4 x i8> %s, %m
  store <4 x i8> %a, ptr addrspace(1) %q
  ret void
}
)";

class Dot4 : public testing::TestWithParam<const char *> {};

TEST_P(Dot4, ByteProductsAreNoDotProducts) {
  for (llvm::StringRef text : {kScalar, kVector}) {
    std::string code = compile(text, GetParam());
    EXPECT_EQ(code.find("v_dot4"), std::string::npos) << code;
    EXPECT_NE(code.find("v_min_i16"), std::string::npos) << code;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Dot4,
                         testing::Values("gfx90a", "gfx942", "gfx950",
                                         "gfx1100", "gfx1201"));

// Code that asks for the instruction gets it, and its products stay products.
TEST(Dot4Workaround, ExplicitDotProductsStay) {
  std::string code = compile(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr <4 x i8>, ptr addrspace(1) %p, i32 %id
  %x = load <4 x i8>, ptr addrspace(1) %g
  %m = mul <4 x i8> %x, %x
  %s = call <4 x i8> @llvm.smin.v4i8(<4 x i8> %x, <4 x i8> %m)
  %a = add <4 x i8> %s, %m
  %b = bitcast <4 x i8> %a to i32
  %d = call i32 @llvm.amdgcn.udot4(i32 %b, i32 %b, i32 7, i1 false)
  store i32 %d, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.amdgcn.udot4(i32, i32, i32, i1)
)",
                             "gfx942");
  size_t first = code.find("v_dot4_u32_u8");
  ASSERT_NE(first, std::string::npos) << code;
  EXPECT_EQ(code.find("v_dot4_u32_u8", first + 1), std::string::npos) << code;
}

TEST(Dot4Workaround, OtherFunctionsKeepTheirFeatures) {
  llvm::LLVMContext context;
  auto module = parse(R"(
define i32 @index(i32 %x) {
  %m = mul i32 %x, 68000
  ret i32 %m
}
define i8 @byte(i8 %x) {
  %m = mul i8 %x, %x
  ret i8 %m
}
define i32 @masked(i32 %x, i32 %y) #0 {
  %a = and i32 %x, 255
  %b = lshr i32 %y, 24
  %m = mul i32 %a, %b
  ret i32 %m
}
attributes #0 = { "target-features"="+cumode" }
)",
                      context);
  ASSERT_TRUE(module);
  aircc::avoidDot4Combine(*module);
  auto features = [&](const char *name) {
    return module->getFunction(name)
        ->getFnAttribute("target-features")
        .getValueAsString()
        .str();
  };
  EXPECT_EQ(features("index"), "");
  EXPECT_EQ(features("byte"), "-dot7-insts");
  EXPECT_EQ(features("masked"), "+cumode,-dot7-insts");
}

} // namespace
