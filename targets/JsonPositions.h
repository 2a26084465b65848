//===- JsonPositions.h - Where in a file a JSON value stands ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON parser forgets where a value came from; an error that names line and
// column needs it. This is an index from JSON pointers (RFC 6901) to places.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_JSONPOSITIONS_H
#define AIRCC_TARGETS_JSONPOSITIONS_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aircc {

/// A place in a text, both counted from 1; the column counts bytes.
struct TextPosition {
  unsigned line = 1;
  unsigned column = 1;
};

/// The place of the byte at `offset` in `text`.
TextPosition getTextPosition(std::string_view text, size_t offset);

/// `pointer` with one more reference token, escaped.
std::string appendPointer(std::string_view pointer, std::string_view token);

class JsonPositions {
public:
  struct Entry {
    TextPosition key; ///< Of the member's name (as `value` where it has none).
    TextPosition value; ///< Of the value's first byte.
  };

  /// Indexes `text`, which must be valid JSON.
  explicit JsonPositions(std::string_view text);

  /// Every value by its pointer; "" is the whole document.
  const std::map<std::string, Entry, std::less<>> &entries() const {
    return index;
  }

  /// Pointers of members whose name occurs more than once in their object, with
  /// the place of the repetition.
  const std::vector<std::pair<std::string, TextPosition>> &duplicates() const {
    return repeated;
  }

private:
  std::map<std::string, Entry, std::less<>> index;
  std::vector<std::pair<std::string, TextPosition>> repeated;
};

} // namespace aircc

#endif // AIRCC_TARGETS_JSONPOSITIONS_H
