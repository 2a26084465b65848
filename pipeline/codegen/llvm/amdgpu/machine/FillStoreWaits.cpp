//===- FillStoreWaits.cpp - A wait state after wide buffer stores ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8, fixed by llvm/llvm-project#197267): on gfx942 and
// gfx950, a buffer store of more than 64 bits reads its data late, even if its
// scalar offset is a register. The hazard recognizer knows this only for
// constant offsets. Symptom: the store writes v1 of the second instruction for
//
//     buffer_store_dwordx4 v[0:3], v4, s[0:3], s4 offen
//     v_mov_b32_e32 v1, 0
//
// Workaround: this machine pass adds an s_nop between the two. It runs right
// after the hazard recognizer.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/machine/MachineOpcodes.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/ADT/STLExtras.h"
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

/// Stores of more bits read their data late.
constexpr unsigned kNarrowBits = 64;
/// The size of a buffer descriptor.
constexpr unsigned kDescriptorBits = 128;

class FillStoreWaits : public MachineFunctionPass {
public:
  static char ID;
  FillStoreWaits() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetSubtargetInfo &subtarget = function.getSubtarget();
    if (!subtarget.checkFeatures("+gfx940-insts"))
      return false;
    info = subtarget.getInstrInfo();
    registers = subtarget.getRegisterInfo();
    SmallVector<MachineInstr *> stores;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &inst : block)
        if (Register data = getLateData(inst);
            data && isOverwritten(data, inst))
          stores.push_back(&inst);
    for (MachineInstr *store : stores)
      BuildMI(*store->getParent(), std::next(store->getIterator()),
              store->getDebugLoc(), info->get(getNop()))
          .addImm(0);
    return !stores.empty();
  }

private:
  unsigned getSize(Register reg) {
    return registers->getRegSizeInBits(*registers->getMinimalPhysRegClass(reg));
  }
  bool isScalar(Register reg) {
    return StringRef(registers->getName(reg)).starts_with("SGPR");
  }

  /// The data of a wide buffer store with a register as its scalar offset; none
  /// for other instructions.
  Register getLateData(const MachineInstr &inst) {
    StringRef name = info->getName(inst.getOpcode());
    if (!name.starts_with("BUFFER_STORE_") &&
        !name.starts_with("BUFFER_ATOMIC_") &&
        !name.starts_with("TBUFFER_STORE_"))
      return Register();
    // Data, vector offset, descriptor, scalar offset.
    auto isUse = [](const MachineOperand &operand) {
      return operand.isReg() && operand.isUse() && operand.getReg();
    };
    auto operands = inst.explicit_operands();
    const auto *data = find_if(operands, isUse);
    if (data == operands.end() || getSize(data->getReg()) <= kNarrowBits)
      return Register();
    const auto *descriptor =
        std::find_if(data, operands.end(), [&](const MachineOperand &operand) {
          return isUse(operand) && isScalar(operand.getReg()) &&
                 getSize(operand.getReg()) == kDescriptorBits;
        });
    if (descriptor == operands.end() || !isUse(*std::next(descriptor)))
      return Register();
    return data->getReg();
  }

  /// Whether the instruction after `store` may be a vector instruction that
  /// writes `data`.
  bool isOverwritten(Register data, const MachineInstr &store) {
    MachineBasicBlock::const_iterator next = std::next(store.getIterator()),
                                      end = store.getParent()->end();
    while (next != end && next->isMetaInstruction())
      ++next;
    // A store is rarely the last instruction of a block, so the next blocks are
    // not searched.
    if (next == end)
      return true;
    return info->getName(next->getOpcode()).starts_with("V_") &&
           next->modifiesRegister(data, registers);
  }

  unsigned getNop() { return nop ? nop : nop = findOpcode(*info, "S_NOP"); }

  const TargetInstrInfo *info = nullptr;
  const TargetRegisterInfo *registers = nullptr;
  unsigned nop = 0;
};

char FillStoreWaits::ID = 0;

} // namespace

const MachinePass aircc::amdgpu::kFillStoreWaits =
    describeMachinePass<FillStoreWaits>(
        "aircc-amdgpu-fill-store-waits",
        "Fill the wait state after wide buffer stores (gfx942, gfx950)",
        [](const TargetMachine &) -> AnalysisID {
          return &PostRAHazardRecognizerID;
        });
