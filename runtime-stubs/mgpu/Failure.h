//===- Failure.h - Ends the program after a failed call ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A compiled program cannot handle a runtime error, because the entry points
// return nothing. In a call to a compiled function with `airccCall`, a failure
// ends that call (Call.h). Otherwise, it is printed to standard error with the
// call and its arguments, and the program exits rather than continuing with
// wrong results.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_FAILURE_H
#define AIRCC_RUNTIME_MGPU_FAILURE_H

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

namespace aircc::rt {

/// The exit status of a program that a failed runtime call terminates.
constexpr int failureExitStatus = 1;

/// Throws CallFailure if this thread is in a call to a compiled function and
/// the process is the only rank. Otherwise, calls the handler or, if there is
/// none, prints "aircc runtime: error: ENTRY(ARGUMENTS): MESSAGE", the device
/// if one is open, and the rank if there are several; flushes the C streams;
/// and terminates the process without running exit handlers. If several threads
/// fail, only the first one prints.
[[noreturn]] void fail(const char *entry, const std::string &arguments,
                       const std::string &message);

/// The same without a call: "aircc runtime: error: MESSAGE". For internal
/// threads of the runtime, which do not wait for a thread that is writing.
[[noreturn]] void failFromOutside(const std::string &message);

/// Sets the program's function for errors (airccSetErrorHandler), or null for
/// none.
void setHandler(void (*handler)(int32_t, const char *, void *), void *data);
/// Calls the handler with a status from aircc/runtime.h. Returns false if there
/// is none.
bool reportToHandler(int32_t status, const char *message);

/// Sets a function that is called once with the failure message before the
/// process exits. This rank's job uses it. It must return quickly.
void setFailureListener(void (*listener)(const std::string &message));

/// Formats a value for a failure message.
std::string formatValue(const void *pointer);
std::string formatValue(const char *text);
template <typename T> std::string formatValue(T *const *pointers) {
  return formatValue(static_cast<const void *>(pointers));
}
template <std::integral T> std::string formatValue(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

/// A named argument of an entry point. It is cheap to construct, because it is
/// formatted only if the call fails.
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
