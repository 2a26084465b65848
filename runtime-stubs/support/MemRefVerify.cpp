//===- MemRefVerify.cpp - Compares memrefs --------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/MemRefText.h"

#include <cmath>
#include <limits>

using namespace aircc::rt;

/// The maximum number of differences to print.
static constexpr int64_t printLimit = 10;

/// Compares floats with a small relative tolerance. As in MLIR's library,
/// infinities and NaN are never equal.
static bool isEqual(float actual, float expected) {
  return std::isfinite(actual) && std::isfinite(expected) &&
         std::fabs(actual - expected) <= 1e-6f * std::fabs(expected);
}
static bool isEqual(double actual, double expected) {
  return std::isfinite(actual) && std::isfinite(expected) &&
         std::fabs(actual - expected) <= 1e-12 * std::fabs(expected);
}
static bool isEqual(Half actual, Half expected) {
  return float(actual) == float(expected);
}
static bool isEqual(BFloat actual, BFloat expected) {
  return float(actual) == float(expected);
}
template <typename T> static bool isEqual(const T &actual, const T &expected) {
  return actual == expected;
}

/// Compares from dimension `dim` inward. Both memrefs must have the same
/// layout.
template <typename T>
static int64_t countErrors(const MemRefView<T> &actual,
                           const MemRefView<T> &expected, int64_t dim,
                           int64_t offset, int64_t errors) {
  if (dim == actual.rank) {
    if (isEqual(actual.data[offset], expected.data[offset]))
      return errors;
    if (errors < printLimit) {
      std::string text;
      appendElement(text, actual.data[offset]);
      text += " != ";
      appendElement(text, expected.data[offset]);
      text += " offset = " + std::to_string(offset) + '\n';
      std::fputs(text.c_str(), stderr);
    }
    return errors + 1;
  }
  for (int64_t i = 0; i < actual.sizes[dim]; ++i)
    errors = countErrors(actual, expected, dim + 1,
                         offset + i * actual.strides[dim], errors);
  return errors;
}

/// Returns the number of different elements, or -1 if the layouts differ.
template <typename T>
static int64_t verifyMemRef(const MemRefView<T> &actual,
                            const MemRefView<T> &expected) {
  bool same = actual.rank == expected.rank && actual.offset == expected.offset;
  for (int64_t i = 0; same && i < actual.rank; ++i)
    same = actual.sizes[i] == expected.sizes[i] &&
           actual.strides[i] == expected.strides[i];
  if (!same) {
    std::string text;
    appendMetaData(text, actual);
    appendMetaData(text, expected);
    std::fputs(text.c_str(), stderr);
    return -1;
  }
  return countErrors(actual, expected, 0, actual.offset, 0);
}

#define VERIFY(SUFFIX, TYPE)                                                   \
  AIRCC_SUPPORT int64_t _mlir_ciface_verifyMemRef##SUFFIX(                     \
      UnrankedMemRef *actual, UnrankedMemRef *expected) {                      \
    return verifyMemRef(MemRefView<TYPE>(*actual),                             \
                        MemRefView<TYPE>(*expected));                          \
  }

VERIFY(I8, int8_t)
VERIFY(I16, int16_t)
VERIFY(I32, int32_t)
VERIFY(I64, int64_t)
VERIFY(Ind, uint64_t)
VERIFY(F16, Half)
VERIFY(BF16, BFloat)
VERIFY(F32, float)
VERIFY(F64, double)
VERIFY(C32, std::complex<float>)
VERIFY(C64, std::complex<double>)

// The function without the prefix takes a single rank for both memrefs.
#define VERIFY_PARTS(SUFFIX, TYPE)                                             \
  AIRCC_SUPPORT int64_t verifyMemRef##SUFFIX(int64_t rank, void *actual,       \
                                             void *expected) {                 \
    return verifyMemRef(MemRefView<TYPE>(rank, actual),                        \
                        MemRefView<TYPE>(rank, expected));                     \
  }

VERIFY_PARTS(I32, int32_t)
VERIFY_PARTS(F32, float)
VERIFY_PARTS(F64, double)
VERIFY_PARTS(Ind, uint64_t)
VERIFY_PARTS(C32, std::complex<float>)
VERIFY_PARTS(C64, std::complex<double>)
