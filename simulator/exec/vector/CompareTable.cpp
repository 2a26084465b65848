//===- CompareTable.cpp - VOPC --------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons: a bit a lane. v_cmpx also writes EXEC. CDNA3 ISA guide, "VOPC
// Instructions": lg is less or greater (ordered, not equal), o and u are
// ordered and unordered, an n in front negates.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>
#include <limits>

namespace aircc::sim {
namespace {

#define COMPARE(OP, SUFFIX, A, ...)                                            \
  LANE2("v_cmp_" OP "_" SUFFIX, Bit, A, A, __VA_ARGS__),                       \
      LANE2F(kExecDest, "v_cmpx_" OP "_" SUFFIX, Bit, A, A, __VA_ARGS__)
// clang-format off
#define FLOAT_COMPARES(SUFFIX, A)                                              \
  COMPARE("f", SUFFIX, A, false), COMPARE("lt", SUFFIX, A, a < b),             \
      COMPARE("eq", SUFFIX, A, a == b), COMPARE("le", SUFFIX, A, a <= b),      \
      COMPARE("gt", SUFFIX, A, a > b),                                         \
      COMPARE("lg", SUFFIX, A, a < b || a > b),                                \
      COMPARE("ge", SUFFIX, A, a >= b),                                        \
      COMPARE("o", SUFFIX, A, a == a && b == b),                               \
      COMPARE("u", SUFFIX, A, a != a || b != b),                               \
      COMPARE("nge", SUFFIX, A, !(a >= b)),                                    \
      COMPARE("nlg", SUFFIX, A, !(a < b || a > b)),                            \
      COMPARE("ngt", SUFFIX, A, !(a > b)),                                     \
      COMPARE("nle", SUFFIX, A, !(a <= b)),                                    \
      COMPARE("neq", SUFFIX, A, !(a == b)),                                    \
      COMPARE("nlt", SUFFIX, A, !(a < b)), COMPARE("tru", SUFFIX, A, true),    \
      COMPARE("t", SUFFIX, A, true)
#define INTEGER_COMPARES(SUFFIX, A)                                            \
  COMPARE("f", SUFFIX, A, false), COMPARE("lt", SUFFIX, A, a < b),             \
      COMPARE("eq", SUFFIX, A, a == b), COMPARE("le", SUFFIX, A, a <= b),      \
      COMPARE("gt", SUFFIX, A, a > b), COMPARE("ne", SUFFIX, A, a != b),       \
      COMPARE("ge", SUFFIX, A, a >= b), COMPARE("t", SUFFIX, A, true)
#define CLASS_COMPARES(SUFFIX, A, MASK, ...)                                   \
  LANE2("v_cmp_class_" SUFFIX, Bit, A, MASK, __VA_ARGS__),                     \
      LANE2F(kExecDest, "v_cmpx_class_" SUFFIX, Bit, A, MASK, __VA_ARGS__)

const LaneEntry kEntries[] = {
    FLOAT_COMPARES("f32", F32),
    FLOAT_COMPARES("f64", F64),
    FLOAT_COMPARES("f16", F16),
    INTEGER_COMPARES("i32", I32),
    INTEGER_COMPARES("u32", U32),
    INTEGER_COMPARES("i64", I64),
    INTEGER_COMPARES("u64", U64),
    INTEGER_COMPARES("i16", I16),
    INTEGER_COMPARES("u16", U16),
    CLASS_COMPARES("f32", F32, U32, (classOf(a) & b) != 0),
    CLASS_COMPARES("f64", F64, U32, (classOf(a) & b) != 0),
    CLASS_COMPARES("f16", H16, U32, (classOfHalf(a) & b) != 0),
};
// clang-format on

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable compareTable() { return {kEntries, std::size(kEntries)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
