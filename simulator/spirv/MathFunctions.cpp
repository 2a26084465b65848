//===- MathFunctions.cpp - The mathematical functions of OpenCL -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The host's library computes all functions in double precision, and the result
// is rounded to its type. For f32 and f16, this gives the nearest number except
// in a few cases per billion, well within OpenCL's limits ("Relative Error as
// ULPs"), also for the half_ and native_ functions. For f64, the precision is
// that of the host's library.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/HostFloats.h"

#include <cmath>
#include <iterator>
#include <spirv/unified1/OpenCL.std.h>

using namespace aircc::sim::spirv;

namespace {

constexpr double kPi = 3.14159265358979323846264338327950288;

double exp10OfHost(double x) { return std::pow(10.0, x); }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double recip(double x) { return 1 / x; }
double divide(double x, double y) { return x / y; }
double acospi(double x) { return std::acos(x) / kPi; }
double asinpi(double x) { return std::asin(x) / kPi; }
double atanpi(double x) { return std::atan(x) / kPi; }
double atan2pi(double y, double x) { return std::atan2(y, x) / kPi; }
double degrees(double x) { return x * (180 / kPi); }
double radians(double x) { return x * (kPi / 180); }

/// Reduces x to [-1, 1] exactly, because the period of sin(pi x) is 2.
double withinPeriod(double x) { return std::remainder(x, 2.0); }
double sinpi(double x) {
  const double r = withinPeriod(x);
  if (r == 0 || std::fabs(r) == 1)
    return std::copysign(0.0, x);
  return std::sin(kPi * r);
}
double cospi(double x) {
  const double r = withinPeriod(x);
  return std::fabs(r) == 0.5 ? 0.0 : std::cos(kPi * r);
}
double tanpi(double x) {
  const double r = std::remainder(x, 1.0);
  return r == 0 ? std::copysign(0.0, x) : std::tan(kPi * r);
}

/// Computes pow for bases that are not negative.
double powr(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return x + y;
  if (x < 0 || (x == 0 && y == 0) || (std::isinf(x) && y == 0) ||
      (x == 1 && std::isinf(y)))
    return std::nan("");
  return std::pow(std::fabs(x), y);
}
double pown(double x, int n) { return std::pow(x, n); }
double rootn(double x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0))
    return std::nan("");
  const double root =
      n == 3 ? std::cbrt(std::fabs(x)) : std::pow(std::fabs(x), 1.0 / n);
  return n % 2 ? std::copysign(root, x) : root;
}
double scale(double x, int n) { return std::ldexp(x, n); }

double larger(double x, double y) {
  return std::fabs(x) > std::fabs(y)   ? x
         : std::fabs(y) > std::fabs(x) ? y
                                       : std::fmax(x, y);
}
double smaller(double x, double y) {
  return std::fabs(x) < std::fabs(y)   ? x
         : std::fabs(y) < std::fabs(x) ? y
                                       : std::fmin(x, y);
}
double signOf(double x) {
  return std::isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
}

using One = double (*)(double);
using Two = double (*)(double, double);

constexpr MathFunction kFunctions[] = {
    {OpenCLLIB::Acos, "acos", One(std::acos)},
    {OpenCLLIB::Acosh, "acosh", One(std::acosh)},
    {OpenCLLIB::Acospi, "acospi", acospi},
    {OpenCLLIB::Asin, "asin", One(std::asin)},
    {OpenCLLIB::Asinh, "asinh", One(std::asinh)},
    {OpenCLLIB::Asinpi, "asinpi", asinpi},
    {OpenCLLIB::Atan, "atan", One(std::atan)},
    {OpenCLLIB::Atan2, "atan2", nullptr, Two(std::atan2)},
    {OpenCLLIB::Atanh, "atanh", One(std::atanh)},
    {OpenCLLIB::Atanpi, "atanpi", atanpi},
    {OpenCLLIB::Atan2pi, "atan2pi", nullptr, atan2pi},
    {OpenCLLIB::Cbrt, "cbrt", One(std::cbrt)},
    {OpenCLLIB::Cos, "cos", One(std::cos)},
    {OpenCLLIB::Cosh, "cosh", One(std::cosh)},
    {OpenCLLIB::Cospi, "cospi", cospi},
    {OpenCLLIB::Erfc, "erfc", One(std::erfc)},
    {OpenCLLIB::Erf, "erf", One(std::erf)},
    {OpenCLLIB::Exp, "exp", One(std::exp)},
    {OpenCLLIB::Exp2, "exp2", One(std::exp2)},
    {OpenCLLIB::Exp10, "exp10", exp10OfHost},
    {OpenCLLIB::Expm1, "expm1", One(std::expm1)},
    {OpenCLLIB::Fdim, "fdim", nullptr, Two(std::fdim)},
    {OpenCLLIB::Fmod, "fmod", nullptr, Two(std::fmod)},
    {OpenCLLIB::Hypot, "hypot", nullptr, Two(std::hypot)},
    {OpenCLLIB::Ldexp, "ldexp", nullptr, nullptr, scale},
    {OpenCLLIB::Lgamma, "lgamma", One(std::lgamma)},
    {OpenCLLIB::Log, "log", One(std::log)},
    {OpenCLLIB::Log2, "log2", One(std::log2)},
    {OpenCLLIB::Log10, "log10", One(std::log10)},
    {OpenCLLIB::Log1p, "log1p", One(std::log1p)},
    {OpenCLLIB::Logb, "logb", One(std::logb)},
    {OpenCLLIB::Maxmag, "maxmag", nullptr, larger},
    {OpenCLLIB::Minmag, "minmag", nullptr, smaller},
    {OpenCLLIB::Pow, "pow", nullptr, Two(std::pow)},
    {OpenCLLIB::Pown, "pown", nullptr, nullptr, pown},
    {OpenCLLIB::Powr, "powr", nullptr, powr},
    {OpenCLLIB::Remainder, "remainder", nullptr, Two(std::remainder)},
    {OpenCLLIB::Rootn, "rootn", nullptr, nullptr, rootn},
    {OpenCLLIB::Rsqrt, "rsqrt", rsqrt},
    {OpenCLLIB::Sin, "sin", One(std::sin)},
    {OpenCLLIB::Sinh, "sinh", One(std::sinh)},
    {OpenCLLIB::Sinpi, "sinpi", sinpi},
    {OpenCLLIB::Tan, "tan", One(std::tan)},
    {OpenCLLIB::Tanh, "tanh", One(std::tanh)},
    {OpenCLLIB::Tanpi, "tanpi", tanpi},
    {OpenCLLIB::Tgamma, "tgamma", One(std::tgamma)},
    {OpenCLLIB::Half_cos, "half_cos", One(std::cos)},
    {OpenCLLIB::Half_divide, "half_divide", nullptr, divide},
    {OpenCLLIB::Half_exp, "half_exp", One(std::exp)},
    {OpenCLLIB::Half_exp2, "half_exp2", One(std::exp2)},
    {OpenCLLIB::Half_exp10, "half_exp10", exp10OfHost},
    {OpenCLLIB::Half_log, "half_log", One(std::log)},
    {OpenCLLIB::Half_log2, "half_log2", One(std::log2)},
    {OpenCLLIB::Half_log10, "half_log10", One(std::log10)},
    {OpenCLLIB::Half_powr, "half_powr", nullptr, powr},
    {OpenCLLIB::Half_recip, "half_recip", recip},
    {OpenCLLIB::Half_rsqrt, "half_rsqrt", rsqrt},
    {OpenCLLIB::Half_sin, "half_sin", One(std::sin)},
    {OpenCLLIB::Half_sqrt, "half_sqrt", One(std::sqrt)},
    {OpenCLLIB::Half_tan, "half_tan", One(std::tan)},
    {OpenCLLIB::Native_cos, "native_cos", One(std::cos)},
    {OpenCLLIB::Native_divide, "native_divide", nullptr, divide},
    {OpenCLLIB::Native_exp, "native_exp", One(std::exp)},
    {OpenCLLIB::Native_exp2, "native_exp2", One(std::exp2)},
    {OpenCLLIB::Native_exp10, "native_exp10", exp10OfHost},
    {OpenCLLIB::Native_log, "native_log", One(std::log)},
    {OpenCLLIB::Native_log2, "native_log2", One(std::log2)},
    {OpenCLLIB::Native_log10, "native_log10", One(std::log10)},
    {OpenCLLIB::Native_powr, "native_powr", nullptr, powr},
    {OpenCLLIB::Native_recip, "native_recip", recip},
    {OpenCLLIB::Native_rsqrt, "native_rsqrt", rsqrt},
    {OpenCLLIB::Native_sin, "native_sin", One(std::sin)},
    {OpenCLLIB::Native_sqrt, "native_sqrt", One(std::sqrt)},
    {OpenCLLIB::Native_tan, "native_tan", One(std::tan)},
    {OpenCLLIB::Degrees, "degrees", degrees},
    {OpenCLLIB::Radians, "radians", radians},
    {OpenCLLIB::Sign, "sign", signOf},
};

double wholePart(double x) { return std::trunc(x); }
double broken(double x) {
  return std::isinf(x) ? std::copysign(0.0, x)
                       : std::copysign(x - std::trunc(x), x);
}
double fractOf(double x) {
  return std::isinf(x) ? std::copysign(0.0, x) : x - std::floor(x);
}
double floorOf(double x) { return std::floor(x); }
double mantissa(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}
double exponentOf(double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::isfinite(x) ? exponent : 0;
}
double gammaSign(double x) {
  int sign = 0;
  (void)lgamma_r(x, &sign);
  return sign;
}

constexpr TwoResults kTwoResults[] = {
    {OpenCLLIB::Fract, fractOf, floorOf, false},
    {OpenCLLIB::Frexp, mantissa, exponentOf, true},
    {OpenCLLIB::Lgamma_r, One(std::lgamma), gammaSign, true},
    {OpenCLLIB::Modf, broken, wholePart, false},
    {OpenCLLIB::Sincos, One(std::sin), One(std::cos), false},
};

} // namespace

const MathFunction *aircc::sim::spirv::findMathFunction(unsigned number) {
  for (const MathFunction &function : kFunctions)
    if (function.number == number)
      return &function;
  return nullptr;
}

const MathFunction *aircc::sim::spirv::findMathFunction(std::string_view name) {
  // These are names with SPIR-V's own mangling.
  constexpr std::string_view prefix = "__spirv_ocl_";
  if (name.substr(0, prefix.size()) == prefix)
    name.remove_prefix(prefix.size());
  for (const MathFunction &function : kFunctions)
    if (name == function.name)
      return &function;
  return nullptr;
}

const TwoResults *aircc::sim::spirv::findTwoResults(unsigned number) {
  for (const TwoResults &function : kTwoResults)
    if (function.number == number)
      return &function;
  return nullptr;
}
