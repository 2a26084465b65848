//===- SimLaneCases.h - Tables of vector instructions -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is a line of assembly and the value that it computes, as plain C++
// written from the description in the ISA guide. It runs with edge values.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMLANECASES_H
#define AIRCC_TEST_UNIT_SIMLANECASES_H

#include "test/unit/simulator/SimTestSupport.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace aircc::sim::test {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

inline float f32(u32 v) { return std::bit_cast<float>(v); }
inline u32 bits(float v) { return std::bit_cast<u32>(v); }
inline double f64(u64 v) { return std::bit_cast<double>(v); }
inline u64 bits(double v) { return std::bit_cast<u64>(v); }
inline float f16(u32 v) {
  return static_cast<float>(std::bit_cast<_Float16>(static_cast<u16>(v)));
}
inline u32 bits16(double v) {
  return std::bit_cast<u16>(static_cast<_Float16>(v));
}

struct Case {
  /// "v_add_f32 D, A, B": D, A, B, C are registers, DD, AA, BB, CC pairs, Dh,
  /// Ah, Bh, Ch low halves where gfx11 has a name for them.
  const char *text;
  bool wide; ///< The result has 64 bits.
  /// a, b and c are the sources as 64 bits: a register and the next one.
  std::function<u64(u64 a, u64 b, u64 c)> expect;
  enum { Exact, Float, Half, Double, TwoFloats, TwoHalves } compare = Exact;
};

/// Values at which arithmetic often fails: zeros, ones, powers of two at the
/// limits of formats, infinities, NaNs, denormals, signs.
extern const std::vector<u32> kEdges;

inline bool isNan32(u32 v) { return (v & 0x7fffffff) > 0x7f800000; }
inline bool isNan16(u32 v) { return (v & 0x7fff) > 0x7c00; }
inline bool isNan64(u64 v) {
  return (v & ~(u64(1) << 63)) > 0x7ff0000000000000;
}

/// Runs all cases with the edge values on one wave: every first operand with
/// several second and third operands. Destinations are zero before.
void checkCases(const std::string &chip, const std::vector<Case> &cases,
                const std::string &prologue = "");

#define F32_CASE(TEXT, EXPR)                                                   \
  {TEXT, false,                                                                \
   [](u64 ra, u64 rb, u64 rc) -> u64 {                                         \
     [[maybe_unused]] float a = f32(ra), b = f32(rb), c = f32(rc);             \
     return bits(static_cast<float>(EXPR));                                    \
   },                                                                          \
   Case::Float}
#define U32_CASE(TEXT, EXPR)                                                   \
  {TEXT, false, [](u64 ra, u64 rb, u64 rc) -> u64 {                            \
     [[maybe_unused]] u32 a = ra, b = rb, c = rc;                              \
     return static_cast<u32>(EXPR);                                            \
   }}
#define I32_CASE(TEXT, EXPR)                                                   \
  {TEXT, false, [](u64 ra, u64 rb, u64 rc) -> u64 {                            \
     [[maybe_unused]] i32 a = ra, b = rb, c = rc;                              \
     return static_cast<u32>(EXPR);                                            \
   }}
#define U64_CASE(TEXT, EXPR)                                                   \
  {TEXT, true, [](u64 ra, u64 rb, u64 rc) -> u64 {                             \
     [[maybe_unused]] u64 a = ra, b = rb, c = rc;                              \
     return (EXPR);                                                            \
   }}
#define F64_CASE(TEXT, EXPR)                                                   \
  {TEXT, true,                                                                 \
   [](u64 ra, u64 rb, u64 rc) -> u64 {                                         \
     [[maybe_unused]] double a = f64(ra), b = f64(rb), c = f64(rc);            \
     return bits(static_cast<double>(EXPR));                                   \
   },                                                                          \
   Case::Double}
#define F16_CASE(TEXT, EXPR)                                                   \
  {TEXT, false,                                                                \
   [](u64 ra, u64 rb, u64 rc) -> u64 {                                         \
     [[maybe_unused]] double a = f16(ra), b = f16(rb), c = f16(rc);            \
     return bits16(EXPR);                                                      \
   },                                                                          \
   Case::Half}

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMLANECASES_H
