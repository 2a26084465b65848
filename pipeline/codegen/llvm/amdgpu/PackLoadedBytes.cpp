//===- PackLoadedBytes.cpp - Pack bytes by shifts -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Not a workaround: the backend packs the elements of a vector of bytes in
// 16-bit steps, which takes five instructions for each four bytes that were
// loaded one by one, as the scales of matrix instructions are. Shifts of 32-bit
// words take three (v_lshl_or_b32).
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

constexpr unsigned kByteBits = 8, kWordBytes = 4;

/// Returns the bytes of the vector of words that `last` completes, if each of
/// them was loaded; otherwise, returns an empty list.
SmallVector<Value *> getLoadedBytes(InsertElementInst *last) {
  auto *type = dyn_cast<FixedVectorType>(last->getType());
  if (!type || !type->getElementType()->isIntegerTy(kByteBits) ||
      type->getNumElements() % kWordBytes)
    return {};
  SmallVector<Value *> bytes(type->getNumElements());
  for (Value *vector = last; auto *insert = dyn_cast<InsertElementInst>(vector);
       vector = insert->getOperand(0)) {
    auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (!index || index->getZExtValue() >= bytes.size() ||
        !isa<LoadInst>(insert->getOperand(1)))
      return {};
    Value *&byte = bytes[index->getZExtValue()];
    if (!byte)
      byte = insert->getOperand(1);
  }
  return is_contained(bytes, nullptr) ? SmallVector<Value *>() : bytes;
}

/// Returns the word that consists of four bytes, the first one in the lowest
/// bits.
Value *createWord(IRBuilder<> &b, ArrayRef<Value *> bytes) {
  auto extend = [&](Value *byte) { return b.CreateZExt(byte, b.getInt32Ty()); };
  auto join = [&](Value *low, Value *high, unsigned bits) {
    return b.CreateOr(b.CreateShl(high, bits), low, "",
                      /*IsDisjoint=*/true);
  };
  return join(join(extend(bytes[0]), extend(bytes[1]), kByteBits),
              join(extend(bytes[2]), extend(bytes[3]), kByteBits),
              2 * kByteBits);
}

} // namespace

PreservedAnalyses
aircc::amdgpu::PackLoadedBytesPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  if (none_of(function, hasManyProducts))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *last = dyn_cast<InsertElementInst>(&inst);
    if (!last)
      continue;
    SmallVector<Value *> bytes = getLoadedBytes(last);
    if (bytes.empty())
      continue;
    IRBuilder<> b(last);
    auto *type =
        FixedVectorType::get(b.getInt32Ty(), bytes.size() / kWordBytes);
    Value *words = PoisonValue::get(type);
    for (unsigned i = 0; i < type->getNumElements(); ++i)
      words = b.CreateInsertElement(
          words,
          createWord(b, ArrayRef(bytes).slice(i * kWordBytes, kWordBytes)), i);
    last->replaceAllUsesWith(b.CreateBitCast(words, last->getType()));
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
