//===- KernelOps.h - Barriers and fences of kernels -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_KERNELOPS_H
#define AIRCC_DIALECTS_KERNEL_KERNELOPS_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/kernel/KernelOps.h.inc"

namespace aircc::kernel {

/// Returns true if `op` is a kernel.barrier of scope workgroup.
inline bool isWorkgroupBarrier(mlir::Operation *op) {
  auto barrier = llvm::dyn_cast<BarrierOp>(op);
  return barrier && barrier.getScope() == Scope::Workgroup;
}

} // namespace aircc::kernel

#endif // AIRCC_DIALECTS_KERNEL_KERNELOPS_H
