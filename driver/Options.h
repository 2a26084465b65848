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

/// A value for an option of a stage: `--stage-option codegen.opt-level=3`.
struct StageOption {
  std::string stage;
  std::string key;
  std::string value;
};

/// The options from the command line, checked as far as possible without
/// reading a file.
struct CompileOptions {
  /// MLIR sources; "-" is standard input.
  std::vector<std::string> inputs;
  /// Objects, libraries and flags for the host linker, in order.
  std::vector<std::string> linkInputs;
  std::vector<std::string> targets;
  std::vector<std::string> targetFolders;
  std::optional<unsigned> waveSize; ///< If unset, the profile's.
  std::string tuning; ///< Replaces "tuning" of the profiles, unless empty.

  std::optional<EmitKind> emit; ///< If unset, determined by stopAfter, or exe.
  std::string output;           ///< If empty, named after the input.
  bool toFile = false; ///< Writes even text to a file named after the input.
  std::string header;
  std::string html;         ///< The file for the HTML page about layouts.
  std::string report;       ///< The file for the kernel report.
  std::string constantsOut; ///< The file for large constants.
  std::optional<uint64_t> constantsThreshold; ///< In bytes.
  std::string constantsIn; ///< The file with the program's constants.
  std::optional<unsigned> optLevel;
  bool debugInfo = false;
  bool noEntryChecks = false;
  std::string fuse;          ///< Empty for all.
  std::string offload;       ///< Empty for auto.
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
  std::string dependencyFile;   ///< If empty, the output's name plus ".d".
  std::string dependencyTarget; ///< If empty, the output's name.
  bool saveTemps = false;
  std::string saveTempsFolder;

  std::optional<bool> cache; ///< If unset, AIRCC_CACHE decides.
  /// The number of threads, or 0 for as many as the machine has.
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
  /// For `run`: where to write the counters of the simulated device, "-" (a
  /// table) or a file.
  std::string counters;
  /// For `run`: what to write about the estimated time, as in AIRCC_SIM_TIMING.
  std::string timing;
  /// The kinds of faults to check for on the simulated device, as in
  /// AIRCC_SIM_CHECK. Empty for none.
  std::string check;
  std::optional<unsigned> ranks; ///< If unset, a single process that is not a
                                 ///< rank.
  std::optional<unsigned> nodes; ///< The number of simulated nodes; one if
                                 ///< unset.
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

/// Parses the arguments of `aircc` or, if `forRun` is set, of `aircc run`,
/// without the program name. Errors are Failures with BadUsage, or HelpPrinted.
llvm::Expected<CompileOptions>
parseCompileOptions(llvm::ArrayRef<std::string> arguments, bool forRun);

/// Finds the diagnostics format in `arguments` before they are parsed, so that
/// errors in the command line use it too.
DiagnosticsFormat findDiagnosticsFormat(llvm::ArrayRef<std::string> arguments);

} // namespace aircc

#endif // AIRCC_DRIVER_OPTIONS_H
