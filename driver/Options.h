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

/// The options of the user, checked as far as possible without reading a file.
struct CompileOptions {
  /// MLIR sources; "-" is standard input.
  std::vector<std::string> inputs;
  /// Objects, libraries and flags for the host linker, in order.
  std::vector<std::string> linkInputs;
  std::vector<std::string> targets;
  std::vector<std::string> targetFolders;
  std::optional<unsigned> waveSize; ///< Unset: as the profile says.
  std::string tuning; ///< The file for "tuning" of profiles; empty: theirs.

  std::optional<EmitKind> emit; ///< Unset: from stopAfter, or exe.
  std::string output;           ///< Empty: named after the input.
  bool toFile = false; ///< Write text, too, to a file named after the input.
  std::string header;
  std::string html;         ///< The file for the page of layouts.
  std::string report;       ///< The file for the report of kernels.
  std::string constantsOut; ///< The file for large constants.
  std::optional<uint64_t> constantsThreshold; ///< In bytes.
  std::string constantsIn; ///< The file with constants of the program.
  std::optional<unsigned> optLevel;
  bool debugInfo = false;
  bool noEntryChecks = false;
  std::string fuse;          ///< Empty: all.
  std::string offload;       ///< Empty: auto.
  bool listProducts = false; ///< For `tune`.

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

  std::optional<bool> cache; ///< Unset: as AIRCC_CACHE says.
  /// The number of threads; 0: as many as the machine has.
  unsigned jobs = 0;

  // Progress and diagnostics.
  bool verbose = false;
  bool dryRun = false;
  bool printPipeline = false;
  bool timeReport = false;
  bool layoutRemarks = false;
  bool kernelRemarks = false;
  bool crashOnPurpose = false;
  DiagnosticsFormat diagnosticsFormat = DiagnosticsFormat::Text;
  /// Options of MLIR and LLVM (--mlir-…, -mllvm …).
  std::vector<std::string> mlirOptions;

  /// For `aircc run`.
  std::string device;
  /// For `run`: counters of the simulated device; "-" for a table, or a file.
  std::string counters;
  /// For `run`: what to write of the estimated time, as AIRCC_SIM_TIMING.
  std::string timing;
  /// Kinds of faults to check for on the simulated device, as AIRCC_SIM_CHECK;
  /// empty: none.
  std::string check;
  std::optional<unsigned> ranks; ///< Unset: a single process, not a rank.
  std::optional<unsigned> nodes; ///< Simulated; unset: one.
  std::optional<double> timeout; ///< In seconds.
  std::vector<std::string> programArguments;

  /// The command line as typed by the user, for reproducers.
  std::vector<std::string> commandLine;
};

/// The parser's result if help or the version was printed instead.
struct HelpPrinted : llvm::ErrorInfo<HelpPrinted> {
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "help"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Parses the arguments of a compile (`forRun`: of `aircc run`), without the
/// program name. Errors are Failures with BadUsage, or HelpPrinted.
llvm::Expected<CompileOptions>
parseCompileOptions(llvm::ArrayRef<std::string> arguments, bool forRun);

/// Finds the diagnostics format in `arguments` before they are parsed, so that
/// command-line errors use it too.
DiagnosticsFormat findDiagnosticsFormat(llvm::ArrayRef<std::string> arguments);

} // namespace aircc

#endif // AIRCC_DRIVER_OPTIONS_H
