//===- KeepPhisInAGPRs.cpp - Accumulators that stay in AGPRs --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the backend divides phis of vectors into phis of their
// elements, which get VGPRs even if the vectors are accumulators in AGPRs.
// Symptom: in each iteration of a loop, all accumulators move from AGPRs to
// VGPRs and back, many of them through memory.
//
// Workaround: values that are only copied from and to AGPRs, or constants that
// are, get AGPRs. This runs before copies are coalesced.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
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

class KeepPhisInAGPRs : public MachineFunctionPass {
public:
  static char ID;
  KeepPhisInAGPRs() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override;

private:
  StringRef getClass(Register reg) const {
    return registers->getRegClassName(info->getRegClass(reg));
  }
  bool isAccumulator(const MachineOperand &operand) const {
    return operand.isReg() && operand.getReg().isVirtual() &&
           getClass(operand.getReg()).starts_with("A") &&
           !getClass(operand.getReg()).starts_with("AV_");
  }
  /// Returns the AGPR class for values of a register that may be in VGPRs.
  /// Returns null if there is none, or if they already are in AGPRs.
  const TargetRegisterClass *getAGPRs(Register reg) const;
  void collect(Register reg);

  const TargetInstrInfo *instructions = nullptr;
  const TargetRegisterInfo *registers = nullptr;
  MachineRegisterInfo *info = nullptr;
  StringMap<const TargetRegisterClass *> classes;
  /// Registers that are copied to each other; those that are copied from or to
  /// AGPRs; and those that are used in another way.
  EquivalenceClasses<Register> copies;
  DenseSet<Register> copied, used;
};

const TargetRegisterClass *KeepPhisInAGPRs::getAGPRs(Register reg) const {
  StringRef size = getClass(reg);
  if (size.consume_front("VGPR_") || size == "AV_32")
    return size.ends_with("32") ? classes.lookup("AGPR_32") : nullptr;
  if (!size.consume_front("VReg_") && !size.consume_front("AV_"))
    return nullptr;
  return classes.lookup(("AReg_" + size).str());
}

/// Finds the registers that a register is copied from and to.
void KeepPhisInAGPRs::collect(Register reg) {
  copies.insert(reg);
  for (const MachineOperand &operand : info->reg_nodbg_operands(reg)) {
    const MachineInstr &inst = *operand.getParent();
    if (inst.isCopy() && !operand.getSubReg()) {
      const MachineOperand &other = inst.getOperand(operand.isDef() ? 1 : 0);
      if (isAccumulator(other)) {
        copied.insert(reg);
        continue;
      }
      if (other.getReg().isVirtual() && !other.getSubReg() &&
          getAGPRs(other.getReg()) == getAGPRs(reg)) {
        copies.unionSets(reg, other.getReg());
        continue;
      }
    }
    bool isConstant =
        inst.isImplicitDef() ||
        instructions->getName(inst.getOpcode()).starts_with("AV_MOV_");
    if (!isConstant || !operand.isDef() || operand.getSubReg())
      used.insert(reg);
  }
}

bool KeepPhisInAGPRs::runOnMachineFunction(MachineFunction &function) {
  // Without reserved AGPRs, nothing accumulates there yet.
  if (function.getFunction().getFnAttributeAsParsedInteger(kReservedAGPRs) == 0)
    return false;
  instructions = function.getSubtarget().getInstrInfo();
  registers = function.getSubtarget().getRegisterInfo();
  info = &function.getRegInfo();
  copies = {};
  copied.clear();
  used.clear();
  if (classes.empty())
    for (const TargetRegisterClass *cls : registers->regclasses())
      classes[registers->getRegClassName(cls)] = cls;
  for (unsigned i = 0, end = info->getNumVirtRegs(); i != end; ++i) {
    Register reg = Register::index2VirtReg(i);
    if (!info->reg_nodbg_empty(reg) && info->getRegClassOrNull(reg) &&
        getAGPRs(reg))
      collect(reg);
  }
  bool changed = false;
  for (const auto *leader : copies) {
    if (!leader->isLeader())
      continue;
    auto members = copies.members(*leader);
    auto isIn = [](const DenseSet<Register> &set) {
      return [&](Register reg) { return set.contains(reg); };
    };
    if (any_of(members, isIn(used)) || none_of(members, isIn(copied)))
      continue;
    for (Register reg : members)
      info->setRegClass(reg, getAGPRs(reg));
    changed = true;
  }
  return changed;
}

char KeepPhisInAGPRs::ID = 0;

} // namespace

const MachinePass aircc::amdgpu::kKeepPhisInAGPRs =
    describeMachinePass<KeepPhisInAGPRs>(
        "aircc-amdgpu-keep-phis-in-agprs",
        "Keep accumulators in AGPRs across iterations",
        [](const TargetMachine &machine) -> AnalysisID {
          return machine.getOptLevel() == CodeGenOptLevel::None
                     ? nullptr
                     : &TwoAddressInstructionPassID;
        });
