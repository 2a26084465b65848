//===- FloatMath.h - Floating-point helpers of the tables -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_FLOATMATH_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_FLOATMATH_H

#include "simulator/exec/vector/LaneSupport.h"

#include <limits>

namespace aircc::sim {
namespace {

LANE_INLINE bool isNan(float v) { return v != v; }
LANE_INLINE bool isNan(double v) { return v != v; }
LANE_INLINE bool isSignaling(float v) {
  return v != v && !(bitsOf(v) & 0x400000);
}
LANE_INLINE bool isSignaling(double v) {
  return v != v && !(bitsOf(v) & 0x8000000000000);
}
LANE_INLINE float quiet(float v) { return asF32(bitsOf(v) | 0x400000); }
LANE_INLINE double quiet(double v) {
  return asF64(bitsOf(v) | 0x8000000000000);
}

/// V_MIN returns the other operand if one is a NaN, and the first if both are.
/// A signaling NaN becomes quiet (MODE.IEEE is set for all HSA kernels). -0 is
/// less than +0.
template <class T> LANE_INLINE T minNum(T a, T b) {
  T number = a < b ? a : b < a ? b : std::signbit(a) ? a : b;
  number = isNan(a) ? b : number;
  number = isNan(b) ? a : number;
  number = isSignaling(b) ? quiet(b) : number;
  return isSignaling(a) ? quiet(a) : number;
}
template <class T> LANE_INLINE T maxNum(T a, T b) {
  T number = a > b ? a : b > a ? b : std::signbit(a) ? b : a;
  number = isNan(a) ? b : number;
  number = isNan(b) ? a : number;
  number = isSignaling(b) ? quiet(b) : number;
  return isSignaling(a) ? quiet(a) : number;
}
/// The minimum and maximum of IEEE 754-2019, where a NaN wins.
template <class T> LANE_INLINE T minimum(T a, T b) {
  T number = a < b ? a : b < a ? b : std::signbit(a) ? a : b;
  number = isNan(b) ? quiet(b) : number;
  return isNan(a) ? quiet(a) : number;
}
template <class T> LANE_INLINE T maximum(T a, T b) {
  T number = a > b ? a : b > a ? b : std::signbit(a) ? b : a;
  number = isNan(b) ? quiet(b) : number;
  return isNan(a) ? quiet(a) : number;
}
/// V_MED3 returns the minimum of all three if one is a NaN.
template <class T> LANE_INLINE T med3(T a, T b, T c) {
  T least = minNum(minNum(a, b), c);
  T most = maxNum(maxNum(a, b), c);
  T middle = most == a ? maxNum(b, c) : most == b ? maxNum(a, c) : maxNum(a, b);
  return isNan(a) || isNan(b) || isNan(c) ? least : middle;
}

LANE_INLINE int exponentOf(float v) { return bitsOf(v) >> 23 & 0xff; }
LANE_INLINE int exponentOf(double v) { return bitsOf(v) >> 52 & 0x7ff; }
LANE_INLINE bool isDenormal(float v) {
  return exponentOf(v) == 0 && (bitsOf(v) & 0x7fffff);
}
LANE_INLINE bool isDenormal(double v) {
  return exponentOf(v) == 0 && (bitsOf(v) & 0xfffffffffffff);
}
LANE_INLINE float flushed(float v) {
  return exponentOf(v) == 0 ? asF32(bitsOf(v) & 0x80000000) : v;
}

/// Returns v * 2^n, rounded once. It takes three steps, of which at most the
/// last one rounds.
LANE_INLINE float scaleBy(float v, int n) {
  n = n > 400 ? 400 : n < -400 ? -400 : n;
  // In double, no float times 2^n for |n| <= 400 overflows or underflows.
  return static_cast<float>(static_cast<double>(v) *
                            asF64(static_cast<u64>(n + 1023) << 52));
}
LANE_INLINE double scaleBy(double v, int n) { return std::scalbn(v, n); }

/// V_FREXP_EXP and V_FREXP_MANT: v = mant * 2^exp with 0.5 <= |mant| < 1.
template <class T> LANE_INLINE int frexpExp(T v) {
  int e = 0;
  if (!std::isfinite(v) || v == 0)
    return 0;
  std::frexp(v, &e);
  return e;
}
template <class T> LANE_INLINE T frexpMant(T v) {
  int e = 0;
  if (!std::isfinite(v))
    return isNan(v) ? quiet(v) : v;
  return std::frexp(v, &e);
}

/// V_FRACT returns v - floor(v), which is below 1.
LANE_INLINE float fract(float v) {
  float f = v - std::floor(v);
  f = f < asF32(0x3f7fffff) ? f : asF32(0x3f7fffff);
  f = std::isinf(v) ? asF32(0x7fc00000) : f;
  return isNan(v) ? v : f;
}
LANE_INLINE double fract(double v) {
  double f = v - std::floor(v);
  f = f < asF64(0x3fefffffffffffff) ? f : asF64(0x3fefffffffffffff);
  f = std::isinf(v) ? asF64(0x7ff8000000000000) : f;
  return isNan(v) ? v : f;
}

/// In V_DIV_SCALE, s0 is the value to scale (one of the other two), s1 the
/// denominator and s2 the numerator. The guides describe conditions on the
/// quotients, but the hardware checks only the exponents, as measured for f32
/// on RDNA3 (all combinations of edge values). f64 is assumed to do the same.
template <class T> struct DivLimits;
template <> struct DivLimits<float> {
  static constexpr int scale = 64, farApart = 96, tiny = 23, underflow = -150,
                       top = 255, bias = 127;
};
template <> struct DivLimits<double> {
  static constexpr int scale = 128, farApart = 768, tiny = 53,
                       underflow = -1075, top = 2047, bias = 1023;
};
template <class T> LANE_INLINE Both<T, bool> divScale(T s0, T s1, T s2) {
  using L = DivLimits<T>;
  const T up = scaleBy(s0, L::scale);
  const int apart = exponentOf(s2) - exponentOf(s1);
  const bool vcc = apart >= L::farApart || apart <= -L::farApart;
  const bool isDenominator = bitsOf(s0) == bitsOf(s1);
  T d = s0;
  if (s2 == 0 || s1 == 0)
    d = -std::numeric_limits<T>::quiet_NaN();
  else if (apart >= L::farApart)
    d = isDenominator ? up : s0;
  else if (exponentOf(s1) == 0)
    d = up;
  else if (exponentOf(s1) >= L::top - 1) // Its reciprocal is denormal.
    d = vcc && !isDenominator ? s0 : scaleBy(s0, -L::scale);
  else if (vcc)
    d = isDenominator ? s0 : up;
  else if (exponentOf(s2) <= L::tiny)
    d = up;
  return {d, vcc};
}
/// V_DIV_FIXUP handles the special cases of s2 / s1, whose quotient is s0.
template <class T> LANE_INLINE T divFixup(T s0, T s1, T s2) {
  using L = DivLimits<T>;
  const T infinity = std::numeric_limits<T>::infinity();
  bool sign = std::signbit(s1) != std::signbit(s2);
  T d;
  if (isNan(s2))
    return quiet(s2);
  if (isNan(s1))
    return quiet(s1);
  if ((s1 == 0 && s2 == 0) || (std::isinf(s1) && std::isinf(s2)))
    return -std::numeric_limits<T>::quiet_NaN();
  if (s1 == 0 || std::isinf(s2))
    d = infinity;
  else if (std::isinf(s1) || s2 == 0)
    d = 0;
  else if (exponentOf(s2) - exponentOf(s1) < L::underflow)
    d = 0;
  else if (exponentOf(s1) == L::top)
    d = infinity;
  else if (isNan(s0)) // The quotient overflowed on the way.
    d = infinity;
  else
    d = std::fabs(s0);
  return sign ? -d : d;
}
/// V_DIV_FMAS if VCC says that an operand was scaled: an fma whose result is
/// scaled back. It is rounded once, even if the result is denormal: the sum has
/// 113 bits, of which the last is set if bits were lost. Not inlined, because
/// the compiler would compute it for all lanes.
template <class T> __attribute__((noinline)) T scaledDivFmas(T s0, T s1, T s2) {
  using L = DivLimits<T>;
  __extension__ using Wide = __float128;
  Wide product = static_cast<Wide>(s0) * s1;
  Wide sum = product + s2;
  Wide back = sum - product;
  bool inexact = (product - (sum - back)) + (s2 - back) != 0;
  int scale = exponentOf(s2) > L::bias ? L::scale : -L::scale;
  unsigned __int128 bits;
  std::memcpy(&bits, &sum, 16);
  if (inexact)
    bits |= 1;
  std::memcpy(&sum, &bits, 16);
  Wide factor = scale < 0 ? 1 / static_cast<Wide>(scaleBy(T(1), -scale))
                          : static_cast<Wide>(scaleBy(T(1), scale));
  return static_cast<T>(sum * factor);
}
/// Executes V_DIV_FMAS. `vcc` has rows of masks.
template <class E>
void divFmas(u32 *d, u32 *vcc, const u32 *a, const u32 *b, const u32 *c,
             unsigned lanes) {
  u32 scaled = 0;
  LANE_LOOP(scaled |= vcc[i])
  if (!scaled) {
    LANE_LOOP(E::put(d, i, std::fma(E::get(a, i), E::get(b, i), E::get(c, i))))
    return;
  }
  for (size_t i = 0; i < lanes; ++i) {
    const auto x = E::get(a, i), y = E::get(b, i), z = E::get(c, i);
    E::put(d, i, vcc[i] ? scaledDivFmas(x, y, z) : std::fma(x, y, z));
  }
}

/// V_CMP_CLASS returns a bit by class, in the manual's order.
template <class T> LANE_INLINE u32 classOf(T v) {
  bool negative = std::signbit(v);
  if (isNan(v))
    return isSignaling(v) ? 1 : 2;
  if (std::isinf(v))
    return negative ? 4 : 0x200;
  if (v == 0)
    return negative ? 0x20 : 0x40;
  if (exponentOf(v) == 0)
    return negative ? 0x10 : 0x80;
  return negative ? 8 : 0x100;
}
LANE_INLINE u32 classOfHalf(u32 h) {
  u32 magnitude = h & 0x7fff;
  bool negative = h & 0x8000;
  if (magnitude > 0x7c00)
    return magnitude & 0x200 ? 2 : 1;
  if (magnitude == 0x7c00)
    return negative ? 4 : 0x200;
  if (magnitude == 0)
    return negative ? 0x20 : 0x40;
  if (magnitude < 0x400)
    return negative ? 0x10 : 0x80;
  return negative ? 8 : 0x100;
}

LANE_INLINE float approxExp2(float v) {
  return static_cast<float>(std::exp2(static_cast<double>(v)));
}
LANE_INLINE float approxLog2(float v) {
  return static_cast<float>(std::log2(static_cast<double>(v)));
}
// Compute sin and cos of an angle in units of 2 pi, where infinity gives NaN.
// The argument is reduced to at most a quarter, so that results at quarters are
// exact, as in the manual's examples, and symmetric for small numbers on either
// side of zero.
LANE_INLINE double sinOfQuarter(double turns) {
  return std::sin(turns * 6.283185307179586476925);
}
LANE_INLINE float approxSin(float turns) {
  double t = turns;
  if (!std::isfinite(t))
    return asF32(0x7fc00000);
  t -= std::floor(t + 0.5);
  if (std::fabs(t) > 0.25)
    t = std::copysign(0.5, t) - t;
  return static_cast<float>(sinOfQuarter(t));
}
LANE_INLINE float approxCos(float turns) {
  double t = turns;
  if (!std::isfinite(t))
    return asF32(0x7fc00000);
  t -= std::floor(t + 0.5);
  return static_cast<float>(sinOfQuarter(0.25 - std::fabs(t)));
}
LANE_INLINE float approxRsq(float v) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(v)));
}
/// In a "legacy" multiplication, zero times anything is zero.
LANE_INLINE float mulLegacy(float a, float b) {
  float product = a * b;
  return a == 0 || b == 0 ? 0.0f : product;
}

/// In V_CUBE*, z wins ties, then y.
LANE_INLINE bool majorIsZ(float x, float y, float z) {
  return std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y);
}
LANE_INLINE float cubeFace(float x, float y, float z) {
  return majorIsZ(x, y, z)              ? (z < 0 ? 5.0f : 4.0f)
         : std::fabs(y) >= std::fabs(x) ? (y < 0 ? 3.0f : 2.0f)
                                        : (x < 0 ? 1.0f : 0.0f);
}
LANE_INLINE float cubeS(float x, float y, float z) {
  return majorIsZ(x, y, z)              ? (z < 0 ? -x : x)
         : std::fabs(y) >= std::fabs(x) ? x
                                        : (x < 0 ? z : -z);
}
LANE_INLINE float cubeT(float x, float y, float z) {
  return majorIsZ(x, y, z)              ? -y
         : std::fabs(y) >= std::fabs(x) ? (y < 0 ? -z : z)
                                        : -y;
}
LANE_INLINE float cubeMajor(float x, float y, float z) {
  return 2 * (majorIsZ(x, y, z) ? z : std::fabs(y) >= std::fabs(x) ? y : x);
}

/// V_MULLIT returns the product for lighting, or -FLT_MAX if S1 is not above it
/// or S2 is not positive.
LANE_INLINE float mulLit(float a, float b, float c) {
  const float least = -std::numeric_limits<float>::max();
  return b <= least || isNan(b) || !(c > 0) ? least : mulLegacy(a, b);
}

} // namespace
} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_FLOATMATH_H
