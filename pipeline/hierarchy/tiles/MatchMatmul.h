//===- MatchMatmul.h - Match contractions as matmuls ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A matmul kernel computes C (m, n) += A (m, k) * B (k, n) for each index of
// the outer dimensions (batch, heads, …), some of which A and B may lack. Each
// matrix may be row-major or column-major. If swapping A and B makes A
// contiguous along K, they are swapped and C is transposed.
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

/// A matrix, in memory or computed, for each index of the outer dimensions.
struct MatmulMatrix {
  mlir::Value memref;
  /// `producer` is the op that computes the matrix in the kernel; null if the
  /// matrix is in memory. It is elementwise, or copies windows of an image. In
  /// the latter case, `padding` is the op that adds zeros around the image, or
  /// null.
  mlir::linalg::GenericOp producer, padding;
  /// For each dimension of the memref, the loops of the producer that form it,
  /// outermost first.
  llvm::SmallVector<llvm::SmallVector<unsigned>> producerLoops;
  /// The dimensions of the memref that form the matrix. Elements are contiguous
  /// along `last`, the innermost dimension of the memref.
  unsigned first = 0, last = 0;
  /// For each other dimension of the memref, the dimension of C that has the
  /// same index.
  llvm::SmallVector<unsigned> outer;

  /// Returns the size of dimension `dim`, if it is static.
  std::optional<int64_t> getSize(unsigned dim) const {
    mlir::MemRefType type = getMemRefType(memref);
    return type.isDynamicDim(dim) ? std::nullopt
                                  : std::optional(type.getDimSize(dim));
  }
};

/// The small floats and the scales from which the producer of a factor computes
/// it, for matrix instructions that multiply by the scales.
struct ScaledFactor {
  /// The numbers, or bytes that each hold several numbers along K, and the
  /// scales of blocks along K. Both have the outer dimensions of the factor.
  MatmulMatrix elements, scales;
  /// The type of the numbers.
  mlir::FloatType type;
  /// The number of elements along K that share a scale.
  int64_t block = 0;
};

/// A matmul whose operands are in global memory or computed from it.
struct Matmul {
  mlir::Operation *op = nullptr;
  MatmulMatrix a, b, c;
  /// The value with which C is filled before the matmul; null if the products
  /// are added to C in memory.
  mlir::Value fill;
  /// An elementwise op that computes the initial C; null if there is none.
  mlir::linalg::GenericOp init;
  /// An elementwise op that is applied to C before it is stored; null if C
  /// itself is stored.
  mlir::linalg::GenericOp epilogue;
  /// Either both or none are set. If set, the matrix instruction multiplies by
  /// the scales of A and B.
  std::optional<ScaledFactor> scaledA, scaledB;
  /// The type in which products are summed, which is the element type of C or a
  /// wider one. Sums are rounded to the element type of C once.
  mlir::Type accumulator;
  /// Whether A and B are contiguous along K, and C along N.
  bool aAlongK = true, bAlongK = false, cAlongN = true;

  unsigned getRows() const { return cAlongN ? c.first : c.last; }
  unsigned getColumns() const { return cAlongN ? c.last : c.first; }
  /// Returns the dimension of A along K.
  unsigned getDepth() const { return aAlongK ? a.last : a.first; }
};

/// Returns true if a memref of this type is in global memory.
bool isGlobal(mlir::MemRefType type);

/// Matches `op` as a matmul in global memory. If a contraction does not match,
/// sets `why` to the reason. With `hasBuffers`, operands may be in buffers of
/// the launch, because the kernel keeps them in registers.
std::optional<Matmul> matchMatmul(mlir::Operation *op,
                                  std::string *why = nullptr,
                                  bool hasBuffers = false);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATCHMATMUL_H
