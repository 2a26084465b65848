//===- Hierarchy.h - The stage from AIR to GPU kernels ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module with air.launch, air.segment, air.herd, transfers and tokens
// (ranks and channels between ranks have been lowered), gpu.launch, or kernels
// that are modules of their own already.
//
// Out: gpu.launch_func and gpu.module, no AIR op, no L1 and L2 memory spaces.
// Kernels are code of lanes: memory in them is global, workgroup or private.
//
// Options: `pe=wave`: a point of a herd is a wavefront; `pe=lane`: it is one
// lane, as programs mean that count lanes by herds; `pe=auto` (the default): it
// is a wavefront, but a lane in launches whose herds fit only so and whose code
// does not distinguish lanes from waves.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_HIERARCHY_H
#define AIRCC_PIPELINE_HIERARCHY_HIERARCHY_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// The stage `hierarchy`.
const Stage &getHierarchyStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_HIERARCHY_HIERARCHY_H
