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

/// A program to run in several processes.
struct RankCommand {
  int program = -1;                   ///< The file descriptor of the
                                      ///< executable.
  std::vector<std::string> arguments; ///< The first one is the program's name.
  unsigned ranks = 1;
  /// The number of nodes to simulate. The ranks of a node are consecutive.
  unsigned nodes = 1;
  /// Whether each line of output is prefixed with the rank.
  bool prefixed = true;
  /// The time after which the ranks are terminated, or nothing for no limit.
  std::optional<std::chrono::milliseconds> timeout;
};

/// The exit status after a timeout, as in timeout(1).
constexpr int timeoutStatus = 124;

/// Starts the ranks and waits for them. Their output is printed in complete
/// lines, and terminating signals sent to this process are forwarded. If a rank
/// fails, the others have a few seconds to exit on their own. Ranks never
/// outlive this process.
///
/// Returns the status for this process, which is the worst status of the ranks
/// that exited on their own. A signal counts as 128 plus its number.
int launchRanks(const RankCommand &command, Diagnostics &diagnostics);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_RANKLAUNCHER_H
