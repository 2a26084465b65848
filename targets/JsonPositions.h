//===- JsonPositions.h - Source positions of JSON values --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The JSON parser does not record source positions, but errors name the line
// and column. This index maps JSON pointers (RFC 6901) to positions.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_JSONPOSITIONS_H
#define AIRCC_TARGETS_JSONPOSITIONS_H

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aircc {

/// A position in a text. Line and column count from 1, and the column counts
/// bytes.
struct TextPosition {
  unsigned line = 1;
  unsigned column = 1;
};

/// Returns the position of the byte at `offset` in `text`.
TextPosition getTextPosition(std::string_view text, size_t offset);

/// Returns the offset of the first bracket that opens more than `limit` nested
/// arrays and objects. Recursive readers need such a limit. `text` may be
/// malformed.
std::optional<size_t> findTooDeepNesting(std::string_view text, unsigned limit);

/// Returns `pointer` extended by one reference token, which is escaped.
std::string appendPointer(std::string_view pointer, std::string_view token);

class JsonPositions {
public:
  struct Entry {
    TextPosition key;   ///< The name of the member (`value` if there is no
                        ///< name).
    TextPosition value; ///< The first byte of the value.
  };

  /// Indexes `text`, which must be valid JSON.
  explicit JsonPositions(std::string_view text);

  /// Returns a map with the pointer of every value, where "" is the whole
  /// document.
  const std::map<std::string, Entry, std::less<>> &entries() const {
    return index;
  }

  /// Returns the pointers of members whose names occur more than once in their
  /// object, with the position of the duplicate.
  const std::vector<std::pair<std::string, TextPosition>> &duplicates() const {
    return repeated;
  }

private:
  std::map<std::string, Entry, std::less<>> index;
  std::vector<std::pair<std::string, TextPosition>> repeated;
};

} // namespace aircc

#endif // AIRCC_TARGETS_JSONPOSITIONS_H
