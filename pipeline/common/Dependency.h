//===- Dependency.h - Errors about missing dependencies ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The driver exits with a separate code if the input is valid but a dependency
// of aircc is missing (device libraries, a linker). A pass reports such an
// error at the op that needs the dependency and marks the diagnostic; a
// diagnostic handler checks for the mark. Code without an op returns a
// MissingDependencyError.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_DEPENDENCY_H
#define AIRCC_PIPELINE_COMMON_DEPENDENCY_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aircc {

/// The mark in a diagnostic's metadata.
inline constexpr llvm::StringLiteral kMissingDependencyMark =
    "aircc.missing_dependency";

/// Marks `diag` as an error about a missing dependency.
inline mlir::InFlightDiagnostic
markMissingDependency(mlir::InFlightDiagnostic diag) {
  if (mlir::Diagnostic *underlying = diag.getUnderlyingDiagnostic())
    underlying->getMetadata().push_back(
        mlir::DiagnosticArgument(llvm::StringRef(kMissingDependencyMark)));
  return diag;
}

/// Returns whether `diag` was marked by markMissingDependency.
inline bool isMissingDependency(mlir::Diagnostic &diag) {
  for (mlir::DiagnosticArgument &arg : diag.getMetadata())
    if (arg.getKind() ==
            mlir::DiagnosticArgument::DiagnosticArgumentKind::String &&
        arg.getAsString() == kMissingDependencyMark)
      return true;
  return false;
}

/// The counterpart for code that reports errors as llvm::Error. The message
/// names the dependency and the directories that were searched.
class MissingDependencyError : public llvm::ErrorInfo<MissingDependencyError> {
public:
  static char ID;

  explicit MissingDependencyError(std::string message)
      : message(std::move(message)) {}

  llvm::StringRef text() const { return message; }

  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }

private:
  std::string message;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_DEPENDENCY_H
