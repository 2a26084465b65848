//===- MatchMatmul.h - Contractions that are matmuls ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel of one matmul can compute: C (m, n) += A (m, k) * B (k, n) for
// every place in the outer dimensions, of which A and B may each have some only
// (a batch, heads, rows of rows). Each matrix may lie in either order. The
// matrices are named so that what can be read along K is: where an op's second
// operand is the better A, C is the transposed one.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_MATCHMATMUL_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_MATCHMATMUL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace aircc::hierarchy {

inline mlir::MemRefType getMemRefType(mlir::Value value) {
  return mlir::cast<mlir::MemRefType>(value.getType());
}

/// A matrix in memory, for every place in the outer dimensions.
struct MatmulMatrix {
  mlir::Value memref;
  /// The memref's dimensions that are the matrix's first and last one in
  /// memory; elements lie side by side along the last, which is the memref's.
  unsigned first = 0, last = 0;
  /// For each dimension of the memref that is neither: the dimension of C's
  /// memref that has the same index.
  llvm::SmallVector<unsigned> outer;

  /// The size of dimension `dim`, if it is known.
  std::optional<int64_t> getSize(unsigned dim) const {
    mlir::MemRefType type = getMemRefType(memref);
    return type.isDynamicDim(dim) ? std::nullopt
                                  : std::optional(type.getDimSize(dim));
  }
};

/// A matmul whose operands are all in memory of the device, and what C is
/// before.
struct Matmul {
  mlir::Operation *op = nullptr;
  MatmulMatrix a, b, c;
  /// What C is filled with right before; null where C counts.
  mlir::Value fill;
  /// Which of A and B lie with K last, and whether C lies with N last.
  bool aAlongK = true, bAlongK = false, cAlongN = true;

  unsigned getRows() const { return cAlongN ? c.first : c.last; }
  unsigned getColumns() const { return cAlongN ? c.last : c.first; }
  /// A's dimension along K.
  unsigned getDepth() const { return aAlongK ? a.last : a.first; }
};

/// True if a memref of this type is in memory of the device.
bool isGlobal(mlir::MemRefType type);

/// True if the body multiplies and adds, with nothing but widening of what is
/// multiplied, as vector.contract does.
bool isProductOfElements(mlir::linalg::LinalgOp op);

/// `op` as a matmul of memory, if it is one. Where it is a contraction, `why`
/// says what else keeps it from being one.
std::optional<Matmul> matchMatmul(mlir::Operation *op,
                                  std::string *why = nullptr);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATCHMATMUL_H
