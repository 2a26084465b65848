//===- CheckedLaunch.h - A launch that the checker may observe --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_CHECKEDLAUNCH_H
#define AIRCC_SIMULATOR_CHECK_CHECKEDLAUNCH_H

#include "simulator/launch/Launch.h"

namespace aircc::sim {

/// Runs a launch, with a Checker as observer if `options.check` selects any
/// kind of fault. Faults that it finds make the launch fail; its warnings are
/// added to the result's.
llvm::Error runCheckedLaunch(const LaunchRequest &request,
                             const LaunchOptions &options,
                             LaunchResult &result);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_CHECKEDLAUNCH_H
