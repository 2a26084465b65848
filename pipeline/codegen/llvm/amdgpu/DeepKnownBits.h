//===- DeepKnownBits.h - Known bits of deep expressions ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_DEEPKNOWNBITS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_DEEPKNOWNBITS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"
#include "llvm/Support/KnownBits.h"

namespace aircc::amdgpu {

/// Computes known bits of integers. Addresses in unrolled loops are expressions
/// of a few dozen operations, but llvm::computeKnownBits gives up after a few.
class DeepKnownBits {
public:
  explicit DeepKnownBits(const llvm::DataLayout &layout) : query(layout) {}
  llvm::KnownBits get(const llvm::Value *value) { return get(value, 0); }

private:
  llvm::KnownBits get(const llvm::Value *value, unsigned depth);
  llvm::KnownBits compute(const llvm::Value *value, unsigned depth);

  llvm::SimplifyQuery query;
  llvm::DenseMap<const llvm::Value *, llvm::KnownBits> bits;
};

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_DEEPKNOWNBITS_H
