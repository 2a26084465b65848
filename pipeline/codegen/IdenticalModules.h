//===- IdenticalModules.h - gpu.modules with the same code ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_IDENTICALMODULES_H
#define AIRCC_PIPELINE_CODEGEN_IDENTICALMODULES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace aircc {

/// Maps each gpu.module that differs from an earlier one only in its name and
/// its locations to the earlier one. The modules are in the LLVM dialect.
/// Modules with debug information, which contains the locations, are never
/// included.
llvm::DenseMap<mlir::Operation *, mlir::Operation *>
findIdenticalModules(llvm::ArrayRef<mlir::gpu::GPUModuleOp> modules);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_IDENTICALMODULES_H
