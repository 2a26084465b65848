//===- KeepAccumulators.cpp - Accumulate in place -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Not a workaround: an MFMA of few passes may write registers other than those
// of its accumulator, and the backend leaves the choice to the register
// allocator, which does not know the surrounding loop: accumulators move from
// instruction to instruction, and copies at the end of the loop move them back.
//
// This machine pass hints that the result and the accumulator get the same
// registers. It runs right before register allocation, when both may already be
// one register. Tying them, as the backend does for an MFMA of many passes,
// makes the allocator spill in loops that need nearly all registers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace aircc::amdgpu;

namespace {

/// The operands of MFMA: the result, the factors and the accumulator.
constexpr unsigned kResult = 0, kAccumulator = 3;

bool isVirtualRegister(const MachineOperand &operand) {
  return operand.isReg() && operand.getReg().isVirtual();
}

class KeepAccumulators : public MachineFunctionPass {
public:
  static char ID;
  KeepAccumulators() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    MachineRegisterInfo &registers = function.getRegInfo();
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block) {
        if (!info.getName(inst.getOpcode()).starts_with("V_MFMA_") ||
            inst.getNumExplicitOperands() <= kAccumulator)
          continue;
        const MachineOperand &result = inst.getOperand(kResult),
                             &sum = inst.getOperand(kAccumulator);
        if (!isVirtualRegister(result) || !isVirtualRegister(sum) ||
            result.getReg() == sum.getReg())
          continue;
        registers.addRegAllocationHint(result.getReg(), sum.getReg());
        registers.addRegAllocationHint(sum.getReg(), result.getReg());
      }
    return false;
  }
};

char KeepAccumulators::ID = 0;

} // namespace

const MachinePass aircc::amdgpu::kKeepAccumulators =
    describeMachinePass<KeepAccumulators>(
        "aircc-amdgpu-keep-accumulators", "Accumulate in place",
        [](const TargetMachine &machine) -> AnalysisID {
          return machine.getOptLevel() == CodeGenOptLevel::None
                     ? nullptr
                     : &MachineSchedulerID;
        });
