//===- MlirServer.cpp - MLIR's language server as a process ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/MlirServer.h"

using namespace aircc;
using namespace llvm;

/// The id of the request that this process makes after a crash. Its response is
/// not for the editor.
static constexpr StringLiteral kRestartId = "aircc/restart";

json::Value aircc::makeNotification(StringRef method, json::Value params) {
  return json::Object{
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

json::Value aircc::makeDidOpen(const Document &document) {
  return makeNotification(
      "textDocument/didOpen",
      json::Object{
          {"textDocument", json::Object{{"uri", document.getUri()},
                                        {"languageId", "mlir"},
                                        {"version", document.getVersion()},
                                        {"text", document.getText()}}}});
}

json::Value aircc::makeDidChange(const Document &document) {
  return makeNotification(
      "textDocument/didChange",
      json::Object{
          {"textDocument", json::Object{{"uri", document.getUri()},
                                        {"version", document.getVersion()}}},
          {"contentChanges",
           json::Array{json::Object{{"text", document.getText()}}}}});
}

void MlirServer::start() {
  reader = {};
  process = ChildProcess::start(program, {"lsp", "--mlir-server"},
                                /*pipesErrors=*/false);
}

void MlirServer::restart(const json::Value &initializeParams,
                         const std::map<std::string, Document> &documents) {
  start();
  send(json::Object{{"jsonrpc", "2.0"},
                    {"id", kRestartId},
                    {"method", "initialize"},
                    {"params", initializeParams}});
  send(makeNotification("initialized", json::Object{}));
  for (const auto &[uri, document] : documents)
    send(makeDidOpen(document));
}

void MlirServer::send(const json::Value &message) {
  if (process)
    process->send(encodeMessage(message));
}

void MlirServer::update(const std::function<void(json::Value)> &received,
                        const std::function<void()> &ended) {
  if (!process)
    return;
  process->flush();
  std::string bytes;
  process->readOutput(bytes);
  reader.append(bytes);
  while (std::optional<MessageReader::Result> result = reader.next()) {
    if (!result->message)
      continue;
    const json::Object *message = result->message->getAsObject();
    if (message && message->getString("id") != StringRef(kRestartId))
      received(std::move(*result->message));
  }
  if (process->getOutput() >= 0)
    return;
  process.reset();
  ended();
}

void MlirServer::addDescriptors(std::vector<pollfd> &descriptors) const {
  if (!process)
    return;
  descriptors.push_back({process->getInput(), POLLOUT, 0});
  descriptors.push_back({process->getOutput(), POLLIN, 0});
}
