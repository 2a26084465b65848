//===- SimFloatsTest.cpp - Small floats of the simulator, every value -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares with the exact arithmetic of APFloat. Conversions from small formats
// are tested for every pattern; conversions to them for every value, the
// middles between neighbors and the values next to these, and patterns from the
// whole range of f32.
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/Floats.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <vector>

using namespace aircc::sim;
using llvm::APFloat;
using llvm::APInt;
using llvm::RoundingMode;

namespace {

uint64_t convert(uint64_t bits, const llvm::fltSemantics &from,
                 const llvm::fltSemantics &to,
                 RoundingMode mode = RoundingMode::NearestTiesToEven) {
  APFloat value(from, APInt(64, bits).trunc(APFloat::getSizeInBits(from)));
  bool loses = false;
  (void)value.convert(to, mode, &loses);
  return value.bitcastToAPInt().getZExtValue();
}

bool isNan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// All patterns for which rounding to a format may change the result, of both
/// signs, and a sample of the others, NaNs included.
std::vector<uint32_t> patterns(const llvm::fltSemantics &format) {
  std::vector<float> values;
  const unsigned bits = APFloat::getSizeInBits(format);
  for (uint64_t code = 0; code < uint64_t(1) << (bits - 1); ++code) {
    const float value = llvm::bit_cast<float>(
        static_cast<uint32_t>(convert(code, format, APFloat::IEEEsingle())));
    if (std::isfinite(value))
      values.push_back(value);
  }
  values.push_back(2 * values.back() - values[values.size() - 2]);
  std::vector<uint32_t> all;
  auto add = [&](float value) {
    for (float near :
         {value, std::nextafter(value, 0.0f), std::nextafter(value, INFINITY)})
      for (float either : {near, -near})
        all.push_back(llvm::bit_cast<uint32_t>(either));
  };
  for (size_t n = 0; n + 1 < values.size(); ++n) {
    add(values[n]);
    add(values[n] / 2 + values[n + 1] / 2);
  }
  for (uint64_t code = 0; code < uint64_t(1) << 32; code += 9973)
    all.push_back(static_cast<uint32_t>(code));
  for (uint32_t code : {0x7f800000u, 0xff800000u, 0x7f800001u, 0x7fc00000u})
    all.push_back(code);
  return all;
}

// The conversions, in functions that the compiler cannot evaluate in another
// rounding mode.
#define OUTLINED __attribute__((noinline))
OUTLINED uint32_t inHostMode(float v) {
  return floats::hostmode::floatToHalf(v);
}
OUTLINED uint32_t inHostMode(double v) {
  return floats::hostmode::doubleToHalf(v);
}

struct Mode {
  int host;
  RoundingMode exact;
};
constexpr Mode kModes[] = {{FE_TONEAREST, RoundingMode::NearestTiesToEven},
                           {FE_TOWARDZERO, RoundingMode::TowardZero},
                           {FE_UPWARD, RoundingMode::TowardPositive},
                           {FE_DOWNWARD, RoundingMode::TowardNegative}};

template <class Format>
void check8(const llvm::fltSemantics &semantics, const char *name) {
  const floats::SmallFormat *generic =
      floats::findSmallFormat(name, std::strlen(name));
  ASSERT_TRUE(generic);
  for (uint32_t code = 0; code < 256; ++code) {
    const auto exact =
        static_cast<uint32_t>(convert(code, semantics, APFloat::IEEEsingle()));
    const uint32_t got = floats::bitsOf(Format::decode(code));
    const double slow = floats::decodeSmall(*generic, code);
    if (isNan(exact)) {
      EXPECT_TRUE(isNan(got)) << name << " " << code;
      EXPECT_TRUE(std::isnan(slow)) << name << " " << code;
      continue;
    }
    EXPECT_EQ(got, exact) << name << " " << code;
    EXPECT_EQ(slow, llvm::bit_cast<float>(exact)) << name << " " << code;
    EXPECT_EQ(std::signbit(slow), bool(exact >> 31)) << name << " " << code;
  }
  uint32_t random = 1;
  for (uint32_t pattern : patterns(semantics)) {
    const float v = llvm::bit_cast<float>(pattern);
    const auto exact = static_cast<uint32_t>(
        convert(pattern, APFloat::IEEEsingle(), semantics));
    // All NaNs compare equal if their signs do.
    if (!std::isnan(v))
      ASSERT_EQ(Format::nearest(v), exact) << name << " " << v;
    else
      ASSERT_TRUE(std::isnan(Format::decode(Format::nearest(v))));
    ASSERT_EQ(floats::encodeSmall(*generic, v, {}), Format::nearest(v))
        << name << " " << v;
    // Stochastic rounding with random bits: their sum with the value is exact
    // in f64.
    random = random * 1664525 + 1013904223;
    floats::SmallRounding rounding;
    rounding.stochastic = true;
    rounding.random = random;
    if (std::fabs(v) >= 1e-12f || v == 0)
      ASSERT_EQ(Format::encode(v, true, random),
                floats::encodeSmall(*generic, v, rounding))
          << name << " " << v << " " << random;
  }
}

void checkNumbers(const llvm::fltSemantics &semantics, const char *name) {
  const floats::SmallFormat *format =
      floats::findSmallFormat(name, std::strlen(name));
  ASSERT_TRUE(format);
  for (uint32_t code = 0; code < 1u << format->bits(); ++code)
    EXPECT_EQ(floats::decodeSmall(*format, code),
              llvm::bit_cast<float>(static_cast<uint32_t>(
                  convert(code, semantics, APFloat::IEEEsingle()))))
        << name << " " << code;
  for (uint32_t pattern : patterns(semantics)) {
    const float v = llvm::bit_cast<float>(pattern);
    const uint32_t sign = pattern >> 31 << (format->bits() - 1);
    // A value beyond APFloat's range becomes the largest value.
    const bool fits = std::isfinite(v);
    const auto exact = fits ? static_cast<uint32_t>(convert(
                                  pattern, APFloat::IEEEsingle(), semantics))
                            : sign | format->largest();
    ASSERT_EQ(floats::encodeSmall(*format, v, {}), exact) << name << " " << v;
  }
}

} // namespace

TEST(SimFloats, HalvesAreExact) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const bool isNan16 = (half & 0x7fff) > 0x7c00;
    const auto exact =
        isNan16 ? (half & 0x8000) << 16 | 0x7f800000 | (half & 0x3ff) << 13
                : static_cast<uint32_t>(convert(half, APFloat::IEEEhalf(),
                                                APFloat::IEEEsingle()));
    EXPECT_EQ(floats::bitsOf(floats::halfToFloat(half)), exact);
    EXPECT_EQ(floats::bitsOf(floats::hostmode::halfToFloat(half)), exact);
    EXPECT_EQ(floats::bitsOf(floats::bf16ToFloat(half)), half << 16);
  }
}

TEST(SimFloats, RoundingToHalves) {
  for (uint32_t pattern : patterns(APFloat::IEEEhalf())) {
    const float v = llvm::bit_cast<float>(pattern);
    auto exact = [&](RoundingMode mode) {
      return static_cast<uint32_t>(
          convert(pattern, APFloat::IEEEsingle(), APFloat::IEEEhalf(), mode));
    };
    // A NaN becomes a quiet NaN with the same high bits, as in APFloat.
    ASSERT_EQ(floats::floatToHalf(v), exact(RoundingMode::NearestTiesToEven))
        << v;
    ASSERT_EQ(floats::halfTowardZero(v), exact(RoundingMode::TowardZero)) << v;
    for (const Mode &mode : kModes) {
      std::fesetround(mode.host);
      const uint32_t got = inHostMode(v);
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(got, exact(mode.exact)) << v << " " << mode.host;
    }
  }
}

TEST(SimFloats, RoundingDoublesToHalves) {
  for (uint32_t pattern : patterns(APFloat::IEEEhalf())) {
    const double middle = llvm::bit_cast<float>(pattern);
    // Results that differ if the conversion rounds to f32 in between.
    for (double v : {middle, std::nextafter(middle, -INFINITY),
                     std::nextafter(middle, double(INFINITY))}) {
      if (std::isnan(v))
        continue;
      auto exact = [&](RoundingMode mode) {
        return static_cast<uint32_t>(convert(llvm::bit_cast<uint64_t>(v),
                                             APFloat::IEEEdouble(),
                                             APFloat::IEEEhalf(), mode));
      };
      ASSERT_EQ(floats::doubleToHalf(v), exact(RoundingMode::NearestTiesToEven))
          << v;
      for (const Mode &mode : kModes) {
        std::fesetround(mode.host);
        const uint32_t got = inHostMode(v);
        std::fesetround(FE_TONEAREST);
        ASSERT_EQ(got, exact(mode.exact)) << v << " " << mode.host;
      }
    }
  }
}

TEST(SimFloats, RoundingToBFloats) {
  for (uint32_t pattern : patterns(APFloat::BFloat()))
    ASSERT_EQ(floats::floatToBf16(llvm::bit_cast<float>(pattern)),
              convert(pattern, APFloat::IEEEsingle(), APFloat::BFloat()))
        << pattern;
}

TEST(SimFloats, Tf32) {
  EXPECT_EQ(floats::truncateToTf32(0x3fffffff), 1.9990234375f);
  EXPECT_EQ(floats::truncateToTf32(0xbf801fff), -1.0f);
}

TEST(SimFloats, DefaultNans) {
  EXPECT_EQ(floats::bitsOf(floats::withDefaultNan(floats::asFloat(0xff812345))),
            0xffc00000);
  EXPECT_EQ(floats::bitsOf(floats::withDefaultNan(-0.0f)), 0x80000000);
}

TEST(SimFloats, EightBits) {
  check8<floats::Fp8Ocp>(APFloat::Float8E4M3FN(), "fp8");
  check8<floats::Bf8Ocp>(APFloat::Float8E5M2(), "bf8");
  check8<floats::Fp8Fnuz>(APFloat::Float8E4M3FNUZ(), "fp8fnuz");
  check8<floats::Bf8Fnuz>(APFloat::Float8E5M2FNUZ(), "bf8fnuz");
}

TEST(SimFloats, FewerBits) {
  checkNumbers(APFloat::Float6E2M3FN(), "fp6");
  checkNumbers(APFloat::Float6E3M2FN(), "bf6");
  checkNumbers(APFloat::Float4E2M1FN(), "fp4");
}
