//===- Failure.h - How a failed runtime call ends the program ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled program has no way to handle an error of the runtime: the entry
// points return nothing. So a failure is told on standard error, with what was
// called and with what, and the program ends: it must not go on and print a
// wrong result.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_FAILURE_H
#define AIRCC_RUNTIME_MGPU_FAILURE_H

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

namespace aircc::rt {

/// Exit status of a program that a failed runtime call ends.
constexpr int failureExitStatus = 1;

/// Prints "aircc runtime: error: ENTRY(ARGUMENTS): MESSAGE" and, when a device
/// is open, which one, and of several ranks, which one this is; flushes the C
/// streams; ends the process without running exit handlers. Only the first of
/// several failing threads prints.
[[noreturn]] void fail(const char *entry, const std::string &arguments,
                       const std::string &message);

/// The same without a call: "aircc runtime: error: MESSAGE". For threads other
/// than the program's: they do not wait for one that is writing.
[[noreturn]] void failFromOutside(const std::string &message);

/// What is told the message of the failure before the process ends, once: this
/// rank's job. It must not wait for long.
void setFailureListener(void (*listener)(const std::string &message));

/// How a value is written in a failure message.
std::string formatValue(const void *pointer);
std::string formatValue(const char *text);
template <std::integral T> std::string formatValue(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

/// A named argument of an entry point. Cheap to make: it is only written out
/// when the call fails.
template <typename T> struct Arg {
  const char *name;
  T value;
};
template <typename T> Arg<T> arg(const char *name, T value) {
  return {name, value};
}

template <typename... T> std::string formatArguments(const Arg<T> &...args) {
  std::string out;
  [[maybe_unused]] const char *separator = "";
  ((out += separator, out += args.name, out += '=',
    out += formatValue(args.value), separator = ", "),
   ...);
  return out;
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_FAILURE_H
