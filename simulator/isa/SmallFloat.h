//===- SmallFloat.h - Formats of 4 to 16 bits, one at a time ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element formats of the OCP Microscaling specification (MX 1.0, section 5)
// and of the OCP 8-bit formats, and f16, bf16 and f32 beside them, as numbers:
// a double holds every value of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_SMALLFLOAT_H
#define AIRCC_SIMULATOR_ISA_SMALLFLOAT_H

#include <cstdint>

namespace aircc::sim {

/// A binary floating-point format of at most 32 bits: a sign, `exponentBits`,
/// `mantissaBits`.
struct SmallFormat {
  const char *name;
  uint8_t exponentBits, mantissaBits;
  int8_t bias;
  /// What the top exponent means: infinities and NaNs as in IEEE 754, one NaN
  /// with all bits set (fp8), or nothing but numbers (fp6, bf6, fp4).
  enum Top : uint8_t { Ieee, OneNan, Numbers } top;

  unsigned bits() const { return 1u + exponentBits + mantissaBits; }
  /// The largest finite magnitude's bits.
  uint32_t largest() const;
};

/// How a number that the format does not hold is rounded.
struct SmallRounding {
  bool stochastic = false; ///< Else to nearest, ties to even.
  uint32_t random = 0;     ///< In units of 2^-32 of the last place.
  bool saturate = false;   ///< Overflow gives the largest finite value.
};

/// "f32", "f16", "bf16", "fp8", "bf8", "fp6", "bf6", "fp4"; the OCP variants.
/// Null for another name.
const SmallFormat *findSmallFormat(const char *name, unsigned length);

/// The value of `bits`; NaN for a NaN.
double decodeSmall(const SmallFormat &format, uint32_t bits);

/// The bits of `value`. A format without infinity or NaN saturates; a NaN
/// becomes its largest value, with the NaN's sign.
uint32_t encodeSmall(const SmallFormat &format, double value,
                     const SmallRounding &rounding);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_SMALLFLOAT_H
