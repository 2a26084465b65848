//===- CrowdedRegisters.h - Register allocation if many spill ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_CROWDEDREGISTERS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_CROWDEDREGISTERS_H

namespace llvm::legacy {
class PassManagerBase;
} // namespace llvm::legacy

namespace aircc {

/// Makes the greedy register allocator of `passes` decide fast in long
/// functions that have many more values than registers. Must be called before
/// the backend adds its passes. Allocation in other functions is unchanged.
void addCrowdedRegisterAdvisors(llvm::legacy::PassManagerBase &passes);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_CROWDEDREGISTERS_H
