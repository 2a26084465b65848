//===- KeepWideLoads.cpp - Keep loads of bytes wide -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect: VectorCombine replaces a load of a vector of bytes, whose bytes are
// shuffled, with loads of single bytes. Symptom: a matmul that transposes tiles
// of 8-bit numbers reads them with 12 global_load_ubyte and 24
// global_load_ushort instead of 4 global_load_dwordx4.
//
// Workaround: in functions with many matrix instructions, loads from global
// memory become loads of dwords, which are frozen, so that their bytes are
// selected from registers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

/// Addresses of global memory are generic before the optimizer.
static bool mayBeGlobal(unsigned space) {
  return space == AMDGPUAS::GLOBAL_ADDRESS || space == AMDGPUAS::FLAT_ADDRESS;
}

/// Returns the number of dwords that `inst` loads as bytes from global memory,
/// or 0.
static unsigned getDwordsOfBytes(const Instruction &inst) {
  auto *load = dyn_cast<LoadInst>(&inst);
  auto *type = load ? dyn_cast<FixedVectorType>(load->getType()) : nullptr;
  if (!type || !load->isSimple() || !type->getElementType()->isIntegerTy(8) ||
      !mayBeGlobal(load->getPointerAddressSpace()))
    return 0;
  return type->getNumElements() % 4 ? 0 : type->getNumElements() / 4;
}

PreservedAnalyses
aircc::amdgpu::KeepWideLoadsPass::run(Function &function,
                                      FunctionAnalysisManager &) {
  if (none_of(function, hasManyProducts))
    return PreservedAnalyses::all();
  bool changed = false;
  for (BasicBlock &block : function) {
    for (Instruction &inst : make_early_inc_range(block)) {
      unsigned dwords = getDwordsOfBytes(inst);
      if (!dwords)
        continue;
      auto &load = cast<LoadInst>(inst);
      IRBuilder<> b(&load);
      LoadInst *wide =
          b.CreateAlignedLoad(FixedVectorType::get(b.getInt32Ty(), dwords),
                              load.getPointerOperand(), load.getAlign());
      wide->copyMetadata(load,
                         {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                          LLVMContext::MD_nontemporal});
      load.replaceAllUsesWith(
          b.CreateBitCast(b.CreateFreeze(wide), load.getType()));
      load.eraseFromParent();
      changed = true;
    }
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
