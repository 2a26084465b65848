//===- AIRInterfaces.h - Interfaces of the AIR dialect's ops ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRINTERFACES_H
#define AIRCC_DIALECTS_AIR_AIRINTERFACES_H

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"

namespace aircc::air {

/// One end of a transfer in memory: elements of a memref, and their order. The
/// element with coordinates (i0, i1, …) is at base + sum i_k * stride_k,
/// counted in ELEMENTS of the memref's element type from its aligned pointer
/// plus offset (see the description of air.dma_memcpy_nd for the base and the
/// meaning of empty lists). Entries are integer attributes or index values.
struct AccessPattern {
  mlir::Value memref = {};
  llvm::SmallVector<mlir::OpFoldResult> offsets = {};
  llvm::SmallVector<mlir::OpFoldResult> sizes = {};
  llvm::SmallVector<mlir::OpFoldResult> strides = {};

  /// Returns whether only the memref is given, which means all of it in
  /// row-major order.
  bool isWholeMemref() const {
    return offsets.empty() && sizes.empty() && strides.empty();
  }

  /// Returns the type of the memref; null if there is no memref.
  mlir::BaseMemRefType getType() const {
    return memref ? mlir::cast<mlir::BaseMemRefType>(memref.getType())
                  : mlir::BaseMemRefType();
  }

  /// Returns the sizes, which default to the shape of the memref. Dynamic sizes
  /// are ShapedType::kDynamic. Returns nullopt for an unranked memref without
  /// sizes.
  std::optional<llvm::SmallVector<int64_t>> getStaticSizes() const;

  /// Returns the number of elements of the pattern, if known.
  std::optional<int64_t> getNumElements() const;

  /// Returns whether the memrefs and lists are equal. Entries are equal if they
  /// are the same value, or the same constant regardless of the attribute's
  /// type.
  bool operator==(const AccessPattern &rhs) const;
};

namespace detail {
/// Verifies the common properties of all hierarchy ops.
mlir::LogicalResult verifyHierarchyOp(mlir::Operation *op);
} // namespace detail

} // namespace aircc::air

#include "dialects/air/AIRInterfaces.h.inc"

#endif // AIRCC_DIALECTS_AIR_AIRINTERFACES_H
