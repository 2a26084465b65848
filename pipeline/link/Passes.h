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

namespace mlir {
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace arith {
class ArithDialect;
} // namespace arith
namespace func {
class FuncDialect;
} // namespace func
namespace gpu {
class GPUDialect;
} // namespace gpu
namespace memref {
class MemRefDialect;
} // namespace memref
namespace scf {
class SCFDialect;
} // namespace scf
namespace ub {
class UBDialect;
} // namespace ub
namespace vector {
class VectorDialect;
} // namespace vector
} // namespace mlir

namespace aircc {

#define GEN_PASS_DECL
#include "pipeline/link/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pipeline/link/Passes.h.inc"

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_PASSES_H
