//===- MachinePasses.h - Passes that run in the AMDGPU backend --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The backend still runs its passes by the legacy pass manager, and lets others
// insert passes of their own. Each is described by a constant, which says where
// it runs.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MACHINE_MACHINEPASSES_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MACHINE_MACHINEPASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Pass.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace aircc::amdgpu {

struct MachinePass {
  llvm::StringLiteral name, summary;
  /// The address that identifies the class of the pass.
  char *id;
  llvm::Pass *(*create)();
  /// The pass of the backend that it runs right after. Null: it does not run.
  llvm::AnalysisID (*getPrevious)(const llvm::TargetMachine &machine);
};

/// Describes the pass of class `Pass`, which has an `ID`.
template <typename Pass>
constexpr MachinePass describeMachinePass(
    llvm::StringLiteral name, llvm::StringLiteral summary,
    llvm::AnalysisID (*getPrevious)(const llvm::TargetMachine &machine)) {
  return {name, summary, &Pass::ID, []() -> llvm::Pass * { return new Pass; },
          getPrevious};
}

extern const MachinePass kFillMatrixWaits, kFillStoreWaits, kKeepAccumulators,
    kKeepLoopWaits, kKeepPhisInAGPRs, kLimitScheduling, kSplitDualIssue;

/// All of them. Passes after the same pass of the backend run in this order.
llvm::ArrayRef<const MachinePass *> getMachinePasses();

/// Makes the AMDGPU backend run the passes from now on. Call once per process,
/// after the backend was initialized.
void addMachinePasses();

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MACHINE_MACHINEPASSES_H
