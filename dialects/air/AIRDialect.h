//===- AIRDialect.h - The AIR dialect and its types -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, !air.async.token, !air.universe, #air.symmetric_heap and the
// meaning of memory spaces.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRDIALECT_H
#define AIRCC_DIALECTS_AIR_AIRDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"

#include <optional>

#include "dialects/air/AIREnums.h.inc"

#include "dialects/air/AIRDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/air/AIRTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/air/AIRAttrs.h.inc"

namespace aircc::air {

/// Returns the memory hierarchy level of a memref: L3 for memory space 0 (the
/// default), L2 for 1, L1 for 2. Returns nullopt for any other space, including
/// #air.symmetric_heap.
std::optional<MemorySpace> getMemorySpace(mlir::BaseMemRefType type);

/// Returns the memory space attribute for a level in memref types: null for L3,
/// an i64 for the others.
mlir::Attribute getMemorySpaceAttr(mlir::MLIRContext *context,
                                   MemorySpace space);

/// Returns whether the memref is in the symmetric heap.
bool isSymmetricHeap(mlir::BaseMemRefType type);

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_AIRDIALECT_H
