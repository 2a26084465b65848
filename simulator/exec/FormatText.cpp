//===- FormatText.cpp - printf with arguments of a kernel -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/FormatText.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace aircc::sim;

namespace {

/// A conversion: "%-*.3lld".
struct Conversion {
  std::string flags;
  std::optional<int> width, precision;
  unsigned longs = 0, shorts = 0; ///< The number of 'l' (2 also for 64 bits)
                                  ///< and 'h'.
  char kind = 0;
};

/// Parses a conversion after its '%'.
class Parser {
public:
  Parser(std::string_view format, size_t at, FormatArguments &arguments)
      : format(format), at(at), arguments(arguments) {}

  /// Parses it. Returns false if it is invalid or an argument is missing.
  bool parse(Conversion &conversion);
  bool lacksArgument() const { return missing; }
  size_t end() const { return at; }

private:
  char peek() const { return at < format.size() ? format[at] : '\0'; }
  bool number(std::optional<int> &value);

  std::string_view format;
  size_t at;
  FormatArguments &arguments;
  bool missing = false;
};

bool Parser::number(std::optional<int> &value) {
  if (peek() == '*') {
    ++at;
    std::optional<uint64_t> given = arguments.integer();
    missing |= !given;
    value = static_cast<int>(given.value_or(0));
    return given.has_value();
  }
  // No sensible width is larger, and every printf supports this one.
  constexpr int kMost = 1 << 20;
  for (; peek() >= '0' && peek() <= '9'; ++at)
    value = std::min(value.value_or(0) * 10 + (peek() - '0'), kMost);
  return true;
}

bool Parser::parse(Conversion &conversion) {
  for (; peek() && std::strchr("-+ #0", peek()); ++at)
    conversion.flags += peek();
  if (!number(conversion.width))
    return false;
  if (peek() == '.') {
    ++at;
    conversion.precision = 0;
    if (!number(conversion.precision))
      return false;
  }
  // A negative width is the flag '-' and a width; a negative precision is
  // ignored.
  if (conversion.width && *conversion.width < 0) {
    conversion.flags += '-';
    conversion.width = -*conversion.width;
  }
  if (conversion.precision && *conversion.precision < 0)
    conversion.precision.reset();
  for (; peek() && std::strchr("hlLqjzt", peek()); ++at) {
    if (peek() == 'h')
      ++conversion.shorts;
    else if (peek() != 'L')
      ++conversion.longs;
  }
  conversion.kind = peek();
  if (!conversion.kind || !std::strchr("diouxXcsnpfFeEgGaA", conversion.kind))
    return false;
  ++at;
  return true;
}

/// Formats one argument with the parsed conversion.
std::string specification(const Conversion &conversion, const char *rest) {
  std::string text = "%" + conversion.flags;
  if (conversion.width)
    text += std::to_string(*conversion.width);
  if (conversion.precision)
    text += "." + std::to_string(*conversion.precision);
  return text + rest;
}

template <class T>
std::string print(const Conversion &conversion, const char *length, T value) {
  const char end[] = {conversion.kind, 0};
  const std::string format =
      specification(conversion, (std::string(length) + end).c_str());
  const int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size < 0)
    return {};
  std::string text(size + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  return text;
}

/// Returns the value of an integer argument, truncated to the bits of its type.
template <class T8, class T16, class T32, class T64>
T64 narrow(const Conversion &conversion, uint64_t bits) {
  if (conversion.longs)
    return static_cast<T64>(bits);
  if (conversion.shorts > 1)
    return static_cast<T8>(bits);
  if (conversion.shorts)
    return static_cast<T16>(bits);
  return static_cast<T32>(bits);
}

/// Returns nothing if the argument is missing.
std::optional<std::string> convert(const Conversion &conversion,
                                   FormatArguments &arguments) {
  if (conversion.kind == 's') {
    std::optional<std::string> text = arguments.string();
    return text ? std::optional(print(conversion, "", text->c_str())) : text;
  }
  const bool isFloat = std::strchr("fFeEgGaA", conversion.kind);
  std::optional<uint64_t> bits =
      isFloat ? arguments.floating() : arguments.integer();
  if (!bits)
    return std::nullopt;
  if (isFloat) {
    double value;
    std::memcpy(&value, &*bits, sizeof(value));
    return print(conversion, "", value);
  }
  switch (conversion.kind) {
  case 'd':
  case 'i':
    return print(conversion, "ll",
                 narrow<signed char, short, int, long long>(conversion, *bits));
  case 'c':
    return print(conversion, "", static_cast<int>(*bits));
  case 'p':
    return print(conversion, "", reinterpret_cast<void *>(*bits));
  case 'n':
    return "";
  default:
    return print(
        conversion, "ll",
        narrow<unsigned char, unsigned short, unsigned int, unsigned long long>(
            conversion, *bits));
  }
}

} // namespace

std::string aircc::sim::formatText(std::string_view format,
                                   FormatArguments &arguments) {
  std::string text;
  for (size_t at = 0; at < format.size();) {
    const size_t percent = std::min(format.find('%', at), format.size());
    text.append(format, at, percent - at);
    if (percent == format.size())
      break;
    at = percent + 1;
    if (at < format.size() && format[at] == '%') {
      text += '%';
      ++at;
      continue;
    }
    Conversion conversion;
    Parser parser(format, at, arguments);
    if (!parser.parse(conversion)) {
      if (parser.lacksArgument())
        break;
      text.append(format, percent, parser.end() - percent);
      at = parser.end();
      continue;
    }
    at = parser.end();
    std::optional<std::string> converted = convert(conversion, arguments);
    if (!converted)
      break;
    text += *converted;
  }
  return text;
}
