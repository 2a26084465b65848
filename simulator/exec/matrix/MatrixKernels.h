//===- MatrixKernels.h - The arithmetic, per host vector level --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// MatrixKernels.cpp is compiled once for each level of the host's vector
// instructions (plain x86-64, x86-64-v3, x86-64-v4), each time into a namespace
// of its own. All levels produce the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXKERNELS_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXKERNELS_H

#include "simulator/exec/matrix/MatrixPlan.h"

namespace aircc::sim {

/// All values of a format of at most eight bits, as significand * 2^exponent,
/// not normalized (a subnormal has the exponent of the smallest normal numbers
/// and a significand below 1), and as floats.
struct SmallFormat {
  float significand[256];
  int32_t exponent[256];
  float value[256];
};

/// The exponent of a zero, for which no sum with another is the largest in a
/// group.
constexpr int32_t kZeroExponent = -4096;

/// Returns the values of FP8FNUZ, BF8FNUZ, FP8, BF8, FP6, BF6 or FP4.
const SmallFormat &smallFormat(MatrixType type);

/// The inputs of an execution, with formats resolved (no F8F6F4 left).
struct MatrixInputs {
  MatrixType aType, bType;
  const InputLayout *aLayout, *bLayout;
  const SmallFormat *aFormat, *bFormat; ///< Null for wider types.
};

struct MatrixLevel {
  const char *name;
  void (*execute)(const MatrixPlan &plan, const MatrixInputs &inputs,
                  const MatrixModifiers &modifiers,
                  const MatrixOperands &operands);
};

/// Returns the level of this name ("base", "v3", "v4"), or null if this host or
/// build does not have it.
const MatrixLevel *findMatrixLevel(std::string_view name);

/// Executes at a certain level. For tests.
void executeMatrixOpAt(const MatrixLevel &level, const MatrixOp &op,
                       const MatrixModifiers &modifiers,
                       const MatrixOperands &operands);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXKERNELS_H
