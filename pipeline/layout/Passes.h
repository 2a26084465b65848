//===- Passes.h - The passes of the layout stage ----------------*- C++ -*-===//
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

#ifndef AIRCC_PIPELINE_LAYOUT_PASSES_H
#define AIRCC_PIPELINE_LAYOUT_PASSES_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace aircc {
struct TargetProfile;
} // namespace aircc

namespace aircc::layout {

#define GEN_PASS_DECL
#include "pipeline/layout/Passes.h.inc"

// Creates the pass for a profile in memory; `aircc opt` passes the profile's
// file as an option instead.
std::unique_ptr<mlir::Pass>
createApplyStrategies(std::shared_ptr<const TargetProfile> profile);
std::unique_ptr<mlir::Pass>
createPrepareXeGPU(std::shared_ptr<const TargetProfile> profile, bool remarks);
std::unique_ptr<mlir::Pass>
createSetAnchors(std::shared_ptr<const TargetProfile> profile, bool remarks);
std::unique_ptr<mlir::Pass>
createPropagateLayouts(std::shared_ptr<const TargetProfile> profile,
                       bool remarks);
std::unique_ptr<mlir::Pass>
createCheckLayouts(std::shared_ptr<const TargetProfile> profile);

#define GEN_PASS_REGISTRATION
#include "pipeline/layout/Passes.h.inc"

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_PASSES_H
