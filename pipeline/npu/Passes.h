//===- Passes.h - Passes for programs of NPUs -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_NPU_PASSES_H
#define AIRCC_PIPELINE_NPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace aircc::npu {

#define GEN_PASS_DECL
#include "pipeline/npu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/npu/Passes.h.inc"

} // namespace aircc::npu

#endif // AIRCC_PIPELINE_NPU_PASSES_H
