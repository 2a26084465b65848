//===- CheckedLaunch.cpp - A launch that the checker may observe ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/CheckedLaunch.h"

#include "simulator/check/Checker.h"

using namespace aircc::sim;

llvm::Error aircc::sim::runCheckedLaunch(const LaunchRequest &request,
                                         const LaunchOptions &options,
                                         LaunchResult &result) {
  if (!options.check.any())
    return runLaunch(request, options, result);
  Checker checker(options.checkLimit, options.check);
  LaunchOptions checked = options;
  checked.observers.push_back(&checker);
  return runLaunch(request, checked, result);
}
