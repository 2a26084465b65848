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
// together those that the target profile lists. The driver does not know any
// stage by name: a stage declares what it takes from the command line and which
// levels of --emit it provides.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_STAGE_H
#define AIRCC_PIPELINE_COMMON_STAGE_H

#include "targets/TargetProfile.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
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

/// What the driver knows that stages may take as options. What is not set on
/// the command line, or is not so, is not passed on.
enum class DriverOption {
  OptLevel,       ///< -O0 to -O3: a number.
  DebugInfo,      ///< -g
  RocmPath,       ///< --rocm-path: a folder.
  LayoutRemarks,  ///< -Rlayout
  DeviceCodeOnly, ///< --emit of device code: unknown programs launch it.
  WholeProgram,   ///< Only `main` of what the one input defines is called.
  StagesFollow,   ///< The stage is not the last one that runs.
};

/// The stage's option `key` is set to the driver's.
struct TakenOption {
  DriverOption option;
  llvm::StringLiteral key;
};

/// A level of --emit that the program has after the stage, with the option that
/// it takes (no key: none).
struct StageOutput {
  llvm::StringLiteral emit;
  llvm::StringLiteral key = "";
  llvm::StringLiteral value = "";
};

/// The stage is told what another stage's option of the same name is.
struct SharedOption {
  llvm::StringLiteral stage;
  llvm::StringLiteral key;
};

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
  llvm::ArrayRef<TakenOption> takenOptions = {};
  llvm::ArrayRef<StageOutput> outputs = {};
  llvm::ArrayRef<SharedOption> sharedOptions = {};
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_STAGE_H
