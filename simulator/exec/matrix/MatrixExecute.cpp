//===- MatrixExecute.cpp - Executes one matrix instruction ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixKernels.h"

#include <cassert>
#include <cstdlib>

using namespace aircc::sim;

namespace aircc::sim::matrixlevels {
namespace base {
extern const MatrixLevel matrixLevel;
}
#ifdef AIRCC_MATRIX_X86_LEVELS
namespace v3 {
extern const MatrixLevel matrixLevel;
}
namespace v4 {
extern const MatrixLevel matrixLevel;
}
#endif
} // namespace aircc::sim::matrixlevels

const MatrixLevel *aircc::sim::findMatrixLevel(std::string_view name) {
  if (name == "base")
    return &matrixlevels::base::matrixLevel;
#ifdef AIRCC_MATRIX_X86_LEVELS
  __builtin_cpu_init();
  bool hasV3 = __builtin_cpu_supports("avx2") &&
               __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (name == "v3" && hasV3)
    return &matrixlevels::v3::matrixLevel;
  if (name == "v4" && hasV3 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return &matrixlevels::v4::matrixLevel;
#endif
  return nullptr;
}

/// Returns the best level, or a lower one that AIRCC_SIM_LEVEL names.
static const MatrixLevel &selectLevel() {
  if (const char *wanted = std::getenv("AIRCC_SIM_LEVEL"))
    if (const MatrixLevel *level = findMatrixLevel(wanted))
      return *level;
  for (const char *name : {"v4", "v3"})
    if (const MatrixLevel *level = findMatrixLevel(name))
      return *level;
  return *findMatrixLevel("base");
}

/// Returns the format that cbsz or blgp of an F8F6F4 instruction names.
static MatrixType resolveFormat(MatrixType type, unsigned format) {
  if (type != MatrixType::F8F6F4)
    return type;
  constexpr MatrixType kFormats[] = {MatrixType::FP8, MatrixType::BF8,
                                     MatrixType::FP6, MatrixType::BF6,
                                     MatrixType::FP4};
  assert(format < 5 && "modifiers were not checked");
  return kFormats[format];
}

static const SmallFormat *formatOf(MatrixType type) {
  switch (type) {
  case MatrixType::FP8FNUZ:
  case MatrixType::BF8FNUZ:
  case MatrixType::FP8:
  case MatrixType::BF8:
  case MatrixType::FP6:
  case MatrixType::BF6:
  case MatrixType::FP4:
    return &smallFormat(type);
  default:
    return nullptr;
  }
}

void aircc::sim::executeMatrixOpAt(const MatrixLevel &level, const MatrixOp &op,
                                   const MatrixModifiers &modifiers,
                                   const MatrixOperands &operands) {
  const auto &plan = static_cast<const MatrixPlan &>(op);
  MatrixInputs in;
  in.aType = resolveFormat(op.aType, modifiers.cbsz);
  in.bType = resolveFormat(op.bType, modifiers.blgp);
  auto layout = [&](MatrixType declared, MatrixType type,
                    const InputLayout &usual) {
    bool narrow = declared == MatrixType::F8F6F4 && matrixTypeBits(type) < 8;
    return narrow ? &plan.narrow : &usual;
  };
  in.aLayout = layout(op.aType, in.aType, plan.a);
  in.bLayout = layout(op.bType, in.bType, plan.b);
  in.aFormat = formatOf(in.aType);
  in.bFormat = formatOf(in.bType);
  level.execute(plan, in, modifiers, operands);
}

void aircc::sim::executeMatrixOp(const MatrixOp &op,
                                 const MatrixModifiers &modifiers,
                                 const MatrixOperands &operands) {
  static const MatrixLevel &level = selectLevel();
  executeMatrixOpAt(level, op, modifiers, operands);
}
