//===- ExpandReductions.cpp - Reduce vectors by elements ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIR-V has no reductions of vectors, and its backend (LLVM 22.1.8) cannot
// select llvm.vector.reduce.*. They are expanded element by element, in order.
// If this runs before the optimizer, the optimizer cannot turn reductions of
// booleans into comparisons of integers with as many bits.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/CollectCalls.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

/// Creates one step of a reduction.
static Value *reduceTwo(IRBuilder<> &b, Intrinsic::ID reduction, Value *left,
                        Value *right) {
  switch (reduction) {
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    return b.CreateBinOp(static_cast<Instruction::BinaryOps>(
                             getArithmeticReductionInstruction(reduction)),
                         left, right);
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fminimum:
  case Intrinsic::vector_reduce_fmaximum:
    return b.CreateBinaryIntrinsic(getMinMaxReductionIntrinsicOp(reduction),
                                   left, right);
  default:
    return nullptr;
  }
}

static bool isReduction(Intrinsic::ID id) {
  return Intrinsic::getBaseName(id).starts_with("llvm.vector.reduce.");
}

static void expand(IntrinsicInst &call) {
  IRBuilder<> b(&call);
  if (isa<FPMathOperator>(call))
    b.setFastMathFlags(call.getFastMathFlags());
  // Sums and products of floats have a start operand.
  bool hasStart = call.arg_size() == 2;
  Value *vector = call.getArgOperand(hasStart);
  Value *result = hasStart ? call.getArgOperand(0) : nullptr;
  auto *type = cast<FixedVectorType>(vector->getType());
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *element = b.CreateExtractElement(vector, i);
    result =
        result ? reduceTwo(b, call.getIntrinsicID(), result, element) : element;
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

PreservedAnalyses
aircc::spirv::ExpandReductionsPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  auto calls = collectCalls(function, isReduction);
  for (IntrinsicInst *call : calls)
    expand(*call);
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
