//===- SkipAllocaPromotion.cpp - Skip a pass that uses deleted loads ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The part of the workaround in FreezeStoredLoads.cpp that concerns the
// optimizer. It is a filter rather than a pass, because a frozen load would
// prevent other passes from simplifying the copy.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/StoredLoads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

void aircc::amdgpu::skipAllocaPromotion(
    PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any ir) {
    auto *function = any_cast<const Function *>(&ir);
    return !function || !pass.starts_with("AMDGPUPromoteAlloca") ||
           none_of(instructions(**function), isStoredLoad);
  });
}
