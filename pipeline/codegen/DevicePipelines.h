//===- DevicePipelines.h - The pass lists of the backends -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A backend's list lowers any mix of dialects in a gpu.module to the LLVM
// dialect and the backend's own. The steps below are common to all lists.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_DEVICEPIPELINES_H
#define AIRCC_PIPELINE_CODEGEN_DEVICEPIPELINES_H

#include "targets/TargetProfile.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace aircc {

/// Adds a backend's passes to a pass manager of gpu.module.
void buildROCDLPipeline(mlir::OpPassManager &pm, const TargetProfile &profile);
void buildXeVMPipeline(mlir::OpPassManager &pm, const TargetProfile &profile);

/// Adds the passes that lower the XeVM dialect to calls to functions that
/// Intel's compiler knows.
void buildXeVMToLLVMPipeline(mlir::OpPassManager &pm);

/// Register the dialects that only the passes of one list need.
void registerROCDLDialects(mlir::DialectRegistry &registry);
void registerXeVMDialects(mlir::DialectRegistry &registry);

/// Lowers structured ops to loops and scalars, and operations of several lanes
/// while control flow is still structured.
void buildStructurePipeline(mlir::OpPassManager &pm,
                            const TargetProfile &profile);

/// Lowers views to addresses. `addMore` adds passes for the metadata of other
/// ops.
void buildAddressPipeline(
    mlir::OpPassManager &pm,
    llvm::function_ref<void(mlir::OpPassManager &)> addMore = nullptr);

/// Expands arithmetic and functions that take several instructions. `emulated`
/// lists the float types whose arithmetic is done in f32; `addConversions` adds
/// passes for the conversions that the chip supports.
void buildArithmeticPipeline(
    mlir::OpPassManager &pm, const TargetProfile &profile,
    llvm::ArrayRef<llvm::StringRef> emulated,
    llvm::function_ref<void(mlir::OpPassManager &)> addConversions);

/// Lowers structured control flow to branches, and simplifies it before the
/// conversion to the LLVM dialect.
void buildFlatPipeline(mlir::OpPassManager &pm);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_DEVICEPIPELINES_H
