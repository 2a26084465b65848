//===- Convergence.h - Which lanes reach an op together ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_CONVERGENCE_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_CONVERGENCE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>

namespace aircc {

/// Lanes that run an op at once, or that wait for each other.
enum class LaneGroup { Wave, Workgroup };

/// True if either all lanes of the group or none reach `op`, as far as
/// structured control flow shows it: every condition and loop bound around `op`
/// is made of constants, kernel arguments, and ids and sizes that the group
/// shares. What comes from memory is not believed to be the same for all.
bool isReachedTogether(mlir::Operation *op, LaneGroup group, unsigned waveSize);

/// The lanes in a workgroup of the kernel around `op`, where that is stated.
std::optional<int64_t> getKnownWorkgroupLanes(mlir::Operation *op);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_CONVERGENCE_H
