//===- TilePasses.h - Passes that tile and vectorize ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The passes of the hierarchy stage that tile ops and create undistributed
// vectors for later stages. TilePasses.td describes each pass.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_TILEPASSES_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_TILEPASSES_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace aircc {
struct TargetProfile;
} // namespace aircc

namespace aircc::hierarchy {

#define GEN_PASS_DECL
#include "pipeline/hierarchy/tiles/TilePasses.h.inc"

// Creates the pass with a profile that is already loaded; `aircc opt` passes
// the profile's file as an option.
std::unique_ptr<mlir::Pass>
createBuildAttentionKernels(std::shared_ptr<const TargetProfile> profile);
std::unique_ptr<mlir::Pass>
createBuildMatmulKernels(std::shared_ptr<const TargetProfile> profile,
                         const BuildMatmulKernelsOptions &options);
std::unique_ptr<mlir::Pass>
createVectorizeTiles(std::shared_ptr<const TargetProfile> profile);

#define GEN_PASS_REGISTRATION
#include "pipeline/hierarchy/tiles/TilePasses.h.inc"

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_TILEPASSES_H
