//===- Registry.h - The list of dialects, passes and stages -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The only list of aircc's dialects, passes and stages: a new dialect or stage
// is one line in Registry.cpp. There are two sets because registration takes
// time. `aircc opt` offers all of MLIR. A compile registers all dialects, so
// that it can read any program, but only the extensions that its stages need.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_REGISTRY_H
#define AIRCC_DRIVER_INPUT_REGISTRY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace aircc {
struct Stage;

/// Returns the stages of the pipeline, in execution order.
llvm::ArrayRef<const Stage *> getStages();

/// Returns the stage called `name`, or null.
const Stage *findStage(llvm::StringRef name);

/// Returns the stage that provides an --emit level, or null.
const Stage *findStageOfOutput(llvm::StringRef emit);

/// Registers everything that the input of a compile may contain or a pass may
/// create.
void registerCompileDialects(mlir::DialectRegistry &registry);

/// Registers all dialects and extensions of MLIR and of this project.
void registerEverything(mlir::DialectRegistry &registry);

/// Registers all passes of MLIR and of this project. Must be called at most
/// once per process.
void registerEveryPass();
/// The two parts of registerEveryPass().
void registerOwnPasses();
void registerUpstreamPasses();

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_REGISTRY_H
