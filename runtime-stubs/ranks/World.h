//===- World.h - The rank and job of this process ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank is a process. The launcher sets environment variables that identify
// it. docs/multi-gpu.md lists the launchers and their variables.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_WORLD_H
#define AIRCC_RUNTIME_RANKS_WORLD_H

#include "runtime-stubs/Device.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace aircc::rt {

struct World {
  int32_t rank = 0;
  int32_t size = 1;
  /// The rank on this node, if the launcher provides it.
  std::optional<int32_t> localRank;
  /// The variable that gave the rank; null if there is no launcher.
  const char *rankVariable = nullptr;
  /// If the ranks are on several nodes: the variables that say so.
  std::string severalNodes;
};

/// Reads the environment. Fails if variables are missing, not numbers,
/// contradictory, or indicate several nodes without Open MPI.
Status readWorld(World &world);

/// Returns a string that is equal on all ranks of this job and different for
/// other jobs on this machine: from the environment, else from the process that
/// started the ranks.
std::string jobIdentity(const World &world);

/// The time to wait for another rank, from AIRCC_WAIT_LIMIT in seconds; unset:
/// forever.
struct WaitLimit {
  std::optional<std::chrono::milliseconds> limit;
  /// "10 s"
  std::string text() const;
};
Status readWaitLimit(WaitLimit &limit);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_WORLD_H
