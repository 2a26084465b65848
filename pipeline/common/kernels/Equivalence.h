//===- Equivalence.h - Equality of ops with different names -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_EQUIVALENCE_H
#define AIRCC_PIPELINE_COMMON_KERNELS_EQUIVALENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Hashing.h"

namespace aircc {

/// Returns the attributes of a symbol without its name.
mlir::DictionaryAttr getAttributesExceptName(mlir::Operation *op);

/// Returns whether two symbols without operands and results, such as modules or
/// functions, are equal except for their names and locations.
bool isEquivalentExceptName(mlir::Operation *a, mlir::Operation *b);

/// Returns a hash of a module and the ops in it that ignores locations, the
/// name of the module and, if `function` is not null, the name of this function
/// in it.
llvm::hash_code hashExceptNames(mlir::Operation *module,
                                mlir::Operation *function = nullptr);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_EQUIVALENCE_H
