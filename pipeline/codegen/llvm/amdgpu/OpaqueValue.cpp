//===- OpaqueValue.cpp - Hiding values from instruction selection ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/OpaqueValue.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

Value *aircc::amdgpu::makeOpaque(IRBuilderBase &b, Value *value,
                                 RegisterKind kind) {
  auto *type = FunctionType::get(value->getType(), {value->getType()},
                                 /*isVarArg=*/false);
  const char *constraints = kind == RegisterKind::Vector ? "=v,0" : "=s,0";
  return b.CreateCall(
      InlineAsm::get(type, "", constraints, /*hasSideEffects=*/false), {value});
}
