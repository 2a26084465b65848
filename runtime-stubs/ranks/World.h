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

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace aircc::rt {

struct World {
  int32_t rank = 0;
  int32_t size = 1;
  /// The rank on this node, if the launcher provides it.
  std::optional<int32_t> localRank;
  /// The variable that specified the rank, or null if there is no launcher.
  const char *rankVariable = nullptr;
  /// The environment variables that show that the ranks are on several nodes.
  /// Empty if they are on one.
  std::string severalNodes;
};

/// Reads the environment. Fails if variables are missing, are not numbers,
/// contradict each other, or indicate several nodes without Open MPI.
Status readWorld(World &world);

/// Returns a string that is equal on all ranks of this job and different for
/// other jobs on this machine. It comes from the environment or, otherwise,
/// from the process that started the ranks.
std::string jobIdentity(const World &world);

/// The time to wait for another rank, from AIRCC_WAIT_LIMIT in seconds. If
/// unset, there is no limit.
struct WaitLimit {
  std::optional<std::chrono::milliseconds> limit;
  /// Returns the limit as text, such as "10 s".
  std::string text() const;
  /// Waits until `ready` is true. Returns false after the limit.
  template <typename Ready>
  bool wait(std::condition_variable &changed,
            std::unique_lock<std::mutex> &lock, Ready ready) const {
    if (limit)
      return changed.wait_for(lock, *limit, ready);
    changed.wait(lock, ready);
    return true;
  }
};
Status readWaitLimit(WaitLimit &limit);

/// Hashes text (FNV-1a, from two starting values).
std::array<uint64_t, 2> hashText(const std::string &text);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_WORLD_H
