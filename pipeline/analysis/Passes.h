//===- Passes.h - Passes that print analyses --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_PASSES_H
#define AIRCC_PIPELINE_ANALYSIS_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace aircc {

#define GEN_PASS_DECL
#include "pipeline/analysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/analysis/Passes.h.inc"

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_PASSES_H
