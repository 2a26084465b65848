//===- MlirServer.h - MLIR's language server as a process -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_MLIRSERVER_H
#define AIRCC_DRIVER_LSP_MLIRSERVER_H

#include "driver/lsp/ChildProcess.h"
#include "driver/lsp/Document.h"
#include "driver/lsp/MessageStream.h"

#include <functional>
#include <map>
#include <memory>
#include <poll.h>
#include <string>
#include <vector>

namespace aircc {

/// MLIR's language server in a separate process, because it crashes on some
/// texts. After a crash, the next change to a text restarts it.
class MlirServer {
public:
  explicit MlirServer(std::string program) : program(std::move(program)) {}

  bool isRunning() const { return process != nullptr; }
  void start();
  /// Restarts the server and opens all documents in it.
  void restart(const llvm::json::Value &initializeParams,
               const std::map<std::string, Document> &documents);
  void send(const llvm::json::Value &message);

  /// Reads from the server. Calls `received` for each message, and `ended` if
  /// the process has exited.
  void update(const std::function<void(llvm::json::Value)> &received,
              const std::function<void()> &ended);
  void addDescriptors(std::vector<pollfd> &descriptors) const;

private:
  std::string program;
  std::unique_ptr<ChildProcess> process;
  MessageReader reader;
};

/// Returns a notification of the protocol.
llvm::json::Value makeNotification(llvm::StringRef method,
                                   llvm::json::Value params);
/// Returns a textDocument/didChange notification with the whole text.
llvm::json::Value makeDidChange(const Document &document);
/// Returns a textDocument/didOpen notification for a document.
llvm::json::Value makeDidOpen(const Document &document);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_MLIRSERVER_H
