//===- Dispatch.h - Tensor programs to device code --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Input: functions on tensors, with ops of linalg, tensor, arith, math, scf,
// TOSA and ml_program. Modules without tensors are unchanged.
//
// Output: functions on memrefs. Structured ops that run on the device have the
// attribute `air.offload`, or are in an air.launch. Each public function on
// tensors becomes one that takes its arguments, followed by its results, as
// memrefs with identity layout in ordinary host memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_DISPATCH_H
#define AIRCC_PIPELINE_DISPATCH_DISPATCH_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// Returns the stage `dispatch`.
const Stage &getDispatchStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_DISPATCH_DISPATCH_H
