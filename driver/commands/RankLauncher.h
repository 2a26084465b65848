//===- RankLauncher.h - `aircc run -n`: processes as ranks ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_RANKLAUNCHER_H
#define AIRCC_DRIVER_COMMANDS_RANKLAUNCHER_H

#include "driver/diagnostics/Diagnostics.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// A program to run as several processes.
struct RankCommand {
  int program = -1;                   ///< A descriptor of the executable.
  std::vector<std::string> arguments; ///< The first is the program's name.
  unsigned ranks = 1;
  /// Whether lines of output begin with the rank.
  bool prefixed = true;
  /// After how long the ranks are ended; nothing: never.
  std::optional<std::chrono::milliseconds> timeout;
};

/// The status of a command whose ranks took too long, as timeout(1) has it.
constexpr int timeoutStatus = 124;

/// Starts the ranks and waits for them. Their output comes out in whole lines;
/// signals that ask this process to end are passed on. When a rank fails, the
/// others have a few seconds to end by themselves. Ranks do not outlive this
/// process, however it ends.
///
/// Returns the status for this process: the worst of the ranks that ended by
/// themselves, where a signal counts as 128 and its number.
int launchRanks(const RankCommand &command, Diagnostics &diagnostics);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_RANKLAUNCHER_H
