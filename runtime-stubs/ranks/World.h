//===- World.h - Which rank of which job this process is --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank is a process; who started it says in the environment which one it is.
// docs/multi-gpu.md has the table of launchers and variables.
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
  /// The rank among those of this node, where the launcher says so.
  std::optional<int32_t> localRank;
  /// The variable that gave the rank; null where there is no launcher.
  const char *rankVariable = nullptr;
};

/// Reads the environment. Fails where variables are missing, are no numbers,
/// contradict each other, or speak of several nodes.
Status readWorld(World &world);

/// What all ranks of this job have in common and no other job on this machine
/// has: from the environment, else the process that started the ranks.
std::string jobIdentity(const World &world);

/// How long to wait for something that another rank does, from
/// AIRCC_WAIT_LIMIT in seconds; nothing: for ever.
struct WaitLimit {
  std::optional<std::chrono::milliseconds> limit;
  /// "10 s"
  std::string text() const;
};
Status readWaitLimit(WaitLimit &limit);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_WORLD_H
