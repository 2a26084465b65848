//===- ExpandAtomics.cpp - Expand atomics before LDS has addresses --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): the backend expands atomics for which the chip has no
// instruction only after it has assigned LDS addresses. It then knows that a
// 16-bit value is in the lower half of its dword, and the IR builder folds the
// shift of the value that each iteration of the compare-and-swap loop has read
// into the value read before the loop. Symptom: the new value is computed once,
// from the first read, so an update by another lane is lost:
//
//   @lds = internal addrspace(3) global half poison
//   atomicrmw fadd ptr addrspace(3) @lds, half %x syncscope("agent") monotonic
//
// Workaround: run LLVM's own expansion earlier, when the address is unknown.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/CodeGen/AtomicExpand.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

PreservedAnalyses
aircc::amdgpu::ExpandAtomicsPass::run(Function &function,
                                      FunctionAnalysisManager &analyses) {
  bool hasAtomics = any_of(instructions(function), [](const Instruction &inst) {
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(inst);
  });
  if (!hasAtomics)
    return PreservedAnalyses::all();
  if (!machine) {
    function.getContext().emitError(
        "aircc-amdgpu-expand-atomics requires a target");
    return PreservedAnalyses::all();
  }
  return AtomicExpandPass(*machine).run(function, analyses);
}
