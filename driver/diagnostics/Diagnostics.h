//===- Diagnostics.h - Error reporting --------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// All diagnostics about aircc's input are printed to standard error here,
// either as text (`file:line:col: error: …` with the source line and notes) or
// as JSON, one object per line (docs/command-line.md describes the format).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_DIAGNOSTICS_DIAGNOSTICS_H
#define AIRCC_DRIVER_DIAGNOSTICS_DIAGNOSTICS_H

#include "driver/diagnostics/Failure.h"
#include "targets/ProfileLoader.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace aircc {

struct RecordedDiagnostic;

enum class DiagnosticsFormat { Text, JSON };

class Diagnostics {
public:
  explicit Diagnostics(DiagnosticsFormat format) : format(format) {}

  void setFormat(DiagnosticsFormat f) { format = f; }

  /// Called before any output to erase the progress line.
  std::function<void()> beforeOutput;

  /// Reports an error without a location: "aircc: error: …".
  void error(const llvm::Twine &message,
             llvm::ArrayRef<std::string> notes = {});
  void warning(const llvm::Twine &message);
  void error(const ProfileError &error);

  /// Reports `error` and returns its exit code.
  ExitCode report(llvm::Error error);

  /// Collects the diagnostics of one MLIR context while it exists.
  class Scope {
  public:
    Scope(Diagnostics &diagnostics, mlir::MLIRContext &context,
          llvm::SourceMgr &sources);
    ~Scope();

    unsigned getErrorCount() const { return errors; }
    /// Returns whether a diagnostic was about a missing external dependency.
    bool isDependencyMissing() const { return dependencyMissing; }
    /// Appends all further diagnostics to `list` as well.
    void record(std::vector<RecordedDiagnostic> &list) { recorded = &list; }
    /// Returns the exit code for a failure in this scope.
    ExitCode getExitCode() const;

  private:
    Diagnostics &diagnostics;
    std::unique_ptr<mlir::SourceMgrDiagnosticHandler> textHandler;
    std::unique_ptr<mlir::ScopedDiagnosticHandler> handler;
    unsigned errors = 0;
    bool dependencyMissing = false;
    std::vector<RecordedDiagnostic> *recorded = nullptr;
  };

private:
  void about();

  DiagnosticsFormat format;
};

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_DIAGNOSTICS_H
