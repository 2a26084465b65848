//===- ScaledFactor.h - Factors of small floats and scales ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A producer computes a factor from small floats, with one scale for each block
// of them along K:
//
//   factor (m, g, i) = arith.scaling_extf x (m, g, i), scale (m, g)
//
// with k = g * 32 + i. Two 4-bit floats share a byte, the first one in the
// lower bits; the producer then has another loop, and the float is
//
//   x (m, g, i, p) = bitcast (trunc (byte (m, g, i) >> p * 4))
//
// Matrix instructions with scales multiply such factors as they are stored in
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_SCALEDFACTOR_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_SCALEDFACTOR_H

#include "pipeline/hierarchy/tiles/MatchMatmul.h"

#include "mlir/IR/Builders.h"

namespace aircc::hierarchy {

/// The types of the numbers and of the result of a producer, and its scales.
struct ScaledProducer {
  mlir::OpOperand *elements = nullptr, *scales = nullptr;
  mlir::FloatType type;
  /// The number of elements that share a byte in memory.
  int64_t packing = 1;
  /// The number of elements along K that share a scale.
  int64_t block = 0;
};

/// Matches the producer of `matrix`, which must be contiguous along K.
std::optional<ScaledProducer> matchScaledProducer(const MatmulMatrix &matrix);

/// Creates views, as matrices, of the memory that the producer of `matrix`
/// reads.
ScaledFactor createScaledFactor(mlir::OpBuilder &b, mlir::Location loc,
                                const MatmulMatrix &matrix,
                                const ScaledProducer &producer);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_SCALEDFACTOR_H
