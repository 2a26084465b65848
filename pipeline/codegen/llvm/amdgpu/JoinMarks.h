//===- JoinMarks.h - Marks of reconvergence ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_JOINMARKS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_JOINMARKS_H

#include "llvm/Support/ModRef.h"

namespace aircc::amdgpu {

/// A mark is an llvm.amdgcn.wave.barrier with these effects, which distinguish
/// it from those of the program. Loads and stores may move past it.
inline llvm::MemoryEffects getJoinMarkEffects() {
  return llvm::MemoryEffects::inaccessibleMemOnly();
}

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_JOINMARKS_H
