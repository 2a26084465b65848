//===- Options.h - The command line of a compile ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_OPTIONS_H
#define AIRCC_DRIVER_OPTIONS_H

#include "driver/compile/EmitKind.h"
#include "driver/diagnostics/Diagnostics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// A value for one option of one stage: `--stage-option codegen.opt-level=3`.
struct StageOption {
  std::string stage;
  std::string key;
  std::string value;
};

/// What the user asked for, checked as far as it can be without reading a file.
struct CompileOptions {
  /// Sources in MLIR; "-" is standard input.
  std::vector<std::string> inputs;
  /// Objects and libraries for the host's linker, and its own flags, in order.
  std::vector<std::string> linkInputs;
  std::vector<std::string> targets;
  std::vector<std::string> targetFolders;

  std::optional<EmitKind> emit; ///< Nothing: decided by stopAfter, or exe.
  std::string output;           ///< Empty: named after the input.
  bool toFile = false; ///< Text too goes to a file named after the input.
  std::string header;
  std::string html; ///< A page of layouts.
  std::optional<unsigned> optLevel;
  bool debugInfo = false;

  // The pipeline.
  std::string stopAfter;
  std::string startAt;
  std::string passPipeline;
  bool replacesPipeline = false; ///< --pass-pipeline was given.
  std::vector<StageOption> stageOptions;
  std::string rocmPath;

  // Other outputs.
  bool writeDependencies = false;
  std::string dependencyFile;   ///< Empty: the output with ".d".
  std::string dependencyTarget; ///< Empty: the output.
  bool saveTemps = false;
  std::string saveTempsFolder;

  // Talking.
  bool verbose = false;
  bool dryRun = false;
  bool printPipeline = false;
  bool timeReport = false;
  bool layoutRemarks = false;
  bool crashOnPurpose = false;
  DiagnosticsFormat diagnosticsFormat = DiagnosticsFormat::Text;
  /// Options that MLIR and LLVM understand (--mlir-…, -mllvm …).
  std::vector<std::string> mlirOptions;

  /// For `aircc run`.
  std::string device;
  /// For `run`: count on the simulated device; "-" for a table, or a file.
  std::string counters;
  /// What the simulated device's checker looks for, as AIRCC_SIM_CHECK; empty:
  /// nothing.
  std::string check;
  std::optional<unsigned> ranks; ///< Nothing: the program runs by itself.
  std::optional<double> timeout; ///< In seconds.
  std::vector<std::string> programArguments;

  /// The command as the user typed it, for reproducers.
  std::vector<std::string> commandLine;
};

/// How parsing a command line may end without options: help, or the version,
/// was printed.
struct HelpPrinted : llvm::ErrorInfo<HelpPrinted> {
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "help"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Parses the arguments of a compile (`forRun`: of `aircc run`), without the
/// program's name. Errors are Failures with BadUsage, or HelpPrinted.
llvm::Expected<CompileOptions>
parseCompileOptions(llvm::ArrayRef<std::string> arguments, bool forRun);

/// The format of diagnostics that `arguments` ask for, found before they are
/// parsed: errors of the command line itself follow it too.
DiagnosticsFormat findDiagnosticsFormat(llvm::ArrayRef<std::string> arguments);

} // namespace aircc

#endif // AIRCC_DRIVER_OPTIONS_H
