//===- Passes.h - Passes of the dispatch stage ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes.td describes each pass.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_PASSES_H
#define AIRCC_PIPELINE_DISPATCH_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace aircc {
struct TargetProfile;
} // namespace aircc

namespace aircc::dispatch {

#define GEN_PASS_DECL
#include "pipeline/dispatch/Passes.h.inc"

/// Creates the pass with a profile that is already loaded; `aircc opt` passes
/// the profile's file as an option.
std::unique_ptr<mlir::Pass>
createLowerConvolutions(std::shared_ptr<const TargetProfile> profile);
std::unique_ptr<mlir::Pass>
createAddUnitRows(std::shared_ptr<const TargetProfile> profile);
std::unique_ptr<mlir::Pass>
createSplitContractions(std::shared_ptr<const TargetProfile> profile);

#define GEN_PASS_REGISTRATION
#include "pipeline/dispatch/Passes.h.inc"

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_PASSES_H
