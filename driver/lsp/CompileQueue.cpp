//===- CompileQueue.cpp - Compiles the documents of an editor -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/CompileQueue.h"

#include "llvm/Support/Path.h"

#include <algorithm>

using namespace aircc;
using namespace llvm;

/// Nothing is compiled while the user types.
static constexpr std::chrono::milliseconds kDelay(250);
static constexpr std::chrono::seconds kTimeLimit(120);
/// A worker that writes more than this is killed.
static constexpr size_t kMaxOutput = size_t(64) << 20;

void CompileQueue::schedule(const std::string &uri, std::string text,
                            ProjectFile project) {
  cancel(uri);
  requests[uri] = {std::move(text), std::move(project), Clock::now() + kDelay};
}

void CompileQueue::cancel(const std::string &uri) {
  requests.erase(uri);
  if (worker && current == uri)
    worker.reset();
}

void CompileQueue::start(const std::string &uri, const Request &request) {
  std::vector<std::string> arguments = {
      "lsp", "--compile", "--folder",
      sys::path::parent_path(request.project.path).str(), "--"};
  arguments.insert(arguments.end(), request.project.options.begin(),
                   request.project.options.end());
  worker = ChildProcess::start(program, arguments, /*pipesErrors=*/true);
  if (!worker)
    return;
  current = uri;
  output = {};
  deadline = Clock::now() + kTimeLimit;
  worker->send(request.text);
  worker->finishInput();
}

void CompileQueue::update(
    const std::function<void(const std::string &, const Output &)> &finished) {
  if (worker) {
    worker->flush();
    worker->readOutput(output.facts);
    worker->readErrors(output.diagnostics);
    bool ended = worker->getOutput() < 0 && worker->getErrors() < 0;
    bool isTooLong =
        Clock::now() >= deadline ||
        output.facts.size() + output.diagnostics.size() > kMaxOutput;
    if (ended)
      output.status = worker->wait();
    if (ended || isTooLong) {
      worker.reset();
      finished(current, output);
    }
  }
  if (worker)
    return;
  auto next = std::min_element(
      requests.begin(), requests.end(),
      [](const auto &a, const auto &b) { return a.second.due < b.second.due; });
  if (next == requests.end() || next->second.due > Clock::now())
    return;
  auto [uri, request] = std::move(*next);
  requests.erase(next);
  start(uri, request);
  if (!worker)
    finished(uri, {"", "", 127});
}

void CompileQueue::addDescriptors(std::vector<pollfd> &descriptors) const {
  if (!worker)
    return;
  descriptors.push_back({worker->getInput(), POLLOUT, 0});
  descriptors.push_back({worker->getOutput(), POLLIN, 0});
  descriptors.push_back({worker->getErrors(), POLLIN, 0});
}

int CompileQueue::getTimeout() const {
  std::optional<Clock::time_point> next;
  if (worker)
    next = deadline;
  else
    for (const auto &[uri, request] : requests)
      next = std::min(next.value_or(request.due), request.due);
  if (!next)
    return -1;
  auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now());
  return int(std::max<int64_t>(0, left.count()));
}
