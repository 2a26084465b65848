//===- Floats.h - Floating-point formats of up to 32 bits -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16, bf16 and tf32 as f32. Everything is forced inline, without branches
// where that lets loops over lanes vectorise: code that is compiled once for
// each level of the host's vector instructions includes this header, and no
// copy for a newer level may be linked into the plain one (exec/Wave.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_FLOATS_H
#define AIRCC_SIMULATOR_ISA_FLOATS_H

#include <cstdint>

#define AIRCC_FLOAT_INLINE inline __attribute__((always_inline))

namespace aircc::sim {

namespace floats {
AIRCC_FLOAT_INLINE float asFloat(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
AIRCC_FLOAT_INLINE uint32_t bitsOf(float v) {
  return __builtin_bit_cast(uint32_t, v);
}
} // namespace floats

/// f16 to f32: exact; NaNs keep their bits. No operation has a denormal operand
/// or result, for which processors take a hundred cycles.
AIRCC_FLOAT_INLINE float halfToFloat(uint32_t half) {
  const uint32_t aligned = (half & 0x7fff) << 13;
  const uint32_t normal = aligned + (112u << 23);
  // As a fraction of the least normal number, to which it is added.
  const uint32_t denormal = floats::bitsOf(
      floats::asFloat(aligned + (113u << 23)) - floats::asFloat(113u << 23));
  uint32_t bits = aligned < (1u << 23) ? denormal : normal;
  bits = aligned >= (31u << 23) ? aligned | 0x7f800000 : bits;
  return floats::asFloat(bits | (half & 0x8000) << 16);
}

AIRCC_FLOAT_INLINE float bf16ToFloat(uint32_t bits) {
  return floats::asFloat(bits << 16);
}

/// The bits of an f32 without those that tf32 does not have.
AIRCC_FLOAT_INLINE float truncateToTf32(uint32_t bits) {
  return floats::asFloat(bits & ~uint32_t(0x1fff));
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_FLOATS_H
