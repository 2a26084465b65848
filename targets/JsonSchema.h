//===- JsonSchema.h - Checks JSON against a JSON Schema ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draft-07 as far as profile.schema.json uses it: type, enum, const,
// properties, required, additionalProperties, items (one schema), min/maxItems,
// uniqueItems, minimum, maximum, minLength, pattern, allOf, if/then/else, and
// $ref within the document. A schema with any other keyword is refused, not
// half obeyed. Patterns are POSIX extended regular expressions: what these have
// in common with the ECMAScript ones of the standard is what a schema may use.
//
// Its violations say what would have been valid, which is why it is not a
// general library's.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_JSONSCHEMA_H
#define AIRCC_TARGETS_JSONSCHEMA_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aircc {

struct SchemaViolation {
  std::string pointer;            ///< The value that is wrong.
  bool atKey = false;             ///< Its name is wrong, not what it holds.
  std::string message;            ///< "expected an integer, got a string"
  std::vector<std::string> notes; ///< What would be valid.
};

class JsonSchema {
public:
  /// Takes a schema document. Returns an error in `problem` (else empty) when
  /// it uses what this class does not implement.
  JsonSchema(const nlohmann::json &document, std::string &problem);

  /// Checks `value` against the schema at `root` (a JSON pointer into the
  /// document). With `allowNull`, any member of an object may be null.
  std::vector<SchemaViolation> validate(const nlohmann::json &value,
                                        const std::string &root = "",
                                        bool allowNull = false) const;

private:
  const nlohmann::json &document;
};

/// The string of `candidates` that `text` was probably meant to be, or "".
std::string findNearest(const std::string &text,
                        const std::vector<std::string> &candidates);

} // namespace aircc

#endif // AIRCC_TARGETS_JSONSCHEMA_H
