//===- Result.h - A value, or why there is none -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout algebra has no LLVM in it, so it cannot use llvm::Expected. Result
// is what it needs of that: a value, or the text of an error.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_RESULT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace aircc::layout {

/// Why something could not be made: one sentence, no capital, no full stop, so
/// that a caller can put it behind "error: " or into a sentence of its own.
struct Error {
  std::string message;
};

/// A T, or an Error. Test it before taking the value.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Error error) : content(std::move(error)) {}

  explicit operator bool() const { return content.index() == 0; }

  T &operator*() {
    assert(*this && "no value");
    return *std::get_if<0>(&content);
  }
  const T &operator*() const {
    assert(*this && "no value");
    return *std::get_if<0>(&content);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  /// The error's text. Only where there is no value.
  const std::string &message() const {
    assert(!*this && "no error");
    return std::get_if<1>(&content)->message;
  }

private:
  std::variant<T, Error> content;
};

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_RESULT_H
