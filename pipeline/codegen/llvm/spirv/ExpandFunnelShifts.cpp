//===- ExpandFunnelShifts.cpp - Funnel shifts as shifts -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): the SPIR-V backend expands a funnel shift to two
// shifts, one of which is by the whole width if the distance is 0. The result
// is then undefined in SPIR-V. Symptom: a rotation by 0 changes the value:
//
//   %r = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 0)
//
// Workaround: the second part is shifted by one less, and then by one.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/CollectCalls.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

static Value *expand(IRBuilder<> &b, IntrinsicInst &call) {
  Type *type = call.getType();
  unsigned bits = type->getScalarSizeInBits();
  Value *high = call.getArgOperand(0), *low = call.getArgOperand(1);
  Value *distance =
      b.CreateURem(call.getArgOperand(2), ConstantInt::get(type, bits));
  Value *rest = b.CreateSub(ConstantInt::get(type, bits - 1), distance);
  if (call.getIntrinsicID() == Intrinsic::fshl)
    return b.CreateOr(b.CreateShl(high, distance),
                      b.CreateLShr(b.CreateLShr(low, 1), rest));
  return b.CreateOr(b.CreateLShr(low, distance),
                    b.CreateShl(b.CreateShl(high, 1), rest));
}

PreservedAnalyses
aircc::spirv::ExpandFunnelShiftsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  auto calls = collectCalls(function, [](Intrinsic::ID id) {
    return id == Intrinsic::fshl || id == Intrinsic::fshr;
  });
  for (IntrinsicInst *call : calls) {
    IRBuilder<> b(call);
    call->replaceAllUsesWith(expand(b, *call));
    call->eraseFromParent();
  }
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
