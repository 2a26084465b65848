//===- LanguageServer.h - The language server -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// `aircc lsp` is a filter in front of MLIR's language server, which provides
// definitions, references, symbols and completion. The filter replaces the name
// of the server and adds what only a compile knows: the diagnostics of all
// passes, layouts, the resource usage of kernels, and edits that messages
// suggest. It executes neither MLIR's parser nor a pass itself, so no text can
// crash it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_LANGUAGESERVER_H
#define AIRCC_DRIVER_LSP_LANGUAGESERVER_H

#include "driver/files/Installation.h"
#include "driver/lsp/CompileQueue.h"
#include "driver/lsp/CompileResults.h"
#include "driver/lsp/MessageStream.h"
#include "driver/lsp/MlirServer.h"
#include "driver/lsp/OpDocumentation.h"

#include <map>
#include <string>
#include <vector>

namespace aircc {

class LanguageServer {
public:
  explicit LanguageServer(const Installation &installation);

  /// Serves the editor on standard input and output. Returns the exit status
  /// that the protocol requires, which is 0 if the editor has requested the
  /// shutdown.
  int run();

private:
  using Id = llvm::json::Value;

  /// An editor request that MLIR's server has not answered yet.
  struct Pending {
    Id id;
    std::string method, uri;
    EditorRange range; ///< The range or the position of the request.
  };
  /// A document's last compile.
  struct Compiled {
    std::string projectFile; ///< If empty, there is none, and MLIR's
                             ///< diagnostics are shown.
    CompileResults results;
  };

  void readEditor();
  void handleEditor(llvm::json::Value message);
  void handleRequest(const llvm::json::Object &message);
  void handleNotification(const llvm::json::Object &message);
  void initialize(const llvm::json::Object *params);
  void open(const llvm::json::Object &params);
  void change(const llvm::json::Object &params);
  void close(const llvm::json::Object &params);

  void handleMlir(llvm::json::Value message);
  void answer(const Pending &request, llvm::json::Object response);
  void handleMlirEnd();
  llvm::json::Value makeHover(const Pending &request,
                              const llvm::json::Value *result);
  llvm::json::Value makeCodeActions(const Pending &request,
                                    const llvm::json::Value *result);
  llvm::json::Value makeInlayHints(const Pending &request);
  void addCapabilities(llvm::json::Object &result);

  void scheduleCompile(const Document &document);
  void finishCompile(const std::string &uri,
                     const CompileQueue::Output &output);
  void publish(const Document &document);
  void publishProjectErrors(const std::string &path,
                            const std::vector<ProfileError> &errors);

  void send(const llvm::json::Value &message);
  void sendResult(const Id &id, llvm::json::Value result);
  void sendError(const Id &id, int64_t code, llvm::StringRef text);

  const OpDocumentation ops;
  MlirServer mlir;
  CompileQueue queue;
  MessageReader reader;
  std::map<std::string, Document> documents; ///< The documents, by URI.
  std::map<std::string, Compiled> compiled;  ///< The last compiles, by URI.
  std::map<std::string, Pending> pending;    ///< The requests, by the text of
                                             ///< their ids.
  llvm::json::Value initializeParams = nullptr;
  std::string rootFolder;
  bool refreshesHints = false; ///< Whether the editor accepts
                               ///< inlayHint/refresh.
  int64_t nextId = 1;
  bool shutDown = false, ended = false, inputEnded = false;
};

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_LANGUAGESERVER_H
