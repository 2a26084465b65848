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

/// What the largest of Intel's GPUs have: lanes of a workgroup.
constexpr uint32_t kMaxLanes = 1024;

/// What a launch is asked for. Grid in workgroups, block in lanes.
struct SpirvLaunchRequest {
  const SpirvKernel *kernel = nullptr;
  GlobalMemory *memory = nullptr;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicSlmBytes = 0;
  /// One pointer to the bytes of each argument. A pointer to memory of the
  /// workgroup is made here: what is given for it does not count, and it may be
  /// left out.
  std::vector<const void *> args;
  LaneTrace *trace = nullptr; ///< Or null; for a program made for traces.
};

/// Runs the launch to its end; what it did is added to `counts`. Fails
/// when the request is wrong, the kernel faulted or the checker found
/// something.
llvm::Error runSpirvLaunch(const SpirvLaunchRequest &request,
                           const LaunchOptions &options, LaneCounts &counts,
                           LaunchResult &result);

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_SPIRVLAUNCH_H
