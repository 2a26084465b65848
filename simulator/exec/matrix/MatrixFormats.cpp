//===- MatrixFormats.cpp - The values of the small float formats ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Tables, indexed by the bits of a number, of its value, significand and
// exponent.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixKernels.h"
#include "simulator/isa/Floats.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace aircc::sim;

static SmallFormat makeFormat(const char *name) {
  const floats::SmallFormat &source =
      *floats::findSmallFormat(name, std::strlen(name));
  SmallFormat format;
  const unsigned mask = (1u << source.bits()) - 1;
  // Patterns wider than the format do not occur; they repeat its values.
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    const auto value =
        static_cast<float>(floats::decodeSmall(source, pattern & mask));
    // The exponent of denormals is the least one.
    int exponent = 0;
    if (std::isfinite(value)) {
      std::frexp(value, &exponent);
      exponent = std::max(exponent - 1, 1 - source.bias);
    }
    format.value[pattern] = value;
    format.significand[pattern] = std::ldexp(value, -exponent);
    format.exponent[pattern] = value == 0 ? kZeroExponent : exponent;
  }
  return format;
}

const SmallFormat &aircc::sim::smallFormat(MatrixType type) {
  static const SmallFormat fp8 = makeFormat("fp8");
  static const SmallFormat bf8 = makeFormat("bf8");
  static const SmallFormat fp8fnuz = makeFormat("fp8fnuz");
  static const SmallFormat bf8fnuz = makeFormat("bf8fnuz");
  static const SmallFormat fp6 = makeFormat("fp6");
  static const SmallFormat bf6 = makeFormat("bf6");
  static const SmallFormat fp4 = makeFormat("fp4");
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
