//===- MatchMatmul.h - Match contractions as matmuls ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matmul kernel computes C (m, n) += A (m, k) * B (k, n) for each index of
// the outer dimensions (batch, heads, …), of which A and B may each have only
// some. Each matrix may be row-major or column-major. If swapping A and B makes
// A contiguous along K, they are swapped and C is transposed.
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

/// A matrix in memory for each index of the outer dimensions.
struct MatmulMatrix {
  mlir::Value memref;
  /// The dimensions of the memref that form the matrix. Elements are contiguous
  /// along `last`, which is the innermost dimension of the memref.
  unsigned first = 0, last = 0;
  /// For each other dimension of the memref: the dimension of C with the same
  /// index.
  llvm::SmallVector<unsigned> outer;

  /// The size of dimension `dim`, if it is static.
  std::optional<int64_t> getSize(unsigned dim) const {
    mlir::MemRefType type = getMemRefType(memref);
    return type.isDynamicDim(dim) ? std::nullopt
                                  : std::optional(type.getDimSize(dim));
  }
};

/// A matmul with all operands in global memory.
struct Matmul {
  mlir::Operation *op = nullptr;
  MatmulMatrix a, b, c;
  /// The value that C is filled with before; null if C is accumulated into.
  mlir::Value fill;
  /// An elementwise op that computes C before; null if there is none.
  mlir::linalg::GenericOp init;
  /// An elementwise op that uses C, which is stored nowhere else; null if C is
  /// stored.
  mlir::linalg::GenericOp epilogue;
  /// The type in which products are summed: that of the elements of C, or a
  /// wider one. The sums are rounded to the elements of C once.
  mlir::Type accumulator;
  /// Whether A and B are contiguous along K, and C along N.
  bool aAlongK = true, bAlongK = false, cAlongN = true;

  unsigned getRows() const { return cAlongN ? c.first : c.last; }
  unsigned getColumns() const { return cAlongN ? c.last : c.first; }
  /// The dimension of A along K.
  unsigned getDepth() const { return aAlongK ? a.last : a.first; }
};

/// True if a memref of this type is in global memory.
bool isGlobal(mlir::MemRefType type);

/// Matches `op` as a matmul in global memory. For a contraction that does not
/// match, `why` gets the reason. `storesResult` is false if C may be in a
/// buffer of the launch, because the kernel keeps it in registers.
std::optional<Matmul> matchMatmul(mlir::Operation *op,
                                  std::string *why = nullptr,
                                  bool storesResult = true);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATCHMATMUL_H
