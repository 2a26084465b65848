//===- RaceDetector.cpp - Detection of unordered accesses -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/RaceDetector.h"

using namespace aircc::sim;

std::string aircc::sim::accessText(bool writes, bool isAtomic) {
  return isAtomic ? "atomic" : writes ? "write" : "read";
}
