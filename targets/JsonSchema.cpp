//===- JsonSchema.cpp - Checks JSON against a JSON Schema -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/JsonSchema.h"

#include "targets/JsonPositions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace aircc;
using nlohmann::json;

/// Returns whether `text` is `other` with two neighboring letters exchanged.
static bool isTransposed(llvm::StringRef text, llvm::StringRef other) {
  if (text.size() != other.size())
    return false;
  auto [a, b] = std::mismatch(text.begin(), text.end(), other.begin());
  size_t i = a - text.begin();
  return i + 1 < text.size() && text[i] == other[i + 1] &&
         text[i + 1] == other[i] && text.substr(i + 2) == other.substr(i + 2);
}

std::string aircc::findNearest(const std::string &text,
                               const std::vector<std::string> &candidates) {
  std::string nearest;
  // A third of the letters may differ, but at least two. With more differences,
  // it is probably not a typing error.
  unsigned best =
      std::max<size_t>(text.size() < 3 ? 1 : 2, text.size() / 3) + 1;
  for (const std::string &candidate : candidates) {
    unsigned distance =
        llvm::StringRef(text).edit_distance_insensitive(candidate, true, best);
    if (isTransposed(text, candidate))
      distance = 1;
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

//===----------------------------------------------------------------------===//
// Checks of the schema itself
//===----------------------------------------------------------------------===//

/// Returns a keyword in `schema` or its subschemas that is not implemented.
static std::string findUnsupported(const json &schema,
                                   const std::string &pointer) {
  if (schema.is_boolean())
    return "";
  if (!schema.is_object())
    return pointer + " is not a schema";
  for (const auto &[key, value] : schema.items()) {
    std::string here = appendPointer(pointer, key);
    static constexpr llvm::StringLiteral annotations[] = {
        "$schema", "$id", "title", "description", "default", "examples"};
    static constexpr llvm::StringLiteral leaves[] = {
        "$ref",     "type",     "enum",      "const",
        "required", "minItems", "maxItems",  "uniqueItems",
        "minimum",  "maximum",  "minLength", "pattern"};
    if (llvm::is_contained(annotations, key) || llvm::is_contained(leaves, key))
      continue;
    std::string problem;
    if (key == "properties" || key == "definitions") {
      for (const auto &[name, sub] : value.items())
        if (problem.empty())
          problem = findUnsupported(sub, appendPointer(here, name));
    } else if (key == "allOf") {
      for (const auto &[i, sub] : value.items())
        if (problem.empty())
          problem = findUnsupported(sub, appendPointer(here, i));
    } else if (key == "items" || key == "additionalProperties" || key == "if" ||
               key == "then" || key == "else") {
      problem = findUnsupported(value, here);
    } else {
      return ("keyword '" + llvm::Twine(key) + "' at " + here +
              " is not implemented")
          .str();
    }
    if (!problem.empty())
      return problem;
  }
  return "";
}

std::string JsonSchema::findUnsupported(const json &document) {
  return ::findUnsupported(document, "");
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

namespace {

std::string nameOfType(const json &value) {
  switch (value.type()) {
  case json::value_t::null:
    return "null";
  case json::value_t::object:
    return "an object";
  case json::value_t::array:
    return "an array";
  case json::value_t::string:
    return "a string";
  case json::value_t::boolean:
    return "a boolean";
  case json::value_t::number_float:
    // Integers that do not fit in 64 bits are also parsed as floating point.
    return std::abs(value.get<double>()) < 0x1p63 ? "a fraction"
                                                  : "a number beyond 64 bits";
  default:
    return "an integer";
  }
}

std::string withArticle(const std::string &type) {
  if (type == "null")
    return type;
  return (type == "integer" || type == "object" || type == "array" ? "an "
                                                                   : "a ") +
         type;
}

bool hasType(const json &value, const std::string &type) {
  if (type == "integer")
    return value.is_number_integer();
  if (type == "number")
    return value.is_number();
  if (type == "string")
    return value.is_string();
  if (type == "boolean")
    return value.is_boolean();
  if (type == "object")
    return value.is_object();
  if (type == "array")
    return value.is_array();
  return type == "null" && value.is_null();
}

/// JSON Schema counts Unicode characters rather than bytes.
size_t lengthInCharacters(const std::string &text) {
  return llvm::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
}

class Validation {
public:
  Validation(const json &document, bool allowNull,
             std::vector<SchemaViolation> &out)
      : document(document), allowNull(allowNull), out(out) {}

  void check(const json &schema, const json &value,
             const std::string &pointer) {
    if (schema.is_boolean()) {
      if (!schema.get<bool>())
        report(pointer, "no value is allowed here");
      return;
    }
    if (auto ref = schema.find("$ref"); ref != schema.end())
      return check(resolve(ref->get_ref<const std::string &>()), value,
                   pointer);

    // A value of the wrong type would also fail all other checks, so report
    // only this error.
    if (!checkType(schema, value, pointer))
      return;
    checkValue(schema, value, pointer);
    if (value.is_object())
      checkObject(schema, value, pointer);
    if (value.is_array())
      checkArray(schema, value, pointer);
    checkCombined(schema, value, pointer);
  }

private:
  const json &resolve(const std::string &ref) {
    const json *&found = resolved[ref];
    if (!found)
      found = &document.at(json::json_pointer(ref.substr(1)));
    return *found;
  }

  void report(const std::string &pointer, std::string message,
              std::vector<std::string> notes = {}, bool atKey = false) {
    out.push_back({pointer, atKey, std::move(message), std::move(notes)});
  }

  bool checkType(const json &schema, const json &value,
                 const std::string &pointer) {
    auto type = schema.find("type");
    if (type == schema.end())
      return true;
    auto matches = [&](const json &name) {
      return hasType(value, name.get_ref<const std::string &>());
    };
    if (type->is_string() ? matches(*type) : llvm::any_of(*type, matches))
      return true;
    std::vector<std::string> names;
    if (type->is_string())
      names.push_back(withArticle(type->get<std::string>()));
    else
      for (const json &name : *type)
        names.push_back(withArticle(name.get<std::string>()));
    report(pointer, "expected " + llvm::join(names, " or ") + ", got " +
                        nameOfType(value));
    return false;
  }

  void checkValue(const json &schema, const json &value,
                  const std::string &pointer) {
    if (auto it = schema.find("enum");
        it != schema.end() &&
        std::find(it->begin(), it->end(), value) == it->end()) {
      std::vector<std::string> valid, strings;
      for (const json &v : *it) {
        valid.push_back(v.dump());
        if (v.is_string())
          strings.push_back(v.get<std::string>());
      }
      std::string message = value.dump() + " is not valid here";
      if (value.is_string())
        if (auto near = findNearest(value.get<std::string>(), strings);
            !near.empty())
          message += "; did you mean \"" + near + "\"?";
      report(pointer, message, {"valid are: " + llvm::join(valid, ", ")});
    }
    if (auto it = schema.find("const"); it != schema.end() && *it != value)
      report(pointer, "expected " + it->dump() + ", got " + value.dump());
    if (value.is_number()) {
      if (auto it = schema.find("minimum"); it != schema.end() && value < *it)
        report(pointer,
               value.dump() + " is too small; the minimum is " + it->dump());
      if (auto it = schema.find("maximum"); it != schema.end() && value > *it)
        report(pointer,
               value.dump() + " is too large; the maximum is " + it->dump());
    }
    if (value.is_string()) {
      const std::string &text = value.get_ref<const std::string &>();
      if (auto it = schema.find("minLength");
          it != schema.end() && lengthInCharacters(text) < it->get<size_t>())
        report(pointer, "expected at least " + it->dump() +
                            (*it == 1 ? " character" : " characters"));
      if (auto it = schema.find("pattern"); it != schema.end()) {
        std::string pattern = it->get<std::string>();
        if (!llvm::Regex(pattern).match(text))
          report(pointer, value.dump() + " does not have the expected form",
                 {"the form is the regular expression " + it->dump()});
      }
    }
  }

  void checkObject(const json &schema, const json &value,
                   const std::string &pointer) {
    if (auto it = schema.find("required"); it != schema.end())
      for (const json &key : *it)
        if (!value.contains(key.get_ref<const std::string &>()))
          report(pointer, "key '" + key.get<std::string>() + "' is missing");

    auto properties = schema.find("properties");
    auto additional = schema.find("additionalProperties");
    for (const auto &[key, member] : value.items()) {
      std::string here = appendPointer(pointer, key);
      auto property = properties != schema.end() ? properties->find(key)
                                                 : json::const_iterator();
      if (properties != schema.end() && property != properties->end()) {
        if (!(allowNull && member.is_null()))
          check(*property, member, here);
      } else if (additional != schema.end() && !additional->is_boolean()) {
        if (!(allowNull && member.is_null()))
          check(*additional, member, here);
      } else if (additional != schema.end() && !additional->get<bool>()) {
        std::vector<std::string> known;
        if (properties != schema.end())
          for (const auto &[name, unused] : properties->items())
            known.push_back(name);
        std::string message = "unknown key '" + key + "'";
        if (auto near = findNearest(key, known); !near.empty())
          message += "; did you mean '" + near + "'?";
        report(here, message, {"valid keys here: " + llvm::join(known, ", ")},
               /*atKey=*/true);
      }
    }
  }

  void checkArray(const json &schema, const json &value,
                  const std::string &pointer) {
    auto items = [&](size_t n) {
      return std::to_string(n) + (n == 1 ? " item" : " items");
    };
    if (auto it = schema.find("minItems");
        it != schema.end() && value.size() < it->get<size_t>())
      report(pointer, "expected at least " + items(it->get<size_t>()) +
                          ", but got " + std::to_string(value.size()));
    if (auto it = schema.find("maxItems");
        it != schema.end() && value.size() > it->get<size_t>())
      report(pointer, "expected at most " + items(it->get<size_t>()) +
                          ", but got " + std::to_string(value.size()));
    if (auto it = schema.find("uniqueItems");
        it != schema.end() && it->get<bool>())
      for (size_t i = 0; i < value.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (value[i] == value[j]) {
            report(appendPointer(pointer, std::to_string(i)),
                   value[i].dump() + " appears twice");
            break;
          }
    if (auto it = schema.find("items"); it != schema.end())
      for (size_t i = 0; i < value.size(); ++i)
        check(*it, value[i], appendPointer(pointer, std::to_string(i)));
  }

  void checkCombined(const json &schema, const json &value,
                     const std::string &pointer) {
    if (auto it = schema.find("allOf"); it != schema.end())
      for (const json &sub : *it)
        check(sub, value, pointer);
    if (auto it = schema.find("if"); it != schema.end()) {
      std::vector<SchemaViolation> failures;
      Validation(document, allowNull, failures).check(*it, value, pointer);
      auto branch = schema.find(failures.empty() ? "then" : "else");
      if (branch != schema.end())
        check(*branch, value, pointer);
    }
  }

  const json &document;
  bool allowNull;
  std::vector<SchemaViolation> &out;
  std::map<std::string, const json *, std::less<>> resolved; ///< Targets of
                                                             ///< $ref.
};

} // namespace

std::vector<SchemaViolation> JsonSchema::validate(const json &value,
                                                  const std::string &root,
                                                  bool allowNull) const {
  std::vector<SchemaViolation> violations;
  Validation(document, allowNull, violations)
      .check(document.at(json::json_pointer(root)), value, "");
  return violations;
}
