//===- MatrixBits.h - Bits of numbers, and vectors of them ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector types of the level, and conversions.
//
// Part of MatrixKernels.cpp, which is compiled once for each level of the
// host's vector instructions (see MatrixKernels.h): nothing here may have
// external linkage, and no inline function of another header may be called,
// lest a copy made for a newer level serve an older one.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXBITS_H
#define AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXBITS_H

#include "simulator/exec/matrix/MatrixKernels.h"

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
/// 2^exponent; the exponent must be one of normal numbers.
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

/// a * b + c, rounded once.
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

float halfToFloat(uint32_t half) {
  uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00)
    return asFloat(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400)
    return asFloat(sign | ((magnitude << 13) + (112u << 23)));
  float subnormal = static_cast<float>(magnitude) * powerOf2(-24);
  return asFloat(sign | asBits(subnormal));
}

/// To nearest even.
uint32_t floatToHalf(float value) {
  uint32_t bits = asBits(value), sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return 0x7e00;
  if (magnitude >= 0x477ff000) // 65520, which rounds to infinity
    return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    // Adding 0.5 puts the last bit of an f16 subnormal in the last bit of the
    // sum.
    float sum = asFloat(magnitude) + 0.5f;
    return sign | (asBits(sum) - 0x3f000000);
  }
  uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return sign | (rounded - (112u << 23)) >> 13;
}

/// To nearest even.
uint32_t floatToBFloat(float value) {
  uint32_t bits = asBits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fc0;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

} // namespace
} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_MATRIX_MATRIXBITS_H
