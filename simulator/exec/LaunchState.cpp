//===- LaunchState.cpp - What all waves of a launch see -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/LaunchState.h"

using namespace aircc::sim;

std::string aircc::sim::describePlace(const LaunchState &state, const Op &op) {
  const CodeObject &object = *state.request->object;
  const std::string text =
      "at " + object.describeAddress(op.inst->address) + ": " + op.inst->text();
  const std::string line = object.sourceLine(op.inst->address);
  return line.empty() ? text : text + " [" + line + "]";
}
