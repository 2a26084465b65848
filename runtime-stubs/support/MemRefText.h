//===- MemRefText.h - Memrefs as text ---------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_MEMREFTEXT_H
#define AIRCC_RUNTIME_SUPPORT_MEMREFTEXT_H

#include "runtime-stubs/support/Float16.h"
#include "runtime-stubs/support/Support.h"

#include <cinttypes>
#include <complex>
#include <cstdio>
#include <string>
#include <type_traits>

namespace aircc::rt {

/// Appends an element as a C++ stream would print it. Like a stream, it prints
/// 8-bit integers as characters, because existing programs expect that.
template <typename T> void appendElement(std::string &out, const T &value) {
  if constexpr (std::is_same_v<T, std::complex<float>> ||
                std::is_same_v<T, std::complex<double>>) {
    out += '(';
    appendElement(out, value.real());
    out += ',';
    appendElement(out, value.imag());
    out += ')';
  } else if constexpr (std::is_same_v<T, int8_t>) {
    out += static_cast<char>(value);
  } else if constexpr (std::is_integral_v<T>) {
    out += std::to_string(value);
  } else {
    char text[40];
    std::snprintf(text, sizeof(text), "%g", static_cast<double>(value));
    out += text;
  }
}

/// Appends "base@ = 0x… rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1]".
template <typename T>
void appendMetaData(std::string &out, const MemRefView<T> &memref) {
  auto appendNumbers = [&](const int64_t *numbers) {
    for (int64_t i = 0; i < memref.rank; ++i)
      out += (i ? ", " : "") + std::to_string(numbers[i]);
  };
  // Like a stream with showbase, print null as "0".
  char base[2 + 16 + 1];
  std::snprintf(base, sizeof(base), "%#" PRIxPTR,
                reinterpret_cast<uintptr_t>(memref.data));
  out += std::string("base@ = ") + base +
         " rank = " + std::to_string(memref.rank) +
         " offset = " + std::to_string(memref.offset) + " sizes = [";
  appendNumbers(memref.sizes);
  out += "] strides = [";
  appendNumbers(memref.strides);
  out += "]";
}

/// Appends the elements of dimension `dim` and the inner dimensions, starting
/// at `offset`, in nested brackets with one line per innermost row.
template <typename T>
void appendData(std::string &out, const MemRefView<T> &memref, int64_t dim,
                int64_t offset) {
  if (dim == memref.rank) {
    appendElement(out, memref.data[offset]);
    return;
  }
  out += '[';
  int64_t size = memref.sizes[dim];
  for (int64_t i = 0; i < size; ++i) {
    if (i != 0)
      out.append(dim + 1, ' ');
    appendData(out, memref, dim + 1, offset + i * memref.strides[dim]);
    if (i + 1 < size)
      out += dim + 1 < memref.rank ? ", \n" : ", ";
  }
  out += ']';
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_MEMREFTEXT_H
