//===- SkipStrengthReduction.h - Skip a pass in long functions --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_SKIPSTRENGTHREDUCTION_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_SKIPSTRENGTHREDUCTION_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/OptBisect.h"

namespace llvm {
class Module;
} // namespace llvm

namespace aircc::amdgpu {

/// During its lifetime, the backend's straight-line strength reduction and
/// n-ary reassociation are skipped in functions of the module that have very
/// many integer sums and products. Other passes, and LLVM's options that skip
/// passes, are unaffected.
class StrengthReductionGate : public llvm::OptPassGate {
public:
  explicit StrengthReductionGate(llvm::Module &module);
  ~StrengthReductionGate() override;
  StrengthReductionGate(const StrengthReductionGate &) = delete;
  StrengthReductionGate &operator=(const StrengthReductionGate &) = delete;

  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef ir) const override;
  bool isEnabled() const override;

private:
  llvm::Module &module;
  llvm::OptPassGate &previous;
  /// The names, in the form in which LLVM passes them to gates.
  llvm::StringSet<> longFunctions;
};

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_SKIPSTRENGTHREDUCTION_H
