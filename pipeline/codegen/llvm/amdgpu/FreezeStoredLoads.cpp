//===- FreezeStoredLoads.cpp - Freeze copies within private arrays --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8, fixed later by llvm/llvm-project#215686): if a whole
// private array is loaded and the value is stored back to the array,
// AMDGPUPromoteAlloca, which turns such arrays into vectors, keeps the load as
// the value of the array after it has deleted the load. Symptom: a crash or an
// arbitrary value:
//
//   %a = alloca <4 x i32>, addrspace(5)
//   %v = load <4 x i32>, ptr addrspace(5) %a
//   store <4 x i32> %v, ptr addrspace(5) %a
//
// Workaround: while the module is optimized, the pass is skipped for such
// functions (SkipAllocaPromotion.cpp). The backend runs it once more; for that
// run, this pass freezes the loaded value, so that it is no longer a load.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/StoredLoads.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

bool aircc::amdgpu::isStoredLoad(const Instruction &inst) {
  auto *store = dyn_cast<StoreInst>(&inst);
  auto *load = store ? dyn_cast<LoadInst>(store->getValueOperand()) : nullptr;
  if (!load)
    return false;
  const Value *array = getUnderlyingObject(store->getPointerOperand());
  return isa<AllocaInst>(array) &&
         array == getUnderlyingObject(load->getPointerOperand());
}

PreservedAnalyses
aircc::amdgpu::FreezeStoredLoadsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : instructions(function))
    if (isStoredLoad(inst)) {
      IRBuilder<> b(&inst);
      inst.setOperand(0, b.CreateFreeze(inst.getOperand(0)));
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
