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
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace aircc {

std::string StageOptions::describeUnknown(StringRef stage,
                                          StringRef key) const {
  std::string message =
      ("stage '" + stage + "' has no option '" + key + "'").str();
  // The option map is unordered.
  std::vector<std::string> keys;
  for (StringRef known : make_first_range(OptionsMap))
    keys.push_back(known.str());
  sort(keys);
  if (keys.empty())
    return message + "; it has no options";
  if (std::string near = findNearest(key.str(), keys); !near.empty())
    return message + "; did you mean '" + near + "'?";
  return message + "; its options are " + join(keys, ", ");
}

mlir::LogicalResult StageOptions::parse(StringRef stage, StringRef text,
                                        StageErrorFn onError) {
  std::string errors;
  raw_string_ostream os(errors);
  if (mlir::succeeded(parseFromString(text, os)))
    return mlir::success();
  if (refused)
    onError("option '" + Twine(refused->key) + "' of stage '" + stage +
            "' expects " + refused->values + ", but got '" + refused->value +
            "'");
  else
    // MLIR itself reports only "no such option KEY".
    onError(
        describeUnknown(stage, StringRef(errors).rtrim().rsplit(' ').second));
  return mlir::failure();
}

} // namespace aircc
