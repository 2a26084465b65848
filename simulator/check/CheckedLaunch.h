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

/// Executes a launch, with a Checker as an observer if `options.check` selects
/// any kind of fault. Faults that it finds make the launch fail; its warnings
/// are added to those of the result.
llvm::Error runCheckedLaunch(const LaunchRequest &request,
                             const LaunchOptions &options,
                             LaunchResult &result);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_CHECKEDLAUNCH_H
