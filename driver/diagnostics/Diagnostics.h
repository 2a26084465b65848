//===- Diagnostics.h - How aircc reports errors -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that aircc has to say about what it was given goes through here,
// to standard error: as text, `file:line:col: error: …` with the source line
// and notes, or as JSON, one object a line (docs/command-line.md describes it).
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

enum class DiagnosticsFormat { Text, JSON };

class Diagnostics {
public:
  explicit Diagnostics(DiagnosticsFormat format) : format(format) {}

  void setFormat(DiagnosticsFormat f) { format = f; }

  /// Called before anything is written (a progress line goes away).
  std::function<void()> beforeOutput;

  /// An error without a place: "aircc: error: …".
  void error(const llvm::Twine &message,
             llvm::ArrayRef<std::string> notes = {});
  void warning(const llvm::Twine &message);
  void error(const ProfileError &error);

  /// Reports what `error` says, and gives the exit code that it asks for.
  ExitCode report(llvm::Error error);

  /// Collects the diagnostics of one MLIR context for as long as it lives.
  class Scope {
  public:
    Scope(Diagnostics &diagnostics, mlir::MLIRContext &context,
          llvm::SourceMgr &sources);
    ~Scope();

    unsigned getErrorCount() const { return errors; }
    /// Whether one of them was about something missing outside.
    bool isDependencyMissing() const { return dependencyMissing; }
    /// The exit code for a failure within this scope.
    ExitCode getExitCode() const;

  private:
    Diagnostics &diagnostics;
    std::unique_ptr<mlir::SourceMgrDiagnosticHandler> textHandler;
    std::unique_ptr<mlir::ScopedDiagnosticHandler> handler;
    unsigned errors = 0;
    bool dependencyMissing = false;
  };

private:
  void about();

  DiagnosticsFormat format;
};

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_DIAGNOSTICS_H
