//===- SplitAggregatePhis.cpp - Merge the fields of aggregates ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the SPIR-V backend emits the phi of a structure or an
// array as a phi of one of its first fields, without incoming blocks.
// InstCombine creates such phis for memref descriptors that branches yield.
// Workaround: give each field a phi of its own.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Appends the indices of each scalar in an aggregate of type `type`.
static void collectScalars(Type *type, SmallVectorImpl<unsigned> &indices,
                           SmallVectorImpl<SmallVector<unsigned>> &scalars) {
  if (!type->isAggregateType()) {
    scalars.push_back(SmallVector<unsigned>(indices.begin(), indices.end()));
    return;
  }
  unsigned count = type->isStructTy() ? type->getStructNumElements()
                                      : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    indices.push_back(i);
    collectScalars(ExtractValueInst::getIndexedType(type, i), indices, scalars);
    indices.pop_back();
  }
}

/// Replaces `phi` with a phi for each scalar of its type.
static void split(PHINode *phi) {
  SmallVector<unsigned> indices;
  SmallVector<SmallVector<unsigned>> scalars;
  collectScalars(phi->getType(), indices, scalars);
  IRBuilder<> after(phi->getParent(), phi->getParent()->getFirstInsertionPt());
  Value *whole = PoisonValue::get(phi->getType());
  for (ArrayRef<unsigned> scalar : scalars) {
    IRBuilder<> b(phi);
    PHINode *part =
        b.CreatePHI(ExtractValueInst::getIndexedType(phi->getType(), scalar),
                    phi->getNumIncomingValues());
    // A block can be a predecessor several times, always with the same value.
    SmallMapVector<BasicBlock *, Value *, 4> fromBlock;
    for (auto [value, block] :
         zip_equal(phi->incoming_values(), phi->blocks())) {
      Value *&extracted = fromBlock[block];
      if (!extracted)
        extracted = IRBuilder<>(block->getTerminator())
                        .CreateExtractValue(value, scalar);
      part->addIncoming(extracted, block);
    }
    whole = after.CreateInsertValue(whole, part, scalar);
  }
  phi->replaceAllUsesWith(whole);
  phi->eraseFromParent();
}

PreservedAnalyses
aircc::spirv::SplitAggregatePhisPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  SmallVector<PHINode *> phis;
  for (Instruction &instruction : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&instruction);
        phi && phi->getType()->isAggregateType())
      phis.push_back(phi);
  if (phis.empty())
    return PreservedAnalyses::all();
  for (PHINode *phi : phis)
    split(phi);
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
      if (Value *scalar = FindInsertedValue(extract->getAggregateOperand(),
                                            extract->getIndices()))
        extract->replaceAllUsesWith(scalar);
  SmallVector<WeakTrackingVH> dead;
  for (Instruction &instruction : instructions(function))
    if (isInstructionTriviallyDead(&instruction))
      dead.push_back(&instruction);
  RecursivelyDeleteTriviallyDeadInstructions(dead);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
