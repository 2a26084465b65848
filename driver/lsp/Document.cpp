//===- Document.cpp - A text that is open in an editor --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/Document.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace aircc;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Positions and URIs
//===----------------------------------------------------------------------===//

json::Value aircc::toJSON(const EditorPosition &position) {
  return json::Object{{"line", position.line},
                      {"character", position.character}};
}

json::Value aircc::toJSON(const EditorRange &range) {
  return json::Object{{"start", toJSON(range.start)},
                      {"end", toJSON(range.end)}};
}

std::optional<EditorPosition> aircc::readPosition(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return std::nullopt;
  auto line = object->getInteger("line");
  auto character = object->getInteger("character");
  if (!line || !character || *line < 0 || *character < 0)
    return std::nullopt;
  return EditorPosition{*line, *character};
}

std::optional<EditorRange> aircc::readRange(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return std::nullopt;
  auto start = readPosition(object->get("start"));
  auto end = readPosition(object->get("end"));
  if (!start || !end)
    return std::nullopt;
  return EditorRange{*start, std::max(*start, *end)};
}

std::string aircc::getPathOfUri(StringRef uri) {
  if (!uri.consume_front("file://"))
    return "";
  uri.consume_front("localhost");
  if (!uri.starts_with("/"))
    return "";
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    unsigned byte;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        !uri.substr(i + 1, 2).getAsInteger(16, byte)) {
      path += char(byte);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path.find('\0') == std::string::npos ? path : "";
}

std::string aircc::makeFileUri(StringRef path) {
  std::string uri = "file://";
  for (unsigned char c : path.bytes())
    if (isAlnum(c) || StringRef("/-._~").contains(c))
      uri += char(c);
    else
      uri += "%" + toHex(StringRef(reinterpret_cast<char *>(&c), 1));
  return uri;
}

//===----------------------------------------------------------------------===//
// Document
//===----------------------------------------------------------------------===//

/// Returns the number of bytes of a character that begins with `lead`, and the
/// number of its UTF-16 code units.
static unsigned getBytes(unsigned char lead) {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
static unsigned getUnits(unsigned char lead) { return lead < 0xf0 ? 1 : 2; }

Document::Document(std::string uri, std::string text, int64_t version)
    : uri(std::move(uri)), text(std::move(text)), version(version) {
  findLines();
}

void Document::findLines() {
  lines = {0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lines.push_back(i + 1);
}

bool Document::change(const json::Object &change) {
  auto inserted = change.getString("text");
  if (!inserted)
    return false;
  const json::Value *where = change.get("range");
  if (!where) {
    text = inserted->str();
  } else {
    auto range = readRange(where);
    if (!range)
      return false;
    size_t start = getOffset(range->start), end = getOffset(range->end);
    text.replace(start, end - start, inserted->str());
  }
  findLines();
  return true;
}

StringRef Document::getLine(int64_t line) const {
  if (line < 0 || size_t(line) >= lines.size())
    return "";
  size_t end =
      size_t(line) + 1 < lines.size() ? lines[line + 1] - 1 : text.size();
  return StringRef(text).slice(lines[line], end);
}

size_t Document::getOffset(EditorPosition position) const {
  if (size_t(position.line) >= lines.size())
    return text.size();
  StringRef line = getLine(position.line);
  size_t offset = 0;
  for (int64_t units = 0; offset < line.size() && units < position.character;) {
    units += getUnits(line[offset]);
    offset = std::min(line.size(), offset + getBytes(line[offset]));
  }
  return lines[position.line] + offset;
}

EditorPosition Document::getPosition(size_t offset) const {
  offset = std::min(offset, text.size());
  auto line = std::prev(llvm::upper_bound(lines, offset));
  EditorPosition position{line - lines.begin(), 0};
  for (size_t i = *line; i < offset; i += getBytes(text[i]))
    position.character += getUnits(text[i]);
  return position;
}

size_t Document::getOffsetOfLocation(unsigned line, unsigned column) const {
  if (line == 0)
    return 0;
  if (line > lines.size())
    return text.size();
  return lines[line - 1] +
         std::min<size_t>(column ? column - 1 : 0, getLine(line - 1).size());
}

EditorRange Document::getWord(size_t offset) const {
  offset = std::min(offset, text.size());
  StringRef rest = StringRef(text).drop_front(offset);
  auto isPart = [](char c) {
    return isAlnum(c) || StringRef("_.$-").contains(c);
  };
  size_t size = 0;
  if (rest.starts_with("\"")) {
    size_t end = rest.find_first_of("\"\n", 1);
    size = end == StringRef::npos || rest[end] == '\n' ? 1 : end + 1;
  } else {
    size = !rest.empty() && StringRef("%@#!^").contains(rest[0]);
    while (size < rest.size() && isPart(rest[size]))
      ++size;
    if (size == 0 && !rest.empty() && rest[0] != '\n')
      size = 1;
  }
  return {getPosition(offset), getPosition(offset + size)};
}
