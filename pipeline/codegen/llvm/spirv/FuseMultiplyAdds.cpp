//===- FuseMultiplyAdds.cpp - Fuse products and sums ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIR-V has no flag that permits the contraction of a single product and sum:
// the execution mode ContractionOff forbids it for a whole kernel. Kernels have
// this mode, so Intel's compiler contracts nothing. This pass contracts
// products and sums with LLVM's flag `contract`.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Returns the product that computes `operand`, or null if it cannot be fused.
static Instruction *getProduct(Value *operand) {
  auto *product = dyn_cast<Instruction>(operand);
  return product && product->getOpcode() == Instruction::FMul &&
                 product->hasAllowContract() && product->hasOneUse()
             ? product
             : nullptr;
}

/// Returns the fused sum, or null if no operand of `sum` is a product.
static Value *fuse(Instruction &sum) {
  bool isDifference = sum.getOpcode() == Instruction::FSub;
  Instruction *product = getProduct(sum.getOperand(0));
  bool isFirst = product != nullptr;
  if (!isFirst)
    product = getProduct(sum.getOperand(1));
  if (!product)
    return nullptr;
  IRBuilder<> b(&sum);
  b.setFastMathFlags(sum.getFastMathFlags());
  Value *left = product->getOperand(0),
        *addend = sum.getOperand(isFirst ? 1 : 0);
  if (isDifference) {
    Value *&negated = isFirst ? addend : left;
    negated = b.CreateFNeg(negated);
  }
  return b.CreateIntrinsic(Intrinsic::fma, sum.getType(),
                           {left, product->getOperand(1), addend});
}

PreservedAnalyses
aircc::spirv::FuseMultiplyAddsPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &sum : make_early_inc_range(instructions(function))) {
    if ((sum.getOpcode() != Instruction::FAdd &&
         sum.getOpcode() != Instruction::FSub) ||
        !sum.hasAllowContract() || sum.getType()->getScalarType()->isBFloatTy())
      continue;
    Value *fused = fuse(sum);
    if (!fused)
      continue;
    sum.replaceAllUsesWith(fused);
    fused->takeName(&sum);
    sum.eraseFromParent();
    changed = true;
  }
  // Erase the fused products, which have no other uses.
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (changed && instruction.getOpcode() == Instruction::FMul &&
        instruction.use_empty())
      instruction.eraseFromParent();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
