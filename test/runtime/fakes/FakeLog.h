//===- FakeLog.h - Call log of the fake GPU libraries -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the fake GPU vendor libraries: a log of the calls, simulated
// failures, and a check that no call is made after teardown.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_RUNTIME_FAKES_FAKELOG_H
#define AIRCC_TEST_RUNTIME_FAKES_FAKELOG_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

namespace fakes {

class Log {
public:
  /// Takes the names of two environment variables: one with FUNCTION=CODE, a
  /// call that fails, and one with the file to which calls are logged
  /// immediately.
  Log(const char *failVariable, const char *fileVariable) {
    if (const char *fail = std::getenv(failVariable)) {
      failing = fail;
      const size_t equal = failing.find('=');
      failingCode = std::strtoul(failing.c_str() + equal + 1, nullptr, 0);
      failing.resize(equal);
    }
    if (const char *path = std::getenv(fileVariable))
      file = std::fopen(path, "w");
  }

  void add(const std::string &line) {
    lines += line;
    if (file) {
      std::fputs(line.c_str(), file);
      std::fflush(file);
    }
  }
  /// Returns the lines since the last call; valid until the next.
  const char *take() {
    std::lock_guard<std::mutex> lock(mutex);
    taken = std::exchange(lines, {});
    return taken.c_str();
  }

  std::mutex mutex; ///< Held during every call.
  std::string failing;
  unsigned long failingCode = 0;
  bool tornDown = false;

private:
  FILE *file = nullptr;
  std::string lines, taken;
};

/// A call in progress.
class Call {
public:
  Call(Log &log, const char *name) : log(log), lock(log.mutex), name(name) {
    if (log.tornDown) {
      std::fprintf(stderr, "%s was called after the tear-down\n", name);
      std::abort();
    }
  }
  template <typename T> Call &arg(const T &value) {
    text << (first ? "" : ", ") << value;
    first = false;
    return *this;
  }
  /// Handles and addresses differ between runs, so log only whether they are
  /// null.
  Call &pointer(const void *value) { return arg(value ? "ptr" : "null"); }

  /// Logs the call. Returns `result`, or the simulated failure.
  template <typename Result> Result finish(Result result) {
    if (failing())
      result = static_cast<Result>(log.failingCode);
    std::ostringstream line;
    line << name << '(' << text.str() << ')';
    if (result)
      line << " = " << static_cast<uint64_t>(result);
    log.add(line.str() + '\n');
    return result;
  }
  /// Whether this call simulates a failure.
  bool failing() const { return log.failing == name; }

private:
  Log &log;
  std::lock_guard<std::mutex> lock;
  const char *name;
  std::ostringstream text;
  bool first = true;
};

} // namespace fakes

#endif // AIRCC_TEST_RUNTIME_FAKES_FAKELOG_H
