//===- QuickFixes.cpp - Edits for the hints in messages -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/QuickFixes.h"

#include "targets/JsonSchema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace aircc;
using namespace llvm;

namespace {
/// Finds the fixes for one message.
class FixFinder {
public:
  FixFinder(const Document &document, const EditorDiagnostic &diagnostic,
            const OpDocumentation &ops)
      : document(document), text(document.getText()), diagnostic(diagnostic),
        message(diagnostic.message), ops(ops) {}

  std::vector<QuickFix> find() {
    fixSpelling();
    fixUnknownOp();
    fixNewerOp();
    addOffload();
    addScopes();
    addDepth();
    return std::move(fixes);
  }

private:
  void fixSpelling();
  void fixUnknownOp();
  void fixNewerOp();
  void addOffload();
  void addScopes();
  void addDepth();

  void replaceWord(StringRef word, StringRef replacement);
  void insert(const std::string &title, size_t offset, const std::string &what);
  void addFunctionAttribute(StringRef keyword, StringRef attribute);
  size_t findSignatureEnd(size_t start) const;

  const Document &document;
  StringRef text;
  const EditorDiagnostic &diagnostic;
  StringRef message;
  const OpDocumentation &ops;
  std::vector<QuickFix> fixes;
};
} // namespace

/// The text of an op before its regions is rarely longer than this.
static constexpr size_t kReach = 4000;

static bool isWordCharacter(char c) {
  return isAlnum(c) || c == '_' || c == '.' || c == '$';
}

/// Replaces the first occurrence of a word at or after the location.
void FixFinder::replaceWord(StringRef word, StringRef replacement) {
  if (word.empty() || replacement.empty() || word == replacement)
    return;
  size_t start = diagnostic.offset;
  while (true) {
    start = text.find(word, start);
    if (start == StringRef::npos || start > diagnostic.offset + kReach)
      return;
    size_t end = start + word.size();
    if ((start == 0 || !isWordCharacter(text[start - 1])) &&
        (end == text.size() || !isWordCharacter(text[end])))
      break;
    start = end;
  }
  fixes.push_back({("Replace '" + word + "' by '" + replacement + "'").str(),
                   {{{document.getPosition(start),
                      document.getPosition(start + word.size())},
                     replacement.str()}}});
}

void FixFinder::insert(const std::string &title, size_t offset,
                       const std::string &what) {
  EditorPosition position = document.getPosition(offset);
  fixes.push_back({title, {{{position, position}, what}}});
}

/// Matches "has the attribute 'air.ofload', … did you mean 'air.offload'?".
void FixFinder::fixSpelling() {
  SmallVector<StringRef> match;
  if (Regex("did you mean '([^']+)'").match(message, &match)) {
    std::string meant = match[1].str();
    StringRef before = message.take_front(message.find(match[0]));
    // The misspelled word is the quoted one that is nearest to it.
    std::vector<std::string> quoted;
    while (Regex("'([^' ]+)'").match(before, &match)) {
      quoted.push_back(match[1].str());
      before = before.drop_front(before.find(match[0]) + match[0].size());
    }
    replaceWord(findNearest(meant, quoted), meant);
  }
}

/// Matches "custom op 'air.herdd' is unknown".
void FixFinder::fixUnknownOp() {
  SmallVector<StringRef> match;
  if (Regex("op '([a-z_]+[.][A-Za-z0-9_.]+)' is unknown")
          .match(message, &match))
    replaceWord(match[1], findNearest(match[1].str(), ops.getNames()));
}

/// Matches "'xevm.truncf' is an op of MLIR 23, and this is MLIR 22: use
/// arith.truncf".
void FixFinder::fixNewerOp() {
  SmallVector<StringRef> match;
  if (Regex("'([a-z_0-9.]+)' is an op of MLIR [0-9]+, .*: use "
            "([a-z_0-9]+[.][a-z_0-9.]+)$",
            Regex::Newline)
          .match(message, &match))
    replaceWord(match[1], match[2]);
}

/// Returns the offset where the attributes of the function whose text begins at
/// `start` belong, which is after the parentheses of its arguments and results.
size_t FixFinder::findSignatureEnd(size_t start) const {
  size_t parameters = text.find('(', start);
  if (parameters == StringRef::npos)
    return StringRef::npos;
  unsigned depth = 0;
  bool isArrow = false;
  for (size_t i = parameters; i < std::min(text.size(), start + kReach); ++i) {
    char c = text[i];
    isArrow = c == '>' && text[i - 1] == '-';
    if (c == '(' || c == '<' || c == '[')
      ++depth;
    else if ((c == ')' || c == ']' || (c == '>' && !isArrow)) && depth)
      --depth;
    else if (c == '{' && depth == 0)
      return i;
    else if (c == '{')
      ++depth;
    else if (c == '}' && depth)
      --depth;
  }
  return StringRef::npos;
}

/// Adds an attribute to the function around or at the location.
void FixFinder::addFunctionAttribute(StringRef keyword, StringRef attribute) {
  StringRef before = text.take_front(
      std::min(text.size(), diagnostic.offset + keyword.size()));
  size_t start = before.rfind(keyword);
  size_t brace = start == StringRef::npos ? start : findSignatureEnd(start);
  if (brace == StringRef::npos)
    return;
  std::string title =
      ("Give the function the attribute '" + attribute.split(' ').first + "'")
          .str();
  if (text.slice(start, brace).rtrim().ends_with("attributes"))
    return insert(title, brace + 1, attribute.str() + ", ");
  insert(title, brace, ("attributes {" + attribute + "} ").str());
}

/// Matches "set the attribute 'air.offload' on it or its function".
void FixFinder::addOffload() {
  if (message.contains("set the attribute 'air.offload' on it or its function"))
    addFunctionAttribute("func.func", "air.offload");
}

/// Matches "set known_block_size or layout.scope = #layout.scope<workgroup> or
/// …".
void FixFinder::addScopes() {
  for (StringRef scope : {"workgroup", "wave"}) {
    std::string attribute =
        ("layout.scope = #layout.scope<" + scope + ">").str();
    if (message.contains("#layout.scope<" + scope.str() + ">"))
      addFunctionAttribute("gpu.func", attribute);
  }
}

/// Matches "give channel @c a 'depth' to send all of them".
void FixFinder::addDepth() {
  SmallVector<StringRef> match;
  if (!Regex("give channel @([A-Za-z0-9_.$]+) a 'depth'")
           .match(message, &match))
    return;
  std::string name = match[1].str();
  Regex declaration("air[.]channel @" + Regex::escape(name) +
                    "( *\\[[^]]*\\]| |\n|$)");
  if (!declaration.match(text, &match))
    return;
  size_t end = match[0].rtrim().end() - text.begin();
  StringRef rest = text.drop_front(end).ltrim(' ');
  std::string title = "Give channel @" + name + " a depth of 2";
  if (rest.starts_with("{"))
    return insert(title, rest.data() + 1 - text.data(), "depth = 2 : i64, ");
  insert(title, end, " {depth = 2 : i64}");
}

std::vector<QuickFix> aircc::findQuickFixes(const Document &document,
                                            const EditorDiagnostic &diagnostic,
                                            const OpDocumentation &ops) {
  return FixFinder(document, diagnostic, ops).find();
}

json::Value aircc::toJSON(const QuickFix &fix, const Document &document,
                          const EditorDiagnostic &diagnostic) {
  json::Array edits;
  for (const auto &[range, replacement] : fix.edits)
    edits.push_back(
        json::Object{{"range", toJSON(range)}, {"newText", replacement}});
  json::Object changes;
  changes[document.getUri()] = std::move(edits);
  return json::Object{
      {"title", fix.title},
      {"kind", "quickfix"},
      {"diagnostics", json::Array{toJSON(diagnostic, document.getUri())}},
      {"edit", json::Object{{"changes", std::move(changes)}}}};
}
