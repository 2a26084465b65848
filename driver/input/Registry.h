//===- Registry.h - The one list of dialects, passes, stages ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that aircc knows is named here and nowhere else: a new dialect or
// stage is one line in Registry.cpp. There are two sets, because registering
// has a price: `aircc opt` offers all of MLIR, a compile all dialects, so that
// any program can be read, but only those extensions that its stages need.
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

/// The stages of the pipeline, in the order in which programs pass them.
llvm::ArrayRef<const Stage *> getStages();

/// The stage called `name`, or null.
const Stage *findStage(llvm::StringRef name);

/// The stage that provides a level of --emit, or null.
const Stage *findStageOfOutput(llvm::StringRef emit);

/// What a compile may meet in its input or create on the way.
void registerCompileDialects(mlir::DialectRegistry &registry);

/// All dialects and extensions of MLIR, and ours.
void registerEverything(mlir::DialectRegistry &registry);

/// All passes of MLIR, and ours. May be called once in a process.
void registerEveryPass();

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_REGISTRY_H
