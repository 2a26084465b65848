//===- HostFloats.h - Floating-point functions for kernels ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Functions that compiled kernels call: conversions with all rounding modes,
// the library functions that compilers use for small floats, and the
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

/// Converts the bits of a number to another format. If `from` is None, the
/// number is a 64-bit integer. `rounding` is SPIR-V's FPRoundingMode: to
/// nearest even, to zero, up, down.
uint64_t convertToFloat(uint64_t bits, FloatFormat from, FloatFormat to,
                        bool isSigned, uint32_t rounding);

/// Returns the library functions that compiled code calls by name
/// ("__truncdfhf2").
std::vector<std::pair<const char *, void *>> libraryFunctions();

/// A function of OpenCL.std that is computed in double precision and rounded
/// once to the result type.
struct MathFunction {
  unsigned number;  ///< The instruction of OpenCL.std.
  const char *name; ///< The name in OpenCL C.
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
  double (*withInteger)(double, int) = nullptr;
};

/// A function that stores a second result, a float or an int, through a
/// pointer.
struct TwoResults {
  unsigned number;
  double (*result)(double);
  double (*second)(double);
  bool secondIsInteger;
};
const TwoResults *findTwoResults(unsigned number);

/// OpenCL's nextafter for a format.
uint64_t nextAfter(uint64_t bits, uint64_t toward, FloatFormat format);
/// Returns a * b + c of halves, rounded once.
uint16_t fuseHalf(uint16_t a, uint16_t b, uint16_t c);

/// Returns the function, or null if there is none with this number.
const MathFunction *findMathFunction(unsigned number);
const MathFunction *findMathFunction(std::string_view name);

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_HOSTFLOATS_H
