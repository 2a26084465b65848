//===- KeepProductsFromDPP.cpp - No DPP in integer products ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): on gfx12, GCNDPPCombine lets a multiplication with a
// 64-bit sum, v_mad_co_u64_u32, read its operand through DPP, which the
// instruction does not support. Symptom: the encoding cannot be decoded again:
//
//   %n = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %x, i32 17, i32 15, i32 15,
//                                          i1 true)
//   %w = zext i32 %n to i64
//   %p = mul i64 %w, 3
//
// Workaround: hide values that lanes read from their neighbors through DPP from
// integer products, and from address computations, which are products, too.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/OpaqueValue.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// Collects the DPP moves from which `value` is computed, as far as instruction
/// selection may look.
static void collectDPPMoves(Value *value, SetVector<Instruction *> &moves,
                            unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth > 8)
    return;
  if (auto *call = dyn_cast<IntrinsicInst>(inst)) {
    Intrinsic::ID id = call->getIntrinsicID();
    unsigned bits = inst->getType()->getPrimitiveSizeInBits();
    if ((id == Intrinsic::amdgcn_update_dpp ||
         id == Intrinsic::amdgcn_mov_dpp) &&
        (bits == 32 || bits == 64))
      moves.insert(inst);
    return;
  }
  if (isa<CastInst, FreezeInst, InsertElementInst, ExtractElementInst>(inst) ||
      inst->isBitwiseLogicOp() || inst->isShift())
    for (Value *operand : inst->operands())
      collectDPPMoves(operand, moves, depth + 1);
}

PreservedAnalyses KeepProductsFromDPPPass::run(Function &function,
                                               FunctionAnalysisManager &) {
  SetVector<Instruction *> moves;
  for (Instruction &inst : instructions(function)) {
    // Addresses are products with the sizes of elements.
    bool multiplies = inst.getOpcode() == Instruction::Mul ||
                      isa<GetElementPtrInst, WithOverflowInst>(inst);
    if (multiplies)
      for (Value *operand : inst.operands())
        collectDPPMoves(operand, moves);
  }
  for (Instruction *move : moves) {
    IRBuilder<> b(move->getNextNode());
    Value *hidden = makeOpaque(b, move);
    move->replaceUsesWithIf(hidden,
                            [&](Use &use) { return use.getUser() != hidden; });
  }
  return moves.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
