//===- FatalErrors.h - Fatal errors of LLVM's backends ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LLVM's backends terminate the process if they cannot select an instruction.
// For an intrinsic that the chip lacks, this is an error in the program, but
// there is no way to determine in advance which chip supports which intrinsics.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_FATALERRORS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aircc {

/// The backend has no instruction for an intrinsic.
class MissingIntrinsic : public llvm::ErrorInfo<MissingIntrinsic> {
public:
  static char ID;
  MissingIntrinsic(std::string intrinsic, std::string processor)
      : intrinsic(std::move(intrinsic)), processor(std::move(processor)) {}

  /// Returns, for example, "llvm.amdgcn.prng.b32", without the types of an
  /// overloaded intrinsic.
  const std::string &getIntrinsic() const { return intrinsic; }

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string intrinsic, processor;
};

/// Runs `work`. After an error, its objects may be unusable and must not be
/// destroyed. A fatal error about an intrinsic of `processor` is returned as
/// MissingIntrinsic; all other errors, and crashes, are raised again.
llvm::Error runBackend(llvm::StringRef processor,
                       llvm::function_ref<void()> work);

/// Must be called by the handler of fatal errors before it leaves the backend.
void noteFatalError(const char *reason);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_FATALERRORS_H
