//===- KeepLoopWaits.cpp - Keep waits of fences in loops ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8, fixed later by llvm/llvm-project#220357): the backend
// makes the waits that belong to a fence or an ordered atomic "soft", and
// SIInsertWaitcnts, which counts the accesses in flight, removes those with
// nothing to wait for. It decides that when it visits a block for the first
// time, before it knows which accesses are in flight along the back edge of a
// loop. When it visits the block again, the wait is gone. Symptom:
//
//     loop:
//       fence syncscope("workgroup") release     ; no wait for the store below
//       call void @llvm.amdgcn.s.barrier()
//       ...
//       store i32 %x, ptr addrspace(3) %p
//       br i1 %again, label %loop, label %end
//
// The same applies to code after a loop.
//
// Workaround: this machine pass replaces soft waits that may have to wait for
// accesses in a loop with waits that the backend keeps. It runs right after
// si-memory-legalizer, which creates the soft ones.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/machine/MachineOpcodes.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace aircc::amdgpu;

namespace {

/// The kinds of accesses that a wait may be for.
enum Access : unsigned {
  NoAccess = 0,
  Load = 1,  ///< From global memory or scratch.
  Store = 2, ///< To global memory or scratch.
  LDS = 4,
  Image = 8,
  AnyAccess = 15
};

/// Returns the accesses that the wait `name` counts; all of them if it is
/// unknown.
unsigned getAccessesOfWait(StringRef name) {
  return StringSwitch<unsigned>(name)
      .Cases({"S_WAITCNT_VSCNT_soft", "S_WAIT_STORECNT_soft"}, Store)
      .Case("S_WAIT_LOADCNT_soft", Load)
      .Case("S_WAIT_DSCNT_soft", LDS)
      .Cases({"S_WAIT_SAMPLECNT_soft", "S_WAIT_BVHCNT_soft"}, Image)
      .Default(AnyAccess);
}

unsigned getAccesses(const MachineInstr &inst, const TargetInstrInfo &info) {
  if (inst.isCall() || inst.isInlineAsm())
    return AnyAccess;
  if (!inst.mayLoadOrStore())
    return NoAccess;
  StringRef name = info.getName(inst.getOpcode());
  if (inst.memoperands_empty() && name.starts_with("S_"))
    return NoAccess; // Barriers and waits.
  if (inst.memoperands_empty() || name.starts_with("IMAGE_"))
    return AnyAccess;
  unsigned accesses = NoAccess;
  for (const MachineMemOperand *operand : inst.memoperands()) {
    unsigned space = operand->getAddrSpace();
    if (space == AMDGPUAS::LOCAL_ADDRESS || space == AMDGPUAS::FLAT_ADDRESS)
      accesses |= LDS;
    if (space == AMDGPUAS::LOCAL_ADDRESS)
      continue;
    accesses |= (operand->isLoad() ? Load : NoAccess) |
                (operand->isStore() ? Store : NoAccess);
  }
  return accesses;
}

class KeepLoopWaits : public MachineFunctionPass {
public:
  static char ID;
  KeepLoopWaits() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    // scc_begin returns successors first.
    SmallVector<std::pair<SmallVector<MachineBasicBlock *>, bool>> parts;
    for (auto part = scc_begin(&function); !part.isAtEnd(); ++part)
      parts.push_back(
          {SmallVector<MachineBasicBlock *>(part->begin(), part->end()),
           part.hasCycle()});
    // The accesses of the loops that lead to a block or contain it.
    DenseMap<const MachineBasicBlock *, unsigned> accessesOfLoops;
    bool changed = false;
    for (auto &[blocks, isLoop] : reverse(parts)) {
      unsigned accesses = NoAccess;
      for (MachineBasicBlock *block : blocks) {
        for (MachineBasicBlock *before : block->predecessors())
          accesses |= accessesOfLoops.lookup(before);
        if (isLoop)
          for (MachineInstr &inst : *block)
            accesses |= getAccesses(inst, info);
      }
      if (accesses == NoAccess)
        continue;
      for (MachineBasicBlock *block : blocks) {
        accessesOfLoops[block] = accesses;
        changed |= keepIn(*block, accesses, info);
      }
    }
    return changed;
  }

private:
  /// Replaces the soft waits of a block for `accesses` with waits that are
  /// kept.
  bool keepIn(MachineBasicBlock &block, unsigned accesses,
              const TargetInstrInfo &info) {
    SmallVector<const MachineInstr *> kept;
    for (MachineInstr &inst : block) {
      StringRef name = info.getName(inst.getOpcode());
      if (!name.starts_with("S_WAIT") || !name.ends_with("_soft") ||
          !(getAccessesOfWait(name) & accesses))
        continue;
      unsigned soft = inst.getOpcode();
      inst.setDesc(info.get(getKept(soft, info)));
      // A later wait of the same kind is for accesses in the block itself,
      // which the backend knows when it visits the block for the first time.
      if (any_of(kept, [&](const MachineInstr *before) {
            return before->isIdenticalTo(inst);
          }))
        inst.setDesc(info.get(soft));
      else
        kept.push_back(&inst);
    }
    return !kept.empty();
  }

  /// Returns the opcode of a soft wait without "_soft".
  unsigned getKept(unsigned soft, const TargetInstrInfo &info) {
    unsigned &kept = keptOpcodes[soft];
    if (!kept)
      kept = findOpcode(info, info.getName(soft).drop_back(strlen("_soft")));
    return kept;
  }

  DenseMap<unsigned, unsigned> keptOpcodes;
};

char KeepLoopWaits::ID = 0;

} // namespace

const MachinePass aircc::amdgpu::kKeepLoopWaits =
    describeMachinePass<KeepLoopWaits>(
        "aircc-amdgpu-keep-loop-waits",
        "Keep waits of fences in and after loops",
        [](const TargetMachine &machine) -> AnalysisID {
          // Without optimization, every wait is kept.
          if (machine.getOptLevel() == CodeGenOptLevel::None)
            return nullptr;
          const PassInfo *makesWaits =
              PassRegistry::getPassRegistry()->getPassInfo(
                  StringRef("si-memory-legalizer"));
          if (!makesWaits)
            reportFatalInternalError("the backend has no si-memory-legalizer");
          return makesWaits->getTypeInfo();
        });
