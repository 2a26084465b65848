//===- LimitScheduling.cpp - Schedule long blocks in windows --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the scheduler after register allocation compares all
// instructions that are ready at each step, and looks back for hazards for each
// of them. Symptom: for unrolled blocks of matrix instructions, which hardly
// depend on each other, this takes as long as the rest of the compilation.
//
// Workaround: this machine pass divides long blocks into windows with marks
// across which the scheduler moves nothing. ChooseSchedulers.cpp is the
// counterpart before register allocation.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/machine/MachineOpcodes.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace aircc::amdgpu;

namespace {

/// The number of instructions from which a block is scheduled in windows, and
/// the size of a window.
constexpr unsigned kLongBlock = 192, kWindow = 48;

/// Inserts marks across which the scheduler after register allocation moves
/// nothing.
class LimitScheduling : public MachineFunctionPass {
public:
  static char ID;
  LimitScheduling() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    bool changed = false;
    for (MachineBasicBlock &block : function) {
      if (block.size() < kLongBlock)
        continue;
      unsigned count = 0;
      for (auto inst = block.getFirstNonPHI(), end = block.getFirstTerminator();
           inst != end; ++inst) {
        if (inst->isDebugInstr() || ++count % kWindow)
          continue;
        BuildMI(block, inst, DebugLoc(), info.get(getBarrier(info))).addImm(0);
        changed = true;
      }
    }
    return changed;
  }

private:
  unsigned getBarrier(const TargetInstrInfo &info) {
    return barrier ? barrier : barrier = findOpcode(info, "SCHED_BARRIER");
  }

  unsigned barrier = 0;
};

char LimitScheduling::ID = 0;

} // namespace

const MachinePass aircc::amdgpu::kLimitScheduling =
    describeMachinePass<LimitScheduling>(
        "aircc-amdgpu-limit-scheduling", "Schedule long blocks in windows",
        [](const TargetMachine &machine) -> AnalysisID {
          return machine.getOptLevel() == CodeGenOptLevel::None
                     ? nullptr
                     : &PrologEpilogCodeInserterID;
        });
