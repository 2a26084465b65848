//===- CompileQueue.h - Compiles the documents of an editor -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_COMPILEQUEUE_H
#define AIRCC_DRIVER_LSP_COMPILEQUEUE_H

#include "driver/lsp/ChildProcess.h"
#include "driver/lsp/ProjectFile.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

namespace aircc {

/// Runs one compile worker at a time. A compile starts a short time after the
/// last change to a text.
class CompileQueue {
public:
  using Clock = std::chrono::steady_clock;

  /// What a worker wrote, and how it ended: with an exit status, with the
  /// negated number of a signal, or with nothing if it was killed at the time
  /// limit.
  struct Output {
    std::string diagnostics, facts;
    std::optional<int> status;
  };

  explicit CompileQueue(std::string program) : program(std::move(program)) {}

  /// Requests a compile of `text`, which replaces earlier requests for this
  /// document.
  void schedule(const std::string &uri, std::string text, ProjectFile project);
  void cancel(const std::string &uri);

  /// Starts or stops workers that are due. Reads from descriptors that poll()
  /// reports. Calls `finished` for each compile that has ended.
  void update(
      const std::function<void(const std::string &, const Output &)> &finished);
  void addDescriptors(std::vector<pollfd> &descriptors) const;
  /// Returns the time until update() has something to do, or -1 if it must wait
  /// for a descriptor.
  int getTimeout() const;

private:
  struct Request {
    std::string text;
    ProjectFile project;
    Clock::time_point due;
  };

  void start(const std::string &uri, const Request &request);

  std::string program;
  std::map<std::string, Request> requests; ///< The requests, by URI.
  std::unique_ptr<ChildProcess> worker;    ///< Null when idle.
  std::string current;                     ///< The URI being compiled.
  Clock::time_point deadline;
  Output output;
};

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_COMPILEQUEUE_H
