//===- Document.h - A text that is open in an editor ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_DOCUMENT_H
#define AIRCC_DRIVER_LSP_DOCUMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// A position as the protocol counts it, in lines and UTF-16 code units from 0.
struct EditorPosition {
  int64_t line = 0, character = 0;

  auto operator<=>(const EditorPosition &) const = default;
};

struct EditorRange {
  EditorPosition start, end;
};

llvm::json::Value toJSON(const EditorPosition &position);
llvm::json::Value toJSON(const EditorRange &range);
std::optional<EditorPosition> readPosition(const llvm::json::Value *value);
std::optional<EditorRange> readRange(const llvm::json::Value *value);

/// Returns the path of a `file:` URI, or "" for other URIs.
std::string getPathOfUri(llvm::StringRef uri);
/// Returns the `file:` URI of an absolute path.
std::string makeFileUri(llvm::StringRef path);

class Document {
public:
  Document(std::string uri, std::string text, int64_t version);

  const std::string &getUri() const { return uri; }
  const std::string &getText() const { return text; }
  int64_t getVersion() const { return version; }
  void setVersion(int64_t number) { version = number; }

  /// Applies an element of `contentChanges`. Returns false if it is malformed.
  bool change(const llvm::json::Object &change);

  /// Returns the offset of a position. Positions outside the text become the
  /// nearest ones in it.
  size_t getOffset(EditorPosition position) const;
  EditorPosition getPosition(size_t offset) const;
  /// Returns the offset of an MLIR location, whose lines and columns (in bytes)
  /// count from 1.
  size_t getOffsetOfLocation(unsigned line, unsigned column) const;
  /// Returns the word at an offset: a name with its sigil, a string, or a
  /// single character.
  EditorRange getWord(size_t offset) const;

  /// Returns the text of line `line`, counting from 0.
  llvm::StringRef getLine(int64_t line) const;

private:
  void findLines();

  std::string uri, text;
  int64_t version;
  std::vector<size_t> lines; ///< The offsets of their first characters.
};

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_DOCUMENT_H
