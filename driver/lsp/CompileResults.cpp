//===- CompileResults.cpp - What a compile says about a document ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/CompileResults.h"

#include "driver/lsp/MessageStream.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <tuple>

using namespace aircc;
using namespace llvm;

/// More diagnostics would slow the editor down.
static constexpr size_t kMaxDiagnostics = 1000;

/// Returns the offset of a diagnostic or note in the document, or nothing if it
/// is about another file or has no location.
static std::optional<size_t> getOffset(const Document &document,
                                       const json::Object &diagnostic) {
  auto line = diagnostic.getInteger("line");
  if (!line || diagnostic.getString("file") != StringRef("<stdin>"))
    return std::nullopt;
  return document.getOffsetOfLocation(
      *line, diagnostic.getInteger("column").value_or(1));
}

/// Returns a prefix such as "model.py:12:5: " for a location in another file.
static std::string getPrefix(const json::Object &diagnostic) {
  auto file = diagnostic.getString("file");
  if (!file || *file == "<stdin>")
    return "";
  std::string prefix = file->str() + ":";
  for (StringRef key : {"line", "column"})
    if (auto number = diagnostic.getInteger(key))
      prefix += std::to_string(*number) + ":";
  return prefix + " ";
}

static void addNotes(const Document &document, const json::Object &object,
                     EditorDiagnostic &diagnostic) {
  const json::Array *notes = object.getArray("notes");
  if (!notes)
    return;
  for (const json::Value &value : *notes) {
    const json::Object *note = value.getAsObject();
    if (!note)
      continue;
    std::string text = note->getString("message").value_or("").str();
    std::optional<size_t> offset = getOffset(document, *note);
    if (offset && *offset != diagnostic.offset)
      diagnostic.related.push_back({document.getWord(*offset), text});
    diagnostic.message += "\nnote: " + getPrefix(*note) + text;
    addNotes(document, *note, diagnostic);
  }
}

static EditorDiagnostic readDiagnostic(const Document &document,
                                       const json::Object &object,
                                       StringRef projectFile) {
  EditorDiagnostic diagnostic;
  StringRef severity = object.getString("severity").value_or("error");
  if (severity == "warning")
    diagnostic.severity = EditorSeverity::Warning;
  else if (severity == "remark" || severity == "note")
    diagnostic.severity = EditorSeverity::Information;
  if (!object.getString("file"))
    diagnostic.message = sys::path::filename(projectFile).str() + ": ";
  diagnostic.message += getPrefix(object);
  diagnostic.message += object.getString("message").value_or("");
  diagnostic.offset = getOffset(document, object).value_or(0);
  diagnostic.range = document.getWord(diagnostic.offset);
  addNotes(document, object, diagnostic);
  return diagnostic;
}

static std::optional<InlayHint> readHint(const Document &document,
                                         const json::Value &value) {
  const json::Object *fact = value.getAsObject();
  auto line = fact ? fact->getInteger("line") : std::nullopt;
  if (!line || *line < 1)
    return std::nullopt;
  InlayHint hint;
  hint.label = fact->getString("label").value_or("").str();
  hint.tooltip = fact->getString("details").value_or("").str();
  // Put the hint at the end of the line, so that it does not split the text of
  // the op.
  StringRef text = document.getLine(*line - 1);
  hint.position = document.getPosition(
      document.getOffsetOfLocation(*line, unsigned(text.rtrim().size()) + 1));
  return hint;
}

CompileResults aircc::readCompileResults(const Document &document,
                                         StringRef diagnostics, StringRef facts,
                                         StringRef projectFile) {
  CompileResults results;
  while (!diagnostics.empty() && results.diagnostics.size() < kMaxDiagnostics) {
    auto [line, rest] = diagnostics.split('\n');
    diagnostics = rest;
    // Libraries may write other lines.
    if (!line.starts_with("{"))
      continue;
    Expected<json::Value> value = parseShallowJson(line);
    if (!value) {
      consumeError(value.takeError());
      continue;
    }
    if (const json::Object *object = value->getAsObject())
      results.diagnostics.push_back(
          readDiagnostic(document, *object, projectFile));
  }
  Expected<json::Value> list = parseShallowJson(facts);
  if (!list) {
    consumeError(list.takeError());
    return results;
  }
  if (const json::Array *array = list->getAsArray())
    for (const json::Value &fact : *array)
      if (auto hint = readHint(document, fact))
        results.hints.push_back(std::move(*hint));
  llvm::sort(results.hints, [](const InlayHint &a, const InlayHint &b) {
    return std::tie(a.position, a.label) < std::tie(b.position, b.label);
  });
  return results;
}

json::Value aircc::toJSON(const EditorDiagnostic &diagnostic, StringRef uri) {
  json::Object object{{"range", toJSON(diagnostic.range)},
                      {"severity", int64_t(diagnostic.severity)},
                      {"source", "aircc"},
                      {"message", diagnostic.message}};
  json::Array related;
  for (const auto &[range, message] : diagnostic.related)
    related.push_back(json::Object{
        {"location", json::Object{{"uri", uri}, {"range", toJSON(range)}}},
        {"message", message}});
  if (!related.empty())
    object["relatedInformation"] = std::move(related);
  return object;
}

json::Value
aircc::makeDiagnosticsParams(const Document &document,
                             const std::vector<EditorDiagnostic> &diagnostics) {
  json::Array list;
  for (const EditorDiagnostic &diagnostic : diagnostics)
    list.push_back(toJSON(diagnostic, document.getUri()));
  return json::Object{{"uri", document.getUri()},
                      {"version", document.getVersion()},
                      {"diagnostics", std::move(list)}};
}

json::Value aircc::toJSON(const InlayHint &hint) {
  return json::Object{{"position", toJSON(hint.position)},
                      {"label", hint.label},
                      {"tooltip", hint.tooltip},
                      {"paddingLeft", true}};
}
