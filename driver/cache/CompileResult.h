//===- CompileResult.h - What a compile of one input makes ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_CACHE_COMPILERESULT_H
#define AIRCC_DRIVER_CACHE_COMPILERESULT_H

#include "pipeline/common/CodeCache.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// A diagnostic that does not need an MLIR context.
struct RecordedDiagnostic {
  explicit RecordedDiagnostic(mlir::Diagnostic &diagnostic);
  /// Creates the diagnostic from a cache entry.
  explicit RecordedDiagnostic(CacheReader &reader);

  void write(CacheWriter &writer) const;
  void emit(mlir::MLIRContext &context) const;

private:
  void attachTo(mlir::Diagnostic &diagnostic) const;
  mlir::Location getLocation(mlir::MLIRContext &context) const;

  mlir::DiagnosticSeverity severity;
  std::string location; ///< In MLIR's syntax.
  std::string message;
  std::vector<RecordedDiagnostic> notes;
};

/// The device or host code that a successful compile of one input produces, as
/// the contents of a cache entry.
struct CompileResult {
  struct DeviceCode {
    uint64_t target; ///< The index of the target.
    std::string module;
    std::string bytes;
  };

  std::vector<DeviceCode> deviceCode;
  std::string hostCode;
  std::vector<RecordedDiagnostic> diagnostics;
  std::vector<std::string> deviceLibraries; ///< The files of device libraries.
  bool isTooLarge = false; ///< Whether the code is missing. Not stored in the
                           ///< cache.

  std::string encode() const;
  static std::optional<CompileResult> decode(llvm::StringRef entry);
};

} // namespace aircc

#endif // AIRCC_DRIVER_CACHE_COMPILERESULT_H
