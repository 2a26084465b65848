//===- Passes.h - Passes of the hierarchy stage -----------------*- C++ -*-===//
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

#ifndef AIRCC_PIPELINE_HIERARCHY_PASSES_H
#define AIRCC_PIPELINE_HIERARCHY_PASSES_H

#include "pipeline/hierarchy/buffers/L2Policy.h"

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Pass/Pass.h"

namespace aircc::hierarchy {

#define GEN_PASS_DECL
#include "pipeline/hierarchy/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/hierarchy/Passes.h.inc"

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_PASSES_H
