//===- Stage.h - The named stages of the pipeline ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A stage is a named list of passes. Each directory below pipeline/ implements
// a stage and exports a function that describes it; the driver runs the stages
// that the target profile lists. The driver contains no stage names: a stage
// declares its command-line options and the --emit levels that it provides.
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

/// Reports an unknown or invalid option of a stage.
using StageErrorFn = llvm::function_ref<void(const llvm::Twine &)>;

/// Driver options that can be passed to stages. Options that are not set on the
/// command line are not passed.
enum class DriverOption {
  OptLevel,       ///< -O0 to -O3: a number.
  DebugInfo,      ///< -g
  RocmPath,       ///< --rocm-path: a folder.
  LayoutRemarks,  ///< -Rlayout
  KernelReport,   ///< -Rkernels, --report
  DeviceCodeOnly, ///< --emit of device code: other programs launch it.
  WholeProgram,   ///< The input is a whole program: only its `main` is called
                  ///< from outside.
  EntryChecks,    ///< --no-entry-checks: false.
  Fuse,           ///< --fuse: all or none.
  Offload,        ///< --offload: auto, all or none.
  ConstantsFile,  ///< --constants-out: the name of the file.
  ConstantsThreshold, ///< --constants-threshold: a number of bytes.
  ListProducts,       ///< Lists matrix products, for a search.
  StagesFollow,       ///< The stage is not the last one.
};

/// Sets the stage's option `key` to the driver's option.
struct TakenOption {
  DriverOption option;
  llvm::StringLiteral key;
};

/// An --emit level that is available after the stage, and the stage option that
/// requests it (empty if none).
struct StageOutput {
  llvm::StringLiteral emit;
  llvm::StringLiteral key = "";
  llvm::StringLiteral value = "";
};

/// An option of another stage whose value is passed to this stage's option of
/// the same name.
struct SharedOption {
  llvm::StringLiteral stage;
  llvm::StringLiteral key;
};

struct Stage {
  /// The name in profiles, `--start-at` and `--stop-after`.
  llvm::StringLiteral name;
  /// A one-line summary for listings.
  llvm::StringLiteral summary;
  /// Adds the stage's passes to a pass manager anchored on builtin.module.
  /// `options` is in MLIR's pass-pipeline option syntax.
  mlir::LogicalResult (*populate)(mlir::OpPassManager &pm,
                                  const TargetProfile &profile,
                                  llvm::StringRef options,
                                  StageErrorFn onError);
  /// Registers the passes of the stage, so that each can be run separately.
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
