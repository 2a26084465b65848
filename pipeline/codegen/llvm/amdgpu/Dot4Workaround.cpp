//===- Dot4Workaround.cpp - Keep LLVM's broken byte-dot combine off -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/Dot4Workaround.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace {

/// Whether `value`, an integer or a vector of them, may hold no more than a
/// signed or unsigned byte. The combine sees more known bits than IR analysis
/// does (it works on one basic block after legalisation), hence the extensions.
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

/// Passes scalar products through an empty assembly statement, which has no
/// cost but is no multiplication to the combine.
void hideProduct(Instruction &product) {
  IRBuilder<> b(product.getParent(), std::next(product.getIterator()));
  SmallVector<Use *> uses;
  for (Use &use : product.uses())
    uses.push_back(&use);
  auto hide = [&](Value *scalar) -> Value * {
    Type *i32 = b.getInt32Ty();
    InlineAsm *identity =
        InlineAsm::get(FunctionType::get(i32, {i32}, false), "", "=v,0",
                       /*hasSideEffects=*/false);
    Value *wide = b.CreateZExt(scalar, i32);
    return b.CreateTrunc(b.CreateCall(identity, {wide}), scalar->getType());
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

void aircc::avoidDot4Combine(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (Function &function : module) {
    SmallVector<Instruction *> products;
    for (Instruction &inst : instructions(function))
      if (isByteProduct(inst, layout))
        products.push_back(&inst);
    if (products.empty())
      continue;
    if (callsUnsignedDot(function)) {
      for (Instruction *product : products)
        hideProduct(*product);
      continue;
    }
    std::string features =
        function.getFnAttribute("target-features").getValueAsString().str();
    if (!features.empty())
      features += ",";
    function.addFnAttr("target-features", features + "-dot7-insts");
  }
}
