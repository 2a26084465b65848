//===- TargetId.cpp - Matches code targets with devices -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/TargetId.h"

using namespace aircc::rt;

/// Removes the text before the next colon from `rest` and returns it.
static std::string_view takePart(std::string_view &rest) {
  size_t colon = rest.find(':');
  std::string_view part = rest.substr(0, colon);
  rest = colon == std::string_view::npos ? std::string_view()
                                         : rest.substr(colon + 1);
  return part;
}

/// Returns whether `list` contains `feature`, including its sign ("xnack-").
static bool hasFeature(std::string_view list, std::string_view feature) {
  while (!list.empty())
    if (takePart(list) == feature)
      return true;
  return false;
}

int aircc::rt::matchTargetId(std::string_view device, std::string_view code) {
  std::string_view processor = takePart(code);
  if (processor.empty() || processor != takePart(device))
    return 0;
  int score = 1;
  while (!code.empty()) {
    std::string_view feature = takePart(code);
    if (feature.size() < 2 || (feature.back() != '+' && feature.back() != '-'))
      return 0;
    if (!hasFeature(device, feature))
      return 0;
    ++score;
  }
  return score;
}
