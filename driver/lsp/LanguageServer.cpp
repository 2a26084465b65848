//===- LanguageServer.cpp - The language server ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/LanguageServer.h"

#include "driver/Version.h"
#include "driver/lsp/QuickFixes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

// Error codes of the protocol
static constexpr int64_t kParseError = -32700, kInvalidRequest = -32600,
                         kInternalError = -32603;

/// Returns the URI of `params.textDocument`, or "".
static std::string getUri(const json::Object *params) {
  const json::Object *document =
      params ? params->getObject("textDocument") : nullptr;
  return document ? document->getString("uri").value_or("").str() : "";
}

static std::string getText(const json::Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  return text;
}

LanguageServer::LanguageServer(const Installation &installation)
    : ops(installation.getOpDocumentation()), mlir(installation.getBinary()),
      queue(installation.getBinary()) {}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

int LanguageServer::run() {
  ::signal(SIGPIPE, SIG_IGN);
  mlir.start();
  while (!ended && !inputEnded) {
    std::vector<pollfd> descriptors = {{STDIN_FILENO, POLLIN, 0}};
    mlir.addDescriptors(descriptors);
    queue.addDescriptors(descriptors);
    if (::poll(descriptors.data(), descriptors.size(), queue.getTimeout()) <
            0 &&
        errno != EINTR)
      break;
    if (descriptors[0].revents)
      readEditor();
    mlir.update([this](json::Value message) { handleMlir(std::move(message)); },
                [this] { handleMlirEnd(); });
    queue.update(
        [this](const std::string &uri, const CompileQueue::Output &output) {
          finishCompile(uri, output);
        });
  }
  return shutDown ? 0 : 1;
}

void LanguageServer::readEditor() {
  char bytes[1 << 16];
  ssize_t count = ::read(STDIN_FILENO, bytes, sizeof(bytes));
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (count <= 0) {
    inputEnded = true;
    return;
  }
  reader.append(StringRef(bytes, count));
  while (std::optional<MessageReader::Result> result = reader.next()) {
    if (result->message)
      handleEditor(std::move(*result->message));
    else
      sendError(nullptr, kParseError, result->problem);
  }
}

void LanguageServer::send(const json::Value &message) {
  std::string text = encodeMessage(message);
  for (StringRef rest = text; !rest.empty();) {
    ssize_t count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) { // The editor has closed the pipe.
      ended = true;
      return;
    }
    rest = rest.drop_front(count);
  }
}

void LanguageServer::sendResult(const Id &id, json::Value result) {
  send(json::Object{
      {"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void LanguageServer::sendError(const Id &id, int64_t code, StringRef text) {
  send(
      json::Object{{"jsonrpc", "2.0"},
                   {"id", id},
                   {"error", json::Object{{"code", code}, {"message", text}}}});
}

//===----------------------------------------------------------------------===//
// Messages from the editor
//===----------------------------------------------------------------------===//

void LanguageServer::handleEditor(json::Value message) {
  const json::Object *object = message.getAsObject();
  if (!object)
    return sendError(nullptr, kInvalidRequest, "the message is not an object");
  bool isResponse = object->get("result") || object->get("error");
  if (object->get("method") && object->get("id"))
    handleRequest(*object);
  else if (object->get("method"))
    handleNotification(*object);
  else if (!isResponse) // The only responses are to
                        // workspace/inlayHint/refresh.
    sendError(nullptr, kInvalidRequest, "the message has no method");
}

void LanguageServer::handleRequest(const json::Object &message) {
  const json::Object *params = message.getObject("params");
  Pending request{*message.get("id"),
                  message.getString("method").value_or("").str(),
                  getUri(params),
                  {}};
  if (params) {
    if (auto range = readRange(params->get("range")))
      request.range = *range;
    else if (auto position = readPosition(params->get("position")))
      request.range = {*position, *position};
  }
  if (request.method == "initialize")
    initialize(params);
  if (request.method == "shutdown")
    shutDown = true;
  if (request.method == "textDocument/inlayHint")
    return sendResult(request.id, makeInlayHints(request));
  if (!mlir.isRunning())
    return answer(request, json::Object{{"result", nullptr}});
  mlir.send(json::Object(message));
  pending.insert_or_assign(getText(request.id), std::move(request));
}

void LanguageServer::handleNotification(const json::Object &message) {
  StringRef method = message.getString("method").value_or("");
  const json::Object *params = message.getObject("params");
  if (method == "exit") {
    ended = true;
    return;
  }
  if (params && method == "textDocument/didOpen")
    return open(*params);
  if (params && method == "textDocument/didChange")
    return change(*params);
  if (params && method == "textDocument/didClose")
    return close(*params);
  // The changed file may be an aircc.json.
  if (method == "textDocument/didSave" ||
      method == "workspace/didChangeWatchedFiles")
    for (const auto &[uri, document] : documents)
      scheduleCompile(document);
  mlir.send(json::Object(message));
}

void LanguageServer::initialize(const json::Object *params) {
  if (!params)
    return;
  initializeParams = json::Object(*params);
  if (auto uri = params->getString("rootUri"))
    rootFolder = getPathOfUri(*uri);
  const json::Object *object = params->getObject("capabilities");
  for (StringRef key : {"workspace", "inlayHint"})
    object = object ? object->getObject(key) : nullptr;
  refreshesHints =
      object && object->getBoolean("refreshSupport").value_or(false);
}

void LanguageServer::open(const json::Object &params) {
  const json::Object *item = params.getObject("textDocument");
  auto uri = item ? item->getString("uri") : std::nullopt;
  auto text = item ? item->getString("text") : std::nullopt;
  if (!uri || !text)
    return;
  documents.insert_or_assign(uri->str(),
                             Document(uri->str(), text->str(),
                                      item->getInteger("version").value_or(0)));
  const Document &document = documents.at(uri->str());
  if (mlir.isRunning())
    mlir.send(makeDidOpen(document));
  else
    mlir.restart(initializeParams, documents);
  scheduleCompile(document);
}

void LanguageServer::change(const json::Object &params) {
  auto it = documents.find(getUri(&params));
  const json::Array *changes = params.getArray("contentChanges");
  if (it == documents.end() || !changes)
    return;
  Document &document = it->second;
  for (const json::Value &value : *changes)
    if (const json::Object *object = value.getAsObject())
      document.change(*object);
  auto version = params.getObject("textDocument")->getInteger("version");
  document.setVersion(version.value_or(document.getVersion() + 1));
  if (mlir.isRunning())
    mlir.send(makeDidChange(document));
  else
    mlir.restart(initializeParams, documents);
  scheduleCompile(document);
}

void LanguageServer::close(const json::Object &params) {
  auto it = documents.find(getUri(&params));
  if (it == documents.end())
    return;
  queue.cancel(it->first);
  send(makeNotification("textDocument/publishDiagnostics",
                        makeDiagnosticsParams(it->second, {})));
  mlir.send(makeNotification("textDocument/didClose", json::Object(params)));
  compiled.erase(it->first);
  documents.erase(it);
}

//===----------------------------------------------------------------------===//
// Messages from MLIR's server
//===----------------------------------------------------------------------===//

void LanguageServer::handleMlir(json::Value message) {
  json::Object &object = *message.getAsObject();
  if (object.getString("method") ==
      StringRef("textDocument/publishDiagnostics")) {
    const json::Object *params = object.getObject("params");
    auto uri = params ? params->getString("uri") : std::nullopt;
    auto it = compiled.find(uri.value_or("").str());
    // If the document is compiled, the compile reports the same diagnostics.
    if (it != compiled.end() && !it->second.projectFile.empty())
      return;
  }
  const json::Value *id = object.get("id");
  auto request = id ? pending.find(getText(*id)) : pending.end();
  if (request == pending.end())
    return send(message);
  Pending found = std::move(request->second);
  pending.erase(request);
  answer(found, std::move(object));
}

/// Sends the response to a request after adding this server's part.
void LanguageServer::answer(const Pending &request, json::Object response) {
  response["jsonrpc"] = "2.0";
  response["id"] = request.id;
  const json::Value *result = response.get("result");
  std::optional<json::Value> replacement;
  if (request.method == "initialize") {
    json::Object capabilities;
    if (const json::Object *given = result ? result->getAsObject() : nullptr)
      capabilities = *given;
    addCapabilities(capabilities);
    replacement = std::move(capabilities);
  } else if (request.method == "textDocument/hover") {
    replacement = makeHover(request, result);
  } else if (request.method == "textDocument/codeAction") {
    replacement = makeCodeActions(request, result);
  }
  if (replacement) {
    response.erase("error");
    response["result"] = std::move(*replacement);
  }
  send(std::move(response));
}

void LanguageServer::handleMlirEnd() {
  std::map<std::string, Pending> unanswered = std::move(pending);
  pending.clear();
  for (auto &[id, request] : unanswered)
    if (is_contained({"initialize", "textDocument/hover",
                      "textDocument/codeAction", "shutdown"},
                     request.method))
      answer(request, json::Object{{"result", nullptr}});
    else
      sendError(request.id, kInternalError,
                "MLIR's language server crashes on this text");
}

void LanguageServer::addCapabilities(json::Object &result) {
  result["serverInfo"] =
      json::Object{{"name", "aircc"}, {"version", AIRCC_VERSION}};
  json::Object *capabilities = result.getObject("capabilities");
  if (!capabilities) {
    result["capabilities"] = json::Object{};
    capabilities = result.getObject("capabilities");
  }
  // The server also accepts changes to a part of the text (Document::change).
  (*capabilities)["textDocumentSync"] =
      json::Object{{"openClose", true}, {"change", 2}, {"save", true}};
  (*capabilities)["hoverProvider"] = true;
  (*capabilities)["inlayHintProvider"] = true;
  (*capabilities)["codeActionProvider"] =
      json::Object{{"codeActionKinds", json::Array{"quickfix", "refactor"}}};
}

//===----------------------------------------------------------------------===//
// Hover, code actions, inlay hints
//===----------------------------------------------------------------------===//

json::Value LanguageServer::makeHover(const Pending &request,
                                      const json::Value *result) {
  auto it = documents.find(request.uri);
  const json::Object *given = result ? result->getAsObject() : nullptr;
  if (it == documents.end())
    return given ? json::Value(json::Object(*given)) : json::Value(nullptr);
  const Document &document = it->second;
  auto isPart = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
  StringRef text = document.getText();
  size_t start = document.getOffset(request.range.start), end = start;
  while (start > 0 && isPart(text[start - 1]))
    --start;
  while (end < text.size() && isPart(text[end]))
    ++end;
  StringRef word = text.slice(start, end).trim('.');
  StringRef section = ops.find(StringSwitch<StringRef>(word)
                                   .Case("return", "func.return")
                                   .Case("call", "func.call")
                                   .Case("module", "builtin.module")
                                   .Default(word));
  if (section.empty())
    return given ? json::Value(json::Object(*given)) : json::Value(nullptr);
  json::Object hover;
  std::string markdown;
  if (given) {
    hover = *given;
    if (const json::Object *contents = given->getObject("contents"))
      markdown =
          contents->getString("value").value_or("").str() + "\n\n---\n\n";
  } else {
    hover["range"] = toJSON(
        EditorRange{document.getPosition(start), document.getPosition(end)});
  }
  hover["contents"] =
      json::Object{{"kind", "markdown"}, {"value", markdown + section.str()}};
  return hover;
}

static bool overlaps(const EditorRange &a, const EditorRange &b) {
  return a.start <= b.end && b.start <= a.end;
}

json::Value LanguageServer::makeCodeActions(const Pending &request,
                                            const json::Value *result) {
  json::Array actions;
  if (const json::Array *given = result ? result->getAsArray() : nullptr)
    actions = *given;
  auto document = documents.find(request.uri);
  auto it = compiled.find(request.uri);
  if (document == documents.end() || it == compiled.end())
    return actions;
  for (const EditorDiagnostic &diagnostic : it->second.results.diagnostics)
    if (overlaps(diagnostic.range, request.range))
      for (const QuickFix &fix :
           findQuickFixes(document->second, diagnostic, ops))
        actions.push_back(toJSON(fix, document->second, diagnostic));
  return actions;
}

json::Value LanguageServer::makeInlayHints(const Pending &request) {
  json::Array hints;
  if (auto it = compiled.find(request.uri); it != compiled.end())
    for (const InlayHint &hint : it->second.results.hints)
      if (overlaps({hint.position, hint.position}, request.range))
        hints.push_back(toJSON(hint));
  return hints;
}

//===----------------------------------------------------------------------===//
// Compiles
//===----------------------------------------------------------------------===//

void LanguageServer::scheduleCompile(const Document &document) {
  const std::string &uri = document.getUri();
  std::string path = getPathOfUri(uri);
  std::string file = findProjectFile(
      path.empty() ? StringRef(rootFolder) : sys::path::parent_path(path));
  std::vector<ProfileError> errors;
  std::optional<ProjectFile> project;
  if (!file.empty()) {
    project = readProjectFile(file, errors);
    publishProjectErrors(file, errors);
  }
  Compiled &state = compiled[uri];
  if (project) {
    state.projectFile = file;
    queue.schedule(uri, document.getText(), std::move(*project));
    return;
  }
  queue.cancel(uri);
  bool wasCompiled = !state.projectFile.empty();
  state = {};
  // Make MLIR's server publish its diagnostics again.
  if (wasCompiled)
    mlir.send(makeDidChange(document));
}

void LanguageServer::finishCompile(const std::string &uri,
                                   const CompileQueue::Output &output) {
  auto it = documents.find(uri);
  if (it == documents.end())
    return;
  Compiled &state = compiled[uri];
  state.results = readCompileResults(it->second, output.diagnostics,
                                     output.facts, state.projectFile);
  std::string problem;
  if (!output.status)
    problem = "the compile took too long and was stopped";
  else if (*output.status < 0 || *output.status == 127)
    problem = "aircc terminated unexpectedly while compiling this text";
  if (!problem.empty())
    state.results.diagnostics.push_back(
        {EditorSeverity::Warning, 0, it->second.getWord(0), problem, {}});
  publish(it->second);
}

void LanguageServer::publish(const Document &document) {
  send(makeNotification(
      "textDocument/publishDiagnostics",
      makeDiagnosticsParams(document,
                            compiled[document.getUri()].results.diagnostics)));
  if (refreshesHints)
    send(json::Object{{"jsonrpc", "2.0"},
                      {"id", "aircc/" + std::to_string(nextId++)},
                      {"method", "workspace/inlayHint/refresh"}});
}

void LanguageServer::publishProjectErrors(
    const std::string &path, const std::vector<ProfileError> &errors) {
  json::Array list;
  for (const ProfileError &error : errors) {
    std::string message = error.message;
    for (const std::string &note : error.notes)
      message += "\nnote: " + note;
    EditorPosition position{int64_t(std::max(1u, error.line)) - 1,
                            int64_t(std::max(1u, error.column)) - 1};
    list.push_back(
        json::Object{{"range", toJSON(EditorRange{position, position})},
                     {"severity", int64_t(EditorSeverity::Error)},
                     {"source", "aircc"},
                     {"message", message}});
  }
  send(makeNotification("textDocument/publishDiagnostics",
                        json::Object{{"uri", makeFileUri(path)},
                                     {"diagnostics", std::move(list)}}));
}
