//===- Hierarchy.h - Stage that lowers AIR to GPU kernels -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Input: a module with air.launch, air.segment, air.herd, transfers and tokens
// (ranks and channels between ranks have been lowered), gpu.launch, or kernels
// that are already outlined into modules.
//
// Output: gpu.launch_func and gpu.module, without AIR ops and without the
// memory spaces L1 and L2. Kernels are per-lane code: their memory is global,
// workgroup or private.
//
// The option `pe` specifies what a point of a herd is: with `pe=wave` a wave,
// with `pe=lane` a single lane. With `pe=auto` (the default) it is a wave,
// except in launches whose herds are too large for that and whose code does not
// distinguish lanes from waves.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_HIERARCHY_H
#define AIRCC_PIPELINE_HIERARCHY_HIERARCHY_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// Returns the stage `hierarchy`.
const Stage &getHierarchyStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_HIERARCHY_HIERARCHY_H
