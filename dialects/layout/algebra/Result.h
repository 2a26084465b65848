//===- Result.h - A value or an error ---------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The layout algebra does not depend on LLVM, so it cannot use llvm::Expected.
// Result is a small replacement that holds either a value or the text of an
// error.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_RESULT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace aircc::layout {

/// The reason for a failure: a sentence without initial capital and final
/// period, so that callers can append it to "error: " or embed it in a
/// sentence.
struct Error {
  std::string message;
};

/// Either a T or an Error. Test it before accessing the value.
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

  /// Returns the text of the error. There must be no value.
  const std::string &message() const {
    assert(!*this && "no error");
    return std::get_if<1>(&content)->message;
  }

private:
  std::variant<T, Error> content;
};

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_RESULT_H
