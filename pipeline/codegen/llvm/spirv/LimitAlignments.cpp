//===- LimitAlignments.cpp - Limit the alignment of local variables -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): the SPIR-V backend keeps the alignment of an alloca as
// a signed 8-bit number. 128 bytes become 4294967168, and 256 bytes become 0.
//
// Workaround: align the variables to 64 bytes, the size of the largest vector
// of 32-bit elements in SPIR-V. Accesses state no more than that, because they
// may be to these variables.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

static constexpr Align kMaxAlign = Align::Constant<64>();

/// Limits the alignment of an alloca, a load or a store.
template <typename Inst> static bool limitAlign(Inst &inst) {
  if (inst.getAlign() <= kMaxAlign)
    return false;
  inst.setAlignment(kMaxAlign);
  return true;
}

static bool limitAlign(AnyMemIntrinsic &inst) {
  bool changed = false;
  if (inst.getDestAlign().valueOrOne() > kMaxAlign) {
    inst.setDestAlignment(kMaxAlign);
    changed = true;
  }
  auto *transfer = dyn_cast<AnyMemTransferInst>(&inst);
  if (transfer && transfer->getSourceAlign().valueOrOne() > kMaxAlign) {
    transfer->setSourceAlignment(kMaxAlign);
    changed = true;
  }
  return changed;
}

PreservedAnalyses
aircc::spirv::LimitAlignmentsPass::run(Function &function,
                                       FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    for (Instruction &inst : block) {
      if (auto *variable = dyn_cast<AllocaInst>(&inst))
        changed |= limitAlign(*variable);
      else if (auto *load = dyn_cast<LoadInst>(&inst))
        changed |= limitAlign(*load);
      else if (auto *store = dyn_cast<StoreInst>(&inst))
        changed |= limitAlign(*store);
      else if (auto *memory = dyn_cast<AnyMemIntrinsic>(&inst))
        changed |= limitAlign(*memory);
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
