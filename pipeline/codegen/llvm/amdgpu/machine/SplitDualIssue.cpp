//===- SplitDualIssue.cpp - Dual issue that gfx11 executes correctly ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8, fixed by llvm/llvm-project#220348): if both halves of a
// dual-issue instruction read, as the same operand, registers of which both are
// even or both odd, gfx11 may read one of them before the instruction that
// computes it has written it. LLVM only excludes registers of the same bank,
// whose numbers are equal modulo 4. Symptom: a wrong v2 in
//
//     v_dual_mul_f32 v4, v0, v1 :: v_dual_add_f32 v5, v2, v3
//
// Workaround: this machine pass puts a mark between two instructions that would
// become such an instruction. The mark emits nothing. The pass runs right
// before the backend forms dual-issue instructions.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/machine/MachineOpcodes.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>

using namespace llvm;
using namespace aircc::amdgpu;

namespace {

/// The operands of instructions that may be halves: the result and up to two
/// factors. The third factor of a fused product is the result.
constexpr unsigned kFirstFactor = 1, kLastFactor = 2;

class SplitDualIssue : public MachineFunctionPass {
public:
  static char ID;
  SplitDualIssue() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetSubtargetInfo &subtarget = function.getSubtarget();
    if (!subtarget.checkFeatures("+gfx11-insts,-gfx12-insts"))
      return false;
    const TargetInstrInfo &info = *subtarget.getInstrInfo();
    registers = subtarget.getRegisterInfo();
    SmallVector<MachineInstr *> seconds;
    for (MachineBasicBlock &block : function) {
      MachineInstr *first = nullptr;
      for (MachineInstr &inst : block) {
        if (inst.isDebugInstr())
          continue;
        if (first && readsOneParity(*first, inst))
          seconds.push_back(&inst);
        first = &inst;
      }
    }
    for (MachineInstr *second : seconds)
      BuildMI(*second->getParent(), second, DebugLoc(), info.get(getMark(info)))
          .addImm(0);
    return !seconds.empty();
  }

private:
  /// Returns the vector register that is operand `number`.
  std::optional<unsigned> getVectorRegister(const MachineInstr &inst,
                                            unsigned number) {
    if (number >= inst.getNumExplicitOperands())
      return std::nullopt;
    const MachineOperand &operand = inst.getOperand(number);
    if (!operand.isReg() || !operand.getReg())
      return std::nullopt;
    StringRef name = registers->getName(operand.getReg());
    unsigned result = 0;
    if (!name.consume_front("VGPR") || name.getAsInteger(10, result))
      return std::nullopt;
    return result;
  }

  bool readsOneParity(const MachineInstr &first, const MachineInstr &second) {
    for (unsigned number = kFirstFactor; number <= kLastFactor; ++number) {
      std::optional<unsigned> a = getVectorRegister(first, number),
                              b = getVectorRegister(second, number);
      if (a && b && *a != *b && *a % 2 == *b % 2)
        return true;
    }
    return false;
  }

  unsigned getMark(const TargetInstrInfo &info) {
    return mark ? mark : mark = findOpcode(info, "SCHED_BARRIER");
  }

  const TargetRegisterInfo *registers = nullptr;
  unsigned mark = 0;
};

char SplitDualIssue::ID = 0;

} // namespace

const MachinePass aircc::amdgpu::kSplitDualIssue =
    describeMachinePass<SplitDualIssue>(
        "aircc-amdgpu-split-dual-issue",
        "Split dual issue of registers of one parity (gfx11)",
        [](const TargetMachine &) -> AnalysisID {
          // This is the last pass before those of the target.
          return &XRayInstrumentationID;
        });
