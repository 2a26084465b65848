//===- HostFloat.h - 16-bit floats on the host, one at a time ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_HOSTFLOAT_H
#define AIRCC_SIMULATOR_ISA_HOSTFLOAT_H

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace aircc::sim {

inline float bf16ToFloat(uint32_t bits) {
  return llvm::bit_cast<float>(bits << 16);
}
/// To nearest even.
inline uint32_t floatToBf16(float v) {
  uint32_t bits = llvm::bit_cast<uint32_t>(v);
  if (v != v)
    return bits >> 16 | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

inline float f16ToFloat(uint32_t h) {
  int exponent = h >> 10 & 31;
  float mantissa = static_cast<float>(h & 0x3ff);
  float v = exponent == 31 ? ((h & 0x3ff) ? NAN : INFINITY)
            : exponent     ? std::ldexp(1024.0f + mantissa, exponent - 25)
                           : std::ldexp(mantissa, -24);
  return h & 0x8000 ? -v : v;
}
/// In the host's rounding mode; overflow gives infinity.
inline uint32_t floatToF16(double v) {
  uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  double a = std::fabs(v);
  if (v != v)
    return sign | 0x7e00;
  if (a == 0)
    return sign;
  if (a >= 65520.0)
    return sign | 0x7c00;
  int exponent = 0;
  std::frexp(a, &exponent);
  exponent = std::max(exponent, -13);
  // In units of the last place of this binade.
  uint32_t units =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(a, 11 - exponent)));
  return sign | (((exponent + 13) << 10) + units);
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_HOSTFLOAT_H
