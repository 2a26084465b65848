//===- Float16.h - 16-bit floats on the host --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_FLOAT16_H
#define AIRCC_RUNTIME_SUPPORT_FLOAT16_H

#include <cstdint>

namespace aircc::rt {

/// IEEE binary16 and bfloat16 as bit patterns. Widening is exact.
float halfToFloat(uint16_t bits);
float bfloatToFloat(uint16_t bits);

/// Rounds to nearest even. A NaN becomes a quiet NaN.
uint16_t floatToHalf(float value);
uint16_t doubleToBFloat(double value);

/// Element types of memrefs.
struct Half {
  uint16_t bits;
  operator float() const { return halfToFloat(bits); }
};
struct BFloat {
  uint16_t bits;
  operator float() const { return bfloatToFloat(bits); }
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_FLOAT16_H
