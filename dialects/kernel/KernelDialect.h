//===- KernelDialect.h - The kernel dialect and its attributes --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_KERNELDIALECT_H
#define AIRCC_DIALECTS_KERNEL_KERNELDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "dialects/kernel/KernelEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttrs.h.inc"

// The typed accessors of discardable attributes require the classes above.
#include "dialects/kernel/KernelDialect.h.inc"

namespace aircc::kernel {

/// Removes the attributes of this dialect from `op` itself.
void dropKernelAttrs(mlir::Operation *op);

} // namespace aircc::kernel

#endif // AIRCC_DIALECTS_KERNEL_KERNELDIALECT_H
