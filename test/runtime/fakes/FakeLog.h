//===- FakeLog.h - What a library that tests stand in logs ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the libraries that stand in for those of GPU vendors: a log of the
// calls, failures by order, and the tear-down after which no call may come.
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
  /// The names of the environment variables for FUNCTION=CODE, a call that
  /// fails, and for the file to which calls are written as they come.
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
  /// The lines since the last time, valid until the next.
  const char *take() {
    std::lock_guard<std::mutex> lock(mutex);
    taken = std::exchange(lines, {});
    return taken.c_str();
  }

  std::mutex mutex; ///< Held by every call while it runs.
  std::string failing;
  unsigned long failingCode = 0;
  bool tornDown = false;

private:
  FILE *file = nullptr;
  std::string lines, taken;
};

/// One call, for as long as it runs.
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
  /// Handles and addresses differ from run to run: only whether they are null.
  Call &pointer(const void *value) { return arg(value ? "ptr" : "null"); }

  /// Logs the call. Its result is `result`, or the one that was ordered.
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
  /// Is this call to fail by order?
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
