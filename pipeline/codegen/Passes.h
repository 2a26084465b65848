//===- Passes.h - The passes of the codegen stage ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_PASSES_H
#define AIRCC_PIPELINE_CODEGEN_PASSES_H

#include "dialects/kernel/KernelDialect.h"
#include "pipeline/codegen/Codegen.h"
#include "targets/TargetProfile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace aircc {

/// The address space of pointers that may point anywhere, in device code for
/// Intel GPUs; space 0 is the stack.
constexpr unsigned kXeVMGenericSpace = 4;

#define GEN_PASS_DECL
#include "pipeline/codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/codegen/Passes.h.inc"

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_PASSES_H
