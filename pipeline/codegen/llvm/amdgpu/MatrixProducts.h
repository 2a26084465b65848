//===- MatrixProducts.h - Matrix instructions in LLVM IR --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MATRIXPRODUCTS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MATRIXPRODUCTS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/IntrinsicInst.h"

namespace aircc::amdgpu {

/// The number of matrix instructions in a block from which its order is worth
/// the effort.
inline constexpr unsigned kManyProducts = 16;

/// The attribute of functions that accumulate in AGPRs: the number of AGPRs.
inline constexpr llvm::StringLiteral kReservedAGPRs = "amdgpu-agpr-alloc";

/// Returns whether `inst` is one of the intrinsics whose names begin with
/// `prefix`.
inline bool isIntrinsic(const llvm::Instruction &inst, llvm::StringRef prefix) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  return call && llvm::Intrinsic::getBaseName(call->getIntrinsicID())
                     .starts_with(prefix);
}

inline bool isMFMA(const llvm::Instruction &inst) {
  return isIntrinsic(inst, "llvm.amdgcn.mfma");
}

/// Returns whether `inst` multiplies matrices, by MFMA or WMMA.
inline bool isMatrixProduct(const llvm::Instruction &inst) {
  return isMFMA(inst) || isIntrinsic(inst, "llvm.amdgcn.wmma");
}

/// Returns whether `inst` multiplies matrices by scales that the program
/// computes.
inline bool hasLoadedScales(const llvm::Instruction &inst) {
  return isIntrinsic(inst, "llvm.amdgcn.mfma.scale") &&
         !llvm::isa<llvm::Constant>(
             llvm::cast<llvm::CallBase>(inst).getArgOperand(6));
}

/// Returns whether `inst` loads from global memory directly to LDS.
inline bool isMoveToLDS(const llvm::Instruction &inst) {
  return isIntrinsic(inst, "llvm.amdgcn.load.to.lds") ||
         isIntrinsic(inst, "llvm.amdgcn.raw.ptr.buffer.load.lds");
}

/// Returns whether `inst` reads and transposes a block of a matrix in LDS.
inline bool isTransposingRead(const llvm::Instruction &inst) {
  return isIntrinsic(inst, "llvm.amdgcn.ds.read.tr");
}

inline bool hasManyProducts(const llvm::BasicBlock &block) {
  return llvm::count_if(block, isMatrixProduct) >= kManyProducts;
}

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MATRIXPRODUCTS_H
