//===- FillMatrixWaits.cpp - The last wait state of long MFMA -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): on gfx950, 20 wait states are needed between a 16-pass
// MFMA and an instruction that uses its result, one more than on gfx942. The
// hazard recognizer still searches only 19 for the MFMA. Symptom: it adds no
// wait state if exactly 19 are already there.
//
//     v_mfma_f32_32x32x64_f8f6f4 a[0:15], v[0:7], v[8:15], a[0:15]
//     ; 19 other instructions
//     v_accvgpr_read_b32 v16, a0      ; reads too early
//
// Workaround: this machine pass adds the missing s_nop. It runs right after the
// hazard recognizer. It does not distinguish passes: an MFMA with 16 result
// registers has at most 16.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/machine/MachineOpcodes.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace aircc::amdgpu;

namespace {

/// The wait states for which the hazard recognizer searches.
constexpr unsigned kSearched = 19;
/// The number of result bits of a 16-pass MFMA.
constexpr unsigned kResultBits = 512;
/// The operand of MFMA that holds the accumulator.
constexpr unsigned kAccumulator = 3;

class FillMatrixWaits : public MachineFunctionPass {
public:
  static char ID;
  FillMatrixWaits() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetSubtargetInfo &subtarget = function.getSubtarget();
    if (!subtarget.checkFeatures("+gfx950-insts"))
      return false;
    info = subtarget.getInstrInfo();
    registers = subtarget.getRegisterInfo();
    SmallSetVector<MachineInstr *, 4> late;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &inst : block)
        if (isLongProduct(inst))
          findUsers(inst, late);
    for (MachineInstr *user : late)
      BuildMI(*user->getParent(), user, user->getDebugLoc(),
              info->get(getNop()))
          .addImm(0);
    return !late.empty();
  }

private:
  bool isProduct(const MachineInstr &inst) {
    return info->getName(inst.getOpcode()).starts_with("V_MFMA_");
  }
  bool isLongProduct(const MachineInstr &inst) {
    if (!isProduct(inst))
      return false;
    Register result = inst.getOperand(0).getReg();
    return registers->getRegSizeInBits(
               *registers->getMinimalPhysRegClass(result)) >= kResultBits;
  }
  unsigned getWaitStates(const MachineInstr &inst) {
    if (inst.isMetaInstruction())
      return 0;
    return info->getName(inst.getOpcode()) == "S_NOP"
               ? inst.getOperand(0).getImm() + 1
               : 1;
  }
  /// Returns whether `inst` accesses `result` other than to accumulate further.
  bool uses(const MachineInstr &inst, Register result) {
    bool isOtherProduct = isProduct(inst);
    for (const MachineOperand &operand : inst.operands()) {
      if (!operand.isReg() || !operand.getReg() ||
          !registers->regsOverlap(operand.getReg(), result))
        continue;
      unsigned number = operand.getOperandNo();
      if (!isOtherProduct || (number != 0 && number != kAccumulator))
        return true;
    }
    return false;
  }

  void findUsers(MachineInstr &product,
                 SmallSetVector<MachineInstr *, 4> &late);

  unsigned getNop() { return nop ? nop : nop = findOpcode(*info, "S_NOP"); }

  const TargetInstrInfo *info = nullptr;
  const TargetRegisterInfo *registers = nullptr;
  unsigned nop = 0;
};

/// Collects the instructions exactly kSearched wait states later that use the
/// result, on all paths.
void FillMatrixWaits::findUsers(MachineInstr &product,
                                SmallSetVector<MachineInstr *, 4> &late) {
  Register result = product.getOperand(0).getReg();
  struct Path {
    MachineBasicBlock *block;
    MachineBasicBlock::iterator inst;
    unsigned states;
  };
  SmallVector<Path> paths = {
      {product.getParent(), std::next(product.getIterator()), 0}};
  SmallSet<std::pair<MachineBasicBlock *, unsigned>, 8> visited;
  while (!paths.empty()) {
    auto [block, inst, states] = paths.pop_back_val();
    for (; inst != block->end() && states < kSearched; ++inst)
      states += getWaitStates(*inst);
    while (inst != block->end() && inst->isMetaInstruction())
      ++inst;
    if (inst != block->end()) {
      if (states == kSearched && uses(*inst, result))
        late.insert(&*inst);
      continue;
    }
    for (MachineBasicBlock *next : block->successors())
      if (visited.insert({next, states}).second)
        paths.push_back({next, next->begin(), states});
  }
}

char FillMatrixWaits::ID = 0;

} // namespace

const MachinePass aircc::amdgpu::kFillMatrixWaits =
    describeMachinePass<FillMatrixWaits>(
        "aircc-amdgpu-fill-matrix-waits",
        "Fill the last wait state of long MFMA (gfx950)",
        [](const TargetMachine &) -> AnalysisID {
          return &PostRAHazardRecognizerID;
        });
