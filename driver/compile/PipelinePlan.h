//===- PipelinePlan.h - Selects the stages and their options ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_PIPELINEPLAN_H
#define AIRCC_DRIVER_COMPILE_PIPELINEPLAN_H

#include "driver/Options.h"
#include "targets/TargetProfile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace aircc {
struct Stage;

struct PlannedStage {
  const Stage *stage;
  /// The options in the stage's syntax. Flags of the driver override the
  /// profile, and --stage-option overrides both.
  std::string options;
};

/// Fails and lists the valid names if no stage is called `name`. An empty name
/// is valid. `where` says in the message where the name comes from:
/// "--start-at".
llvm::Error checkStageName(llvm::StringRef where, const std::string &name);

/// Returns the stages that `profile` and `options` select. Failures are
/// BadUsage: a stage that the profile lacks, or an --emit level that the
/// backend does not support.
llvm::Expected<std::vector<PlannedStage>>
planPipeline(const TargetProfile &profile, const CompileOptions &options);

/// Returns the output level of `options`, ignoring --stop-after.
EmitKind getEmitKind(const CompileOptions &options);

/// Returns whether the output is the module after the last planned stage.
bool printsModule(const CompileOptions &options);

/// Returns whether the only input is the whole program, so that no other code
/// calls any of its functions except `main`.
bool isWholeProgram(const CompileOptions &options);

/// Adds the passes of `planned` to `pm`.
llvm::Error populateStage(const PlannedStage &planned,
                          const TargetProfile &profile,
                          mlir::OpPassManager &pm);

/// Returns the options of a stage with one option replaced, which produces
/// another of its outputs (--save-temps).
std::string overrideOption(llvm::StringRef options, llvm::StringRef key,
                           llvm::StringRef value);

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_PIPELINEPLAN_H
