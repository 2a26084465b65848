//===- MatrixFormats.cpp - The values of the small float formats ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fp8, bf8: OCP 8-bit floating point; FNUZ: finite, unsigned zero, as in LLVM's
// APFloat. fp6, bf6, fp4: OCP microscaling formats, which have no infinities
// and no NaNs.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixKernels.h"

#include <cmath>
#include <limits>

using namespace aircc::sim;

namespace {
/// What the patterns with the largest exponent mean, or which other is special.
enum class Specials {
  None,
  AllOnesNaN,   ///< Exponent and mantissa all ones: NaN.
  IEEE,         ///< Exponent all ones: infinity or NaN.
  NegativeZero, ///< The pattern of -0 is NaN.
};
} // namespace

static SmallFormat makeFormat(unsigned exponentBits, unsigned mantissaBits,
                              int bias, Specials specials) {
  SmallFormat format;
  unsigned mantissaMask = (1u << mantissaBits) - 1;
  unsigned exponentMask = (1u << exponentBits) - 1;
  unsigned signBit = 1u << (exponentBits + mantissaBits);
  // Patterns wider than the format do not occur; they repeat its values.
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    unsigned bits = pattern & (2 * signBit - 1);
    unsigned mantissa = bits & mantissaMask;
    unsigned field = bits >> mantissaBits & exponentMask;
    float fraction = std::ldexp(float(mantissa), -int(mantissaBits));
    float significand = field ? 1 + fraction : fraction;
    int exponent = (field ? int(field) : 1) - bias;
    bool ones = field == exponentMask;
    if ((specials == Specials::AllOnesNaN && ones &&
         mantissa == mantissaMask) ||
        (specials == Specials::IEEE && ones && mantissa) ||
        (specials == Specials::NegativeZero && bits == signBit)) {
      significand = std::numeric_limits<float>::quiet_NaN();
      exponent = 0;
    } else if (specials == Specials::IEEE && ones) {
      significand = std::numeric_limits<float>::infinity();
      exponent = 0;
    }
    if (bits & signBit)
      significand = -significand;
    format.value[pattern] = std::ldexp(significand, exponent);
    format.significand[pattern] = significand;
    format.exponent[pattern] = significand == 0 ? kZeroExponent : exponent;
  }
  return format;
}

const SmallFormat &aircc::sim::smallFormat(MatrixType type) {
  static const SmallFormat fp8 = makeFormat(4, 3, 7, Specials::AllOnesNaN);
  static const SmallFormat bf8 = makeFormat(5, 2, 15, Specials::IEEE);
  static const SmallFormat fp8fnuz =
      makeFormat(4, 3, 8, Specials::NegativeZero);
  static const SmallFormat bf8fnuz =
      makeFormat(5, 2, 16, Specials::NegativeZero);
  static const SmallFormat fp6 = makeFormat(2, 3, 1, Specials::None);
  static const SmallFormat bf6 = makeFormat(3, 2, 3, Specials::None);
  static const SmallFormat fp4 = makeFormat(2, 1, 1, Specials::None);
  switch (type) {
  case MatrixType::BF8:
    return bf8;
  case MatrixType::FP8FNUZ:
    return fp8fnuz;
  case MatrixType::BF8FNUZ:
    return bf8fnuz;
  case MatrixType::FP6:
    return fp6;
  case MatrixType::BF6:
    return bf6;
  case MatrixType::FP4:
    return fp4;
  default:
    return fp8;
  }
}
