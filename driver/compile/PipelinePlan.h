//===- PipelinePlan.h - Which stages run, with which options ----*- C++ -*-===//
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
  /// In the stage's own option syntax: the profile's options, over them what
  /// the driver's flags say, over them --stage-option.
  std::string options;
};

/// Fails, with the names that there are, if no stage is called `name`; an empty
/// name asks for none. `where` says who asked: "--start-at".
llvm::Error checkStageName(llvm::StringRef where, const std::string &name);

/// The stages that `profile` takes a program through as far as `options` want
/// it. Failures are BadUsage: a stage that the profile lacks, an --emit that
/// the target's backend has not.
llvm::Expected<std::vector<PlannedStage>>
planPipeline(const TargetProfile &profile, const CompileOptions &options);

/// The level at which `options` stop, --stop-after aside.
EmitKind getEmitKind(const CompileOptions &options);

/// Whether what is written is the module after the last planned stage.
bool printsModule(const CompileOptions &options);

/// Whether the one input is the whole program: nothing outside of it calls any
/// of its functions but `main`.
bool isWholeProgram(const CompileOptions &options);

/// Adds the passes of `planned` to `pm`.
llvm::Error populateStage(const PlannedStage &planned,
                          const TargetProfile &profile,
                          mlir::OpPassManager &pm);

/// The option string of one stage for another output of it (--save-temps).
std::string overrideOption(std::string options, llvm::StringRef key,
                           llvm::StringRef value);

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_PIPELINEPLAN_H
