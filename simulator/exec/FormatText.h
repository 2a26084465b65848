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
  /// The bits of a number or a pointer; the low ones of shorter integers.
  virtual std::optional<uint64_t> integer() = 0;
  /// The bits of a double.
  virtual std::optional<uint64_t> floating() { return integer(); }
  /// A string without the zero at its end.
  virtual std::optional<std::string> string() = 0;
};

/// Formats like printf of C: all conversions, flags, widths, precisions (`*`
/// too) and lengths. A long double is a double, `%ls` and `%lc` are as `%s` and
/// `%c`, and `%n` consumes its argument and does nothing. Invalid conversions
/// are printed unchanged. The text ends at the first conversion without an
/// argument.
std::string formatText(std::string_view format, FormatArguments &arguments);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_FORMATTEXT_H
