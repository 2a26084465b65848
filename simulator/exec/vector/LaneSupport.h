//===- LaneSupport.h - How vector semantics are written ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A table entry reads like the manual: name, types, expression.
//
//   LANE2("v_add_f32", F32, F32, F32, a + b),
//
// Everything here has internal linkage (see LaneLevel.h). Floating-point
// arithmetic is the host's, one IEEE operation after the other (no
// contraction). The handlers set the host's rounding and denormal modes if MODE
// asks for anything other than nearest-even with denormals. f16 arithmetic is
// done in f32 (in f64 for fma) and rounded once, which gives the correctly
// rounded f16 result. The approximating instructions (rcp, rsq, sqrt, exp, log,
// sin, cos) give the correctly rounded result of a double computation; hardware
// is within 1 ulp.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_LANESUPPORT_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_LANESUPPORT_H

#include "simulator/exec/Wave.h"
#include "simulator/exec/vector/LaneLevel.h"
#include "simulator/isa/Floats.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace aircc::sim {
namespace {

#define LANE_INLINE inline __attribute__((always_inline))

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

LANE_INLINE float asF32(u32 v) { return __builtin_bit_cast(float, v); }
LANE_INLINE u32 bitsOf(float v) { return __builtin_bit_cast(u32, v); }
LANE_INLINE double asF64(u64 v) { return __builtin_bit_cast(double, v); }
LANE_INLINE u64 bitsOf(double v) { return __builtin_bit_cast(u64, v); }

// Conversions use the modes that the handlers have set.
using floats::bf16ToFloat;
using floats::floatToBf16;
using floats::halfTowardZero;
using floats::hostmode::doubleToHalf;
using floats::hostmode::floatToHalf;
using floats::hostmode::halfToFloat;

// Element types of rows.
struct F32 {
  using T = float;
  static constexpr ValueType type = ValueType::F32;
  static LANE_INLINE T get(const u32 *p, size_t i) { return asF32(p[i]); }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = bitsOf(v); }
};
struct U32 {
  using T = u32;
  static constexpr ValueType type = ValueType::B32;
  static LANE_INLINE T get(const u32 *p, size_t i) { return p[i]; }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = v; }
};
struct I32 {
  using T = i32;
  static constexpr ValueType type = ValueType::B32;
  static LANE_INLINE T get(const u32 *p, size_t i) {
    return static_cast<i32>(p[i]);
  }
  static LANE_INLINE void put(u32 *p, size_t i, T v) {
    p[i] = static_cast<u32>(v);
  }
};
struct U64 {
  using T = u64;
  static constexpr ValueType type = ValueType::B64;
  static LANE_INLINE T get(const u32 *p, size_t i) {
    return p[i] | static_cast<u64>(p[i + kRowLanes]) << 32;
  }
  static LANE_INLINE void put(u32 *p, size_t i, T v) {
    p[i] = static_cast<u32>(v);
    p[i + kRowLanes] = static_cast<u32>(v >> 32);
  }
};
struct I64 {
  using T = i64;
  static constexpr ValueType type = ValueType::B64;
  static LANE_INLINE T get(const u32 *p, size_t i) {
    return static_cast<i64>(U64::get(p, i));
  }
  static LANE_INLINE void put(u32 *p, size_t i, T v) {
    U64::put(p, i, static_cast<u64>(v));
  }
};
struct F64 {
  using T = double;
  static constexpr ValueType type = ValueType::F64;
  static LANE_INLINE T get(const u32 *p, size_t i) {
    return asF64(U64::get(p, i));
  }
  static LANE_INLINE void put(u32 *p, size_t i, T v) {
    U64::put(p, i, bitsOf(v));
  }
};
/// Read and written as f32.
struct F16 {
  using T = float;
  static constexpr ValueType type = ValueType::F16;
  static LANE_INLINE T get(const u32 *p, size_t i) { return halfToFloat(p[i]); }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = floatToHalf(v); }
};
/// The bits of an f16.
struct H16 {
  using T = u32;
  static constexpr ValueType type = ValueType::F16;
  static LANE_INLINE T get(const u32 *p, size_t i) { return p[i] & 0xffff; }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = v & 0xffff; }
};
struct BF16 {
  using T = float;
  static constexpr ValueType type = ValueType::BF16;
  static LANE_INLINE T get(const u32 *p, size_t i) {
    return bf16ToFloat(p[i] & 0xffff);
  }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = floatToBf16(v); }
};
struct U16 {
  using T = u16;
  static constexpr ValueType type = ValueType::B16;
  static LANE_INLINE T get(const u32 *p, size_t i) {
    return static_cast<u16>(p[i]);
  }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = v; }
};
struct I16 {
  using T = i16;
  static constexpr ValueType type = ValueType::B16;
  static LANE_INLINE T get(const u32 *p, size_t i) {
    return static_cast<i16>(p[i]);
  }
  static LANE_INLINE void put(u32 *p, size_t i, T v) {
    p[i] = static_cast<u16>(v);
  }
};
/// A bit of a lane mask, as 0 or ~0.
struct Bit {
  using T = bool;
  static constexpr ValueType type = ValueType::Mask;
  static LANE_INLINE T get(const u32 *p, size_t i) { return p[i] != 0; }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = v ? ~0u : 0u; }
};
/// A dword of packed elements that the instruction unpacks.
template <ValueType Type> struct Raw {
  using T = u32;
  static constexpr ValueType type = Type;
  static LANE_INLINE T get(const u32 *p, size_t i) { return p[i]; }
  static LANE_INLINE void put(u32 *p, size_t i, T v) { p[i] = v; }
};
using RawF16x2 = Raw<ValueType::PkF16>;
using RawBF16x2 = Raw<ValueType::PkBF16>;
using RawB16x2 = Raw<ValueType::PkB16>;
struct MixF32 : F32 {
  static constexpr ValueType type = ValueType::Mix;
};

// Loops. The lanes are independent, so the compiler may vectorize even if rows
// alias. With AVX2 and AVX-512, an iteration of a vectorized loop computes 32
// lanes.
#if defined(__clang__)
#define LANES_PRAGMA_(...) _Pragma(#__VA_ARGS__)
#define LANES_PRAGMA(...) LANES_PRAGMA_(__VA_ARGS__)
#if defined(__AVX512F__)
#define LANES_VECTORS 2
#elif defined(__AVX2__)
#define LANES_VECTORS 4
#else
#define LANES_VECTORS 1
#endif
#define LANES_ARE_INDEPENDENT                                                  \
  LANES_PRAGMA(clang loop vectorize(assume_safety)                             \
                   interleave_count(LANES_VECTORS) unroll(disable))
#else
#define LANES_ARE_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define LANE_LOOP(...)                                                         \
  for (size_t chunk = 0; chunk < lanes; chunk += 32) {                         \
    LANES_ARE_INDEPENDENT for (size_t k = 0; k < 32; ++k) {                    \
      const size_t i = chunk + k;                                              \
      __VA_ARGS__;                                                             \
    }                                                                          \
  }

template <class D, class A, class F>
void run1(u32 *d, u32 *, const u32 *a, const u32 *, const u32 *,
          unsigned lanes) {
  LANE_LOOP(D::put(d, i, F{}(A::get(a, i))))
}
template <class D, class A, class B, class F>
void run2(u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *,
          unsigned lanes) {
  LANE_LOOP(D::put(d, i, F{}(A::get(a, i), B::get(b, i))))
}
template <class D, class A, class B, class C, class F>
void run3(u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *c,
          unsigned lanes) {
  LANE_LOOP(D::put(d, i, F{}(A::get(a, i), B::get(b, i), C::get(c, i))))
}
/// With two destinations, the lambda returns {first, second}.
template <class D, class D2, class A, class B, class C, class F>
void run3x2(u32 *d, u32 *d2, const u32 *a, const u32 *b, const u32 *c,
            unsigned lanes) {
  LANE_LOOP(auto both = F{}(A::get(a, i), B::get(b, i), C::get(c, i));
            D::put(d, i, both.first); D2::put(d2, i, both.second))
}
template <class D, class D2, class A, class B, class F>
void run2x2(u32 *d, u32 *d2, const u32 *a, const u32 *b, const u32 *,
            unsigned lanes) {
  LANE_LOOP(auto both = F{}(A::get(a, i), B::get(b, i));
            D::put(d, i, both.first); D2::put(d2, i, both.second))
}
template <class T1, class T2> struct Both {
  T1 first;
  T2 second;
};

/// Returns the low and high halves of packed registers, each as an element `E`.
template <class E>
LANE_INLINE typename E::T half(const u32 *p, size_t i, unsigned which) {
  u32 part = p[i] >> (16 * which) & 0xffff;
  return E::get(&part, 0);
}
template <class E> LANE_INLINE u32 toHalf(typename E::T v) {
  u32 part = 0;
  E::put(&part, 0, v);
  return part & 0xffff;
}
template <class E, class F>
void runPk1(u32 *d, u32 *, const u32 *a, const u32 *, const u32 *,
            unsigned lanes) {
  LANE_LOOP(d[i] = toHalf<E>(F{}(half<E>(a, i, 0))) |
                   toHalf<E>(F{}(half<E>(a, i, 1))) << 16)
}
template <class E, class F>
void runPk2(u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *,
            unsigned lanes) {
  LANE_LOOP(d[i] = toHalf<E>(F{}(half<E>(a, i, 0), half<E>(b, i, 0))) |
                   toHalf<E>(F{}(half<E>(a, i, 1), half<E>(b, i, 1))) << 16)
}
template <class E, class F>
void runPk3(u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *c,
            unsigned lanes) {
  LANE_LOOP(
      d[i] =
          toHalf<E>(F{}(half<E>(a, i, 0), half<E>(b, i, 0), half<E>(c, i, 0))) |
          toHalf<E>(F{}(half<E>(a, i, 1), half<E>(b, i, 1), half<E>(c, i, 1)))
              << 16)
}
/// Two 32-bit values in two rows.
template <class E, class F>
void runPkWide2(u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *,
                unsigned lanes) {
  LANE_LOOP(typename E::T low = F{}(E::get(a, i), E::get(b, i));
            typename E::T high =
                F{}(E::get(a, i + kRowLanes), E::get(b, i + kRowLanes));
            E::put(d, i, low); E::put(d, i + kRowLanes, high))
}
template <class E, class F>
void runPkWide3(u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *c,
                unsigned lanes) {
  LANE_LOOP(typename E::T low = F{}(E::get(a, i), E::get(b, i), E::get(c, i));
            typename E::T high =
                F{}(E::get(a, i + kRowLanes), E::get(b, i + kRowLanes),
                    E::get(c, i + kRowLanes));
            E::put(d, i, low); E::put(d, i + kRowLanes, high))
}

// Turns the lines of isa/tables into elements of an array of kernels.
#define LANE1(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, ...)       \
  &run1<D, A, decltype([](A::T a) -> D::T { return __VA_ARGS__; })>,
#define LANE2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, ...)    \
  &run2<D, A, B, decltype([](A::T a, B::T b) -> D::T { return __VA_ARGS__; })>,
#define LANE3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, C, ...) \
  &run3<D, A, B, C,                                                            \
        decltype([](A::T a, B::T b, C::T c) -> D::T { return __VA_ARGS__; })>,
#define PAIR2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, D2, A, B,     \
              ...)                                                             \
  &run2x2<D, D2, A, B, decltype([](A::T a, B::T b) { __VA_ARGS__ })>,
#define PAIR3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, D2, A, B, C,  \
              ...)                                                             \
  &run3x2<D, D2, A, B, C, decltype([](A::T a, B::T b, C::T c) { __VA_ARGS__ })>,
#define HALVES2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, E, ...)     \
  &runPk2<E, decltype([](E::T a, E::T b) -> E::T { return __VA_ARGS__; })>,
#define HALVES3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, E, ...)     \
  &runPk3<E, decltype([](E::T a, E::T b, E::T c) -> E::T {                     \
            return __VA_ARGS__;                                                \
          })>,
#define WIDE2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, E, ...)       \
  &runPkWide2<E, decltype([](E::T a, E::T b) -> E::T { return __VA_ARGS__; })>,
#define WIDE3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, E, ...)       \
  &runPkWide3<E, decltype([](E::T a, E::T b, E::T c) -> E::T {                 \
                return __VA_ARGS__;                                            \
              })>,
#define LANES1(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, ...)      \
  __VA_ARGS__,
#define LANES2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, ...)   \
  __VA_ARGS__,
#define LANES3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, C,     \
               ...)                                                            \
  __VA_ARGS__,

// Clamp integer results, given their exact value.
LANE_INLINE u32 saturateU32(u64 v) { return v > 0xffffffff ? 0xffffffff : v; }
LANE_INLINE i32 saturateI32(i64 v) {
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

} // namespace
} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_LANESUPPORT_H
