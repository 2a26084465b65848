//===- Support.h - Declarations for the runner support ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// MLIR programs print, measure time and draw random numbers through functions
// of the runner libraries for MLIR's JIT. The functions in this directory have
// the same names, signatures and output, so that these programs compile and run
// without MLIR. The signatures are those of mlir/ExecutionEngine/CRunnerUtils.h
// and RunnerUtils.h in LLVM 22.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_SUPPORT_H
#define AIRCC_RUNTIME_SUPPORT_SUPPORT_H

#include <cstdint>

/// Declares a function with a public name. It is weak, so that a definition in
/// the program takes precedence.
#define AIRCC_SUPPORT extern "C" __attribute__((weak, visibility("default")))

namespace aircc::rt {

/// The descriptor of an unranked memref. `descriptor` points to a ranked one.
struct UnrankedMemRef {
  int64_t rank;
  void *descriptor;
};

/// A memref of any rank with elements of type T, read from its descriptor: two
/// pointers, the offset, the sizes and the strides.
template <typename T> struct MemRefView {
  explicit MemRefView(const UnrankedMemRef &memref)
      : MemRefView(memref.rank, memref.descriptor) {}
  MemRefView(int64_t rank, const void *descriptor) : rank(rank) {
    auto *pointers = static_cast<T *const *>(descriptor);
    data = pointers[1];
    auto *numbers = reinterpret_cast<const int64_t *>(pointers + 2);
    offset = numbers[0];
    sizes = numbers + 1;
    strides = sizes + rank;
  }

  int64_t rank;
  T *data;
  int64_t offset; ///< In elements, as are the strides.
  const int64_t *sizes;
  const int64_t *strides;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_SUPPORT_H
