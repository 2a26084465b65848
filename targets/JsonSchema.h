//===- JsonSchema.h - Checks JSON against a JSON Schema ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Implements the subset of Draft-07 that profile.schema.json uses: type, enum,
// const, properties, required, additionalProperties, items (one schema),
// min/maxItems, uniqueItems, minimum, maximum, minLength, pattern, allOf,
// if/then/else, and $ref within the document. A schema with any other keyword
// is rejected. Patterns are POSIX extended regular expressions; a schema may
// only use the subset that these have in common with the ECMAScript expressions
// of the standard.
//
// Violations list the valid alternatives, unlike those of general libraries.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_JSONSCHEMA_H
#define AIRCC_TARGETS_JSONSCHEMA_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aircc {

struct SchemaViolation {
  std::string pointer;            ///< The invalid value.
  bool atKey = false;             ///< Whether the name, rather than the value,
                                  ///< is invalid.
  std::string message;            ///< "expected an integer, got a string"
  std::vector<std::string> notes; ///< The valid alternatives.
};

class JsonSchema {
public:
  /// Takes a schema document, which must be supported.
  explicit JsonSchema(const nlohmann::json &document) : document(document) {}

  /// Returns an error if the schema uses unsupported features, otherwise "".
  static std::string findUnsupported(const nlohmann::json &document);

  /// Checks `value` against the schema at `root` (a JSON pointer into the
  /// document). With `allowNull`, any member of an object may be null.
  std::vector<SchemaViolation> validate(const nlohmann::json &value,
                                        const std::string &root = "",
                                        bool allowNull = false) const;

private:
  const nlohmann::json &document;
};

/// Returns the candidate that `text` probably misspells, or "".
std::string findNearest(const std::string &text,
                        const std::vector<std::string> &candidates);

} // namespace aircc

#endif // AIRCC_TARGETS_JSONSCHEMA_H
