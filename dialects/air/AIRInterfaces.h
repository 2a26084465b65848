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

/// One end of a transfer in memory: which elements of a memref, in which order.
/// The element with coordinates (i0, i1, …) lies at base + sum i_k * stride_k,
/// counted in ELEMENTS of the memref's element type from its aligned pointer
/// plus offset (see the description of air.dma_memcpy_nd for the base and for
/// what empty lists mean). Entries are integer attributes or index values.
struct AccessPattern {
  mlir::Value memref = {};
  llvm::SmallVector<mlir::OpFoldResult> offsets = {};
  llvm::SmallVector<mlir::OpFoldResult> sizes = {};
  llvm::SmallVector<mlir::OpFoldResult> strides = {};

  /// True if nothing is said but the memref: all of it, in row-major order.
  bool isWholeMemref() const {
    return offsets.empty() && sizes.empty() && strides.empty();
  }

  /// The memref's type; null where there is no memref.
  mlir::BaseMemRefType getType() const {
    return memref ? mlir::cast<mlir::BaseMemRefType>(memref.getType())
                  : mlir::BaseMemRefType();
  }

  /// The sizes, or the memref's shape where there are none. Dynamic extents are
  /// ShapedType::kDynamic. None for an unranked memref without sizes.
  std::optional<llvm::SmallVector<int64_t>> getStaticSizes() const;

  /// How many elements the pattern names, if that is known.
  std::optional<int64_t> getNumElements() const;

  /// The same memref and the same lists: entries are the same value or the same
  /// constant, of whichever type its attribute is.
  bool operator==(const AccessPattern &rhs) const;
};

namespace detail {
/// Checks what all hierarchy ops have in common.
mlir::LogicalResult verifyHierarchyOp(mlir::Operation *op);
} // namespace detail

} // namespace aircc::air

#include "dialects/air/AIRInterfaces.h.inc"

#endif // AIRCC_DIALECTS_AIR_AIRINTERFACES_H
