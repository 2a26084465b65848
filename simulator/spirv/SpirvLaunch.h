//===- SpirvLaunch.h - Running a SPIR-V kernel over a grid ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_SPIRVLAUNCH_H
#define AIRCC_SIMULATOR_SPIRV_SPIRVLAUNCH_H

#include "simulator/launch/Launch.h"
#include "simulator/observe/LaneCounts.h"
#include "simulator/spirv/Kernel.h"

namespace aircc::sim::spirv {

class LaneTrace;

/// The maximum number of lanes in a workgroup, which is that of the largest
/// Intel GPU.
constexpr uint32_t kMaxLanes = 1024;

/// The parameters of a launch, with the grid in workgroups and the block in
/// lanes.
struct SpirvLaunchRequest {
  const SpirvKernel *kernel = nullptr;
  GlobalMemory *memory = nullptr;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicSlmBytes = 0;
  /// A pointer to the bytes of each argument. Arguments that point to shared
  /// local memory may be omitted, because the launch allocates that memory and
  /// ignores a value given for such an argument.
  std::vector<const void *> args;
  LaneTrace *trace = nullptr; ///< May be null. Requires a traced program.
};

/// Executes a launch and adds its counts to `counts`. Fails if the request is
/// invalid, the kernel faults or the checker reports a fault.
llvm::Error runSpirvLaunch(const SpirvLaunchRequest &request,
                           const LaunchOptions &options, LaneCounts &counts,
                           LaunchResult &result);

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_SPIRVLAUNCH_H
