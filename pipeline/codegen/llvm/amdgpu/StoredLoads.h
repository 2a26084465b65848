//===- StoredLoads.h - Copies within private arrays -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_STOREDLOADS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_STOREDLOADS_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace aircc::amdgpu {

/// Returns true for a store of a value that was loaded from the same private
/// array.
bool isStoredLoad(const llvm::Instruction &inst);

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_STOREDLOADS_H
