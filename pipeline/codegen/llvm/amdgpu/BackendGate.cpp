//===- BackendGate.cpp - Skip passes of the backend -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): the run times of StraightLineStrengthReduce and
// NaryReassociate, which the AMDGPU backend runs on IR, are at least quadratic
// in the number of integer sums and products of a function, because they query
// ScalarEvolution about each. Symptom: a function with 2,000 of them takes 9
// seconds to compile, 8.5 of them in StraightLineStrengthReduce. For 10,000 of
// them NaryReassociate takes 0.8 seconds.
//
// Workaround: the passes are skipped in such functions. They belong to the
// legacy pipeline of the backend, so they can be skipped through the
// OptPassGate of the context.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/BackendGate.h"

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// The number of integer sums and products from which the passes are skipped.
/// At this number, StraightLineStrengthReduce takes a quarter of a second.
static constexpr unsigned kMany = 384;

static bool isSumOrProduct(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return true;
  default:
    return false;
  }
}

BackendGate::BackendGate(Module &module)
    : module(module), previous(module.getContext().getOptPassGate()) {
  for (const Function &function : module) {
    std::string name = ("function (" + function.getName() + ")").str();
    if (count_if(instructions(function), isSumOrProduct) >=
        static_cast<int>(kMany))
      longFunctions.insert(name);
    if (function.hasFnAttribute(kVectorizedAttr))
      vectorizedFunctions.insert(name);
  }
  if (!longFunctions.empty() || !vectorizedFunctions.empty())
    module.getContext().setOptPassGate(*this);
}

BackendGate::~BackendGate() {
  if (!longFunctions.empty() || !vectorizedFunctions.empty())
    module.getContext().setOptPassGate(previous);
}

bool BackendGate::isEnabled() const { return true; }

bool BackendGate::shouldRunPass(StringRef pass, StringRef ir) const {
  bool isSlow = pass == "slsr" || pass == "nary-reassociate";
  if (isSlow && longFunctions.contains(ir))
    return false;
  if (pass == "load-store-vectorizer" && vectorizedFunctions.contains(ir))
    return false;
  return !previous.isEnabled() || previous.shouldRunPass(pass, ir);
}
