//===- HostFloats.h - Floating point of the host for kernels ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled kernels call for numbers: conversions with all roundings, the
// conversions of small floats that compilers leave to a library, and the
// mathematical functions of OpenCL (MathFunctions.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_HOSTFLOATS_H
#define AIRCC_SIMULATOR_SPIRV_HOSTFLOATS_H

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace aircc::sim::spirv {

enum class FloatFormat : uint32_t { None, Half, BFloat, Single, Double };

/// The bits of a number in another format. `from` None: an integer of 64 bits.
/// `rounding` as SPIR-V counts: to nearest even, to zero, up, down.
uint64_t convertToFloat(uint64_t bits, FloatFormat from, FloatFormat to,
                        bool isSigned, uint32_t rounding);

/// Functions that compiled code calls by their names ("__truncdfhf2").
std::vector<std::pair<const char *, void *>> libraryFunctions();

/// An instruction of OpenCL.std on floats that is computed in double precision
/// and rounded once to the type of the result.
struct MathFunction {
  unsigned number;  ///< In OpenCL.std.
  const char *name; ///< In OpenCL C.
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
  double (*withInteger)(double, int) = nullptr;
};

/// One that gives a second result through a pointer: a float, or an int.
struct TwoResults {
  unsigned number;
  double (*result)(double);
  double (*second)(double);
  bool secondIsInteger;
};
const TwoResults *findTwoResults(unsigned number);

/// The number next to another in the direction of a third, of a format.
uint64_t nextAfter(uint64_t bits, uint64_t towards, FloatFormat format);
/// a * b + c of halves, rounded once.
uint16_t fuseHalf(uint16_t a, uint16_t b, uint16_t c);

/// Null when there is none.
const MathFunction *findMathFunction(unsigned number);
const MathFunction *findMathFunction(std::string_view name);

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_HOSTFLOATS_H
