//===- ExpandBitReversals.cpp - Reverse bits by swapping them -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In SPIR-V for OpenCL, OpBitReverse requires an extension
// (SPV_KHR_bit_instructions), but the backend of LLVM 22.1.8 uses it without
// declaring the extension. Symptom: an invalid module. Bits are reversed by
// swapping neighbors, pairs of neighbors, and so on.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/CollectCalls.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

static Value *reverseBits(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  unsigned bits = type->getScalarSizeInBits();
  for (unsigned distance = 1; distance < bits; distance *= 2) {
    APInt low =
        APInt::getSplat(bits, APInt::getLowBitsSet(distance * 2, distance));
    Value *mask = ConstantInt::get(type, low);
    Value *up = b.CreateShl(b.CreateAnd(value, mask), distance);
    Value *down = b.CreateAnd(b.CreateLShr(value, distance), mask);
    value = b.CreateOr(up, down);
  }
  return value;
}

PreservedAnalyses
aircc::spirv::ExpandBitReversalsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  auto calls = collectCalls(
      function, [](Intrinsic::ID id) { return id == Intrinsic::bitreverse; });
  for (IntrinsicInst *call : calls) {
    IRBuilder<> b(call);
    Type *type = call->getType();
    unsigned bits = type->getScalarSizeInBits(),
             wide = PowerOf2Ceil(std::max(bits, 8u));
    Value *value =
        b.CreateZExt(call->getArgOperand(0), type->getWithNewBitWidth(wide));
    value = b.CreateLShr(reverseBits(b, value), wide - bits);
    call->replaceAllUsesWith(b.CreateTrunc(value, type));
    call->eraseFromParent();
  }
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
