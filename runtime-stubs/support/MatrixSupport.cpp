//===- MatrixSupport.cpp - Fills, multiplies and compares matrices --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Functions that programs for Intel GPUs call to check their results. Their
// names, parameters and output are those of IMEX's runner library. All take
// pointers to unranked memrefs.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/Float16.h"
#include "runtime-stubs/support/Support.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

using namespace aircc::rt;

namespace {

template <typename T> T fromFloat(float value) {
  if constexpr (std::is_same_v<T, Half>)
    return Half{floatToHalf(value)};
  else if constexpr (std::is_same_v<T, BFloat>)
    return BFloat{doubleToBFloat(value)};
  else
    return value;
}

/// Calls `visit` for each element, where the last dimension varies fastest.
template <typename T, typename Visit>
void forEach(const MemRefView<T> &memref, const Visit &visit) {
  std::vector<int64_t> index(memref.rank, 0);
  for (int64_t i = 0; i < memref.rank; ++i)
    if (memref.sizes[i] == 0)
      return;
  while (true) {
    int64_t offset = memref.offset;
    for (int64_t i = 0; i < memref.rank; ++i)
      offset += index[i] * memref.strides[i];
    visit(memref.data[offset]);
    int64_t dim = memref.rank - 1;
    while (dim >= 0 && ++index[dim] == memref.sizes[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

template <typename T> std::vector<float> widen(const UnrankedMemRef &memref) {
  std::vector<float> values;
  forEach(MemRefView<T>(memref),
          [&](const T &element) { values.push_back(element); });
  return values;
}

template <typename T> void fill(const UnrankedMemRef &memref, float value) {
  forEach(MemRefView<T>(memref),
          [&](T &element) { element = fromFloat<T>(value); });
}

/// Fills a memref with random numbers from `lower` to `upper`, optionally
/// truncated to integers. They are the same in every run of a program but
/// differ between memrefs.
template <typename T>
void fillRandom(const UnrankedMemRef &memref, float lower, float upper,
                bool integers) {
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same in every run
  static std::mt19937 generator;
  std::uniform_real_distribution<float> distribution(lower, upper);
  forEach(MemRefView<T>(memref), [&](T &element) {
    float value = distribution(generator);
    element = fromFloat<T>(integers ? std::trunc(value) : value);
  });
}

/// Does the same as numpy's function of this name, with these tolerances. NaN
/// is not close to anything, and neither are memrefs of different sizes.
template <typename T>
bool isAllClose(const UnrankedMemRef &actual, const UnrankedMemRef &expected) {
  std::vector<float> left = widen<T>(actual), right = widen<float>(expected);
  if (left.size() != right.size())
    return false;
  for (size_t i = 0; i < left.size(); ++i)
    if (!(std::fabs(left[i] - right[i]) <= 1e-4f + 1e-3f * std::fabs(right[i])))
      return false;
  return true;
}

template <typename T>
void printMaxError(const UnrankedMemRef &actual,
                   const UnrankedMemRef &expected) {
  std::vector<float> left = widen<T>(actual), right = widen<T>(expected);
  struct Worst {
    double error = 0;
    size_t index = 0;
  } absolute, relative;
  size_t count = std::min(left.size(), right.size());
  for (size_t i = 0; i < count; ++i) {
    double a = left[i], b = right[i], error = std::fabs(a - b);
    double scaled = error / std::fmax(std::fabs(a), std::fabs(b));
    if (error > absolute.error)
      absolute = {error, i};
    if (scaled > relative.error)
      relative = {scaled, i};
  }
  auto print = [&](const char *kind, const Worst &worst) {
    std::printf("Max %s error %g at idx=%zu", kind, worst.error, worst.index);
    if (worst.index < count)
      std::printf(" (i=%g, j=%g)", left[worst.index], right[worst.index]);
    std::printf("\n");
  };
  print("absolute", absolute);
  print("relative", relative);
}

/// Computes C += A * B in f32, with the result rounded to CType. Incompatible
/// matrix sizes terminate the program, because a comparison with the result
/// would be meaningless.
template <typename ABType, typename CType>
void multiply(const UnrankedMemRef &aRef, const UnrankedMemRef &bRef,
              const UnrankedMemRef &cRef) {
  MemRefView<ABType> a(aRef), b(bRef);
  MemRefView<float> c(cRef);
  if (a.rank != 2 || b.rank != 2 || c.rank != 2 || a.sizes[1] != b.sizes[0] ||
      a.sizes[0] != c.sizes[0] || b.sizes[1] != c.sizes[1]) {
    std::fprintf(stderr, "aircc runtime: the matrices of a reference product "
                         "do not fit each other\n");
    std::exit(1);
  }
  int64_t rows = c.sizes[0], columns = c.sizes[1], depth = a.sizes[1];
  std::vector<float> left = widen<ABType>(aRef), right = widen<ABType>(bRef),
                     sums = widen<float>(cRef);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < columns; ++j)
        sums[i * columns + j] += left[i * depth + k] * right[k * columns + j];
  const float *next = sums.data();
  forEach(c, [&](float &element) { element = fromFloat<CType>(*next++); });
}

} // namespace

#define FOR_TYPE(SUFFIX, TYPE)                                                 \
  AIRCC_SUPPORT void _mlir_ciface_fillResource1D##SUFFIX(                      \
      UnrankedMemRef *memref, float value) {                                   \
    fill<TYPE>(*memref, value);                                                \
  }                                                                            \
  AIRCC_SUPPORT void _mlir_ciface_fillResource1DRandom##SUFFIX(                \
      UnrankedMemRef *memref, float lower, float upper, bool integers) {       \
    fillRandom<TYPE>(*memref, lower, upper, integers);                         \
  }                                                                            \
  AIRCC_SUPPORT bool _mlir_ciface_allclose##SUFFIX(UnrankedMemRef *actual,     \
                                                   UnrankedMemRef *expected) { \
    return isAllClose<TYPE>(*actual, *expected);                               \
  }                                                                            \
  AIRCC_SUPPORT void _mlir_ciface_printAllclose##SUFFIX(                       \
      UnrankedMemRef *actual, UnrankedMemRef *expected) {                      \
    std::printf("[ALLCLOSE: %s]\n",                                            \
                isAllClose<TYPE>(*actual, *expected) ? "TRUE" : "FALSE");      \
    std::fflush(stdout);                                                       \
  }                                                                            \
  AIRCC_SUPPORT void _mlir_ciface_printMaxError##SUFFIX(                       \
      UnrankedMemRef *actual, UnrankedMemRef *expected) {                      \
    printMaxError<TYPE>(*actual, *expected);                                   \
  }

FOR_TYPE(F16, Half)
FOR_TYPE(BF16, BFloat)
FOR_TYPE(F32, float)

#define MULTIPLY(SUFFIX, ABTYPE, CTYPE)                                        \
  AIRCC_SUPPORT void _mlir_ciface_gemm##SUFFIX(                                \
      UnrankedMemRef *a, UnrankedMemRef *b, UnrankedMemRef *c) {               \
    multiply<ABTYPE, CTYPE>(*a, *b, *c);                                       \
  }

MULTIPLY(F16F16F32, Half, float)
MULTIPLY(F16F16F16, Half, Half)
MULTIPLY(BF16BF16F32, BFloat, float)
MULTIPLY(BF16BF16BF16, BFloat, BFloat)
MULTIPLY(F32F32F32, float, float)
