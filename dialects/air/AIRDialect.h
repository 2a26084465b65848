//===- AIRDialect.h - The AIR dialect and its types -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, !air.async.token, !air.universe, #air.symmetric_heap and what
// the memory spaces mean.
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

/// The level of the memory hierarchy that a memref lies in: L3 for memory space
/// 0 (also when it is not written), L2 for 1, L1 for 2. None for any other
/// space, among them #air.symmetric_heap.
std::optional<MemorySpace> getMemorySpace(mlir::BaseMemRefType type);

/// The memory space attribute of a level, as memref types have it: null for L3,
/// an i64 for the others.
mlir::Attribute getMemorySpaceAttr(mlir::MLIRContext *context,
                                   MemorySpace space);

/// True if the memref lies in the symmetric heap, as its memory space says.
bool isSymmetricHeap(mlir::BaseMemRefType type);

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_AIRDIALECT_H
