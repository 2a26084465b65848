//===- MatrixBits.h - Bits of numbers, and vectors of them ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The vector types of the level, and conversions.
//
// This is a part of MatrixKernels.cpp, which is compiled once for each level of
// the host's vector instructions (MatrixKernels.h). Nothing here may have
// external linkage, and only functions of other headers that are always inlined
// may be called (isa/Floats.h). Otherwise, the linker could use a copy that was
// compiled for a newer level.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXBITS_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXBITS_H

#include "simulator/exec/matrix/MatrixKernels.h"
#include "simulator/isa/Floats.h"

#if AIRCC_MATRIX_WIDTH > 4
#include <immintrin.h>
#endif

#ifndef AIRCC_MATRIX_LEVEL
#error "AIRCC_MATRIX_LEVEL names the level, AIRCC_MATRIX_WIDTH its floats"
#endif

#define KERNEL_INLINE inline __attribute__((always_inline))
#define KERNEL_INLINE_LAMBDA __attribute__((always_inline))

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
namespace {

constexpr unsigned kLanes = kMatrixLanes;
constexpr unsigned kWidth = AIRCC_MATRIX_WIDTH;
using Floats = float __attribute__((vector_size(4 * kWidth)));
using Ints = int32_t __attribute__((vector_size(4 * kWidth)));

constexpr uint32_t kDefaultNaN = 0x7fc00000;

KERNEL_INLINE float asFloat(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
KERNEL_INLINE uint32_t asBits(float value) {
  return __builtin_bit_cast(uint32_t, value);
}
/// Returns 2^exponent. The exponent must be one of normal numbers.
KERNEL_INLINE float powerOf2(int32_t exponent) {
  return asFloat(static_cast<uint32_t>(exponent + 127) << 23);
}
KERNEL_INLINE double powerOf2Double(int32_t exponent) {
  return __builtin_bit_cast(double, static_cast<int64_t>(exponent + 1023)
                                        << 52);
}
template <class T> KERNEL_INLINE T larger(T a, T b) { return a > b ? a : b; }
template <class T> KERNEL_INLINE T smaller(T a, T b) { return a < b ? a : b; }

KERNEL_INLINE Floats loadFloats(const float *from) {
  Floats v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
KERNEL_INLINE Ints loadInts(const int32_t *from) {
  Ints v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class T> KERNEL_INLINE void storeVector(T *to, V v) {
  __builtin_memcpy(to, &v, sizeof v);
}

KERNEL_INLINE bool anyLane(Ints mask) {
#if AIRCC_MATRIX_WIDTH == 16
  return _mm512_movepi32_mask((__m512i)mask) != 0;
#elif AIRCC_MATRIX_WIDTH == 8
  return _mm256_movemask_ps((__m256)mask) != 0;
#else
  uint64_t parts[sizeof(Ints) / 8], all = 0;
  storeVector(parts, mask);
  for (uint64_t part : parts)
    all |= part;
  return all != 0;
#endif
}

/// Returns a * b + c, rounded once.
KERNEL_INLINE Floats multiplyAdd(Floats a, Floats b, Floats c) {
#if AIRCC_MATRIX_WIDTH == 16
  return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif AIRCC_MATRIX_WIDTH == 8
  return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  for (unsigned l = 0; l < kWidth; ++l)
    c[l] = __builtin_fmaf(a[l], b[l], c[l]);
  return c;
#endif
}

using floats::halfToFloat;

// Convert results, rounding to nearest even and returning the default NaN for
// every NaN.
KERNEL_INLINE uint32_t floatToHalf(float value) {
  return value != value ? 0x7e00 : floats::floatToHalf(value);
}
KERNEL_INLINE uint32_t floatToBFloat(float value) {
  return value != value ? 0x7fc0 : floats::floatToBf16(value);
}

} // namespace
} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXBITS_H
