//===- Passes.h - Passes that several stages run ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of these passes expand ops that neither GPUs nor the host support. Stage
// codegen runs them on device code and stage link on host code, so that both
// compute the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_PASSES_H
#define AIRCC_PIPELINE_COMMON_PASSES_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace aircc {

#define GEN_PASS_DECL
#include "pipeline/common/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/common/Passes.h.inc"

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_PASSES_H
