//===- AvoidDot4Combine.cpp - Avoid wrong dot products of bytes -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8, fixed later by llvm/llvm-project#198412):
// performAddCombine turns chains of multiplications and additions of bytes into
// v_dot4, and its walk over the chain mistakes operations that are not
// additions for links of the chain. Symptom: on chips with the signed and
// unsigned dot4 instructions, these get wrong operands, and the same code on <4
// x i8> crashes:
//
//   %m = mul i8 %x, %x
//   %s = call i8 @llvm.smin.i8(i8 %x, i8 %m)
//   %a = add i8 %s, %m
//
// Workaround: the feature that the combine checks is removed from functions
// that multiply bytes. If they call the dot intrinsics themselves, and so need
// the feature, their byte products are hidden from the combine instead.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/OpaqueValue.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace {

/// Returns whether `value`, an integer or a vector of integers, may fit in a
/// signed or unsigned byte. The combine knows more bits than IR analysis does
/// (it works on one basic block after legalization), so extensions are also
/// considered.
bool mayBeByte(Value *value, const DataLayout &layout) {
  if (isa<SExtInst, ZExtInst>(value) &&
      cast<CastInst>(value)->getSrcTy()->getScalarSizeInBits() <= 8)
    return true;
  unsigned bits = value->getType()->getScalarSizeInBits();
  if (bits <= 8)
    return true;
  KnownBits known = computeKnownBits(value, layout);
  return known.countMaxActiveBits() <= 8 ||
         ComputeNumSignBits(value, layout) > bits - 8;
}

bool isByteProduct(Instruction &inst, const DataLayout &layout) {
  return inst.getOpcode() == Instruction::Mul &&
         inst.getType()->getScalarSizeInBits() <= 32 &&
         (mayBeByte(inst.getOperand(0), layout) ||
          mayBeByte(inst.getOperand(1), layout));
}

/// Intrinsics that need the "dot7-insts" feature.
bool callsUnsignedDot(Function &function) {
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst))
      if (call->getIntrinsicID() == Intrinsic::amdgcn_udot4 ||
          call->getIntrinsicID() == Intrinsic::amdgcn_udot8)
        return true;
  return false;
}

/// Passes scalar products through an empty assembly statement, which costs
/// nothing but is not a multiplication to the combine.
void hideProduct(Instruction &product) {
  IRBuilder<> b(product.getParent(), std::next(product.getIterator()));
  SmallVector<Use *> uses;
  for (Use &use : product.uses())
    uses.push_back(&use);
  auto hide = [&](Value *scalar) -> Value * {
    Value *wide = b.CreateZExt(scalar, b.getInt32Ty());
    return b.CreateTrunc(aircc::amdgpu::makeOpaque(b, wide), scalar->getType());
  };
  Value *hidden = nullptr;
  if (auto *vector = dyn_cast<FixedVectorType>(product.getType())) {
    hidden = PoisonValue::get(vector);
    for (unsigned i = 0, e = vector->getNumElements(); i != e; ++i)
      hidden = b.CreateInsertElement(
          hidden, hide(b.CreateExtractElement(&product, uint64_t(i))),
          uint64_t(i));
  } else {
    hidden = hide(&product);
  }
  for (Use *use : uses)
    use->set(hidden);
}

} // namespace

PreservedAnalyses
aircc::amdgpu::AvoidDot4CombinePass::run(Function &function,
                                         FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<Instruction *> products;
  for (Instruction &inst : instructions(function))
    if (isByteProduct(inst, layout))
      products.push_back(&inst);
  if (products.empty())
    return PreservedAnalyses::all();
  if (callsUnsignedDot(function)) {
    for (Instruction *product : products)
      hideProduct(*product);
    return PreservedAnalyses::none();
  }
  std::string features =
      function.getFnAttribute("target-features").getValueAsString().str();
  if (!features.empty())
    features += ",";
  function.addFnAttr("target-features", features + "-dot7-insts");
  return PreservedAnalyses::none();
}
