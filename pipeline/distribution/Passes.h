//===- Passes.h - Passes of the distribution stage --------------*- C++ -*-===//
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

#ifndef AIRCC_PIPELINE_DISTRIBUTION_PASSES_H
#define AIRCC_PIPELINE_DISTRIBUTION_PASSES_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace aircc {
struct TargetProfile;
} // namespace aircc

namespace aircc::distribution {

#define GEN_PASS_DECL
#include "pipeline/distribution/Passes.h.inc"

// Creates the pass with a profile that is already loaded; `aircc opt` passes
// the profile's file as an option.
std::unique_ptr<mlir::Pass>
createDistributeVectors(std::shared_ptr<const TargetProfile> profile);
std::unique_ptr<mlir::Pass>
createLowerAsyncDma(std::shared_ptr<const TargetProfile> profile);

#define GEN_PASS_REGISTRATION
#include "pipeline/distribution/Passes.h.inc"

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_PASSES_H
