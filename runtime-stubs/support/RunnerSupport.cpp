//===- RunnerSupport.cpp - vector.print, copies, time and random numbers --===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/Float16.h"
#include "runtime-stubs/support/Support.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <sys/time.h>
#include <vector>

using namespace aircc::rt;

//===----------------------------------------------------------------------===//
// vector.print
//===----------------------------------------------------------------------===//

AIRCC_SUPPORT void printI64(int64_t value) { std::printf("%" PRId64, value); }
AIRCC_SUPPORT void printU64(uint64_t value) { std::printf("%" PRIu64, value); }
// MLIR passes 16 bits; the upper bits of the register are undefined.
AIRCC_SUPPORT void printF16(uint32_t bits) {
  std::printf("%g", halfToFloat(static_cast<uint16_t>(bits)));
}
AIRCC_SUPPORT void printBF16(uint32_t bits) {
  std::printf("%g", bfloatToFloat(static_cast<uint16_t>(bits)));
}
AIRCC_SUPPORT void printF32(float value) { std::printf("%g", value); }
AIRCC_SUPPORT void printF64(double value) { std::printf("%g", value); }
AIRCC_SUPPORT void printString(const char *text) { std::fputs(text, stdout); }
AIRCC_SUPPORT void printCString(char *text) { std::fputs(text, stdout); }
AIRCC_SUPPORT void printOpen() { std::fputs("( ", stdout); }
AIRCC_SUPPORT void printClose() { std::fputs(" )", stdout); }
AIRCC_SUPPORT void printComma() { std::fputs(", ", stdout); }
AIRCC_SUPPORT void printNewline() { std::fputc('\n', stdout); }

//===----------------------------------------------------------------------===//
// memref.copy
//===----------------------------------------------------------------------===//

static void copyElements(char *dst, const int64_t *dstStrides, const char *src,
                         const int64_t *srcStrides, const int64_t *sizes,
                         int64_t rank, int64_t elementBytes) {
  if (rank == 0) {
    std::memcpy(dst, src, elementBytes);
    return;
  }
  if (rank == 1 && dstStrides[0] == 1 && srcStrides[0] == 1) {
    std::memmove(dst, src, sizes[0] * elementBytes);
    return;
  }
  for (int64_t i = 0; i < sizes[0]; ++i)
    copyElements(dst + i * dstStrides[0] * elementBytes, dstStrides + 1,
                 src + i * srcStrides[0] * elementBytes, srcStrides + 1,
                 sizes + 1, rank - 1, elementBytes);
}

/// Copies between memrefs of the same shape with arbitrary layouts.
AIRCC_SUPPORT void memrefCopy(int64_t elementBytes, UnrankedMemRef *from,
                              UnrankedMemRef *to) {
  MemRefView<char> src(*from), dst(*to);
  // The pointers of an empty memref may be invalid.
  for (int64_t i = 0; i < src.rank; ++i)
    if (src.sizes[i] == 0)
      return;
  // Offsets and strides are in elements, but the pointers of the view are in
  // bytes.
  copyElements(dst.data + dst.offset * elementBytes, dst.strides,
               src.data + src.offset * elementBytes, src.strides, src.sizes,
               src.rank, elementBytes);
}

//===----------------------------------------------------------------------===//
// Allocation, for memref.alloc lowered to separate functions
//===----------------------------------------------------------------------===//

AIRCC_SUPPORT void *_mlir_memref_to_llvm_alloc(uint64_t bytes) {
  return std::malloc(bytes);
}
AIRCC_SUPPORT void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment,
                                                       uint64_t bytes) {
  return std::aligned_alloc(alignment, bytes);
}
AIRCC_SUPPORT void _mlir_memref_to_llvm_free(void *ptr) { std::free(ptr); }

AIRCC_SUPPORT void *mlirAlloc(uint64_t bytes) { return std::malloc(bytes); }
AIRCC_SUPPORT void *mlirAlignedAlloc(uint64_t alignment, uint64_t bytes) {
  return std::aligned_alloc(alignment, bytes);
}
AIRCC_SUPPORT void mlirFree(void *ptr) { std::free(ptr); }
AIRCC_SUPPORT void mlirAlignedFree(void *ptr) { std::free(ptr); }

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Returns the seconds since the epoch.
AIRCC_SUPPORT double rtclock() {
  timeval now;
  gettimeofday(&now, nullptr);
  return double(now.tv_sec) + double(now.tv_usec) * 1e-6;
}

AIRCC_SUPPORT int64_t _mlir_ciface_nanoTime() {
  auto now = std::chrono::high_resolution_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}
AIRCC_SUPPORT int64_t nanoTime() { return _mlir_ciface_nanoTime(); }

AIRCC_SUPPORT void printFlops(double flops) {
  std::fprintf(stderr, "%f GFLOPS\n", flops / 1e9);
}

//===----------------------------------------------------------------------===//
// Random numbers and sorting
//===----------------------------------------------------------------------===//

AIRCC_SUPPORT void *rtsrand(uint64_t seed) { return new std::mt19937(seed); }
/// Returns a number in [0, `max`].
AIRCC_SUPPORT uint64_t rtrand(void *generator, uint64_t max) {
  std::uniform_int_distribution<uint64_t> distribution(0, max);
  return distribution(*static_cast<std::mt19937 *>(generator));
}
AIRCC_SUPPORT void rtdrand(void *generator) {
  delete static_cast<std::mt19937 *>(generator);
}

/// Fills the memref with a random permutation of the numbers below its size.
AIRCC_SUPPORT void _mlir_ciface_shuffle(void *descriptor, void *generator) {
  MemRefView<uint64_t> memref(1, descriptor);
  std::vector<uint64_t> numbers(memref.sizes[0]);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(),
               *static_cast<std::mt19937 *>(generator));
  for (int64_t i = 0; i < memref.sizes[0]; ++i)
    memref.data[memref.offset + i * memref.strides[0]] = numbers[i];
}

template <typename T>
static void sortElements(uint64_t count, void *descriptor) {
  MemRefView<T> memref(1, descriptor);
  T *first = memref.data + memref.offset;
  std::sort(first, first + count);
}
AIRCC_SUPPORT void _mlir_ciface_stdSortI64(uint64_t count, void *descriptor) {
  sortElements<int64_t>(count, descriptor);
}
AIRCC_SUPPORT void _mlir_ciface_stdSortF64(uint64_t count, void *descriptor) {
  sortElements<double>(count, descriptor);
}
AIRCC_SUPPORT void _mlir_ciface_stdSortF32(uint64_t count, void *descriptor) {
  sortElements<float>(count, descriptor);
}
