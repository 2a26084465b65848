//===- HostFloats.cpp - Floating-point functions for kernels --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/HostFloats.h"

#include "simulator/isa/Floats.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using namespace aircc::sim::spirv;
using llvm::APFloat;

static const llvm::fltSemantics &semanticsOf(FloatFormat format) {
  switch (format) {
  case FloatFormat::Half:
    return APFloat::IEEEhalf();
  case FloatFormat::BFloat:
    return APFloat::BFloat();
  case FloatFormat::Single:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

uint64_t aircc::sim::spirv::convertToFloat(uint64_t bits, FloatFormat from,
                                           FloatFormat to, bool isSigned,
                                           uint32_t rounding) {
  constexpr llvm::RoundingMode modes[] = {
      llvm::RoundingMode::NearestTiesToEven, llvm::RoundingMode::TowardZero,
      llvm::RoundingMode::TowardPositive, llvm::RoundingMode::TowardNegative};
  const llvm::RoundingMode mode = modes[rounding & 3];
  if (from == FloatFormat::None) {
    APFloat value(semanticsOf(to));
    (void)value.convertFromAPInt(llvm::APInt(64, bits), isSigned, mode);
    return value.bitcastToAPInt().getZExtValue();
  }
  const llvm::fltSemantics &format = semanticsOf(from);
  APFloat value(format,
                llvm::APInt(64, bits).trunc(APFloat::getSizeInBits(format)));
  bool loses = false;
  (void)value.convert(semanticsOf(to), mode, &loses);
  return value.bitcastToAPInt().getZExtValue();
}

uint64_t aircc::sim::spirv::nextAfter(uint64_t bits, uint64_t toward,
                                      FloatFormat format) {
  const llvm::fltSemantics &semantics = semanticsOf(format);
  const unsigned width = APFloat::getSizeInBits(semantics);
  APFloat from(semantics, llvm::APInt(64, bits).trunc(width));
  APFloat to(semantics, llvm::APInt(64, toward).trunc(width));
  if (from.isNaN())
    return bits;
  if (to.isNaN())
    return toward;
  if (from.compare(to) == APFloat::cmpEqual)
    return toward;
  (void)from.next(from.compare(to) == APFloat::cmpGreaterThan);
  return from.bitcastToAPInt().getZExtValue();
}

uint16_t aircc::sim::spirv::fuseHalf(uint16_t a, uint16_t b, uint16_t c) {
  APFloat x(APFloat::IEEEhalf(), llvm::APInt(16, a));
  x.fusedMultiplyAdd(APFloat(APFloat::IEEEhalf(), llvm::APInt(16, b)),
                     APFloat(APFloat::IEEEhalf(), llvm::APInt(16, c)),
                     llvm::RoundingMode::NearestTiesToEven);
  return static_cast<uint16_t>(x.bitcastToAPInt().getZExtValue());
}

// Compilers pass and return 16-bit floats in vector registers, as for _Float16;
// a bfloat uses the same registers.
namespace {

_Float16 inRegister(uint32_t bits) {
  return llvm::bit_cast<_Float16>(static_cast<uint16_t>(bits));
}

_Float16 truncateDoubleToHalf(double v) {
  return inRegister(floats::hostmode::doubleToHalf(v));
}
_Float16 truncateFloatToHalf(float v) {
  return inRegister(floats::floatToHalf(v));
}
float extendHalf(_Float16 v) {
  return floats::halfToFloat(llvm::bit_cast<uint16_t>(v));
}
_Float16 truncateDoubleToBFloat(double v) {
  return inRegister(floats::floatToBf16(floats::hostmode::doubleToFloatOdd(v)));
}
_Float16 truncateFloatToBFloat(float v) {
  return inRegister(floats::floatToBf16(v));
}

template <typename F> void *address(F *function) {
  return reinterpret_cast<void *>(function);
}

} // namespace

std::vector<std::pair<const char *, void *>>
aircc::sim::spirv::libraryFunctions() {
  return {
      {"__truncdfhf2", address(&truncateDoubleToHalf)},
      {"__truncsfhf2", address(&truncateFloatToHalf)},
      {"__extendhfsf2", address(&extendHalf)},
      {"__truncdfbf2", address(&truncateDoubleToBFloat)},
      {"__truncsfbf2", address(&truncateFloatToBFloat)},
  };
}
