//===- TestHelpers.cpp - Helpers for public test programs -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// mgpuInit and mgpuCheckOutput fill matrices and print results as mlir-air's
// GPU tests expect, except that a mismatch terminates the program with a
// failure status.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/mgpu/Failure.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace aircc::rt;

void mgpuInit(float *a, float *b, int64_t rows, int64_t cols) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) {
      a[i * cols + j] = static_cast<float>(i * cols + j + 1);
      b[i * cols + j] = i == j ? 1.0f : 0.0f;
    }
}

static bool isIdentity(const float *b, int64_t rows, int64_t cols) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      if (b[i * cols + j] != (i == j ? 1.0f : 0.0f))
        return false;
  return true;
}

/// Returns whether `actual` equals `expected` within the tolerance. Returns
/// false for NaN.
static bool isClose(double actual, double expected) {
  if (actual == expected) // This includes infinities.
    return true;
  double difference = std::fabs(actual - expected);
  if (std::fabs(expected) > 1.0)
    difference /= std::fabs(expected);
  return difference <= 1e-3;
}

void mgpuCheckOutput(float *c, float *a, float *b, int64_t rows, int64_t cols) {
  bool identity = isIdentity(b, rows, cols);
  if (!identity && rows != cols)
    fail(
        __func__,
        formatArguments(arg("c", c), arg("a", a), arg("b", b),
                        arg("rows", rows), arg("cols", cols)),
        "the product of two matrices of this size is not defined, and B is not "
        "the identity");

  std::vector<double> expected(cols);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j)
      expected[j] = identity ? a[i * cols + j] : 0.0;
    if (!identity)
      for (int64_t k = 0; k < cols; ++k)
        for (int64_t j = 0; j < cols; ++j)
          expected[j] += double(a[i * cols + k]) * b[k * cols + j];
    for (int64_t j = 0; j < cols; ++j) {
      double actual = c[i * cols + j];
      if (isClose(actual, expected[j]))
        continue;
      std::printf(
          "Mismatch at (%lld, %lld): expected %g != actual %g (diff: %g)\n",
          static_cast<long long>(i), static_cast<long long>(j), expected[j],
          actual, std::fabs(actual - expected[j]));
      std::fflush(nullptr);
      _Exit(failureExitStatus);
    }
  }
  std::printf("Output Matched!\n");
}
