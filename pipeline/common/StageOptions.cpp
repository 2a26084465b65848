//===- StageOptions.cpp - The options of a stage --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/StageOptions.h"

#include "targets/JsonSchema.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace aircc {

namespace {

/// One `key=value`, or a key alone.
struct Assignment {
  StringRef key;
  StringRef value;
  bool hasValue = false;
};

} // namespace

/// Removes the first assignment from `text`, which is not empty. False if a
/// quote is not closed.
static bool takeAssignment(StringRef &text, Assignment &assignment) {
  constexpr StringLiteral space = " \t\n";
  assignment = {};
  assignment.key =
      text.take_until([&](char c) { return c == '=' || space.contains(c); });
  text = text.drop_front(assignment.key.size());
  assignment.hasValue = text.consume_front("=");
  if (!assignment.hasValue)
    return true;
  if (!text.starts_with("'") && !text.starts_with("\"")) {
    assignment.value =
        text.take_until([&](char c) { return space.contains(c); });
    text = text.drop_front(assignment.value.size());
    return true;
  }
  size_t end = text.find(text.front(), 1);
  if (end == StringRef::npos)
    return false;
  assignment.value = text.slice(1, end);
  text = text.drop_front(end + 1);
  return true;
}

void StageOptions::add(StringRef key, std::string values,
                       std::function<bool(StringRef)> set) {
  options.push_back({key.str(), std::move(values), std::move(set)});
}

void StageOptions::addFlag(StringRef key, bool &value) {
  add(key, "true or false", [&value](StringRef text) {
    bool isTrue = text.equals_insensitive("true") || text == "1";
    if (!isTrue && !text.equals_insensitive("false") && text != "0")
      return false;
    value = isTrue;
    return true;
  });
  options.back().isFlag = true;
}

void StageOptions::addText(StringRef key, std::string &value) {
  add(key, "text", [&value](StringRef text) {
    value = text.str();
    return true;
  });
}

std::string StageOptions::describeUnknown(StringRef key) const {
  std::string message =
      "stage '" + stage + "' has no option '" + key.str() + "'";
  if (options.empty())
    return message + "; it has no options";
  std::vector<std::string> keys;
  for (const Option &option : options)
    keys.push_back(option.key);
  if (std::string near = findNearest(key.str(), keys); !near.empty())
    message += "; did you mean '" + near + "'?";
  else
    message += "; its options are " + join(keys, ", ");
  return message;
}

mlir::LogicalResult StageOptions::parse(StringRef text,
                                        StageErrorFn onError) const {
  for (StringRef rest = text.ltrim(); !rest.empty(); rest = rest.ltrim()) {
    Assignment assignment;
    if (!takeAssignment(rest, assignment)) {
      onError("a quote is not closed in the options of stage '" + Twine(stage) +
              "': " + text);
      return mlir::failure();
    }
    auto option = find_if(
        options, [&](const Option &o) { return o.key == assignment.key; });
    if (option == options.end()) {
      onError(describeUnknown(assignment.key));
      return mlir::failure();
    }
    if (!assignment.hasValue && option->isFlag)
      assignment.value = "true";
    if (option->set(assignment.value))
      continue;
    onError("option '" + assignment.key + "' of stage '" + Twine(stage) +
            "' takes " + option->values + ", not '" + assignment.value + "'");
    return mlir::failure();
  }
  return mlir::success();
}

} // namespace aircc
