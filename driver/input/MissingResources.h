//===- MissingResources.h - Constants that printing left out ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_MISSINGRESOURCES_H
#define AIRCC_DRIVER_INPUT_MISSINGRESOURCES_H

#include "mlir/IR/BuiltinOps.h"

namespace aircc {

/// Reports ops that use a dense_resource without data, and globals without a
/// value.
mlir::LogicalResult checkResources(mlir::ModuleOp module);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_MISSINGRESOURCES_H
