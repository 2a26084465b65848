//===- MachinePasses.cpp - Passes that run in the AMDGPU backend ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace aircc::amdgpu;

ArrayRef<const MachinePass *> aircc::amdgpu::getMachinePasses() {
  static const MachinePass *const passes[] = {
      &kFillMatrixWaits, &kFillStoreWaits,  &kKeepAccumulators, &kKeepLoopWaits,
      &kKeepPhisInAGPRs, &kLimitScheduling, &kSplitDualIssue};
  return passes;
}

void aircc::amdgpu::addMachinePasses() {
  for (const MachinePass *pass : getMachinePasses())
    PassRegistry::getPassRegistry()->registerPass(
        *new PassInfo(pass->summary, pass->name, pass->id, pass->create,
                      /*isCFGOnly=*/false, /*is_analysis=*/false),
        /*ShouldFree=*/true);
  static RegisterTargetPassConfigCallback callback(
      [](TargetMachine &machine, PassManagerBase &, TargetPassConfig *config) {
        if (!machine.getTargetTriple().isAMDGCN())
          return;
        for (const MachinePass *pass : getMachinePasses())
          if (AnalysisID previous = pass->getPrevious(machine))
            config->insertPass(previous, pass->create());
      });
}
