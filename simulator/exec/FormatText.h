//===- FormatText.h - printf with arguments of a kernel ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_FORMATTEXT_H
#define AIRCC_SIMULATOR_EXEC_FORMATTEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aircc::sim {

/// The arguments of the conversions, in order. Each function returns nothing
/// after the last argument.
class FormatArguments {
public:
  virtual ~FormatArguments() = default;
  /// Returns the bits of a number or a pointer. Shorter integers are in the low
  /// bits.
  virtual std::optional<uint64_t> integer() = 0;
  /// Returns the bits of a double.
  virtual std::optional<uint64_t> floating() { return integer(); }
  /// Returns a string without its terminating zero.
  virtual std::optional<std::string> string() = 0;
};

/// Formats like C's printf: all conversions, flags, widths, precisions
/// (including `*`) and lengths. A long double is a double, `%ls` and `%lc` are
/// the same as `%s` and `%c`, and `%n` consumes its argument and does nothing.
/// Invalid conversions are printed unchanged. The text ends at the first
/// conversion without an argument.
std::string formatText(std::string_view format, FormatArguments &arguments);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_FORMATTEXT_H
