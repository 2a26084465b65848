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

/// runLaunch, observed by a Checker if `options.check` selects anything. Its
/// faults make the launch fail, its warnings are among the result's.
llvm::Error runCheckedLaunch(const LaunchRequest &request,
                             const LaunchOptions &options,
                             LaunchResult &result);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_CHECKEDLAUNCH_H
