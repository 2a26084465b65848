//===- PinMatrixProducts.cpp - Products where all lanes are active --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the machine instructions of WMMA and of MFMA with
// scales are not convergent, although the intrinsics are. Symptom: machine
// sinking moves them, with the code of their operands, into a branch that
// contains all uses of the result. There, inactive lanes have no operands:
//
//   %d = call <8 x float> @llvm.amdgcn.wmma…(%a, %b, %c)
//   br i1 %isLaneOfFirstColumns, label %store, label %end
//
// Workaround: use the result in the block of the intrinsic, in an empty
// assembly statement that is convergent. It costs no instruction.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/OpaqueValue.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// Returns whether `inst` is such a product whose result is used only in other
/// blocks.
static bool mayBeSunk(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call || call->use_empty())
    return false;
  StringRef name = Intrinsic::getBaseName(call->getIntrinsicID());
  return (name.starts_with("llvm.amdgcn.wmma.") ||
          name.starts_with("llvm.amdgcn.swmmac.") ||
          name.starts_with("llvm.amdgcn.mfma.scale.")) &&
         none_of(call->users(), [&](const User *user) {
           return cast<Instruction>(user)->getParent() == call->getParent();
         });
}

PreservedAnalyses
aircc::amdgpu::PinMatrixProductsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  SmallVector<Instruction *> products;
  for (Instruction &inst : instructions(function))
    if (mayBeSunk(inst))
      products.push_back(&inst);
  for (Instruction *product : products) {
    IRBuilder<> b(product->getNextNode());
    auto *pin = cast<CallInst>(makeOpaque(b, product));
    pin->setConvergent();
    product->replaceUsesWithIf(pin,
                               [&](Use &use) { return use.getUser() != pin; });
  }
  return products.empty() ? PreservedAnalyses::all()
                          : PreservedAnalyses::none();
}
