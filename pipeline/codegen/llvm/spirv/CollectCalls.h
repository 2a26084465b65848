//===- CollectCalls.h - Calls of intrinsics ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_COLLECTCALLS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_COLLECTCALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace aircc::spirv {

/// Returns the calls to the intrinsics for which `isWanted` returns true.
template <typename Predicate>
llvm::SmallVector<llvm::IntrinsicInst *> collectCalls(llvm::Function &function,
                                                      Predicate isWanted) {
  llvm::SmallVector<llvm::IntrinsicInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && isWanted(call->getIntrinsicID()))
      calls.push_back(call);
  return calls;
}

} // namespace aircc::spirv

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_COLLECTCALLS_H
