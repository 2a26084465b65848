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

/// MLIR's language server, in a process of its own, because it crashes on some
/// texts. After a crash, the next change of a text starts it again.
class MlirServer {
public:
  explicit MlirServer(std::string program) : program(std::move(program)) {}

  bool isRunning() const { return process != nullptr; }
  void start();
  /// Starts it again and opens all documents in it.
  void restart(const llvm::json::Value &initializeParams,
               const std::map<std::string, Document> &documents);
  void send(const llvm::json::Value &message);

  /// Reads from it. Calls `received` for each message, and `ended` if the
  /// process has ended.
  void update(const std::function<void(llvm::json::Value)> &received,
              const std::function<void()> &ended);
  void addDescriptors(std::vector<pollfd> &descriptors) const;

private:
  std::string program;
  std::unique_ptr<ChildProcess> process;
  MessageReader reader;
};

/// A notification of the protocol.
llvm::json::Value makeNotification(llvm::StringRef method,
                                   llvm::json::Value params);
/// textDocument/didChange with all of the text.
llvm::json::Value makeDidChange(const Document &document);
/// textDocument/didOpen for a document.
llvm::json::Value makeDidOpen(const Document &document);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_MLIRSERVER_H
