//===- BackendGate.h - Skip passes of the backend ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_BACKENDGATE_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_BACKENDGATE_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/OptBisect.h"

namespace llvm {
class Module;
} // namespace llvm

namespace aircc::amdgpu {

/// During its lifetime, the backend's straight-line strength reduction and
/// n-ary reassociation are skipped in functions of the module that have very
/// many integer sums and products, and LoadStoreVectorizer in those on which
/// VectorizeLongBlocksPass has run it. Other passes, and LLVM's options that
/// skip passes, are unaffected.
class BackendGate : public llvm::OptPassGate {
public:
  explicit BackendGate(llvm::Module &module);
  ~BackendGate() override;
  BackendGate(const BackendGate &) = delete;
  BackendGate &operator=(const BackendGate &) = delete;

  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef ir) const override;
  bool isEnabled() const override;

private:
  llvm::Module &module;
  llvm::OptPassGate &previous;
  /// The names, in the form in which LLVM passes them to gates.
  llvm::StringSet<> longFunctions, vectorizedFunctions;
};

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_BACKENDGATE_H
