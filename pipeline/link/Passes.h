//===- Passes.h - The passes of the link stage ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_PASSES_H
#define AIRCC_PIPELINE_LINK_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace aircc {

#define GEN_PASS_DECL
#include "pipeline/link/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/link/Passes.h.inc"

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_PASSES_H
