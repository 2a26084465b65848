//===- Stage.h - The named stages of the pipeline ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage is a short list of passes with a name. Each folder below pipeline/
// implements one and exports a function that describes it; the driver strings
// together those that the target profile lists.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_STAGE_H
#define AIRCC_PIPELINE_COMMON_STAGE_H

#include "targets/TargetProfile.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace aircc {

/// Where a stage reports an option that it does not know or cannot use.
using StageErrorFn = llvm::function_ref<void(const llvm::Twine &)>;

struct Stage {
  /// The name in profiles, `--start-at` and `--stop-after`.
  llvm::StringLiteral name;
  /// One line for listings.
  llvm::StringLiteral summary;
  /// Adds the stage's passes to a pass manager anchored on builtin.module.
  /// `options` is in MLIR's pass-pipeline option syntax.
  mlir::LogicalResult (*populate)(mlir::OpPassManager &pm,
                                  const TargetProfile &profile,
                                  llvm::StringRef options,
                                  StageErrorFn onError);
  /// Registers the passes of the stage, so that each can be run alone.
  void (*registerPasses)();
  /// Registers the dialects and extensions that the stage's passes load or
  /// create (may be null).
  void (*registerDialects)(mlir::DialectRegistry &registry);
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_STAGE_H
