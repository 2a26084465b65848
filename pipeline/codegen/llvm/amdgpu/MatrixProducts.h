//===- MatrixProducts.h - Matrix instructions in LLVM IR --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MATRIXPRODUCTS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MATRIXPRODUCTS_H

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/IntrinsicInst.h"

namespace aircc::amdgpu {

/// The number of matrix instructions in a block for which its order is worth
/// the effort.
inline constexpr unsigned kManyProducts = 16;

/// Whether `inst` multiplies matrices.
inline bool isMatrixProduct(const llvm::Instruction &inst) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  if (!call)
    return false;
  llvm::StringRef name = llvm::Intrinsic::getBaseName(call->getIntrinsicID());
  return name.starts_with("llvm.amdgcn.mfma") ||
         name.starts_with("llvm.amdgcn.wmma");
}

inline bool hasManyProducts(const llvm::BasicBlock &block) {
  return llvm::count_if(block, isMatrixProduct) >= kManyProducts;
}

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_MATRIXPRODUCTS_H
