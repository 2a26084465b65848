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
/// last change of a text.
class CompileQueue {
public:
  using Clock = std::chrono::steady_clock;

  /// What a worker wrote, and how it ended: with an exit status, the negated
  /// number of a signal, or nothing if it was stopped at the time limit.
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
  /// The time until update() has something to do; -1: until a descriptor is
  /// ready.
  int getTimeout() const;

private:
  struct Request {
    std::string text;
    ProjectFile project;
    Clock::time_point due;
  };

  void start(const std::string &uri, const Request &request);

  std::string program;
  std::map<std::string, Request> requests; ///< By URI.
  std::unique_ptr<ChildProcess> worker;    ///< Null: idle.
  std::string current;                     ///< The URI that it compiles.
  Clock::time_point deadline;
  Output output;
};

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_COMPILEQUEUE_H
