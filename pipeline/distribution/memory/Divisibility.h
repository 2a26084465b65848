//===- Divisibility.h - Known divisors of values ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_DIVISIBILITY_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_DIVISIBILITY_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

namespace aircc::distribution {

/// Returns the greatest known divisor of `value`, an integer or index that is
/// assumed not to overflow: 0 for the constant 0, which every number divides,
/// and 1 if nothing is known. Looks through index arithmetic, affine maps and
/// loop induction variables.
int64_t getKnownDivisor(mlir::Value value);
int64_t getKnownDivisor(mlir::OpFoldResult value);

/// Returns the bits that `value`, an integer or index that is assumed not to
/// overflow, may have set. Looks through arithmetic with powers of two.
uint64_t getPossibleBits(mlir::Value value);

/// Returns true if `value` is known to be a multiple of `divisor`.
bool isKnownMultiple(mlir::OpFoldResult value, int64_t divisor);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_DIVISIBILITY_H
