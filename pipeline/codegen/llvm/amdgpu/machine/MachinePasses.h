//===- MachinePasses.h - Passes that run in the AMDGPU backend --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The backend still runs its passes with the legacy pass manager, which lets
// clients insert passes of their own. A constant describes each pass and says
// where it runs.
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
  /// Returns the backend pass right after which it runs, or null if it does not
  /// run.
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

/// Returns all passes. Passes that follow the same backend pass run in this
/// order.
llvm::ArrayRef<const MachinePass *> getMachinePasses();

/// Makes the AMDGPU backend run the passes from now on. Must be called once per
/// process, after the backend has been initialized.
void addMachinePasses();

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MACHINE_MACHINEPASSES_H
